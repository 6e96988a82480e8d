"""Limits on the size of a formula: its derivatives are computed and compiled interactively."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from supple.formulas.graph import Node, order

MOST_DERIVATIVES = 6000
"""Operations of a formula times its number of second derivatives that are differentiated in a fifth of a second."""


def demand_size(formula: Node, variables: int, functions: Callable[[], Iterable[Sequence[Node]]]) -> None:
    """Raise a ValueError if there are too many operations to differentiate interactively, or to compile; `functions`:
    the outputs of each function that will be compiled, which takes the derivatives."""
    from supple.formulas.code.emit import MOST_NODES

    if len(order([formula])) * variables * (variables + 1) // 2 > MOST_DERIVATIVES:
        raise ValueError(f"it has too many operations for a formula of {variables} variables; write a shorter one")
    count = max(len(order(outputs)) for outputs in functions())
    if count > MOST_NODES:
        raise ValueError(f"the formula and its derivatives have {count} operations; at most {MOST_NODES} are compiled")
