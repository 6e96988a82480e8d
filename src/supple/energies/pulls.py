"""Derivatives of the work of a term's forces with respect to its input parameters, by differences.

The work is  sum_q force_q lam . V'(x_q),  a sum over elements, and each element has its own constants (differences.py).
Derivatives with respect to quantities measured at rest are pulled to the rest positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from supple.energies.differences import by_numbers
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.linalg.scatter import add_rows
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.energies.term import EnergyTerm


def pulled(term: EnergyTerm, samples: Samples, lam: Array) -> dict[str, Array]:
    """Derivatives with respect to all constants of a term and, where it has measured its elements, to the rest positions."""
    constants = term.constants()
    rest = term.rest if isinstance(term, MeasuredAtRest) else None
    measured = term.measured(rest[term.elements]) if isinstance(term, MeasuredAtRest) and rest is not None else {}
    found = by_constants(term, {**measured, **constants}, samples, lam)
    out = {name: found[name] for name in constants}
    if isinstance(term, MeasuredAtRest) and rest is not None:
        corners = sum(chained(found[name], slopes) for name, slopes in term.rest_slopes.items())
        out["rest"] = at_vertices(term.elements, np.asarray(corners), len(rest))
    return out


def by_constants(
    term: EnergyTerm,
    values: dict[str, Array],
    samples: Samples,
    lam: Array,
    seen: Callable[[EnergyTerm], EnergyTerm] = lambda term: term,
) -> dict[str, Array]:
    """Derivatives with respect to some constants, shaped as their values; exact for constants that forces are
    proportional to. `seen`: the term in use, for example the term frozen within a step."""

    def works(name: str, numbers: Array) -> Array:
        return seen(term.with_constant(name, numbers)).element_works(samples, lam)

    return {name: _by_constant(term, name, value, works) for name, value in values.items()}


def _by_constant(term: EnergyTerm, name: str, value: Array, works: Callable[[str, Array], Array]) -> Array:
    m = len(term.elements)
    whole = value.shape == (1,) != (m,)

    def asked(values: Array) -> Array:
        return works(name, values[:1] if whole else values)

    own = np.repeat(value, m) if whole else value
    found = asked(np.ones_like(own)) if name in term.proportional_to else by_numbers(asked, own)
    return found.sum(keepdims=True) if whole else found


def apart(term: EnergyTerm, x: Array) -> Array:
    """(m k, 3) rows of a field at the vertices of `term.unshared()`."""
    return np.ascontiguousarray(x[term.elements].reshape(-1, 3))


def samples_apart(term: EnergyTerm, samples: Samples) -> Samples:
    """The same samples for `term.unshared()`."""
    return replace(samples, x=np.stack([apart(term, x) for x in samples.x]))


def at_vertices(elements: Ints, corners: Array, n: int) -> Array:
    """(n, 3) sums over the corners (m, k, 3) of elements."""
    out = np.zeros((n, 3))
    add_rows(elements.ravel(), np.ascontiguousarray(corners).reshape(-1, 3), out)
    return out


def chained(bar: Array, slopes: Array) -> Array:
    """(m, k, 3) from a derivative with respect to a measured array (m, ...) and the slopes (m, k, 3, ...) of that array."""
    m = len(bar)
    return np.einsum("mc,mkic->mki", bar.reshape(m, -1), slopes.reshape(*slopes.shape[:3], -1))


def prefixed(names: dict[str, Array], prefix: str, plain: Iterable[str] = ("rest",)) -> dict[str, Array]:
    """The same with a prefix before every name except the plain ones."""
    return {name if name in plain else f"{prefix}{name}": value for name, value in names.items()}
