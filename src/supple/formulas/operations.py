"""Operations of a formula: their NumPy functions, and which of them return conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "neg": np.negative,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "where": np.where,
}
"""Functions that a text may call."""
NEAR_ZERO: dict[str, Callable[..., Any]] = {"log1p": np.log1p, "expm1": np.expm1}
"""log(1 + a) and exp(a) - 1, precise for small a; made by `shift`, not written by users."""
COMPARISONS: dict[str, Callable[..., Any]] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
LOGIC: dict[str, Callable[..., Any]] = {"and": np.logical_and, "or": np.logical_or, "not": np.logical_not}

OPERATIONS = ARITHMETIC | FUNCTIONS | NEAR_ZERO | COMPARISONS | LOGIC
CONDITIONS = frozenset(COMPARISONS | LOGIC)
"""Operations whose result is true or false."""
