"""Names of the constants behind a model: `bar.mu`, `sheet.rigidity`, `viscosity.shear`, `gravity.g`.

Constants of elastic terms belong to bodies, one entry per element of the body. Those of other terms and of damping are named
after the kind of the term, and have one entry, or one per element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from supple.damping.elastic import ELASTIC
from supple.dynamics.system import build_system
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError, did_you_mean
from supple.model.model import Model
from supple.types import Array


@dataclass(frozen=True)
class Owned:
    """Location of a named constant."""

    kind: str
    """potential or dissipation."""
    index: int
    """Index of the term in that sum."""
    constant: str
    rows: npt.NDArray[np.intp] | None = None
    """Elements of the term that belong to the name; None: all."""
    also: tuple[Owned, ...] = ()
    """The same constant in damping derived from the elastic term: Rayleigh and incremental damping."""

    @property
    def places(self) -> tuple[Owned, ...]:
        return (self, *self.also)


def named(model: Model) -> dict[str, Owned]:
    """All constants by name; a constant shared by two terms of a body includes the name of the term."""
    found = [
        (owner, type(term).__name__, Owned("potential", k, name, rows if len(values) == len(term.elements) else None))
        for k, term in enumerate(model.system.potential.terms)
        for owner, rows in _owners(model, term)
        for name, values in term.constants().items()
    ]
    own = [
        (_kind(term), type(term).__name__, Owned("dissipation", k, name))
        for k, term in enumerate(model.system.dissipation.terms)
        for name in term.constants()
        if not name.startswith(ELASTIC)
    ]
    known = _distinct([*found, *own])
    for name, damper in _damped(model):
        if name in known:
            known[name] = replace(known[name], also=(*known[name].also, damper))
    return known


def _distinct(found: list[tuple[str, str, Owned]]) -> dict[str, Owned]:
    plain = [f"{owner}.{place.constant}" for owner, _, place in found]
    return {
        name if plain.count(name) == 1 else f"{owner}.{kind}.{place.constant}": place
        for name, (owner, kind, place) in zip(plain, found, strict=True)
    }


def _damped(model: Model) -> Iterator[tuple[str, Owned]]:
    """Constants of elastic terms inside dampers, with their names in the bodies."""
    for k, term in enumerate(model.system.dissipation.terms):
        for name in term.constants():
            if name.startswith(ELASTIC):
                for owner, rows in _bodies(model, term):
                    yield f"{owner}.{name.removeprefix(ELASTIC)}", Owned("dissipation", k, name, rows)


def by_name(model: Model, bars: Mapping[tuple[str, int, str], Array]) -> dict[str, Array]:
    """Adjoints of all constants by name, from those of terms; zero where the loss does not depend on a term."""
    out = {}
    for name, values in constants_of(model).items():
        total = np.zeros_like(values)
        for place in named(model)[name].places:
            known = bars.get((place.kind, place.index, place.constant))
            if known is not None:
                total += known if place.rows is None else known[place.rows]
        out[name] = total
    return out


def constants_of(model: Model) -> dict[str, Array]:
    """Values of the constants by name."""
    out = {}
    for name, place in named(model).items():
        values = _terms(model, place.kind)[place.index].constants()[place.constant]
        out[name] = values if place.rows is None else values[place.rows]
    return out


def with_constants(model: Model, given: Mapping[str, Array]) -> Model:
    """The same model with other values of some constants, by name; masses and meshes are unchanged."""
    known = named(model)
    terms = {kind: list(_terms(model, kind)) for kind in ("potential", "dissipation")}
    for name, values in given.items():
        if name not in known:
            raise SuppleError(f"unknown constant '{name}'{did_you_mean(name, known)} known: {', '.join(known)}")
        for place in known[name].places:
            old = terms[place.kind][place.index]
            whole = np.array(old.constants()[place.constant], dtype=np.float64)
            rows = slice(None) if place.rows is None else place.rows
            if np.shape(values) != whole[rows].shape:
                raise SuppleError(f"{name}: found values of shape {np.shape(values)}; give {whole[rows].shape}")
            whole[rows] = values
            terms[place.kind][place.index] = old.with_constant(place.constant, whole)
    base = model.system
    system = build_system(
        model.mesh.vertices, base.mass, terms["potential"], base.motion, terms["dissipation"], base.impulses,
        base.projections, base.constraints.kinds, base.solver,
    )  # fmt: skip
    return replace(model, system=system)


def _terms(model: Model, kind: str) -> tuple[EnergyTerm, ...]:
    return model.system.potential.terms if kind == "potential" else model.system.dissipation.terms


def _owners(model: Model, term: EnergyTerm) -> list[tuple[str, npt.NDArray[np.intp] | None]]:
    """Bodies that a term belongs to, with their elements; the kind of the term if it belongs to no body."""
    return _bodies(model, term) if term.group == "elastic" and len(term.elements) else [(_kind(term), None)]


def _bodies(model: Model, term: EnergyTerm) -> list[tuple[str, npt.NDArray[np.intp] | None]]:
    """Bodies with elements of a term."""
    lowest = term.elements.min(axis=1)
    found = [(p.name, np.flatnonzero((lowest >= p.first) & (lowest < p.first + p.mesh.n))) for p in model.placed]
    return [(name, rows) for name, rows in found if len(rows)]


def _kind(term: EnergyTerm) -> str:
    """Name of a term that belongs to no body: the kind of damping or energy, from its module."""
    return type(term).__module__.rsplit(".", 1)[-1].replace("_", "-")
