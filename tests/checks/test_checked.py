"""Dataclasses of any kind are checked when they are made, before their own __post_init__."""

from dataclasses import FrozenInstanceError, InitVar, dataclass, field, replace
from typing import Annotated, Literal

import numpy as np
import pytest
from annotated_types import Ge, Gt, Le, Len
from pydantic import ValidationError

from supple.checks import check_values, checked
from supple.errors import MeshError, SuppleError
from supple.formulas.places.fields import Field
from supple.integrators.implicit.newmark import Newmark
from supple.materials.material import Material
from supple.materials.membranes.woven import OrthotropicMembrane
from supple.materials.stvk import StVK
from supple.mesh.shapes.solid import Bar
from supple.registry import Registry
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import options_model
from supple.values import Colour, Direction, Names, Vector


@checked
@dataclass(frozen=True)
class WindTunnel:
    speed: Annotated[float, Gt(0), Le(100)] = 1.0
    parts: Names = ("all",)
    along: Direction = (1.0, 0.0, 0.0)
    colour: Colour = "red"
    corners: tuple[Vector, ...] = ()
    spans: Annotated[tuple[tuple[int, int], ...], Len(0, 2)] = ()
    seed: int | Literal["random"] | None = None
    table: list[float] = field(default_factory=list)
    known: str = field(init=False, default="yes")

    def __post_init__(self) -> None:
        self.speed + 1.0  # would be a TypeError if it were not checked first


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({"speed": 0}, ["speed: input should be greater than 0, found 0"]),
        ({"speed": 101.5}, ["speed: input should be less than or equal to 100, found 101.5"]),
        ({"speed": None}, ["speed: input should be a valid number, found None"]),
        ({"parts": ()}, ["parts: input should have at least 1 entries, found 0: []"]),
        ({"parts": ("a", 2)}, ["parts[1]: input should be a valid string, found 2"]),
        ({"along": (0, 0, 0)}, ["along: a direction must not be zero, found [0, 0, 0]"]),
        ({"along": (1, 0)}, ["along: input should have at least 3 entries, found 2: [1, 0]"]),
        ({"corners": [(1, 0, 0), (1, 0, 0, 4)]}, ["corners[1]: input should have at most 3 entries, found 4: [1, 0, 0, 4]"]),
        ({"spans": ((1, 2), (3,))}, ["spans[1][1]: missing, but required"]),
        ({"spans": ((1, 2),) * 3}, ["spans: input should have at most 2 entries, found 3: [[1, 2], [1, 2], [1, 2]]"]),
        ({"table": [1.0, "a"]}, ['table[1]: input should be a valid number, found "a"']),
        ({"speed": -1, "table": 2}, ["speed: input should be greater than 0, found -1",
          "table: input should be a list, found 2"]),
    ],
)  # fmt: skip
def test_the_sentences_are_those_of_a_scene(options: dict[str, object], lines: list[str]) -> None:
    with pytest.raises(SuppleError) as caught:
        WindTunnel(**options)
    assert str(caught.value).splitlines() == [f"wind-tunnel.{line}" for line in lines]
    model = options_model(WindTunnel)
    with pytest.raises(ValidationError) as in_scene:
        model.model_validate(options)
    assert problems(in_scene.value, model) == lines


def test_colours_and_unions() -> None:
    with pytest.raises(SuppleError, match=r"^wind-tunnel\.colour: .*'rde'.*did you mean 'red'"):
        WindTunnel(colour="rde")
    with pytest.raises(
        SuppleError, match=r'seed: input should be a whole number, found "rand" or unknown value "rand"; '
    ):
        WindTunnel(seed="rand")
    assert WindTunnel(seed="random").seed == "random"
    assert WindTunnel(seed=None).seed is None


def test_other_forms_become_the_usual_one() -> None:
    made = WindTunnel(parts="left", along=[0, 1, 0])
    assert made == WindTunnel(parts=("left",), along=(0, 1, 0))
    assert made.parts == ("left",)
    table = options_model(WindTunnel).model_validate({"parts": "left"})
    assert table.make().parts == ("left",)
    written = options_model(WindTunnel).model_json_schema()["properties"]["parts"]
    assert {kind["type"] for kind in written["anyOf"]} == {"string", "array"}


