// Scales, ticks and numbers of the plots.

const FLOOR = 1e-17; // below the resolution of a double: nothing is there to see

// Position of a value on an axis, before scaling to pixels; NaN if it has none.
const SCALES = {
  linear: () => ({ to: (v) => v, from: (u) => u }),
  log: () => ({ to: (v) => (v ? Math.log10(Math.max(Math.abs(v), FLOOR)) : NaN), from: (u) => 10 ** u }),
  symlog: (linear) => ({
    to: (v) => Math.sign(v) * Math.log10(1 + Math.abs(v) / linear),
    from: (u) => Math.sign(u) * linear * (10 ** Math.abs(u) - 1),
  }),
};

const minus = (text) => text.replace(/-/g, "\u2212");

const raised = (k) => "10" + minus(String(k)).replace(/./g, (c) => (c === "\u2212" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[c]));

// A number for reading: a fixed count of digits without trailing zeros.
function shown(value, digits) {
  if (!Number.isFinite(value)) return "not finite";
  const size = Math.abs(value);
  if (size && (size >= 1e6 || size < 1e-3)) return minus(value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e"));
  return minus(String(Number(value.toPrecision(digits))));
}

// Round numbers from low to high, about `count` of them.
function plainTicks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const large = Math.max(Math.abs(low), Math.abs(high));
  const text = (v) => {
    if (Math.abs(v) < step * 1e-6) return "0";
    if (large >= 1e5 || (large < 1e-3 && places > 4)) return shown(v, Math.max(2, Math.ceil(Math.log10(large / step)) + 1));
    return minus(v.toFixed(Math.min(places, 17)));
  };
  const ticks = [];
  // counted, not summed: round-off must not drop the last tick, nor loop forever deep in a zoom
  const first = Math.ceil(low / step - 1e-9);
  for (let k = 0; k < 50 && (first + k) * step <= high + step * 1e-9; k++) {
    const v = (first + k) * step;
    ticks.push({ at: v, text: text(v) });
  }
  return ticks;
}

// Decades between two exponents; with less than two of them 2 and 5 too, with even less plain numbers.
function decadeTicks(low, high, count) {
  if (high - low < 0.7) return plainTicks(10 ** low, 10 ** high, count).filter((t) => t.at > 0).map((t) => ({ at: Math.log10(t.at), text: t.text }));
  const every = Math.max(1, Math.ceil((high - low) / Math.max(count, 2)));
  const factors = high - low < 2.2 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let k = Math.floor(low); k <= high; k++) {
    for (const factor of factors) {
      const at = k + Math.log10(factor);
      if (at >= low - 1e-9 && at <= high + 1e-9 && (factors.length > 1 || k % every === 0)) {
        ticks.push({ at, text: factor === 1 ? raised(k) : shown(factor * 10 ** k, 2) });
      }
    }
  }
  return ticks;
}

// Zero, and decades on both sides of it.
function symlogTicks(low, high, count, scale, linear) {
  const first = Math.round(Math.log10(linear));
  const last = Math.floor(Math.log10(Math.max(Math.abs(scale.from(low)), Math.abs(scale.from(high)), linear)));
  const every = Math.max(1, Math.ceil((2 * (last - first + 1)) / Math.max(count, 2)));
  const ticks = [{ at: 0, text: "0" }];
  for (let k = first; k <= last; k += every) {
    ticks.push({ at: scale.to(10 ** k), text: raised(k) }, { at: scale.to(-(10 ** k)), text: "\u2212" + raised(k) });
  }
  return ticks.filter((t) => t.at >= low && t.at <= high);
}

function ticksOf(panel, scale, low, high, count) {
  if (panel.scale === "log") return decadeTicks(low, high, count);
  if (panel.scale === "symlog") return symlogTicks(low, high, count, scale, panel.linear);
  return plainTicks(low, high, count);
}
