"""Values of a stage in SI units, rounded to the digits of single precision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.errors import SceneError
from supple.mesh.stages.schema import PREFIXES, attribute, value_of

DIGITS = 12


def short(value: Any) -> float:
    """The shortest number with the same single-precision value: 0.3, not 0.30000001192092896."""
    return float(np.format_float_scientific(np.float32(value), unique=True)) if math.isfinite(value) else float(value)


def times(value: float, factor: float) -> float:
    """The value in other units, without spurious digits from the factor."""
    return value if factor == 1.0 else float(f"{value * factor:.{DIGITS}g}")


def number(prim: Any, name: str, factor: float = 1.0, prefixes: tuple[str, ...] = PREFIXES) -> float | None:
    """An attribute in SI units; None where it is absent or requests the fallback (negative infinity)."""
    from pxr import Usd

    found = attribute(prim, name)
    if found is None or found.GetName().split(":")[0] not in prefixes:
        return None
    value = value_of(found, Usd.TimeCode.Default())
    if value == -math.inf:
        return None
    if not isinstance(value, int | float) or math.isnan(value):
        raise SceneError(f"{prim.GetPath()}: {found.GetName()} is {value}; give a number")
    return times(short(value), factor)


def positive(prim: Any, name: str, factor: float = 1.0, prefixes: tuple[str, ...] = PREFIXES) -> float | None:
    """The same for positive values; 0 means the fallback."""
    found = number(prim, name, factor, prefixes)
    if found is not None and (found < 0.0 or math.isinf(found)):
        raise SceneError(f"{prim.GetPath()}: {name} is {found:g}; give a finite number above 0, or omit it")
    return found or None


def vector(values: Any) -> list[float]:
    """Three numbers for a table; rounded to a billionth of the largest, so zeros are exact."""
    rows = np.asarray(values, dtype=np.float64)
    unit = float(np.abs(rows).max(initial=0.0)) or 1.0
    return [float(f"{c:.10g}") if abs(c) > 1e-12 * unit else 0.0 for c in rows.tolist()]
