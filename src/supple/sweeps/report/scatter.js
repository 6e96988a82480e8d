// One column against another, a dot for each run; runs of a grid that share all other values are joined.

class Scatter extends Chart {
  constructor() {
    super("scatter", 380);
    const drawn = sweep.columns.map((c, k) => [k, c.title]).filter(([k]) => sweep.columns[k].role !== "state");
    const first = (role) => Math.max(0, sweep.columns.findIndex((c) => c.role === role));
    [this.x, this.y] = [first("value"), first("measure")];
    for (const axis of ["x", "y"]) {
      choices(byId(`scatter-${axis}`), drawn, this[axis]);
      byId(`scatter-${axis}`).addEventListener("change", (e) => { this[axis] = Number(e.target.value); this.draw(); });
    }
  }

  get columns() {
    return [sweep.columns[this.x], sweep.columns[this.y]];
  }

  paint(pen, width) {
    const [x, y] = this.columns;
    const box = { left: 96, top: 12, right: width - 16, bottom: this.height - 48 };
    this.across = columnAxis(x, box.left, box.right, 0.06);
    this.up = columnAxis(y, box.bottom, box.top, 0.06);
    this.grid(pen, box, this.across.ticks, this.up.ticks);
    pen.fillText(x.title, (box.left + box.right) / 2, box.bottom + 27);
    pen.save();
    pen.translate(4, (box.top + box.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(y.title, 0, 0);
    pen.restore();
    this.join(pen);
    this.each(pen, (run, lit) => {
      if (!this.has(run)) return;
      pen.fillStyle = tones.of[run];
      dot(pen, ...this.point(run), lit ? 8 : 5);
    });
  }

  join(pen) {
    const [x] = this.columns;
    if (!sweep.grid || x.role !== "value" || !x.numeric) return;
    const others = sweep.columns.filter((c) => c.role === "value" && c !== x);
    const groups = new Map();
    for (const run of model.shown.filter((r) => this.has(r))) {
      const shared = others.map((c) => c.cells[run]).join("\n");
      groups.set(shared, [...(groups.get(shared) ?? []), run]);
    }
    pen.strokeStyle = theme("faded");
    pen.globalAlpha = 0.5;
    for (const group of groups.values()) {
      group.sort((a, b) => x.cells[a] - x.cells[b]);
      for (let k = 1; k < group.length; k++) line(pen, ...this.point(group[k - 1]), ...this.point(group[k]));
    }
    pen.globalAlpha = 1;
  }

  has(run) {
    return this.columns.every((c) => c.cells[run] !== null);
  }
  point(run) {
    const [x, y] = this.columns;
    return [this.across.place(x.cells[run]), this.up.place(y.cells[run])];
  }
  nearest(x, y) {
    return closest(model.shown.filter((run) => this.has(run)), (run) => Math.hypot(this.point(run)[0] - x, this.point(run)[1] - y), 24);
  }
  place(run) {
    if (!this.has(run)) return null;
    return { x: this.point(run)[0], lines: this.columns.map((c) => `${c.title}: ${cellText(c, run)}`) };
  }
}
