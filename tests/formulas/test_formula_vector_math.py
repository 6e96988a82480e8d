"""log1p and expm1 of vectors against 80 digits, and against NumPy where they are not finite."""

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from supple.formulas.code.emit import LANES, Compiled, emit
from supple.formulas.graph import apply, leaf
from supple.types import Array

FUNCTIONS: dict[str, Callable[..., Any]] = {"log1p": np.log1p, "expm1": np.expm1}
SPECIAL = [
    0.0,
    np.inf,
    -np.inf,
    np.nan,
    -1.0,
    -2.0,
    710.0,
    709.5,
    -40.0,
    -800.0,
    1e308,
    1e300,
    2.0**53,
    -1 + 2.0**-53,
    800.0,
    1e-300,
]


def compiled(name: str) -> Compiled:
    return emit((), ("x",), [[apply(name, leaf("x"))]])


def values(function: Compiled, x: Array) -> Array:
    none = np.empty((0, LANES))
    return np.array([function(none, row[None])[0][0] for row in x.reshape(-1, LANES)]).reshape(x.shape)


def exact(name: str, x: float) -> Decimal:
    one = Decimal(1)
    return (one + Decimal(x)).ln() if name == "log1p" else Decimal(x).exp() - one


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("decades", [(-40, -20), (-20, -8), (-8, -3), (-3, -1), (-1, 0), (0, 2), (2, 2.85)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_errors_are_below_two_units_in_the_last_place(name: str, decades: tuple[float, float], sign: float) -> None:
    x = sign * 10 ** np.random.default_rng(1).uniform(*decades, 20 * LANES)
    if name == "log1p":
        x = np.where(x > -1.0, x, 0.3)
    with localcontext(prec=80):
        for given, found in zip(x, values(compiled(name), x), strict=True):
            wanted = exact(name, float(given))
            assert abs(Decimal(float(found)) - wanted) < 2 * Decimal(float(np.spacing(abs(float(wanted)))))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_infinities_and_what_is_no_number(name: str) -> None:
    x = np.array(SPECIAL)
    with np.errstate(all="ignore"):
        wanted = FUNCTIONS[name](x)
    np.testing.assert_allclose(values(compiled(name), x), wanted, rtol=5e-16)
