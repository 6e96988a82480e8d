"""Difference quotients under exchange of two leaves: (f(x, y) - f(y, x))/(x - y), without loss of digits near x = y.

The difference of two nearly equal numbers is never computed: each operation has a rule, as for derivatives. With f' the
node at the exchanged point and q[f] its quotient:
    q[a b] = q[a] b + a' q[b],   q[a/b] = (q[a] - (a/b)' q[b])/b,   q[sqrt a] = q[a]/(sqrt a + sqrt a')
    q[log a] = q[a] 2/(a + a') (1 + w^2/3 + w^4/5 ...),   w = (a - a')/(a + a'), if w is small
    q[exp a] = q[a] (exp a + exp a')/2 (1 - d^2/12 + d^4/120 ...),   d = a - a', if d is small
Functions without a rule use the derivative at the midpoint where x and y are closer than `CLOSE`, with an error of its
square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from supple.formulas.differentiate import Derivatives
from supple.formulas.graph import LEAF, ONE, ZERO, Node, apply, number, order, substitute

SMALL = 0.01
"""Below it the series are exact to round-off; above it a difference has lost at most two digits."""
CLOSE = 1e-5
LARGEST_POWER = 16

Pair = tuple[Node, Node]
"""A node and its exchanged counterpart."""


def exchange_quotient(node: Node, x: Node, y: Node) -> Node:
    """(f(x, y) - f(y, x))/(x - y) for the formula f of the node; f may depend on other leaves as well."""
    exchanged: dict[Node, Node] = {}
    found: dict[Node, Node] = {}
    for n in order([node]):
        exchanged[n] = _exchanged(n, [exchanged[a] for a in n.arguments], x, y)
        if exchanged[n] is n:
            found[n] = ZERO
        elif n.operation == LEAF:
            found[n] = ONE if n is x else number(-1.0)
        else:
            pairs = [(a, exchanged[a]) for a in n.arguments]
            found[n] = _quotient((n, exchanged[n]), pairs, [found[a] for a in n.arguments], x, y)
    return found[node]


def _exchanged(node: Node, arguments: list[Node], x: Node, y: Node) -> Node:
    """The node at the exchanged point; the node itself if only the order of its terms or factors differs."""
    if arguments:
        other = apply(node.operation, *arguments)
        return node if _parts(node) == _parts(other) else other
    return y if node is x else x if node is y else node


def _parts(node: Node) -> Counter[Node]:
    """Terms of a sum or factors of a product, and how often each occurs."""
    found: Counter[Node] = Counter()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.operation == node.operation and node.operation in ("add", "mul"):
            waiting.extend(part.arguments)
        else:
            found[part] += 1
    return found


def _quotient(f: Pair, arguments: list[Pair], quotients: list[Node], x: Node, y: Node) -> Node:
    node = f[0]
    if node.operation == "where" and arguments[0][0] is arguments[0][1]:
        return apply("where", arguments[0][0], *quotients[1:])
    if node.operation in RULES:
        return RULES[node.operation](f, *arguments, *quotients)
    if node.operation == "pow" and quotients[1] is ZERO and (rule := _whole_power(f, arguments, quotients[0])):
        return rule
    if node.operation == "pow":
        return exchange_quotient(apply("exp", node.arguments[1] * apply("log", node.arguments[0])), x, y)
    return _plain(f, x, y)


def _whole_power(f: Pair, arguments: list[Pair], quotient: Node) -> Node | None:
    """a^n - a'^n = (a - a') (a^(n-1) + a^(n-2) a' + ...), and 1/a - 1/a' = (a' - a)/(a a')."""
    (a, other), (exponent, _) = arguments
    if not (exponent.is_number and exponent.value.is_integer() and abs(exponent.value) <= LARGEST_POWER):
        return None
    n = abs(int(exponent.value))
    terms = sum((a ** float(n - 1 - k) * other ** float(k) for k in range(n)), ZERO)
    return terms * quotient if exponent.value > 0 else -(terms * quotient) * (f[0] * f[1])


def _plain(f: Pair, x: Node, y: Node) -> Node:
    """The quotient of a function without a rule, or with a kink."""
    by, middle = Derivatives(), 0.5 * (x + y)
    slope = substitute(by.of(f[0], x) - by.of(f[0], y), {x.value: middle, y.value: middle})
    near = apply("lt", apply("abs", x - y), number(CLOSE))
    return apply("where", near, slope, (f[0] - f[1]) / (x - y))


def _log(f: Pair, a: Pair, quotient: Node) -> Node:
    total = a[0] + a[1]
    w = (a[0] - a[1]) / total
    square = w * w
    series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0)))
    return _near(w, 2.0 / total * series, (f[0] - f[1]) / (a[0] - a[1])) * quotient


def _log1p(f: Pair, a: Pair, quotient: Node) -> Node:
    return _log(f, (1.0 + a[0], 1.0 + a[1]), quotient)


def _exp(f: Pair, a: Pair, quotient: Node) -> Node:
    d = a[0] - a[1]
    square = d * d
    series = 1.0 - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (17.0 / 20160.0)))
    return _near(d, 0.5 * (f[0] + f[1]) * series, (f[0] - f[1]) / d) * quotient


def _expm1(f: Pair, a: Pair, quotient: Node) -> Node:
    return _exp((1.0 + f[0], 1.0 + f[1]), a, quotient)


def _near(size: Node, series: Node, plain: Node) -> Node:
    return apply("where", apply("lt", apply("abs", size), number(SMALL)), series, plain)


RULES: dict[str, Callable[..., Node]] = {
    "neg": lambda f, a, qa: -qa,
    "add": lambda f, a, b, qa, qb: qa + qb,
    "sub": lambda f, a, b, qa, qb: qa - qb,
    "mul": lambda f, a, b, qa, qb: qa * b[0] + a[1] * qb,
    "div": lambda f, a, b, qa, qb: (qa - f[1] * qb) / b[0],
    "sqrt": lambda f, a, qa: qa / (f[0] + f[1]),
    "log": _log,
    "log1p": _log1p,
    "exp": _exp,
    "expm1": _expm1,
}
"""Rules for f(a, b): the pair of f, those of its arguments, then their quotients."""
