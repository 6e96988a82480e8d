"""Numbers of attributes: a file may hold anything under the name of an attribute, whatever its schema.

USD resolves a value as it was written. A damaged file, or one by a stranger, has texts or values of unknown types for points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError
from supple.mesh.mesh import INDEX_LIMIT
from supple.mesh.stages.schema import value_of
from supple.types import Array


def numbers(attribute: Any, when: Any = None, width: int = 3) -> Array:
    """(n, width) numbers at a time code, at the default one if absent; no rows without a value."""
    found = _array(attribute, when)
    if found.size % width:
        raise refused(attribute, f"has {found.size} numbers; expected {width} per entry")
    return found.astype(np.float64).reshape(-1, width)


def whole_numbers(attribute: Any, when: Any = None) -> npt.NDArray[np.int64]:
    """(n,) whole numbers of at most 32 bits at a time code, at the default one if absent; none without a value."""
    found = _array(attribute, when).ravel()
    if not found.size:
        return np.empty(0, np.int64)
    if found.dtype.kind == "f":
        raise refused(attribute, "has fractions; expected whole numbers")
    if found.max() > INDEX_LIMIT or found.min() < -INDEX_LIMIT:
        raise refused(attribute, "has a number of more than 32 bits")
    return found.astype(np.int64)


def single(attribute: Any, when: Any = None) -> float:
    """One finite number."""
    found = _array(attribute, when)
    if found.size != 1 or not np.isfinite(found).all():
        raise refused(attribute, f"is {_shown(value_at(attribute, when))}; expected a finite number")
    return float(found.ravel()[0])


def word(attribute: Any, allowed: Any) -> str:
    """One of the allowed words."""
    found = str(attribute.Get())
    if found not in allowed:
        raise refused(attribute, f"is '{found[:40]}'; allowed: {', '.join(allowed)}")
    return found


def value_at(attribute: Any, when: Any = None) -> Any | None:
    """The value at a time code, of any type."""
    from pxr import Usd

    return value_of(attribute, Usd.TimeCode.Default() if when is None else when)


def refused(attribute: Any, what: str) -> MeshError:
    """An error that names the file, the prim and the attribute."""
    layer = attribute.GetPrim().GetStage().GetRootLayer()
    return MeshError(f"{layer.GetDisplayName()}: {attribute.GetPath()} {what}; export it again")


def _array(attribute: Any, when: Any) -> npt.NDArray[Any]:
    found = value_at(attribute, when)
    if found is None:
        return np.empty(0)
    made = np.array(found)
    if made.dtype.kind not in "iuf" and made.size:
        raise refused(attribute, f"is {_shown(found)}; expected numbers")
    return made


def _shown(value: Any) -> str:
    return " ".join(str(value).split())[:60]
