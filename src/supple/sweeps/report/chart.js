// Shared by scatter, parallel coordinates and curves: a canvas, axes, and the run under the mouse.

class Chart {
  constructor(name, height) {
    this.figure = byId(name);
    this.height = height;
    const stage = made("div", "stage");
    this.canvas = made("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", this.figure.querySelector("figcaption").textContent);
    this.readout = made("div", "readout");
    this.readout.hidden = true;
    stage.append(this.canvas, this.readout);
    this.figure.append(stage);
    this.pending = false;
    this.canvas.addEventListener("pointermove", (e) => this.moved(e));
    this.canvas.addEventListener("pointerleave", () => { model.light(null); });
    this.canvas.addEventListener("click", (e) => this.clicked(e));
    new ResizeObserver(() => this.draw()).observe(this.figure);
    for (const topic of ["lit", "filters", "tones"]) model.on(topic, () => this.draw());
  }

  moved(event) {
    model.light(this.nearest(event.offsetX, event.offsetY));
  }
  clicked(event) {
    const run = this.nearest(event.offsetX, event.offsetY);
    if (run !== null) detail.open(run);
  }

  // Many changes, one picture.
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const width = Math.max(280, this.figure.clientWidth);
      const pen = fitted(this.canvas, width, this.height);
      pen.font = `13px ${theme("font")}`;
      this.paint(pen, width);
      this.read(width);
    });
  }

  read(width) {
    const place = model.lit === null ? null : this.place(model.lit);
    this.readout.hidden = !place;
    if (!place) return;
    this.readout.textContent = [`run ${runs[model.lit].index}: ${runs[model.lit].label}`, ...place.lines].join("\n");
    const beyond = place.x > width / 2;
    this.readout.style.left = beyond ? "auto" : `${place.x + 14}px`;
    this.readout.style.right = beyond ? `${width - place.x + 14}px` : "auto";
  }

  // Shown runs, the one under the mouse last; the others fade beside it.
  each(pen, paint) {
    const list = model.shown;
    pen.globalAlpha = model.lit === null ? (list.length > 60 ? 0.6 : 0.9) : 0.22;
    for (const run of list) if (run !== model.lit) paint(run, false);
    pen.globalAlpha = 1;
    if (model.lit !== null && list.includes(model.lit)) paint(model.lit, true);
  }

  grid(pen, box, across, up) {
    pen.lineWidth = 1;
    pen.strokeStyle = theme("grid");
    pen.fillStyle = theme("ink");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const tick of up) {
      line(pen, box.left, tick.at, box.right, tick.at);
      pen.fillText(tick.text, box.left - 6, tick.at);
    }
    pen.textBaseline = "top";
    pen.textAlign = "center";
    for (const tick of across) {
      line(pen, tick.at, box.top, tick.at, box.bottom);
      pen.fillText(tick.text, tick.at, box.bottom + 6);
    }
  }
}

// Ticks of a column between two positions on the canvas, and the position of a cell.
function columnAxis(column, from, to, room) {
  const range = extent(column);
  if (range.words) {
    const place = (word) => from + (to - from) * range.share(word);
    return { place, ticks: range.words.map((word) => ({ at: place(word), text: word })), range };
  }
  let [low, high] = [range.to(range.low), range.to(range.high)];
  const spare = high > low ? (high - low) * room : Math.abs(high) * 0.1 || 1;
  [low, high] = [low - spare, high + spare];
  const place = (v) => from + ((range.to(v) - low) / (high - low)) * (to - from);
  const wanted = Math.max(2, Math.floor(Math.abs(to - from) / 70));
  const ticks = column.log ? decadeTicks(low, high, wanted) : plainTicks(low, high, wanted);
  const value = (dots) => {
    const u = low + ((dots - from) / (to - from)) * (high - low);
    return column.log ? 10 ** u : u;
  };
  return { place, value, range, ticks: ticks.map((t) => ({ at: from + ((t.at - low) / (high - low)) * (to - from), text: t.text })) };
}

function closest(list, distance, most) {
  let [best, least] = [null, most];
  for (const run of list) {
    const d = distance(run);
    if (d < least) [best, least] = [run, d];
  }
  return best;
}
