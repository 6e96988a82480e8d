// Energies of all runs in one plot, and the moment of the pictures.

class Curves extends Chart {
  constructor(arrays) {
    super("curves", 380);
    this.histories = Object.entries(sweep.curves.runs).map(([run, names]) => [
      Number(run), Object.fromEntries(Object.entries(names).map(([name, column]) => [name, arrays[column]])),
    ]);
    this.byRun = new Map(this.histories);
    this.name = sweep.curves.names[0] ?? "total";
    choices(byId("curve"), sweep.curves.names.map((name) => [name, name.replace("_", " ")]), this.name);
    byId("curve").addEventListener("change", (e) => {
      this.name = e.target.value;
      byId("log").checked = this.name === "residual";
      this.draw();
    });
    byId("log").addEventListener("change", () => this.draw());
    model.on("time", () => this.draw());
  }

  get drawn() {
    return model.shown.filter((run) => this.byRun.has(run));
  }

  // Heights of finished runs, if there are any.
  ranges(scale) {
    const [drawn, wide] = [this.drawn, [Infinity, -Infinity, Infinity, -Infinity]];
    const good = drawn.filter((run) => runs[run].state === "finished");
    for (const run of good.length ? good : drawn) {
      const history = this.byRun.get(run);
      history[this.name].forEach((v, i) => {
        const u = scale.to(v);
        if (!Number.isFinite(u)) return;
        [wide[0], wide[1]] = [Math.min(wide[0], history.time[i]), Math.max(wide[1], history.time[i])];
        [wide[2], wide[3]] = [Math.min(wide[2], u), Math.max(wide[3], u)];
      });
    }
    if (wide[2] > wide[3]) return [0, 1, 0, 1];
    const spare = (wide[3] - wide[2]) * 0.06 || Math.abs(wide[3]) * 0.1 || 0.5;
    return [wide[0], wide[1] > wide[0] ? wide[1] : wide[0] + 1, wide[2] - spare, wide[3] + spare];
  }

  paint(pen, width) {
    const log = byId("log").checked;
    this.scale = SCALES[log ? "log" : "linear"]();
    const [x0, x1, y0, y1] = this.ranges(this.scale);
    const box = { left: 96, top: 12, right: width - 16, bottom: this.height - 48 };
    this.x = (t) => box.left + ((t - x0) / (x1 - x0)) * (box.right - box.left);
    this.y = (v) => Math.max(-1e5, Math.min(1e5, box.bottom - ((this.scale.to(v) - y0) / (y1 - y0)) * (box.bottom - box.top)));
    this.time = (dots) => x0 + ((dots - box.left) / (box.right - box.left)) * (x1 - x0);
    const ticks = (log ? decadeTicks : plainTicks)(y0, y1, 8).map((t) => ({ at: box.bottom - ((t.at - y0) / (y1 - y0)) * (box.bottom - box.top), text: t.text }));
    this.grid(pen, box, plainTicks(x0, x1, Math.floor(width / 90)).map((t) => ({ at: this.x(t.at), text: t.text })), ticks);
    pen.fillText("time  [s]", (box.left + box.right) / 2, box.bottom + 27);
    pen.save();
    pen.translate(4, (box.top + box.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(`${log ? "|" : ""}${this.name.replace("_", " ")}${log ? "|" : ""}  [J]`, 0, 0);
    pen.restore();
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top - 1, box.right - box.left, box.bottom - box.top + 2);
    pen.clip();
    this.each(pen, (run, lit) => this.trace(pen, run, lit));
    pen.strokeStyle = theme("faded");
    pen.lineWidth = 1;
    line(pen, this.x(times[model.at]), box.top, this.x(times[model.at]), box.bottom);
    pen.restore();
  }

  trace(pen, run, lit) {
    const history = this.byRun.get(run);
    if (!history) return;
    pen.strokeStyle = tones.of[run];
    pen.lineWidth = lit ? 3.5 : 1.5;
    pen.beginPath();
    let open = false;
    history[this.name].forEach((v, i) => {
      const good = Number.isFinite(this.scale.to(v));
      if (good) pen[open ? "lineTo" : "moveTo"](this.x(history.time[i]), this.y(v));
      open = good;
    });
    pen.stroke();
  }

  value(run, t) {
    const history = this.byRun.get(run);
    const last = history.time[history.time.length - 1];
    return t > last ? NaN : history[this.name][nearest(history.time, t)];
  }
  nearest(x, y) {
    this.read_ = this.time(x);
    return closest(this.drawn, (run) => Math.abs(this.y(this.value(run, this.read_)) - y), 24);
  }
  place(run) {
    if (!this.byRun.has(run)) return null;
    const t = this.canvas.matches(":hover") ? this.read_ : times[model.at];
    return { x: this.x(t), lines: [`${shown(t, 4)} s: ${shown(this.value(run, t), 6)} J`] };
  }
}
