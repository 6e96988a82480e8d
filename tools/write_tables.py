"""Rewrites the tables of the docs that are derived from the code: integrators and their needs, rules, materials, presets,
shapes, solver options.

    python tools/write_tables.py

A table is between `<!-- table: NAME -->` and `<!-- end of table -->`; the text between them is replaced.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from supple.adaptive import RULES
from supple.adaptive.rule import Rule
from supple.dynamics.needs import Need
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.materials import MATERIALS, MEMBRANES
from supple.mesh import SHAPES
from supple.model.presets.published import Published, published
from supple.points.transfer import Transfer
from supple.scene.text.field_docs import field_docs, summary
from supple.solvers.options import SolverOptions

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines)


def kind(hint: Any) -> str:
    """A type in the words of a user."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return kind(arguments[0]) + bounds(dict(_limits(arguments[1:])))
    if origin is typing.Literal:
        return listed(f'`"{a}"`' if isinstance(a, str) else f"`{a}`" for a in arguments)
    if origin is tuple:
        return f"{len(arguments)} {kind(arguments[0]).replace('number', 'numbers')}"
    if type(None) in arguments:  # a key that may be left out
        return kind(arguments[0])
    words = {bool: "`true` or `false`", float: "number", int: "whole number", str: "string"}
    return {**words, Method: "integrator", Rule: "rule", Transfer: "transfer"}.get(hint, str(hint))


def _limits(marks: Iterable[Any]) -> Iterable[tuple[str, float]]:
    """Signs and values of the bounds among annotations."""
    for mark in marks:
        for sign, name in ((">", "gt"), (">=", "ge"), ("<", "lt"), ("<=", "le")):
            if hasattr(mark, name):
                yield sign, getattr(mark, name)


def bounds(limits: Mapping[str, float]) -> str:
    """The interval of a number, such as ` > 0` or ` from 0 to 1`; `limits`: from a sign to a value."""
    if {">=", "<="} <= set(limits):
        return f" from {limits['>=']:g} to {limits['<=']:g}"
    return " and".join(f" {sign} {value:g}" for sign, value in limits.items())


def listed(words: Iterable[str]) -> str:
    """Alternatives: `a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def options(cls: type[Any]) -> Iterable[tuple[str, str, str, str]]:
    """Key, type, default and meaning of each field of a dataclass."""
    hints, docs = typing.get_type_hints(cls, include_extras=True), field_docs(cls)
    for f in dataclasses.fields(cls):
        value = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        default = "required" if value is dataclasses.MISSING else f"`{written(value)}`"
        yield f"`{f.name}`", kind(hints[f.name]), default, docs.get(f.name, "")


def written(value: Any) -> str:
    """A default as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, Method | Rule | Transfer):
        return f'"{value.name}"'
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def integrators() -> str:
    rows = []
    for name, cls in sorted(INTEGRATORS.load().items()):
        f = cls().facts
        order = str(f.order) if f.order else "-"
        kept, symmetric = ", ".join(f.conserves) or "-", "yes" if f.symmetric else "-"
        row = (f"`{name}`", order, str(f.solves or "none"), f.stability, f.damping, kept, symmetric, f.choose)
        rows.append(row)
    head = ("name", "order", "solves per step", "stability", "its own damping", "conserves", "symmetric", "choose it")
    return table(head, rows)


def needs() -> str:
    """Which method meets what; needs that all of them meet are left out."""
    methods = [cls() for _, cls in sorted(INTEGRATORS.load().items())]
    methods = [method for method in methods if method.by_itself]
    told = [need for need in Need if not all(need in method.meets for method in methods)]
    rows = [(f"`{m.name}`", *("yes" if need in m.meets else "-" for need in told)) for m in methods]
    return table(("name", *(need.value for need in told)), rows)


def integrator_options() -> str:
    classes = sorted(INTEGRATORS.load().items())
    rows = [(f"`{name}`", *option) for name, cls in classes for option in options(cls)]
    return table(("integrator", "key", "type", "default", "meaning"), rows)


def rules() -> str:
    rows = []
    for name, cls in sorted(RULES.load().items()):
        keys = "; ".join(f"{key} ({default}): {within(doc)}" for key, _, default, doc in options(cls))
        rows.append((f"`{name}`", summary(cls), keys or "-"))
    return table(("rule", "effect", "keys"), rows)


def materials() -> str:
    return _laws(MATERIALS.load())


def membranes() -> str:
    return _laws(MEMBRANES.load())


def _laws(registry: dict[str, type[Any]]) -> str:
    rows = []
    for name, cls in sorted(registry.items()):
        constants = ", ".join(f"`{key}` {within(doc)}" for key, doc in field_docs(cls).items())
        written = "energy" in {f.name for f in dataclasses.fields(cls)}
        degree = "that of the formula" if written else str(cls.degree or "no polynomial")
        rows.append((f"`{name}`", summary(cls), constants, degree))
    return table(("name", "description", "its own constants", "degree in F"), rows)


def preset_solids() -> str:
    rows = [row for row in published().values() if not row.is_sheet]
    head = (
        "word",
        "description",
        "Young's modulus [Pa]",
        "Poisson's ratio",
        "density [kg/m^3]",
        "loss factor",
        "other samples",
    )
    figures = ("young", "poisson", "density", "loss")
    return table((*head, "source"), (_preset(row, figures) for row in rows))


def preset_sheets() -> str:
    rows = [row for row in published().values() if row.is_sheet]
    head = ("word", "description", "law", "Young's modulus, warp / weft [Pa]", "thickness [m]", "density [kg/m^3]")
    figures = ("law", "young", "thickness", "density", "rigidity", "loss")
    return table(
        (*head, "rigidity [N m]", "loss factor", "other samples", "source"), (_preset(row, figures) for row in rows)
    )


def _preset(row: Published, figures: Iterable[str]) -> Iterable[str]:
    values = row.figures()
    cells = [_figure(values[key]) for key in figures]
    if values["young_weft"] is not None:
        cells[1] += f" / {_figure(values['young_weft'])}"
    return (f"`{row.word}`", row.what, *cells, row.spread, row.source)


def _figure(value: Any) -> str:
    if value is None:
        return "E t^3/12"
    if isinstance(value, str):
        return f"`{value}`"
    return f"{value:.4g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def within(sentence: str) -> str:
    """A sentence as part of another one."""
    first = sentence if sentence.startswith(("Young", "Poisson")) else sentence[0].lower() + sentence[1:]
    return first.rstrip(".")


def shapes() -> str:
    parts = []
    for name, cls in sorted(SHAPES.load().items()):
        # the formula for node numbers is for programmers, and stands in the class
        words = summary(cls).split(";")[0].rstrip(".")
        parts.append(f"**`{name}`**: {words}.\n\n" + table(("key", "type", "default", "meaning"), options(cls)))
    return "\n".join(parts)


def solver() -> str:
    return table(("key", "type", "default", "meaning"), options(SolverOptions))


TABLES: dict[str, Callable[[], str]] = {
    "integrators": integrators,
    "needs": needs,
    "integrator-options": integrator_options,
    "rules": rules,
    "materials": materials,
    "membranes": membranes,
    "preset-solids": preset_solids,
    "preset-sheets": preset_sheets,
    "shapes": shapes,
    "solver": solver,
}


def current(text: str) -> str:
    """The text with all its tables as the code has them now."""
    return BLOCK.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}{found[3]}", text)


def main() -> None:
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        page.write_text(current(text), encoding="utf-8")


if __name__ == "__main__":
    main()
