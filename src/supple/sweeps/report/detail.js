// Detail view of a run: its film, larger, and all its data.

const detail = {
  dialog: byId("detail"),
  film: document.querySelector("#detail .shot"),
  run: null,

  start() {
    const { dialog } = this;
    dialog.addEventListener("close", () => { sheet.stop(); model.light(null); });
    dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
    dialog.querySelector(".keep").addEventListener("change", (e) => model.keep(this.run, e.target.checked));
    byId("before").addEventListener("click", () => this.turn(-1));
    byId("after").addEventListener("click", () => this.turn(1));
    dialog.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (step) this.turn(step);
    });
  },

  open(run) {
    this.show(run);
    this.dialog.showModal();
    if (times.length > 1 && !sheet.timer) sheet.play();
  },

  // The previous or next run among those shown.
  turn(step) {
    const list = model.shown;
    if (list.length) this.show(list[(list.indexOf(this.run) + step + list.length) % list.length]);
  },

  show(run) {
    const { dialog } = this;
    const told = runs[run];
    this.run = run;
    byId("detail-title").textContent = `Run ${told.index}: ${told.label}`;
    this.film.style.backgroundImage = sheet.tiles[run].querySelector(".shot").style.backgroundImage;
    this.film.setAttribute("aria-label", `Film of run ${told.index}`);
    dialog.querySelector(".keep").checked = model.kept.has(run);
    const warning = dialog.querySelector(".warning");
    warning.hidden = !told.error;
    warning.textContent = told.error;
    const rows = sweep.columns.map((c) => [c.title, cellText(c, run)]);
    rows.push(["folder", told.folder], ...(told.worker ? [["worker", told.worker]] : []));
    dialog.querySelector("dl").replaceChildren(...rows.map(([name, text]) => {
      const row = made("div");
      row.append(made("dt", "", name), made("dd", "", text));
      return row;
    }), this.link(told));
    this.time();
    model.light(run);
  },

  link(told) {
    if (!told.link) return made("p", "quiet", "Write its own page with: supple report SWEEP --pages");
    const link = made("a", "", "Full report of this run");
    link.href = told.link;
    return link;
  },

  time() {
    const t = times[model.at];
    const end = this.run === null ? null : runs[this.run].end;
    const over = end !== null && t > end + 1e-9 ? `, ended at ${shown(end, 4)} s` : "";
    this.dialog.querySelector("output").textContent = `t = ${shown(t, 4)} s${over}`;
  },
};
