"""log1p and expm1 over vectors: calling the C library lane by lane takes ten times as long.

log1p follows fdlibm (Sun Microsystems 1993): 1 + x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2),
    s = f/(2 + f),  log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))),  and c = x - ((1 + x) - 1), the part lost to rounding.
expm1: x = n log(2) + r with |r| <= log(2)/2, and the series of exp(r) - 1.
Errors are below two units in the last place. Infinities and NaN are treated as in NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

WIDTH = 4
INTEGERS = ir.VectorType(ir.IntType(64), WIDTH)
VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)

LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log(2) in two parts; the first has trailing zeros, so n times it is exact."""
INVERSE_LOG2 = 1.4426950408889634
MAGIC = 6755399441055744.0
"""1.5 * 2^52: a number added to it is rounded to an integer, held in the last bits."""
MAGIC_BITS = 0x4338000000000000
ROOT_BITS, ONE_BITS, MANTISSA = 0x3FE6A09E667F3BCD, 0x3FF0000000000000, 0x000FFFFFFFFFFFFF
"""sqrt(1/2), 1 and the mask of a mantissa."""
LOG_SERIES = (
    1.479819860511658591e-01,
    1.531383769920937332e-01,
    1.818357216161805012e-01,
    2.222219843214978396e-01,
    2.857142874366239149e-01,
    3.999999999940941908e-01,
    6.666666666666735130e-01,
)
EXP_SERIES = tuple(1.0 / math.factorial(k) for k in range(13, 2, -1))
"""Of (exp(r) - 1 - r - r^2/2)/r^3; further terms are below round-off."""
LARGEST, SMALLEST = 710.0, -50.0
"""Where expm1 is infinite, and where it is -1."""

Value = Any


def _number(value: float) -> ir.Constant:
    return ir.Constant(VECTOR, [value] * WIDTH)


def _whole(value: int) -> ir.Constant:
    return ir.Constant(INTEGERS, [value] * WIDTH)


def _polynomial(builder: ir.IRBuilder, x: Value, coefficients: Sequence[float]) -> Value:
    """By Horner's rule, the highest power first."""
    total: Value = _number(coefficients[0])
    for coefficient in coefficients[1:]:
        total = builder.fadd(builder.fmul(total, x), _number(coefficient))
    return total


def log1p(builder: ir.IRBuilder, x: Value) -> Value:
    """log(1 + x)."""
    add, sub, mul, div = builder.fadd, builder.fsub, builder.fmul, builder.fdiv
    one = _number(1.0)
    u = add(one, x)
    large = builder.fcmp_ordered(">", x, one)
    c = div(builder.select(large, sub(one, sub(u, x)), sub(x, sub(u, one))), u)
    bits = builder.add(builder.bitcast(u, INTEGERS), _whole(ONE_BITS - ROOT_BITS))
    exponent = builder.sub(builder.lshr(bits, _whole(52)), _whole(1023))
    k = sub(builder.bitcast(builder.add(exponent, _whole(MAGIC_BITS)), VECTOR), _number(MAGIC))
    mantissa = builder.add(builder.and_(bits, _whole(MANTISSA)), _whole(ROOT_BITS))
    f = sub(builder.bitcast(mantissa, VECTOR), one)
    s = div(f, add(_number(2.0), f))
    z = mul(s, s)
    R = mul(z, _polynomial(builder, z, LOG_SERIES))
    half = mul(_number(0.5), mul(f, f))
    small = add(mul(s, add(half, R)), add(mul(k, _number(LOG2_LOW)), c))
    found = add(mul(k, _number(LOG2_HIGH)), sub(f, sub(half, small)))
    found = builder.select(builder.fcmp_ordered("==", u, _number(float("inf"))), u, found)
    found = builder.select(builder.fcmp_ordered("<", u, _number(0.0)), _number(float("nan")), found)
    return builder.select(builder.fcmp_ordered("==", u, _number(0.0)), _number(float("-inf")), found)


def expm1(builder: ir.IRBuilder, x: Value) -> Value:
    """exp(x) - 1 = 2 (2^(n-1) p + 2^(n-1) - 1/2) with p = exp(r) - 1."""
    add, sub, mul = builder.fadd, builder.fsub, builder.fmul
    x = builder.select(builder.fcmp_ordered(">", x, _number(LARGEST)), _number(LARGEST), x)
    x = builder.select(builder.fcmp_ordered("<", x, _number(SMALLEST)), _number(SMALLEST), x)
    shifted = add(mul(x, _number(INVERSE_LOG2)), _number(MAGIC))
    n = sub(shifted, _number(MAGIC))
    r = sub(sub(x, mul(n, _number(LOG2_HIGH))), mul(n, _number(LOG2_LOW)))
    square = mul(r, r)
    p = add(r, add(mul(_number(0.5), square), mul(mul(square, r), _polynomial(builder, r, EXP_SERIES))))
    bits = builder.add(builder.shl(builder.bitcast(shifted, INTEGERS), _whole(52)), _whole(1022 << 52))
    half = builder.bitcast(bits, VECTOR)  # 2^(n-1), which does not overflow where 2^n would
    found = add(mul(half, p), sub(half, _number(0.5)))
    return add(found, found)
