"""Every field of a public dataclass has a docstring: editors, the site and scene tables show it."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

import supple as sp


def written(cls: type) -> Iterator[tuple[str, bool]]:
    """Fields in the body of a class, and whether a docstring follows."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(node, ast.ClassDef)
    for entry, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            yield entry.target.id, said and bool(str(after.value.value).strip())  # type: ignore[union-attr]


def public() -> dict[str, type]:
    """Public dataclasses and those that they inherit fields from, by name."""
    named = [getattr(sp, name) for name in sp.__all__]
    classes = [cls for cls in named if inspect.isclass(cls) and is_dataclass(cls)]
    bases = {base for cls in classes for base in cls.__mro__ if "__dataclass_fields__" in vars(base)}
    ours = [base for base in bases if base.__module__.startswith("supple")]
    return {cls.__qualname__: cls for cls in ours}


@pytest.mark.parametrize("cls", [pytest.param(cls, id=name) for name, cls in sorted(public().items())])
def test_every_field_has_a_docstring(cls: type) -> None:
    shown = {field.name for field in fields(cls) if not field.name.startswith("_")}  # type: ignore[arg-type]
    assert [name for name, said in written(cls) if name in shown and not said] == []


def test_there_are_classes_to_look_at() -> None:
    assert {"Body", "Frame", "State", "SolverOptions"} <= public().keys()
