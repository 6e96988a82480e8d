"""Draws the flows and charts of the pages for developers. Run by `make docs`.

python tools/draw_flows.py
"""

from __future__ import annotations

from dataclasses import dataclass

from draw_charts import BLUE, GREEN, GREY, RED, YELLOW, plug_points, times_of_the_tests
from draw_layers import IMAGES, box, svg, text


@dataclass(frozen=True)
class Flow:
    """Boxes on a grid, joined by arrows."""

    title: str
    boxes: dict[str, tuple[float, float, str]]
    """Text of a box; its column, row and colour."""
    arrows: tuple[tuple[str, str, str], ...]
    """From a box to another, with a label; straight within a row or column, otherwise by an elbow."""
    wide: float = 190.0
    high: float = 56.0
    gap: float = 44.0
    down: float = 86.0

    def drawn(self) -> str:
        columns = max(column for column, _, _ in self.boxes.values())
        rows = max(row for _, row, _ in self.boxes.values())
        parts = [self._box(words, *place) for words, place in self.boxes.items()]
        parts += [self._arrow(*arrow) for arrow in self.arrows]
        width = 24 + (columns + 1) * self.wide + columns * self.gap
        return svg(width, 24 + rows * self.down + self.high, parts, self.title)

    def _x(self, column: float) -> float:
        """Middle of a column."""
        return 12 + column * (self.wide + self.gap) + self.wide / 2

    def _y(self, row: float) -> float:
        """Middle of a row."""
        return 12 + row * self.down + self.high / 2

    def _box(self, words: str, column: float, row: float, colour: str) -> str:
        lines = words.split("\n")
        x, y = self._x(column), self._y(row)
        drawn = [box(x - self.wide / 2, y - self.high / 2, self.wide, self.high, colour)]
        drawn += [text(x, y + 4.5 + 16 * (k - (len(lines) - 1) / 2), line) for k, line in enumerate(lines)]
        return "\n".join(drawn)

    def _arrow(self, start: str, end: str, label: str) -> str:
        (c0, r0, _), (c1, r1, _) = self.boxes[start], self.boxes[end]
        x0, y0, x1, y1 = self._x(c0), self._y(r0), self._x(c1), self._y(r1)
        if c0 == c1:
            sign = 1 if y1 > y0 else -1
            top, tip = y0 + sign * (self.high / 2 + 2), y1 - sign * (self.high / 2 + 2)
            line = f"M{x0:g} {top:g}V{tip:g}m-5 {-7 * sign:g}l5 {7 * sign:g}l5 {-7 * sign:g}"
            beside = (x0 + 16, (top + tip) / 2 + 4)
        else:
            sign = 1 if x1 > x0 else -1
            side, tip = x0 + sign * (self.wide / 2 + 2), x1 - sign * (self.wide / 2 + 2)
            line = (
                f"M{side:g} {y0:g}H{(side + tip) / 2:g}V{y1:g}H{tip:g}m{-7 * sign:g} -5l{7 * sign:g} 5l{-7 * sign:g} 5"
            )
            beside = (side + sign * 14, y0 - 6)
        path = f'<path d="{line}" fill="none" stroke="#222"/>'
        return path + (text(*beside, label, 'font-style="italic" font-size="12"') if label else "")


def fuzz_case() -> str:
    """From a seed to an outcome, and from a bug to its reproducer."""
    seed, scene = "seed and number", "shipped scene (50 %),\nmixture (30 %) or\ngrammar (20 %)"
    mutations, child = "up to three mutations", "forked child with limits on\ntime, memory and files"
    good, bad = "ran, expectation, refused,\nfailed, stopped", "bug: traceback, hang, crash,\nwarning, residual ..."
    group, reduction = "group by exception\nand innermost line", "remove mutations, tables\nand keys: same bug?"
    reproducer = "minimal reproducer"
    return Flow(
        "A case of the fuzzer",
        {
            seed: (0, 0, GREY),
            scene: (1, 0, BLUE),
            mutations: (2, 0, BLUE),
            reproducer: (0, 1, GREY),
            good: (1, 1, GREEN),
            child: (2, 1, YELLOW),
            reduction: (0, 2, BLUE),
            group: (1, 2, BLUE),
            bad: (2, 2, RED),
        },
        (
            (seed, scene, ""),
            (scene, mutations, ""),
            (mutations, child, ""),
            (child, good, ""),
            (child, bad, ""),
            (bad, group, ""),
            (group, reduction, ""),
            (reduction, reproducer, ""),
        ),
        wide=200.0,
    ).drawn()


def file_reference() -> str:
    """Whether a file named in another file is read."""
    typed, inside = "path typed by the user?", "below the folder of the\nfile that names it,\nlinks resolved?"
    allowed, own = "below a folder of\n--allow-paths?", "listed in the copy of your\nown run, with your digest?"
    read, refused = "read", "refused, with a message\nthat shows how to allow it"
    questions = (typed, inside, allowed, own)
    return Flow(
        "Which files are read",
        {
            **{words: (0, row, YELLOW) for row, words in enumerate(questions)},
            read: (1, 1.5, GREEN),
            refused: (0, 4, RED),
        },
        tuple((words, read, "yes") for words in questions)
        + tuple((above, below, "no") for above, below in zip(questions, (*questions[1:], refused), strict=True)),
        wide=210.0,
        gap=64.0,
    ).drawn()


def lock_files() -> str:
    """From the requirements to the locks, and to the commands that install them."""
    source, tools = "pyproject.toml", "supply.in"
    locks = {
        "run.txt": "make demo",
        "dev.txt": "make test,\nmake test-browser",
        "site.txt": "make site",
        "minimum.txt": "make test-minimum",
        "supply.txt": "make audit, make sbom,\nmake lock, make mutants",
    }
    return Flow(
        "Lock files and the commands that install them",
        {
            source: (0, 1.5, GREY),
            tools: (0, 4, GREY),
            **{lock: (1, row, BLUE) for row, lock in enumerate(locks)},
            **{command: (2, row, GREEN) for row, command in enumerate(locks.values())},
        },
        tuple((tools if lock == "supply.txt" else source, lock, "") for lock in locks)
        + tuple((lock, command, "") for lock, command in locks.items()),
        high=44.0,
        gap=54.0,
        down=60.0,
    ).drawn()


PICTURES = {
    "fuzz-case.svg": fuzz_case,
    "file-reference.svg": file_reference,
    "make-test.svg": times_of_the_tests,
    "plug-points.svg": plug_points,
    "lock-files.svg": lock_files,
}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
