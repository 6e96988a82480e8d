"""Docstrings of classes and fields: texts of the schema and of the tables in the docs.

They are read from the sources, each module once, which takes some milliseconds, so runs do not read them.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any


def field_docs(cls: type[Any]) -> dict[str, str]:
    """The string below each field of a class, on one line."""
    docs: dict[str, str] = {}
    for base in reversed([c for c in cls.__mro__ if dataclasses.is_dataclass(c) or _is_table(c)]):
        for node, below in pairwise(_classes(sys.modules[base.__module__])[base.__qualname__].body):
            match node, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                    docs[name] = " ".join(text.split())
    return docs


@cache
def _classes(module: ModuleType) -> dict[str, ast.ClassDef]:
    """All classes of a module by qualified name."""
    return dict(_found(ast.parse(inspect.getsource(module)).body, ""))


def _found(nodes: Iterable[ast.AST], scope: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in nodes:
        inside = scope
        match node:
            case ast.ClassDef(name=name):
                yield f"{scope}{name}", node
                inside = f"{scope}{name}."
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                inside = f"{scope}{name}.<locals>."
            case ast.expr():
                continue
        yield from _found(ast.iter_child_nodes(node), inside)


def _is_table(cls: type[Any]) -> bool:
    """Whether a class is a table written by hand; generated ones have no source."""
    own = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return own and bool(getattr(cls, "__pydantic_fields__", None))


def summary(cls: type[Any]) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(cls) or cls.__name__).split("\n")[0]
