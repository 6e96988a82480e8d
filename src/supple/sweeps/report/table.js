// The table: sorted by its heads, filtered by the fields below them.

const table = {
  body: document.querySelector("#runs tbody"),
  rows: [...document.querySelectorAll("#runs tbody tr")],
  heads: [...document.querySelectorAll("#runs th[data-column]")],
  fields: [...document.querySelectorAll("#runs .filter")],

  start() {
    for (const head of this.heads) head.querySelector("button").addEventListener("click", () => this.sort(head));
    for (const field of this.fields) field.addEventListener("input", () => model.filter(Number(field.dataset.column), field.value));
    for (const row of this.rows) {
      const run = Number(row.dataset.run);
      watched(row, run);
      row.addEventListener("click", (e) => { if (!e.target.closest("a")) detail.open(run); });
    }
    document.querySelectorAll(".failures li").forEach((line) => watched(line, Number(line.dataset.run)));
  },

  sort(head) {
    const falling = head.getAttribute("aria-sort") === "ascending";
    this.heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const column = sweep.columns[head.dataset.column];
    const cell = (run) => (column ? column.cells[run] : run);
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (falling ? -1 : 1);
    const all = runs.map((_, k) => k);
    // runs without a figure come last in both orders
    const [with_, without] = [all.filter((r) => cell(r) !== null), all.filter((r) => cell(r) === null)];
    model.sort([...with_.sort((a, b) => compare(cell(a), cell(b)) || a - b), ...without]);
  },

  order() {
    this.body.replaceChildren(...model.order.map((run) => this.rows[run]));
  },

  filters() {
    for (const field of this.fields) {
      const column = Number(field.dataset.column);
      const text = model.filters.get(column) ?? "";
      if (field !== document.activeElement) field.value = text;
      const good = accepts(text, sweep.columns[column]) !== null;
      field.setAttribute("aria-invalid", String(!good));
      field.title = good ? "" : "Not a filter for numbers: give 3, > 3, <= 2 or 1..5";
    }
  },
};
