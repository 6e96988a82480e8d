// How a plot is drawn, and the read-out beside its cursor.

Object.assign(Plot.prototype, {
  draw() {
    const width = Math.max(280, this.figure.clientWidth);
    const height = Math.round(Math.max(230, Math.min(340, width * 0.5)));
    const pen = (this.pen = fitted(this.canvas, width, height));
    const { x, y } = this.ranges();
    pen.font = `13px ${theme("font")}`;
    const up = ticksOf(this.panel, this.scale, y[0], y[1], Math.floor((height - 60) / 38));
    const left = 30 + Math.max(20, ...up.map((t) => pen.measureText(t.text).width));
    Object.assign(this, { x, y, box: { left, top: 10, right: width - 14, bottom: height - 46 } });
    this.axes(pen, up);
    pen.save();
    pen.beginPath();
    pen.rect(this.box.left, this.box.top - 1, this.box.right - this.box.left, this.box.bottom - this.box.top + 2);
    pen.clip();
    if (this.panel.bars) this.bars(pen);
    else for (const curve of this.shown) this.curve(pen, curve);
    this.overlay(pen);
    pen.restore();
    this.panel.curves.forEach((curve, k) => swatch(this.swatches[k], curve, this.panel.bars));
  },

  placeX(v) {
    return this.box.left + ((v - this.x[0]) / (this.x[1] - this.x[0])) * (this.box.right - this.box.left);
  },
  unplaceX(dots) {
    return this.x[0] + ((dots - this.box.left) / (this.box.right - this.box.left)) * (this.x[1] - this.x[0]);
  },
  placeY(u) {
    const dots = this.box.bottom - ((u - this.y[0]) / (this.y[1] - this.y[0])) * (this.box.bottom - this.box.top);
    return Math.max(-1e5, Math.min(1e5, dots)); // far outside is as good as further outside
  },
  unplaceY(dots) {
    return this.y[0] + ((this.box.bottom - dots) / (this.box.bottom - this.box.top)) * (this.y[1] - this.y[0]);
  },

  axes(pen, up) {
    const { left, top, right, bottom } = this.box;
    pen.lineWidth = 1;
    pen.strokeStyle = theme("grid");
    pen.fillStyle = theme("ink");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const tick of up) {
      const at = Math.round(this.placeY(tick.at)) + 0.5;
      line(pen, left, at, right, at);
      pen.fillText(tick.text, left - 6, at);
    }
    pen.textBaseline = "top";
    pen.textAlign = "center";
    for (const tick of plainTicks(this.x[0], this.x[1], Math.floor((right - left) / 75))) {
      if (this.panel.bars && !Number.isInteger(tick.at)) continue;
      const at = Math.round(this.placeX(tick.at)) + 0.5;
      line(pen, at, top, at, bottom);
      pen.fillText(tick.text, at, bottom + 6);
    }
    pen.strokeStyle = theme("faded");
    line(pen, left, bottom + 0.5, right, bottom + 0.5);
    line(pen, left + 0.5, top, left + 0.5, bottom);
    pen.fillText(this.panel.across, (left + right) / 2, bottom + 26);
    pen.save();
    pen.translate(4, (top + bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.panel.up, 0, 0);
    pen.restore();
  },

  curve(pen, curve) {
    prepare(pen, curve);
    pen.beginPath();
    let open = false;
    for (let i = 0; i < curve.x.length; i++) {
      const u = this.scale.to(curve.y[i]);
      if (curve.sign) {
        if (Math.sign(curve.y[i]) === curve.sign) dot(pen, this.placeX(curve.x[i]), this.placeY(u), 2);
        continue;
      }
      if (!Number.isFinite(u)) open = false;
      else if (open) pen.lineTo(this.placeX(curve.x[i]), this.placeY(u));
      else {
        pen.moveTo(this.placeX(curve.x[i]), this.placeY(u));
        open = true;
      }
    }
    pen.stroke();
    if (curve.x.length === 1 && !curve.sign) dot(pen, this.placeX(curve.x[0]), this.placeY(this.scale.to(curve.y[0])), 4);
  },

  bars(pen) {
    const shown = this.shown;
    const width = (0.8 * this.panel.bars) / shown.length;
    shown.forEach((curve, k) => {
      prepare(pen, { ...curve, width: 1.4 });
      for (let i = 0; i < curve.x.length; i++) {
        if (!curve.y[i]) continue;
        const from = curve.x[i] - 0.4 * this.panel.bars + k * width;
        const [a, b, top] = [this.placeX(from), this.placeX(from + width), this.placeY(curve.y[i])];
        bar(pen, a, top, b - a, this.box.bottom - top);
      }
    });
  },

  overlay(pen) {
    pen.setLineDash([]);
    if (this.drag) {
      const { from, to } = this.drag;
      pen.globalAlpha = 0.15;
      pen.fillStyle = theme("ink");
      const flat = Math.abs(to.y - from.y) < 24;
      if (flat) pen.fillRect(from.x, this.box.top, to.x - from.x, this.box.bottom - this.box.top);
      else pen.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
      pen.globalAlpha = 1;
    }
    const rows = this.cursor === null || this.drag ? [] : this.reading();
    this.readout.hidden = rows.length === 0;
    if (!rows.length) return;
    const at = this.placeX(rows[0].x);
    pen.lineWidth = 1;
    pen.strokeStyle = theme("faded");
    line(pen, at, this.box.top, at, this.box.bottom);
    for (const row of rows) {
      prepare(pen, row.curve);
      if (!this.panel.bars) dot(pen, this.placeX(row.x), this.placeY(this.scale.to(row.value)), 4);
    }
    const lines = rows.map((r) => `${r.curve.label}: ${shown(r.value, 7)} ${this.panel.unit}`.trim());
    this.readout.textContent = [`${shown(rows[0].x, 6)} ${this.panel.acrossUnit}`, ...lines].join("\n");
    const beyond = at > (this.box.left + this.box.right) / 2; // the box keeps out of the cursor's way
    this.readout.style.left = beyond ? "auto" : `${at + 14}px`;
    this.readout.style.right = beyond ? `${this.canvas.clientWidth - at + 14}px` : "auto";
  },

  // The value of each curve nearest to the cursor.
  reading() {
    const rows = [];
    for (const curve of this.shown) {
      if (!curve.x.length) continue;
      const k = nearest(curve.x, this.cursor);
      if (!curve.sign || Math.sign(curve.y[k]) === curve.sign) rows.push({ curve, x: curve.x[k], value: curve.y[k] });
    }
    return rows.filter((r) => !Number.isNaN(r.value) && r.x >= this.x[0] && r.x <= this.x[1]);
  },
});

function line(pen, a, b, c, d) {
  pen.beginPath();
  pen.moveTo(a, b);
  pen.lineTo(c, d);
  pen.stroke();
}

function dot(pen, x, y, radius) {
  pen.save();
  pen.setLineDash([]);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
  pen.restore();
}
