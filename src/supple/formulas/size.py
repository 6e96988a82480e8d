"""How large a formula may be: its derivatives are found and compiled while a user waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from supple.formulas.graph import Node, order

MOST_DERIVATIVES = 6000
"""Operations of a formula, times the second derivatives by its variables: what is differentiated in a fifth of a second."""


def demand_size(formula: Node, variables: int, functions: Callable[[], Iterable[Sequence[Node]]]) -> None:
    """A ValueError if there are too many operations to be differentiated in a moment, or to be compiled; `functions`: the
    outputs of each function that will be compiled, which takes the derivatives."""
    from supple.formulas.code.emit import MOST_NODES

    if len(order([formula])) * variables * (variables + 1) // 2 > MOST_DERIVATIVES:
        raise ValueError(f"it has too many operations for a formula of {variables} variables; write a shorter one")
    count = max(len(order(outputs)) for outputs in functions())
    if count > MOST_NODES:
        raise ValueError(f"the formula and its derivatives have {count} operations; at most {MOST_NODES} are compiled")
