"""The chain rule for f(u(x), v(x), ...): derivatives with respect to x through the inner variables u, v, ...

    df/dx_a = sum_u f_u u_a,    d2f/dx_a dx_b = sum_uv f_uv u_a v_b + sum_u f_u u_ab

The same derivatives as those of the substituted formula, with a half to a third of the operations: every f_u and u_a is
one node that all entries share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from supple.formulas.differentiate import Derivatives
from supple.formulas.graph import ZERO, Node, leaf, leaves, substitute


@dataclass(frozen=True)
class Chained:
    """A function of functions, with its derivatives with respect to n leaves."""

    value: Node
    gradient: list[Node]
    hessian: list[Node]
    """The lower triangle by rows: (0, 0), (1, 0), (1, 1), (2, 0) ..."""


def chained(outer: Node, inner: Mapping[str, Node], by: Sequence[Node]) -> Chained:
    """The outer formula with inner formulas for some of its leaves, and derivatives with respect to leaves of the inner ones."""
    derivatives = Derivatives()
    names = [name for name in inner if name in leaves([outer])]

    def slope(node: Node, name: str) -> Node:
        return derivatives.of(node, leaf(name))

    def placed(node: Node) -> Node:
        return substitute(node, inner)

    first = {u: slope(outer, u) for u in names}
    f = {u: placed(first[u]) for u in names}
    ff = {(u, v): placed(slope(first[u], v)) for u in names for v in names}
    g = {u: [derivatives.of(inner[u], x) for x in by] for u in names}
    hessian = []
    for a in range(len(by)):
        row = {v: _sum(ff[u, v] * g[u][a] for u in names) for v in names}
        for b in range(a + 1):
            outer_part = _sum(row[v] * g[v][b] for v in names)
            hessian.append(outer_part + _sum(f[u] * derivatives.of(g[u][a], by[b]) for u in names))
    gradient = [_sum(f[u] * g[u][a] for u in names) for a in range(len(by))]
    return Chained(placed(outer), gradient, hessian)


def _sum(terms: Iterable[Node]) -> Node:
    return sum(terms, start=ZERO)
