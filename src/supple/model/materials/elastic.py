"""Elastic terms of a body, by the keys that ask for them, so that each refusal names its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, WrongOption

if TYPE_CHECKING:
    from supple.model.placed import Placed

Terms = Callable[["Placed"], Iterator[EnergyTerm]]


def elastic_terms(placed: Placed, material: Terms) -> dict[str, tuple[EnergyTerm, ...]]:
    """Those of its `material`, bending, area, volume and pressure."""
    body = placed.body
    asked: dict[str, Terms | None] = {
        "material": material,
        "bending": None if body.bending is None else body.bending.terms,
        "area": None if body.area is None else body.area.area_terms,
        "volume": None if body.volume is None else body.volume.volume_terms,
        "pressure": None if body.pressure is None else body.pressure.terms,
    }
    made: dict[str, tuple[EnergyTerm, ...]] = {}
    for key, terms in asked.items():
        try:
            made[key] = () if terms is None else tuple(terms(placed))
        except SceneError:
            raise
        except WrongOption as error:
            raise SceneError(f"{placed.path}.{key}.{error.key}: {error.sentence}") from None
        except SuppleError as error:
            raise SceneError(f"{placed.path}.{key}: {error}") from None
    return made
