"""Draws the diagrams of the guide about runs: the run folder, checkpoints, and the ways a run stops. Run by `make docs`.

python tools/draw_runs.py
"""

from __future__ import annotations

from itertools import pairwise

from draw_charts import BLUE, GREEN, GREY, RED, YELLOW
from draw_flows import Flow
from draw_layers import IMAGES, box, svg, text

FILES = {
    "scene.toml": GREY,
    "checkpoint": YELLOW,
    "history.csv": GREEN,
    "animation.vtkhdf": BLUE,
    "log.txt, run.json": GREY,
}
"""Files of a run folder, each with its colour."""
LINES = {"scene.toml": "#777", "checkpoint": "#c79a1e", "history.csv": "#3c9a63", "animation.vtkhdf": "#4d7fc0"}
READERS = {
    "supple run --resume": ("scene.toml", "checkpoint", "history.csv", "animation.vtkhdf"),
    "supple view": ("scene.toml", "history.csv", "animation.vtkhdf"),
    "supple render, export": ("scene.toml", "animation.vtkhdf"),
    "supple report": ("scene.toml", "history.csv", "animation.vtkhdf", "log.txt, run.json"),
    "sp.open_run: arrays": ("history.csv", "animation.vtkhdf"),
    "ParaView": ("animation.vtkhdf",),
}
"""Readers, and the files that they read."""
ARROW = 'fill="none" stroke="#222"'


def run_folder() -> str:
    """The files that a run writes, and their readers."""
    wide, high, row = 170.0, 34.0, 50.0
    middle, right = 250.0, 560.0
    parts = [box(middle - 18, 34, wide + 36, 5 * row + 14, "#fafafa"), text(middle + wide / 2, 24, "runs/jelly")]
    places = {name: 48 + k * row for k, name in enumerate(FILES)}
    ends = {name: 15 + k * row for k, name in enumerate(READERS)}
    start = 48 + 2 * row
    parts += [box(12, start, 150, high, BLUE), text(87, start + 21.5, "supple run, sp.run")]
    parts.append(f'<path d="M166 {start + high / 2:g}H{middle - 22:g}m-7 -5l7 5l-7 5" {ARROW}/>')
    for reader, files in READERS.items():
        for k, name in enumerate(files):
            y0, y1 = places[name] + high / 2, ends[reader] + high / 2 + 5 * (k - (len(files) - 1) / 2)
            x0, x1 = middle + wide, right
            curve = f"M{x0:g} {y0:g}C{x0 + 75:g} {y0:g} {x1 - 75:g} {y1:g} {x1:g} {y1:g}"
            parts.append(f'<path d="{curve}" fill="none" stroke="{LINES.get(name, "#777")}" stroke-width="1.6"/>')
    for name, y in places.items():
        parts += [box(middle, y, wide, high, FILES[name]), text(middle + wide / 2, y + 21.5, name)]
    for reader, y in ends.items():
        parts += [box(right, y, wide + 10, high, "#fff"), text(right + (wide + 10) / 2, y + 21.5, reader)]
    return svg(right + wide + 22, 62 + 5 * row, parts, "Files of a run folder and the programs that read them")


def checkpoints() -> str:
    """A run that is killed and resumed, beside an undisturbed one."""
    left, step, high = 150.0, 56.0, 30.0
    parts = []
    for y, words in ((30, "undisturbed"), (96, "killed"), (162, "resumed")):
        parts.append(text(70, y + 20, words, 'font-weight="bold"'))
    cells = (
        *((30, k, GREEN, f"{k + 1}") for k in range(10)),
        *((96, k, GREEN, f"{k + 1}") for k in range(4)),
        *((96, k, RED, f"{k + 1}") for k in range(4, 7)),
        *((162, k, GREEN, f"{k + 1}") for k in range(4, 10)),
    )
    for y, k, colour, words in cells:
        parts += [box(left + k * step, y, step - 4, high, colour), text(left + k * step + step / 2 - 2, y + 20, words)]
    for k in (0, 4):
        x = left + k * step - 2
        parts.append(f'<path d="M{x:g} 92v38" stroke="#c79a1e" stroke-width="4"/>')
    kill = left + 7 * step
    parts.append(f'<path d="M{kill + 2:g} 103l16 16m0 -16l-16 16" stroke="#b03020" stroke-width="3"/>')
    parts.append(text(kill + 100, 116, "discarded: steps 5 to 7"))
    x = left + 4 * step - 2
    parts.append(f'<path d="M{x:g} 132v40m-5 -7l5 7l5 -7" {ARROW}/>')
    parts.append(text(left + 2 * step, 150, "checkpoints", 'font-style="italic" font-size="12"'))
    parts.append(text(left + 2 * step - 6, 182, "--resume reads the last one", 'font-style="italic" font-size="12"'))
    return svg(left + 10 * step + 16, 206, parts, "Checkpoints: a resumed run repeats the steps after the last one")


def stopping() -> str:
    """From a request, a limit or an error to the exit code, and what resuming repeats."""
    first, limit = "first Ctrl-C\nor SIGTERM", "limit on time\nor memory"
    second, error = "second Ctrl-C\nor SIGTERM", "unsolvable step,\nfull disk"
    complete, again = "complete the step,\nwrite a checkpoint", "complete the step, write\na checkpoint"
    interrupt, message = "interrupt the step", "undo the step,\nprint the reason"
    code, third, broken, two = "exit code 130", "exit code 3", "exit code 130 ", "exit code 2"
    onward, repeated = "--resume continues\nwith the next step", "--resume continues at\nthe last checkpoint"
    boxes = {
        first: (0, 0, YELLOW), limit: (0, 1, YELLOW), second: (0, 2, YELLOW), error: (0, 3, RED),
        complete: (1, 0, BLUE), again: (1, 1, BLUE), interrupt: (1, 2, BLUE), message: (1, 3, BLUE),
        code: (2, 0, GREY), third: (2, 1, GREY), broken: (2, 2, GREY), two: (2, 3, GREY),
        onward: (3, 0.5, GREEN), repeated: (3, 2.5, GREEN),
    }  # fmt: skip
    rows = ((first, complete, code, onward), (limit, again, third, onward))
    rows = (*rows, (second, interrupt, broken, repeated), (error, message, two, repeated))
    arrows = tuple((a, b, "") for row in rows for a, b in pairwise(row))
    return Flow("Ways in which a run stops", boxes, arrows, wide=172.0, high=52.0, gap=36.0, down=70.0).drawn()


PICTURES = {"run-folder.svg": run_folder, "checkpoints.svg": checkpoints, "stopping.svg": stopping}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
