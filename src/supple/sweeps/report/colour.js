// A colour for each run, by one column of the table.

const RAMP = ["#440154", "#3b528b", "#21918c", "#4fb85a", "#d8b408"];

function ramp(share) {
  const place = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
  const k = Math.min(Math.floor(place), RAMP.length - 2);
  const [a, b] = [parts(RAMP[k]), parts(RAMP[k + 1])];
  const mixed = a.map((c, i) => Math.round(c + (place - k) * (b[i] - c)));
  return "#" + mixed.map((c) => c.toString(16).padStart(2, "0")).join("");
}

const tones = {
  column: Math.max(0, sweep.columns.findIndex((c) => c.role === "value")),
  of: [],

  choose(column) {
    this.column = column;
    const c = sweep.columns[column];
    const range = extent(c);
    const tone = (cell) => (cell === null ? theme("faded") : legible(c.numeric ? ramp(range.share(cell)) : c.colours[cell]));
    this.of = c.cells.map(tone);
    this.explain(c, range, tone);
    model.tell("tones");
  },

  explain(column, range, tone) {
    const scale = byId("scale");
    if (!column.numeric) {
      scale.replaceChildren(...distinct(column).slice(0, 12).map((word) => {
        const chip = made("span", "chip", word);
        chip.style.setProperty("--tone", tone(word));
        return chip;
      }));
      return;
    }
    const stripe = made("span", "stripe");
    stripe.style.background = `linear-gradient(90deg, ${RAMP.map(legible).join(",")})`;
    scale.replaceChildren(brief(range.low), stripe, brief(range.high));
  },
};

// The range of a column on its axis, and the relative position (0 to 1) of a cell in it.
function extent(column) {
  if (!column.numeric) {
    const words = distinct(column);
    return { words, low: 0, high: words.length - 1, to: (w) => words.indexOf(w), share: (w) => (words.indexOf(w) + 0.5) / words.length };
  }
  const to = column.log ? Math.log10 : (v) => v;
  const numbers = column.cells.filter((cell) => cell !== null);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const share = (v) => (high > low ? (to(v) - to(low)) / (to(high) - to(low)) : 0.5);
  return { low, high, to, share };
}
