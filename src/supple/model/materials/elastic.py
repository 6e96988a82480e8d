"""Elastic terms of a body by key, so that each error names its key."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending
from supple.energies.drive import DrivenAs
from supple.energies.springs.central import CentralSprings
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, WrongOption
from supple.formulas.curves import at_time, changes
from supple.model.changing.drives import driven
from supple.model.sewing.pleat import Pleat

if TYPE_CHECKING:
    from supple.model.body import Body
    from supple.model.placed import Placed

STUFF = ("material", "bending")
"""Keys whose terms are multiplied by the factor `body.stiffness`."""
Terms = Callable[["Placed"], Iterator[EnergyTerm]]

_OPTION = re.compile(r"(?:[\w-]+\.)?(\w+)(?:\[\d+\])?: (.*)")
"""An option in a message, perhaps with the name of its object before it and the number of an element behind it."""


def over_time(placed: Placed, key: str, terms: Iterable[EnergyTerm]) -> Iterator[EnergyTerm]:
    """Terms of one key with their drives: the stiffness factor of the body, and muscles of springs."""
    body, factor = placed.body, placed.body.stiffness
    for term in terms:
        made = term
        if key in STUFF and changes(factor):
            made = driven(made, DrivenAs(f"{body.name}.stiffness", partial(_scaled, body)))
        elif key in STUFF and factor != 1.0:
            made = made.scaled(factor)
        if key == "material" and isinstance(made, CentralSprings):
            for muscle in body.muscles:
                made = muscle.on_springs(made, placed, f"{body.name}.contraction")
        if isinstance(made, DihedralBending | FormulaBending):
            for k, pleat in enumerate(body.pleats):
                made = _folded(made, pleat, placed, k)
        yield made


def _folded(term: EnergyTerm, pleat: Pleat, placed: Placed, k: int) -> EnergyTerm:
    try:
        return pleat.on(term, placed)
    except SuppleError as error:
        raise SceneError(f"{placed.path}.pleats[{k}].{error}") from None


def demand_hinges(placed: Placed, made: Iterable[EnergyTerm]) -> None:
    """Reject pleats of a body without angular stiffness."""
    if placed.body.pleats and not any(isinstance(term, DihedralBending | FormulaBending) for term in made):
        raise SceneError(
            f"{placed.path}.pleats: pleats are rest angles, and nothing in this body resists a change of angles; give it "
            'bending = { model = "dihedral", ... }, or the material discrete-shell with bend above 0'
        )


def _scaled(body: Body, term: EnergyTerm, t: float) -> EnergyTerm:
    value = at_time(body.stiffness, t, f"{body.name}.stiffness")
    if value < 0.0:
        raise SuppleError(
            f"{body.name}.stiffness: input should be greater than or equal to 0, found {value:g} at t = {t:g} s"
        )
    return term.scaled(value)


def fibres(placed: Placed) -> Iterator[EnergyTerm]:
    """Muscles of a solid; for springs they are part of the material."""
    for muscle in placed.body.muscles:
        if placed.mesh.is_solid and muscle.along is not None:
            yield from muscle.fibres(placed, f"{placed.name}.contraction")
        elif not any(isinstance(term, CentralSprings) for term in placed.law.terms(placed)):
            raise SuppleError(
                "muscles are for springs, whose rest lengths they shorten, and for solids, for which they need along and "
                "strength; this body has neither"
            )


def elastic_terms(placed: Placed, material: Terms) -> dict[str, tuple[EnergyTerm, ...]]:
    """Terms of its `material`, bending, area, volume and pressure."""
    body = placed.body
    asked: dict[str, Terms | None] = {
        "material": material,
        "bending": None if body.bending is None else body.bending.terms,
        "area": None if body.area is None else body.area.area_terms,
        "volume": None if body.volume is None else body.volume.volume_terms,
        "pressure": None if body.pressure is None else body.pressure.terms,
        "muscles": fibres if body.muscles else None,
    }
    made: dict[str, tuple[EnergyTerm, ...]] = {}
    for key, terms in asked.items():
        try:
            made[key] = () if terms is None else tuple(over_time(placed, key, terms(placed)))
        except SceneError:
            raise
        except WrongOption as error:
            raise SceneError(f"{placed.path}.{key}.{error.key}: {error.sentence}") from None
        except SuppleError as error:
            raise SceneError(_at_keys(f"{placed.path}.{key}", getattr(body, key), error)) from None
    demand_hinges(placed, (term for terms in made.values() for term in terms))
    return made


def _at_keys(path: str, owner: Any, error: SuppleError) -> list[str]:
    """The lines of an error, each at the key of the table that it begins with, or at the table."""
    known = {"young", "poisson"} | {
        f.name for f in (dataclasses.fields(owner) if dataclasses.is_dataclass(owner) else ())
    }
    found = []
    for line in str(error).split("\n"):
        option = _OPTION.match(line)
        found.append(f"{path}.{option[1]}: {option[2]}" if option and option[1] in known else f"{path}: {line}")
    return found
