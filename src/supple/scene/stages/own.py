"""Attributes read only by supple: TOML text whose keys take precedence over the schema.

| attribute | on | keys of |
|---|---|---|
| supple:scene | a PhysicsScene | the whole scene, except bodies |
| supple:body | a deformable body | its [[body]] |
| supple:obstacle | a collider | its [[obstacle]] |
| supple:motion | an attachment to a frame | the motion of its vertices |
"""

from __future__ import annotations

import tomllib
from typing import Any

from supple.errors import SceneError
from supple.mesh.stages.schema import OWN
from supple.scene.text.bounds import read_toml


def own_keys(prim: Any, word: str) -> dict[str, Any]:
    """The keys of `supple:word` of a prim; none if it has no such attribute."""
    found = prim.GetAttribute(f"{OWN}:{word}")
    text = found.Get() if found and found.HasAuthoredValue() else None
    if text is None:
        return {}
    try:
        return read_toml(str(text))
    except tomllib.TOMLDecodeError as error:
        raise SceneError(f"{prim.GetPath()}: {OWN}:{word} is not TOML: {error}") from None
