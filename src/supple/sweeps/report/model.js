// State of the page and its listeners: time, run under the mouse, filters, kept runs, order.

const sweep = JSON.parse(document.getElementById("sweep").textContent);
const { runs, times } = sweep;

const model = {
  at: times.length - 1, // index of the moment
  lit: null, // number of the run under the mouse
  filters: new Map(), // text by number of the column
  kept: new Set(),
  only: false, // kept runs only
  order: runs.map((_, k) => k),
  heard: {},

  on(topic, listener) {
    (this.heard[topic] ??= []).push(listener);
  },
  tell(topic) {
    for (const listener of this.heard[topic] ?? []) listener();
  },
  move(at) {
    this.at = at;
    this.tell("time");
  },
  light(run) {
    if (run === this.lit) return;
    this.lit = run;
    this.tell("lit");
  },
  filter(column, text) {
    if (text.trim()) this.filters.set(column, text);
    else this.filters.delete(column);
    this.tell("filters");
  },
  keep(run, on) {
    this.kept[on ? "add" : "delete"](run);
    location.replace("#keep=" + [...this.kept].sort((a, b) => a - b).join(","));
    this.tell("filters");
  },
  showAll() {
    this.filters.clear();
    this.only = false;
    this.tell("filters");
  },
  sort(order) {
    this.order = order;
    this.tell("order");
  },

  // Runs that pass all filters, in order.
  get shown() {
    const tests = [...this.filters].map(([k, text]) => [sweep.columns[k], accepts(text, sweep.columns[k])]);
    const passes = (run) => tests.every(([column, test]) => !test || test(column.cells[run]));
    return this.order.filter((run) => passes(run) && (!this.only || this.kept.has(run)));
  },
};

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const BETWEEN = new RegExp(`^(${NUMBER})?\\s*\\.\\.\\s*(${NUMBER})?$`, "i");
const COMPARED = new RegExp(`^(<=|>=|<|>|!=|=)?\\s*(${NUMBER})$`, "i");

// A test of cells for the text of a filter; alternatives are separated by commas. Null if the text is not a filter.
function accepts(text, column) {
  const tests = text.split(",").map((t) => t.trim()).filter(Boolean).map((t) => (column.numeric ? acceptsNumber(t) : acceptsWord(t)));
  return tests.every(Boolean) ? (cell) => cell !== null && tests.some((test) => test(cell)) : null;
}

function acceptsWord(text) {
  const [, sign, word] = text.toLowerCase().match(/^(!=|=)?\s*(.*)$/);
  if (sign === "=") return (cell) => cell.toLowerCase() === word;
  return (cell) => cell.toLowerCase().includes(word) === (sign !== "!=");
}

function acceptsNumber(text) {
  const plain = text.replace(/\u2212/g, "-");
  const range = plain.match(BETWEEN);
  if (range && (range[1] || range[2])) {
    const [low, high] = [Number(range[1] ?? -Infinity), Number(range[2] ?? Infinity)];
    return (cell) => cell >= low && cell <= high;
  }
  const found = plain.match(COMPARED);
  if (!found) return null;
  const value = Number(found[2]);
  // a number as the table shows it, with five digits, is that number
  const same = (cell) => Math.abs(cell - value) <= 5e-5 * Math.abs(value);
  return { "<": (c) => c < value, ">": (c) => c > value, "<=": (c) => c <= value, ">=": (c) => c >= value, "!=": (c) => !same(c) }[found[1]] ?? same;
}

const byId = (name) => document.getElementById(name);

function made(tag, name = "", text = "") {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
}

function choices(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => {
    const option = made("option", "", text);
    option.value = value;
    return option;
  }));
  select.value = chosen;
}

const distinct = (column) => [...new Set(column.cells)];

// Short enough for heads and labels: 1e5, not 100000.
function brief(value, digits = 4) {
  const text = shown(value, digits);
  const short = minus(value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e"));
  return short.length < text.length ? short : text;
}

const cellText = (column, run) => {
  const cell = column.cells[run];
  return cell === null ? "\u2013" : column.numeric ? brief(cell, 5) : cell;
};
