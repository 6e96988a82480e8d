// Parallel coordinates: an axis for each key and measure, a line for each run; a drag along an axis filters.

const MOST_AXES = 10;

class Parallel extends Chart {
  constructor() {
    super("parallel", 330);
    this.axes = sweep.columns.map((column, k) => ({ column, k }))
      .filter(({ column }) => ["value", "measure"].includes(column.role) && distinct(column).length > 1).slice(0, MOST_AXES);
    this.drag = null;
    this.canvas.addEventListener("pointerdown", (e) => this.pressed(e));
    this.canvas.addEventListener("pointerup", (e) => this.released(e));
    this.canvas.addEventListener("pointercancel", () => { this.drag = null; this.draw(); });
  }

  paint(pen, width) {
    const [top, bottom] = [46, this.height - 16];
    const [left, right] = [70, width - 70];
    this.axes.forEach((axis, k) => {
      axis.x = this.axes.length > 1 ? left + ((right - left) * k) / (this.axes.length - 1) : width / 2;
      Object.assign(axis, columnAxis(axis.column, bottom, top, 0));
    });
    pen.globalAlpha = 0.35;
    const shown = new Set(model.shown);
    runs.forEach((_, run) => { if (!shown.has(run)) this.trace(pen, run, theme("grid"), 1); });
    this.each(pen, (run, lit) => this.trace(pen, run, tones.of[run], lit ? 3.5 : 1.4));
    pen.globalAlpha = 1;
    this.axes.forEach((axis, k) => this.axis(pen, axis, k, top, bottom));
  }

  trace(pen, run, colour, width) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    let open = false;
    for (const { column, x, place } of this.axes) {
      const cell = column.cells[run];
      if (cell !== null) pen[open ? "lineTo" : "moveTo"](x, place(cell));
      open = cell !== null;
    }
    pen.stroke();
  }

  axis(pen, axis, k, top, bottom) {
    pen.lineWidth = 1;
    pen.strokeStyle = theme("faded");
    line(pen, axis.x, top, axis.x, bottom);
    pen.fillStyle = theme("ink");
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    pen.font = `600 13px ${theme("font")}`;
    pen.fillText(axis.column.title, axis.x, k % 2 ? 26 : 10);
    pen.font = `12px ${theme("font")}`;
    // labels have a background, so lines do not cross them
    pen.textAlign = "left";
    for (const tick of axis.ticks) {
      line(pen, axis.x - 3, tick.at, axis.x + 3, tick.at);
      const wide = pen.measureText(tick.text).width;
      const at = k === this.axes.length - 1 ? axis.x + 6 : axis.x - 6 - wide;
      pen.globalAlpha = 0.75;
      pen.fillStyle = theme("paper");
      pen.fillRect(at - 1, tick.at - 8, wide + 2, 16);
      pen.globalAlpha = 1;
      pen.fillStyle = theme("ink");
      pen.fillText(tick.text, at, tick.at);
    }
    const band = this.drag?.axis === axis ? [this.drag.from, this.drag.to] : this.band(axis);
    if (!band) return;
    pen.globalAlpha = 0.3;
    pen.fillStyle = theme("link");
    pen.fillRect(axis.x - 7, Math.min(...band), 14, Math.abs(band[1] - band[0]));
    pen.globalAlpha = 1;
  }

  // The range that a filter keeps, on its axis.
  band(axis) {
    const found = axis.value && model.filters.get(axis.k)?.match(BETWEEN);
    return found?.[1] && found[2] ? [axis.place(Number(found[1])), axis.place(Number(found[2]))] : null;
  }

  over(x) {
    return this.axes.find((axis) => Math.abs(axis.x - x) < 14) ?? null;
  }

  pressed(event) {
    const axis = this.over(event.offsetX);
    if (!axis || event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { axis, from: event.offsetY, to: event.offsetY };
  }
  moved(event) {
    this.canvas.style.cursor = this.over(event.offsetX) ? "ns-resize" : "crosshair";
    if (!this.drag) return super.moved(event);
    this.drag.to = event.offsetY;
    this.draw();
  }
  released() {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    const [high, low] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    model.filter(drag.axis.k, low - high < 5 ? "" : kept(drag.axis, low, high));
  }
  clicked(event) {
    if (!this.over(event.offsetX)) super.clicked(event);
  }

  height_(run, x) {
    for (let k = 1; k < this.axes.length; k++) {
      const [a, b] = [this.axes[k - 1], this.axes[k]];
      if (x < a.x || x > b.x) continue;
      const cells = [a.column.cells[run], b.column.cells[run]];
      if (cells.includes(null)) return null;
      const share = (x - a.x) / (b.x - a.x);
      return (1 - share) * a.place(cells[0]) + share * b.place(cells[1]);
    }
    return null;
  }
  nearest(x, y) {
    return closest(model.shown, (run) => Math.abs((this.height_(run, x) ?? Infinity) - y), 16);
  }
  place() {
    return null; // names of runs would cover the lines: tiles and table show which run it is
  }
}

// The filter that keeps values between two heights of an axis.
function kept(axis, low, high) {
  if (axis.value) return [axis.value(low), axis.value(high)].map((v) => String(Number(v.toPrecision(4)))).join("..");
  const words = axis.range.words.filter((word) => axis.place(word) <= low && axis.place(word) >= high);
  return words.map((word) => `=${word}`).join(", ");
}
