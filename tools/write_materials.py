"""Rewrites the sections of docs/guide/materials.md, one per solid, and draws its curves. Run by `make docs`.

    python tools/write_materials.py            # the page, and pictures that are missing
    python tools/write_materials.py --draw     # and all pictures

Everything is derived from the registered classes: docstring, energy, constants with their bounds, stresses. Pictures are
drawn from the same curves; the figures beside them change when a law does, and a test then fails until this has run.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import sys
import typing
from pathlib import Path
from typing import Any

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from supple.analysis.materials.curves import curve, in_equilibrium, points_about
from supple.analysis.materials.loading import LOADINGS
from supple.materials import MATERIALS
from supple.materials.material import Material
from supple.materials.options import with_values
from supple.scene.text.field_docs import field_docs

DOCS = Path(__file__).parent.parent / "docs"
PAGE, PICTURES = DOCS / "guide" / "materials.md", DOCS / "images" / "materials"
BLOCK = re.compile(r"(<!-- solids -->\n).*?(<!-- end of solids -->)", re.DOTALL)
YOUNG, POISSON = 1e6, 0.45
EXAMPLES: dict[str, dict[str, float]] = {
    "orthotropic": {"E1": 4e6},
    "fung-orthotropic": {"E1": 4e6},
    "holzapfel-gasser-ogden": {"k1": 2e5},
    "transversely-isotropic": {"along": 2e6},
}
"""Constants that curves are drawn with, of laws that moduli alone do not show: a grain, or fibres."""
STRETCHES = (0.5, 0.8, 1.5, 2.0)
DRAWN = (0.5, 2.0)
POINTS = 61
TENSION = ("uniaxial", "biaxial", "pure-shear")
WIDTH = 130


def sections() -> str:
    """All solids by name."""
    return "\n".join(section(name, cls) for name, cls in sorted(MATERIALS.load().items()) if shipped(cls))


def shipped(cls: type[Any]) -> bool:
    return cls.__module__.startswith("supple.")


def section(name: str, cls: type[Any]) -> str:
    """Words, formula, constants, figures and picture of one solid."""
    made = example(name, cls)
    paragraphs = [" ".join(p.split()) for p in (inspect.getdoc(cls) or name).split("\n\n")]
    energy = getattr(cls, "energy", None)
    parts = [f"### `{name}`", "\n\n".join(wrapped(p) for p in paragraphs)]
    if isinstance(energy, str):
        parts.append("\n".join(f"    {line}" for line in broken(f"psi = {energy}")))
    parts += [
        constants(cls, cls.from_young(YOUNG, POISSON)),
        wrapped(rule(cls)),
        wrapped(stresses(made, besides(name))),
    ]
    parts.append(f"![Stress of {name} over stretch and volume](../images/materials/{name}.svg)")
    return "\n\n".join(parts) + "\n"


def example(name: str, cls: type[Any]) -> Material:
    """The solid whose curves are drawn."""
    made: Material = with_values(cls.from_young(YOUNG, POISSON), **EXAMPLES.get(name, {}))
    return made


def besides(name: str) -> str:
    """Its constants besides the moduli."""
    return "".join(f", {key} = {value:g}" for key, value in EXAMPLES.get(name, {}).items())


def wrapped(text: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def broken(formula: str) -> list[str]:
    """A long formula in lines that begin with the sign of a term."""
    lines, left = [], formula
    while len(left) > WIDTH - 8:
        cut = max(left.rfind(" + ", 40, WIDTH - 8), left.rfind(" - ", 40, WIDTH - 8))
        if cut < 0:
            break
        lines.append(left[:cut])
        left = "    " + left[cut + 1 :]
    return [*lines, left]


def constants(cls: type[Any], made: Material) -> str:
    """Key, bounds, default, value for given moduli, and meaning of each constant."""
    hints, docs = typing.get_type_hints(cls, include_extras=True), field_docs(cls)
    lines = [
        f"| constant | bounds | default | for E = {YOUNG / 1e6:g} MPa, nu = {POISSON:g} | meaning |",
        "|---|---|---|---|---|",
    ]
    for f in dataclasses.fields(cls):
        default = "required" if f.default is dataclasses.MISSING else figure(f.default)
        value = figure(getattr(made, f.name))
        lines.append(f"| `{f.name}` | {bounds(hints[f.name])} | {default} | {value} | {docs.get(f.name, '')} |")
    return "\n".join(lines)


def figure(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def bounds(hint: Any) -> str:
    signs = {Gt: ("gt", ">"), Ge: ("ge", ">="), Lt: ("lt", "<"), Le: ("le", "<=")}
    marks = typing.get_args(hint)[1:] if typing.get_origin(hint) is typing.Annotated else ()
    found = [(getattr(mark, signs[type(mark)][0]), signs[type(mark)][1]) for mark in marks if type(mark) in signs]
    return ", ".join(f"{sign} {bound:g}" for bound, sign in found) or "any"


def rule(cls: type[Any]) -> str:
    """What AVF makes of it."""
    if cls.degree is None:
        return "Not a polynomial in F: AVF uses adaptive quadrature."
    return f"A polynomial of degree {cls.degree} in F: AVF is exact with gauss-{-(-cls.degree // 2)}."


def stresses(made: Material, besides: str) -> str:
    """Nominal stresses of a bar over Young's modulus."""
    loading = LOADINGS["uniaxial"]
    F, found = in_equilibrium(made, loading, np.array(STRETCHES), "x")
    P = loading.answer(F, made.stress(F), 0) / YOUNG
    words = [f"{p:.3f}" if good else "none" for p, good in zip(P.tolist(), found.tolist(), strict=True)]
    stretches = ", ".join(f"{s:g}" for s in STRETCHES)
    return f"Nominal stress over E of a bar with nu = {POISSON:g}{besides} at stretches of {stretches}: {', '.join(words)}."


def draw(name: str, cls: type[Any]) -> None:
    """Tension and volume, small enough for a page."""
    import matplotlib

    from supple.render.plots.materials import Line, MaterialPanel, plot_materials

    os.environ["SOURCE_DATE_EPOCH"] = "0"  # no date in the picture, so that it changes only with the curves
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "supple"})
    made = example(name, cls)

    def line(mode: str) -> Line:
        c = curve(made, LOADINGS[mode], points_about(LOADINGS[mode], np.array(DRAWN), POINTS), "x")
        return Line(mode, c.amount, c.stress, c.stable, c.elliptic, c.defined)

    tension = MaterialPanel(
        "tension and compression", "stretch  [-]", "nominal stress", 1.0, [line(m) for m in TENSION]
    )
    volume = MaterialPanel("volumetric", "J = volume / volume at rest  [-]", "mean stress", 1.0, [line("volumetric")])
    plot_materials([tension, volume], PICTURES / f"{name}.svg", f"{name}: E = 1 MPa, nu = {POISSON:g}{besides(name)}")


def current(text: str) -> str:
    """The page with its sections as the code has them now."""
    return BLOCK.sub(lambda found: f"{found[1]}{sections()}{found[2]}", text)


def main() -> None:
    PAGE.write_text(current(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for name, cls in MATERIALS.items():
        if shipped(cls) and ("--draw" in sys.argv or not (PICTURES / f"{name}.svg").exists()):
            draw(name, cls)


if __name__ == "__main__":
    main()
