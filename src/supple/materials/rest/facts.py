"""Properties of a material without simulation: formula, constants, degree, domain, stiffness at rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.formulas.domain import domain
from supple.formulas.graph import Node, leaves
from supple.formulas.parse import parse
from supple.materials.formula import NAMES
from supple.materials.formula_material import FormulaMaterial, law_names
from supple.materials.material import Material
from supple.materials.rest.at_rest import VOIGT, AtRest
from supple.materials.rest.text import text_of
from supple.types import Array


@dataclass(frozen=True, eq=False)
class MaterialFacts:
    """Properties of a material with uniform constants, or of a class of materials."""

    name: str
    """Registered name."""
    energy: str
    """Its formula [J/m^3]; empty if it has none."""
    constants: dict[str, float | str]
    """Values by name; for a class their meanings."""
    degree: int | None
    """Degree as a polynomial in F; None: not a polynomial."""
    domain: tuple[str, ...]
    """Conditions under which the density is finite."""
    rest: AtRest | None
    """Stiffness at rest; None if no constants are given."""

    @property
    def rule(self) -> str:
        """Treatment by AVF."""
        if self.degree is None:
            return "no polynomial in F: avf adapts its quadrature to the step"
        points = max(1, -(-self.degree // 2))
        return f"a polynomial of degree {self.degree} in F: avf is exact with gauss-{points}"

    def lines(self) -> list[str]:
        """The properties as text."""
        figures = [f"{k} = {v:g}" if isinstance(v, float) else f"{k}: {v}" for k, v in self.constants.items()]
        return [
            f"energy     {self.energy} [J/m^3]" if self.energy else "energy     not a formula",
            f"constants  {(', ' if self.rest else chr(10) + 11 * ' ').join(figures) or 'none'}",
            f"degree     {self.rule}",
            f"defined    {', '.join(self.domain) or 'for every F'}",
            *self._rest_lines(),
        ]

    def _rest_lines(self) -> list[str]:
        if self.rest is None:
            return ["at rest    give constants to see moduli, such as --constant young=1e6 --constant poisson=0.3"]
        if self.rest.isotropic and self.rest.definite:
            young, poisson = float(self.rest.young[0, 0]), float(self.rest.poisson[0, 0])
            return [f"at rest    isotropic, young = {young:.6g} Pa, poisson = {poisson:.6g}"]
        kind = "isotropic" if self.rest.isotropic else "not isotropic"
        return [
            f"at rest    {kind}{', not positive definite: ' + w if (w := self.rest.weakness) else ''}",
            "stiffness  over e11, e22, e33, 2 e23, 2 e13, 2 e12 [Pa]",
            *("  " + " ".join(f"{entry:>11.4g}" for entry in row) for row in _matrix(self.rest)),
        ]

    def table(self) -> dict[str, Any]:
        """The properties as plain values, for JSON."""
        found = {
            "name": self.name,
            "energy": self.energy or None,
            "constants": self.constants,
            "degree": self.degree,
            "avf": self.rule,
            "domain": list(self.domain),
        }
        if self.rest is None:
            return found
        alike = self.rest.isotropic and self.rest.definite
        return found | {
            "isotropic": self.rest.isotropic,
            "positive_definite": self.rest.definite,
            "young": float(self.rest.young[0, 0]) if alike else None,
            "poisson": float(self.rest.poisson[0, 0]) if alike else None,
            "voigt": [f"{i + 1}{j + 1}" for i, j in VOIGT],
            "stiffness": _matrix(self.rest).tolist(),
        }


def _matrix(rest: AtRest) -> Array:
    """The stiffness with round-off replaced by zeros [Pa]."""
    C = rest.stiffness[0]
    return np.where(np.abs(C) > 1e-12 * np.abs(C).max(), C, 0.0)


def class_facts(cls: type[Material], meanings: dict[str, str]) -> MaterialFacts:
    """Properties of a class of materials, for any constants; `meanings`: descriptions of its constants."""
    energy = cls.energy if issubclass(cls, FormulaMaterial) else ""
    bounds = _domain(energy, law_names(cls)) if energy else ()
    return MaterialFacts(cls.name, energy, dict(meanings), cls.degree, bounds, None)


def material_facts(material: Material) -> MaterialFacts:
    """Properties of a material with one set of constants; raises SuppleError if they vary between tets."""
    table = material.parameters(1)[0]
    constants = dict(zip(material.constants(), table.tolist(), strict=True))
    energy = material.energy if isinstance(material, FormulaMaterial) else ""
    name = material.label if isinstance(material, FormulaMaterial) else material.name
    bounds = _domain(energy, tuple(constants)) if energy else ()
    return MaterialFacts(name, energy, constants, material.degree, bounds, material.at_rest())


def _domain(energy: str, constants: tuple[str, ...]) -> tuple[str, ...]:
    bounds = domain([parse(energy, (*NAMES, *constants), {})])
    found = {f"{text_of(node)} > 0": None for node in bounds.positive if _strained(node)}
    for node in bounds.nonzero:
        if _strained(node):
            text = text_of(node)
            found[f"{text} > 0" if text == "J" else f"{text} != 0"] = None
    return tuple(found)


def _strained(node: Node) -> bool:
    """Whether it depends on the deformation, not on constants alone."""
    return bool(leaves([node]) & set(NAMES))
