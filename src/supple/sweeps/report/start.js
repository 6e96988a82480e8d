// Everything is joined here.

function column(text) {
  const bytes = Uint8Array.from(atob(text.slice(3)), (c) => c.charCodeAt(0));
  return text.startsWith("f4:") ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

const stored = JSON.parse(byId("columns").textContent);
const arrays = Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, column(text)]));

const kept_ = new URLSearchParams(location.hash.slice(1)).get("keep") ?? "";
for (const text of kept_.split(",")) if (text && runs[text]) model.kept.add(Number(text));

const marked = [...document.querySelectorAll("[data-run]")];

function lit() {
  for (const node of marked) node.classList.toggle("lit", Number(node.dataset.run) === model.lit);
}

function filtered() {
  const visible = new Set(model.shown);
  for (const node of marked) node.classList.toggle("out", !visible.has(Number(node.dataset.run)));
  for (const tile of sheet.tiles) tile.querySelector(".keep").checked = model.kept.has(Number(tile.dataset.run));
  byId("only").checked = model.only;
  byId("count").textContent = visible.size === runs.length ? `${runs.length} runs` : `${visible.size} of ${runs.length} runs`;
  byId("reset").disabled = visible.size === runs.length;
  const names = [...model.kept].sort((a, b) => a - b).map((run) => runs[run].folder);
  byId("kept").textContent = names.length ? `Kept (the address of this page holds them): ${names.join(" ")}` : "";
}

function toned() {
  for (const tile of sheet.tiles) tile.style.setProperty("--tone", tones.of[tile.dataset.run]);
}

sheet.start();
detail.start();
table.start();
model.on("time", () => { sheet.time(); detail.time(); });
model.on("lit", lit);
model.on("filters", () => { table.filters(); filtered(); sheet.arrange(); });
model.on("order", () => { table.order(); sheet.arrange(); });
model.on("tones", toned);
byId("only").addEventListener("change", (e) => { model.only = e.target.checked; model.tell("filters"); });
byId("reset").addEventListener("click", () => model.showAll());
choices(byId("colour"), sweep.columns.map((c, k) => [k, c.title]), tones.column);
byId("colour").addEventListener("change", (e) => tones.choose(Number(e.target.value)));
if (byId("parallel")) [new Parallel(), new Scatter()];
if (byId("curves")) new Curves(arrays);
model.tell("time");
model.tell("filters");
tones.choose(tones.column);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tones.choose(tones.column));
