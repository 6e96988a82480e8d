// A plot on a canvas: hover reads values, dragging zooms, a double click resets, names in the legend hide curves.

class Plot {
  constructor(figure, columns) {
    this.panel = JSON.parse(figure.querySelector("script").textContent);
    for (const c of this.panel.curves) [c.x, c.y] = [columns[c.x], columns[c.y]];
    this.scale = SCALES[this.panel.scale](this.panel.linear);
    this.figure = figure;
    this.hidden = new Set();
    this.view = null; // a zoom: x and y ranges on the axes
    this.cursor = null; // x that is read
    this.drag = null;
    this.build();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(figure);
  }

  build() {
    const stage = this.add(this.figure, "div", "stage");
    this.canvas = this.add(stage, "canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    const help = "Arrow keys read values, plus and minus zoom, Escape shows all.";
    this.canvas.setAttribute("aria-label", `${this.panel.title}: ${this.panel.up} over ${this.panel.across}. ${help}`);
    this.readout = this.add(stage, "div", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.readout.hidden = true;
    const legend = this.add(this.figure, "div", "legend");
    this.swatches = this.panel.curves.map((curve, k) => {
      const button = this.add(legend, "button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      const canvas = this.add(button, "canvas");
      button.append(curve.label);
      button.addEventListener("click", () => this.toggle(k, button));
      return canvas;
    });
    this.whole = this.add(legend, "button", "whole");
    this.whole.type = "button";
    this.whole.textContent = "show all";
    this.whole.addEventListener("click", () => this.look(null));
  }

  add(parent, tag, name = "") {
    const made = document.createElement(tag);
    if (name) made.className = name;
    parent.append(made);
    return made;
  }

  listen() {
    const c = this.canvas;
    const at = (e) => ({ x: e.offsetX, y: e.offsetY });
    c.addEventListener("pointermove", (e) => {
      if (this.drag) this.drag.to = at(e);
      this.read(this.unplaceX(at(e).x));
    });
    c.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || e.pointerType === "touch") return;
      c.setPointerCapture(e.pointerId);
      this.drag = { from: at(e), to: at(e) };
    });
    c.addEventListener("pointerup", () => this.release());
    c.addEventListener("pointercancel", () => { this.drag = null; this.draw(); });
    c.addEventListener("pointerleave", () => this.read(null));
    c.addEventListener("blur", () => this.read(null));
    c.addEventListener("dblclick", () => this.look(null));
    c.addEventListener("keydown", (e) => this.key(e));
  }

  get shown() {
    return this.panel.curves.filter((_, k) => !this.hidden.has(k));
  }

  toggle(k, button) {
    if (!this.hidden.delete(k)) this.hidden.add(k);
    button.setAttribute("aria-pressed", String(!this.hidden.has(k)));
    this.draw();
  }

  look(view) {
    this.view = view;
    this.figure.dataset.zoomed = String(view !== null);
    this.draw();
  }

  read(x) {
    this.cursor = x;
    this.draw();
  }

  key(event) {
    const { x } = this.ranges();
    const lead = this.shown[0];
    const middle = this.cursor ?? (x[0] + x[1]) / 2;
    const zoom = { "+": 0.5, "=": 0.5, "-": 2 }[event.key];
    if (event.key === "Escape") this.look(null);
    else if (zoom) this.zoom(middle + (x[0] - middle) * zoom, middle + (x[1] - middle) * zoom);
    else if (lead && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const move = (event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1);
      const k = nearest(lead.x, middle) + move;
      this.read(lead.x[Math.max(0, Math.min(lead.x.length - 1, k))]);
    } else return;
    event.preventDefault();
  }

  release() {
    const drag = this.drag;
    this.drag = null;
    if (!drag || Math.abs(drag.to.x - drag.from.x) < 6) return this.draw();
    const flat = Math.abs(drag.to.y - drag.from.y) < 24; // a stroke along the axis keeps all heights
    const ys = [drag.from.y, drag.to.y].map((y) => this.unplaceY(y)).sort((a, b) => a - b);
    this.zoom(this.unplaceX(drag.from.x), this.unplaceX(drag.to.x), flat ? null : ys);
  }

  zoom(a, b, y = null) {
    const [low, high] = this.fitX();
    const x = [Math.max(low, Math.min(a, b)), Math.min(high, Math.max(a, b))];
    if (x[1] - x[0] >= (high - low) * 0.9999 && !y) return this.look(null);
    if (x[1] - x[0] > (high - low) * 1e-6) this.look({ x, y });
  }

  fitX() {
    let [low, high] = [Infinity, -Infinity];
    for (const c of this.panel.curves) {
      if (c.x.length) [low, high] = [Math.min(low, c.x[0]), Math.max(high, c.x[c.x.length - 1])];
    }
    const room = this.panel.bars / 2 || (high > low ? 0 : 0.5);
    return [low - room, high + room];
  }

  // Vertical range of the visible curves between two x, with a margin.
  fitY(x) {
    let [low, high] = this.panel.bars ? [0, 1] : [Infinity, -Infinity];
    for (const c of this.shown) {
      for (let i = 0; i < c.x.length; i++) {
        const u = this.scale.to(c.y[i]);
        if (c.x[i] >= x[0] && c.x[i] <= x[1] && Number.isFinite(u)) [low, high] = [Math.min(low, u), Math.max(high, u)];
      }
    }
    if (low > high) [low, high] = [0, 1];
    const least = this.panel.scale === "log" ? 0.5 : Math.abs(high) * 1e-14 || 1e-300;
    const room = Math.max((high - low) * 0.06, least);
    return [this.panel.bars ? 0 : low - room, high + room];
  }

  ranges() {
    const x = this.view?.x ?? this.fitX();
    const home = this.view ? null : this.panel.limits?.map((v) => this.scale.to(v));
    return { x, y: this.view?.y ?? home ?? this.fitY(x) };
  }
}

// Index of the entry of an ascending array that is nearest to x.
function nearest(xs, x) {
  let [low, high] = [0, xs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle;
    else high = middle;
  }
  return x - xs[low] <= xs[high] - x ? low : high;
}