def test_replaced_and_derived_instances_are_checked() -> None:
    @dataclass(frozen=True)
    class Stiff(Newmark):
        extra: Annotated[int, Ge(1)] = 1

    class Plain(Newmark):
        pass

    for make in (lambda: replace(Newmark(), beta=-1), lambda: Stiff(beta=-1), lambda: Plain(beta=-1)):
        with pytest.raises(SuppleError, match=r"^newmark\.beta: input should be greater than 0, found -1$"):
            make()
    with pytest.raises(SuppleError, match=r"^newmark\.extra: input should be greater than or equal to 1, found 0$"):
        Stiff(extra=0)
    with pytest.raises(FrozenInstanceError):
        Newmark().beta = 1.0  # type: ignore[misc]


def test_arrays_stand_for_numbers_in_materials_only() -> None:
    assert StVK(mu=np.array([1.0, 2.0]), lam=0.0).parameters(2)[:, 0].tolist() == [1.0, 2.0]
    with pytest.raises(SuppleError, match=r"^stvk\.mu\[1\]: input should be greater than 0, found -2\.0$"):
        StVK(mu=np.array([1.0, -2.0]), lam=0.0)
    with pytest.raises(SuppleError, match=r"^stvk\.lam\[0\]: input should be a finite number, found nan$"):
        StVK(mu=1.0, lam=np.array([np.nan, 1.0]))
    with pytest.raises(SuppleError, match=r"^stvk\.mu: input should be a valid number, found \[true\]$"):
        StVK(mu=np.array([True]), lam=0.0)
    OrthotropicMembrane(1.0, 1.0, 1.0, warp=np.eye(3))
    with pytest.raises(SuppleError, match=r"^newmark\.beta: input should be a valid number, found \[0\.25\]$"):
        Newmark(beta=np.array([0.25]))


def test_numbers_of_numpy_are_numbers() -> None:
    assert Newmark(beta=np.float32(0.25)).beta == 0.25
    assert Bar(cells=(np.int64(2), 1, 1), origin=np.zeros(3)).mesh().n == 12
    with pytest.raises(MeshError, match=r"^bar\.cells\[0\]: input should be greater than or equal to 1, found 0$"):
        Bar(cells=np.array([0, 1, 1]))


def test_a_body_may_widen_when_pulled() -> None:
    assert StVK.from_young(1e6, -0.3).lam < 0
    with pytest.raises(SuppleError, match=r"^stvk\.lam: must be above -2/3 mu = -2 \[Pa\], found -2; "):
        StVK(mu=3.0, lam=-2.0)

    @dataclass(frozen=True)
    class Own(Material):
        mu: float
        lam: float

    assert Own(3.0, -1.0).lam == -1.0
    with pytest.raises(SuppleError, match=r"^Own\.lam: must be above -2/3 mu"):
        Own(3.0, -2.0)


def test_arguments_for_post_init_reach_it() -> None:
    @checked
    @dataclass
    class Scaled:
        size: Annotated[float, Gt(0)]
        factor: InitVar[float]

        def __post_init__(self, factor: float) -> None:
            self.size *= factor

    assert Scaled(2.0, 3.0).size == 6.0


def test_registries_choose_the_error_and_pass_other_classes() -> None:
    things: Registry[object] = Registry("thing", error=MeshError)

    @things("plain")
    class Plain:
        pass

    @things("tall")
    @dataclass(frozen=True)
    class Tall:
        height: Annotated[float, Gt(0)] = 1.0

    Plain()
    with pytest.raises(MeshError, match=r"^tall\.height: "):
        Tall(0.0)
    check_values(Tall())


def test_functions_of_the_place_stand_for_numbers_of_solids_only() -> None:
    soft = StVK(mu=Field("X - 7"), lam=0.0)  # bounds hold where it is placed
    assert soft.varies
    with pytest.raises(SuppleError, match=r"^stvk\.mu\[0\]: input should be greater than 0, found -7\.0$"):
        soft.at(np.zeros((1, 3)))
    with pytest.raises(
        SuppleError, match=r"^orthotropic-membrane\.shear: input should be a valid number, found one that"
    ):
        OrthotropicMembrane(1.0, 1.0, shear=Field("X"))
    with pytest.raises(SuppleError, match=r"^newmark\.beta: input should be a valid number"):
        Newmark(beta=Field("X"))


def test_one_direction_per_element_needs_no_three_of_them() -> None:
    assert OrthotropicMembrane(1.0, 1.0, 1.0, warp=np.ones((5, 3))).warp.shape == (5, 3)
