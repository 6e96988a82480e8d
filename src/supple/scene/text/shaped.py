"""A ready-made shape by its name, with `KEY=VALUE` for its options, as the command line gives them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from supple.errors import MeshError, did_you_mean
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.scene.text.override import toml_value


def shaped(name: str, settings: Sequence[str] = ()) -> Mesh | None:
    """The mesh of a shape; None if no shape has that name."""
    found = SHAPES.lookup(name)
    if found is None:
        return None
    known = list(inspect.signature(found).parameters)
    options: dict[str, Any] = {}
    for text in settings:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise MeshError(f"--set {text}: give KEY=VALUE, such as {known[0]}=VALUE")
        if key not in known:
            raise MeshError(f"{name}.{key}: unknown key{did_you_mean(key, known)} known: {', '.join(known)}")
        given = toml_value(value)
        options[key] = tuple(given) if isinstance(given, list) else given
    return found(**options).mesh()
