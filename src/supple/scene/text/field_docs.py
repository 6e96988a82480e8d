"""Docstrings of classes and fields: texts of the schema and of the tables in the docs.

They are read from the sources, which takes a millisecond per class, so runs do not read them.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import textwrap
from itertools import pairwise
from typing import Any


def field_docs(cls: type[Any]) -> dict[str, str]:
    """The string below each field of a class, on one line."""
    docs: dict[str, str] = {}
    for base in reversed([c for c in cls.__mro__ if dataclasses.is_dataclass(c) or _is_table(c)]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        nodes = body.body if isinstance(body, ast.ClassDef) else []
        for node, below in pairwise(nodes):
            match node, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                    docs[name] = " ".join(text.split())
    return docs


def _is_table(cls: type[Any]) -> bool:
    """Whether a class is a table written by hand; generated ones have no source."""
    own = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return own and bool(getattr(cls, "__pydantic_fields__", None))


def summary(cls: type[Any]) -> str:
    """The first line of a class's docstring."""
    return (inspect.getdoc(cls) or cls.__name__).split("\n")[0]
