// Reads the columns of the page and starts its plots.

function column(text) {
  const bytes = Uint8Array.from(atob(text.slice(3)), (c) => c.charCodeAt(0));
  return text.startsWith("f4:") ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

const stored = JSON.parse(document.getElementById("columns").textContent);
const columns = Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, column(text)]));
const plots = [...document.querySelectorAll("figure.plot")].map((figure) => new Plot(figure, columns));
const redraw = () => plots.forEach((plot) => plot.draw());

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
// paper is white whatever the screen is
for (const [event, on] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    document.documentElement.classList.toggle("paper", on);
    document.querySelectorAll("details").forEach((d) => { d.open = on || d.dataset.open === "true"; });
    redraw();
  });
}
document.querySelectorAll("details").forEach((d) => d.addEventListener("toggle", () => {
  if (!document.documentElement.classList.contains("paper")) d.dataset.open = String(d.open);
}));
