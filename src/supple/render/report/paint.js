// Colours on the page's background, and strokes.

const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

function parts(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

function lightness(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The colour itself, or the nearest mixture with the ink that is visible on this background.
function legible(hex) {
  const paper = lightness(parts(theme("paper")));
  const ink = parts(theme("ink"));
  let rgb = parts(hex);
  const contrast = () => (Math.max(lightness(rgb), paper) + 0.05) / (Math.min(lightness(rgb), paper) + 0.05);
  if (contrast() < 2.6 && Math.max(...rgb) - Math.min(...rgb) < 30) rgb = ink; // black is the ink
  for (let k = 0; k < 20 && contrast() < 2.6; k++) rgb = rgb.map((c, i) => Math.round(0.85 * c + 0.15 * ink[i]));
  return `rgb(${rgb.join(",")})`;
}

function prepare(pen, curve) {
  pen.strokeStyle = pen.fillStyle = legible(curve.colour);
  pen.lineWidth = curve.width;
  pen.setLineDash(curve.dashes.map((d) => d * curve.width));
  pen.lineJoin = "round";
}

// A canvas of this size in CSS pixels, sharp on any screen; returns its context.
function fitted(canvas, width, height) {
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  return pen;
}

function swatch(canvas, curve, bars) {
  const pen = fitted(canvas, 30, 12);
  prepare(pen, curve);
  if (curve.sign) {
    pen.beginPath();
    pen.arc(15, 6, 3.5, 0, 7);
    pen.fill();
  } else if (bars) {
    bar(pen, 4, 1, 22, 10);
  } else {
    pen.beginPath();
    pen.moveTo(1, 6);
    pen.lineTo(29, 6);
    pen.stroke();
  }
}

function bar(pen, x, y, width, height) {
  pen.globalAlpha = 0.45;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
  pen.strokeRect(x, y, width, height);
}
