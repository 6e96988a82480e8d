// The contact sheet: one time for all pictures, and the position of each run.

const MOST_ACROSS = 16; // values of a key that can be the columns or rows of the sheet
const PAUSE = 160; // ms between two pictures of a film

const sheet = {
  root: byId("sheet"),
  tiles: [...document.querySelectorAll(".tile")],
  timer: null,
  across: -1,
  down: -1,

  start() {
    const keys = sweep.columns.map((c, k) => [k, c]).filter(([, c]) => c.role === "value" && distinct(c).length > 1 && distinct(c).length <= MOST_ACROSS);
    if (sweep.grid && keys.length === 2) [this.down, this.across] = keys.map(([k]) => k);
    const entries = [[-1, "as they fit"], ...keys.map(([k, c]) => [k, c.title])];
    for (const name of ["across", "down"]) {
      choices(byId(name), entries, this[name]);
      byId(name).addEventListener("change", (e) => { this[name] = Number(e.target.value); this.arrange(); });
    }
    byId("size").value = this.fitting();
    byId("size").addEventListener("input", () => this.resize());
    byId("time").max = times.length - 1;
    byId("time").addEventListener("input", (e) => { this.stop(); model.move(Number(e.target.value)); });
    byId("play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    for (const tile of this.tiles) {
      const run = Number(tile.dataset.run);
      tile.querySelector(".shot").addEventListener("click", () => detail.open(run));
      tile.querySelector(".keep").addEventListener("change", (e) => model.keep(run, e.target.checked));
      watched(tile, run);
    }
    this.resize();
    this.arrange();
  },

  fitting() {
    const room = document.body.clientWidth - 40;
    if (this.across >= 0) return Math.max(90, Math.min(320, Math.floor((room - 110) / distinct(sweep.columns[this.across]).length) - 10));
    return runs.length <= 12 ? 280 : runs.length <= 60 ? 200 : 140;
  },
  resize() {
    this.root.style.setProperty("--tile", byId("size").value + "px");
  },

  play() {
    this.timer = setInterval(() => model.move((model.at + 1) % times.length), PAUSE);
    this.pressed(true);
  },
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.pressed(false);
  },
  pressed(on) {
    byId("play").textContent = on ? "Stop" : "Play";
    byId("play").setAttribute("aria-pressed", String(on));
  },

  time() {
    // not on the whole page: the table has thousands of cells that would inherit it
    for (const node of [this.root, detail.film]) node.style.setProperty("--at", model.at);
    const t = times[model.at];
    byId("time").value = model.at;
    byId("clock").textContent = `${shown(t, 4)} s`;
    for (const tile of this.tiles) {
      const { end } = runs[tile.dataset.run];
      tile.classList.toggle("over", end !== null && t > end + 1e-9);
    }
  },

  arrange() {
    // the few runs that were kept stand side by side
    const used = !model.only && (this.across >= 0 || this.down >= 0);
    this.root.className = used ? "grid" : "flow";
    if (!used) {
      this.root.style.gridTemplateColumns = "";
      this.root.replaceChildren(...model.order.map((run) => this.tiles[run]));
      return;
    }
    const values = [this.across, this.down].map((k) => (k < 0 ? [null] : ordered(sweep.columns[k])));
    this.root.style.gridTemplateColumns = `auto repeat(${values[0].length}, auto)`;
    const named = (k, value) => (k < 0 ? "" : `${sweep.columns[k].title} ${sweep.columns[k].numeric ? brief(value) : value}`);
    const found = [made("span"), ...values[0].map((v) => made("span", "head", named(this.across, v)))];
    for (const low of values[1]) {
      found.push(made("span", "head side", named(this.down, low)));
      for (const right of values[0]) {
        const cell = made("div", "cell");
        const fits = (k, value, run) => k < 0 || sweep.columns[k].cells[run] === value;
        cell.append(...model.order.filter((r) => fits(this.across, right, r) && fits(this.down, low, r)).map((r) => this.tiles[r]));
        found.push(cell);
      }
    }
    this.root.replaceChildren(...found);
  },
};

// Numbers by size, words unsorted.
function ordered(column) {
  const values = distinct(column);
  return column.numeric ? values.sort((a, b) => a - b) : values;
}

function watched(node, run) {
  node.addEventListener("pointerenter", () => model.light(run));
  node.addEventListener("pointerleave", () => model.light(null));
}
