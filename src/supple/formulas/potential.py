"""A function written in variables that are functions of a few inputs: value, gradient, Hessian.

    f(u(a), v(a) ...; constants),   df/da,   d2f/da2

The text is evaluated in deviations of the variables from their values at rest (shift.py), so small arguments keep their
digits. Where it is not defined the value is +inf and all derivatives are zero. Inputs are named by `inputs`, with names
that no text can contain. Machine code is generated on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.formulas.chain import Chained, chained
from supple.formulas.degree import degree
from supple.formulas.domain import condition
from supple.formulas.graph import ZERO, Node, apply, leaf, leaves, number, substitute
from supple.formulas.parse import A_NUMBER, kind, parse
from supple.formulas.shift import shift
from supple.formulas.size import demand_size
from supple.formulas.walk import evaluate
from supple.types import Array

if TYPE_CHECKING:
    from supple.formulas.code.emit import Compiled

INFINITE = number(float("inf"))


def inputs(count: int) -> list[Node]:
    """Leaves for the inputs of a potential."""
    return [leaf(f"input {k}") for k in range(count)]


@dataclass(frozen=True)
class Variable:
    """A variable of a text: `rest` + `deviation`. The deviation can also be used, if it has a name (`short`)."""

    deviation: Node
    """A function of inputs and constants."""
    rest: float = 0.0
    short: str = ""
    degree: int | None = None
    """Degree as a polynomial; None: not a polynomial."""
    positive: bool = False
    """Whether zero splits its domain: 1/variable is defined above zero only."""


@dataclass(frozen=True, eq=False)
class Potential:
    """A text, its permitted variables and constants, and the number of inputs of the variables."""

    text: str
    variables: Mapping[str, Variable]
    constants: tuple[str, ...]
    count: int
    given: tuple[str, ...] = ()
    """Constants that the caller adds to those of the author, such as a rest length."""
    noun: str = "an energy density"
    rewritten: Callable[[Node], Node] = lambda node: node
    """The same function in fewer or better variables, such as s for l^2."""

    def __post_init__(self) -> None:
        if taken := sorted(set(self.constants) & {*self._names, *self.given}):
            raise ValueError(f"constants cannot be called {', '.join(taken)}: these are variables")
        if idle := sorted(set(self.constants) - leaves([self.outer])):
            raise ValueError(
                f"it has no {', '.join(idle)}, which is given as a constant; leave it out, or correct its name"
            )

    @property
    def parameters(self) -> tuple[str, ...]:
        """All constants, in the order of a table of them."""
        return (*self.constants, *self.given)

    @cached_property
    def outer(self) -> Node:
        """The text as a function of deviations."""
        node = parse(self.text, (*self._names, *self.parameters), {})
        if kind(node) != A_NUMBER:
            raise ValueError(f"{self.noun} is a number, but '{self.text}' is {kind(node)}")
        node = self.rewritten(node)
        references = {v.short: (0.0, self._leaf(name)) for name, v in self.variables.items() if v.short}
        return shift(node, references | {name: (v.rest, self._leaf(name)) for name, v in self.variables.items()})

    @cached_property
    def used(self) -> frozenset[str]:
        """Names of the variables that it depends on."""
        found = leaves([self.outer])
        return frozenset(name for name in self.variables if self._leaf(name).value in found)

    @property
    def degree(self) -> int | None:
        """Degree as a polynomial, given the degrees of the variables; None: not a polynomial."""
        return degree(self.outer, {self._leaf(name).value: v.degree for name, v in self.variables.items()})

    @cached_property
    def nodes(self) -> Chained:
        """Value, gradient, and the upper half of the Hessian row by row, as functions of inputs and constants."""
        inner = {self._leaf(name).value: v.deviation for name, v in self.variables.items()}
        made = chained(self.outer, inner, inputs(self.count))
        half = [made.hessian[c * (c + 1) // 2 + r] for r in range(self.count) for c in range(r, self.count)]
        if (defined := self._defined) is None:
            return Chained(made.value, made.gradient, half)
        where = substitute(defined, inner)

        def guarded(node: Node) -> Node:
            return node if node is ZERO else apply("where", where, node, ZERO)

        value = apply("where", where, made.value, INFINITE)
        return Chained(value, [guarded(n) for n in made.gradient], [guarded(n) for n in half])

    def demand_size(self) -> None:
        """Raise a ValueError if there are too many operations to compile, or to differentiate interactively."""

        def all_nodes() -> list[list[Node]]:
            return [[self.nodes.value, *self.nodes.gradient, *self.nodes.hessian]]

        demand_size(self.outer, len(self.used), all_nodes)

    @property
    def response(self) -> int:
        """Address of void f(constants, inputs, value, gradient)."""
        return self._response.address

    @property
    def tangent(self) -> int:
        """Address of void f(constants, inputs, Hessian)."""
        return self._tangent.address

    @property
    def slopes(self) -> int:
        """Address of void f(constants, inputs, gradient, Hessian)."""
        return self._slopes.address

    def walk(self, constants: Mapping[str, Any], arguments: Array) -> tuple[Array, Array, Array]:
        """Value (m,), gradient (m, n) and packed Hessian of inputs (m, n) by NumPy, without compiling anything."""
        values = {f"input {k}": column for k, column in enumerate(arguments.T)} | dict(constants)
        outputs = [self.nodes.value, *self.nodes.gradient, *self.nodes.hessian]
        found = np.stack(evaluate(outputs, values, len(arguments)), axis=1)
        return found[:, 0], found[:, 1 : 1 + self.count], found[:, 1 + self.count :]

    @cached_property
    def _response(self) -> Compiled:
        return self._compiled([self.nodes.value], self.nodes.gradient)

    @cached_property
    def _tangent(self) -> Compiled:
        return self._compiled(self.nodes.hessian)

    @cached_property
    def _slopes(self) -> Compiled:
        return self._compiled(self.nodes.gradient, self.nodes.hessian)

    def _compiled(self, *outputs: Sequence[Node]) -> Compiled:
        from supple.formulas.code.emit import emit

        return emit(self.parameters, [f"input {k}" for k in range(self.count)], outputs)

    @cached_property
    def _defined(self) -> Node | None:
        """The condition under which it is defined; None: always. Conditions on constants alone are not checked here."""
        above = {v.rest + self._leaf(name) for name, v in self.variables.items() if v.positive}
        return condition(self.outer, above, {self._leaf(name).value for name in self.variables})

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self.variables, *(v.short for v in self.variables.values() if v.short))

    def _leaf(self, name: str) -> Node:
        """The deviation of a variable in the text's own graph."""
        return leaf(self.variables[name].short or name)
