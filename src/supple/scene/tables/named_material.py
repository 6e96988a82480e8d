"""A solid from its name or energy formula and constants, built as in a scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from supple.errors import SceneError, SuppleError, did_you_mean
from supple.materials import FORMULAS, MATERIALS
from supple.materials.material import Material
from supple.scene.tables.materials import material_model
from supple.scene.text.problems import problems

SIGNS = frozenset("+-*/^()[]<>=., ")
"""Characters that material names do not contain, apart from hyphens."""


def named_material(text: str, constants: Mapping[str, Any]) -> Material:
    """The material of that name, or the formula; every problem is reported with the key that it concerns."""
    table, cls = _table(text)
    model = material_model(str(table["name"]), cls)
    try:
        made: Material = model.model_validate({**table, **constants}).make()
    except ValidationError as error:
        raise SceneError(problems(error, model)) from None
    return made


def _table(text: str) -> tuple[dict[str, Any], type[Material]]:
    cls = MATERIALS.lookup(text)
    if cls is not None:
        return {"name": text}, cls
    if not SIGNS.intersection(text.replace("-", "")):
        known = MATERIALS.names()
        raise SuppleError(
            f"unknown material '{text}'{did_you_mean(text, known)} known: {', '.join(known)}; or give the formula of an energy"
        )
    return {"name": "formula", "energy": text}, FORMULAS.find("formula")
