"""A decorated dataclass is a table of the scene without further ado."""

import subprocess
import sys
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from annotated_types import Gt, Le
from pydantic import ValidationError

from supple.errors import SuppleError
from supple.registry import Registry
from supple.scene.text.field_docs import field_docs
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import Table, options_model, table_choice

METHODS = Registry("method", "supple")


@METHODS("trap")
@dataclass(frozen=True)
class Trap:
    """Trapezoid.

    More words.
    """

    beta: Annotated[float, Gt(0), Le(0.5)] = 0.25
    """Weight of the new
    acceleration [-]."""
    size: tuple[float, float] = (1.0, 2.0)
    kind: Literal["a", "b"] = "a"
    flag: bool = False
    rule: int | str | None = None
    memory: list[float] = field(default_factory=lambda: [1.0])
    hidden: int = field(init=False, default=3)

    def __post_init__(self) -> None:
        if self.size[0] > self.size[1]:
            raise SuppleError("size must increase")


@METHODS("needy")
@dataclass(frozen=True)
class Needy:
    """Needs a count."""

    count: int


class Holder(Table):
    method: table_choice("name", METHODS)


def complain(**method: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Holder(method=method)
    return problems(caught.value, Holder)


def test_make() -> None:
    assert Holder(method={"name": "trap"}).method.make() == Trap()
    assert Holder(method={"name": "trap", "beta": 0.5, "size": [1, 3], "rule": "x"}).method.make() == Trap(
        beta=0.5, size=(1.0, 3.0), rule="x"
    )
    assert isinstance(Holder(method={"name": "trap", "size": [1, 3]}).method.size[0], float)
    assert Holder(method={"name": "needy", "count": 2}).method.make() == Needy(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": 0}, "method.beta: input should be greater than 0, found 0"),
        ({"beta": True}, "method.beta: input should be a valid number, found true"),
        ({"beta": "0.1"}, 'method.beta: input should be a valid number, found "0.1"'),
        ({"beta": float("inf")}, "method.beta: input should be a finite number, found inf"),
        ({"size": [1, "2"]}, 'method.size[1]: input should be a valid number, found "2"'),
        ({"size": [1]}, "method.size[1]: missing, but required"),
        ({"size": 1}, "method.size: input should be a list, found 1"),
        ({"size": [2, 1]}, "method: size must increase"),
        ({"kind": "c"}, 'method.kind: unknown value "c"; known: a, b'),
        ({"flag": 1}, "method.flag: input should be true or false, found 1"),
        ({"hidden": 1}, "method.hidden: unknown key; known: name, beta, size, kind, flag, rule, memory"),
    ],
)
def test_strict(options: dict[str, object], message: str) -> None:
    assert complain(name="trap", **options) == [message]


def test_members_of_a_plain_union_are_one_problem() -> None:
    (line,) = complain(name="trap", rule=1.5)
    assert line.startswith("method.rule: input should be a whole number or ")
    assert line.endswith(", found 1.5")


def test_required() -> None:
    assert complain(name="needy") == ["method.count: missing, but required"]
    assert complain(name="needy", count=2.0) == ["method.count: input should be a whole number, found 2.0"]


def test_a_registry_of_one() -> None:
    alone = Registry[Needy]("alone")
    alone["needy"] = Needy

    class One(Table):
        method: table_choice("name", alone)

    with pytest.raises(ValidationError) as caught:
        One(method={"name": "needy", "count": "2"})
    assert problems(caught.value, One) == ['method.count: input should be a whole number, found "2"']


def test_docs_reach_the_schema() -> None:
    assert field_docs(Trap) == {"beta": "Weight of the new acceleration [-]."}
    schema = options_model(Trap, "name", "trap").model_json_schema()
    assert schema["properties"]["beta"]["description"] == "Weight of the new acceleration [-]."
    assert schema["properties"]["name"]["description"] == "Trapezoid."


def test_a_run_reads_no_docs() -> None:
    script = (
        "import inspect\n"
        "def refuse(*_): raise AssertionError('sources are read')\n"
        "inspect.getsource = inspect.getsourcelines = refuse\n"
        "from supple.scene.text.load import load_scene\n"
        "from supple.integrators import INTEGRATORS\n"
        "scene = load_scene('jelly')\n"
        "assert set(INTEGRATORS) < set(INTEGRATORS.names()), 'methods that the scene does not name are imported'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_two_of_the_same_name() -> None:
    with pytest.raises(ValueError, match="two methods are called 'trap'"):
        METHODS("trap")(Trap)
