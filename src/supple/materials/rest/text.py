"""Graphs converted back to text for messages, with the operators of the language and minimal brackets."""

from __future__ import annotations

from supple.formulas.graph import LEAF, Node

_SIGNS = {"add": " + ", "sub": " - ", "mul": "*", "div": "/", "pow": "^"}
_COMPARED = {"lt": " < ", "le": " <= ", "gt": " > ", "ge": " >= ", "eq": " == ", "ne": " != "}
_LOGIC = {"and": " and ", "or": " or "}
_BINDING = {"or": 0, "and": 1, "add": 4, "sub": 4, "mul": 5, "div": 5, "neg": 6, "pow": 7} | dict.fromkeys(_COMPARED, 3)
"""Binding strength of an operation; calls, names and numbers bind strongest."""
_CALL = 9


def text_of(node: Node) -> str:
    """The formula as a user might write it."""
    if node.is_number:
        return f"{node.value:g}"
    if node.operation == LEAF:
        return str(node.value)
    sign = (_SIGNS | _COMPARED | _LOGIC).get(node.operation)
    binding = _BINDING.get(node.operation, _CALL)
    if sign is not None:
        left, right = node.arguments
        tighter = node.operation in ("sub", "div")  # a - (b - c)
        base = node.operation == "pow"  # (a^b)^c
        return _held(left, binding + base) + sign + _held(right, binding + tighter)
    if node.operation == "neg":
        return f"-{_held(node.arguments[0], binding)}"
    return f"{node.operation}({', '.join(map(text_of, node.arguments))})"


def _held(node: Node, binding: int) -> str:
    """The text, in brackets if precedence requires them."""
    text = text_of(node)
    own = _BINDING.get(node.operation, _CALL)
    if node.is_number and node.value < 0:
        own = _BINDING["neg"]
    return f"({text})" if own < binding else text
