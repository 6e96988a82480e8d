"""Invalid input in Python is refused with the message of a scene."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.scene.text.load import read_scene

BAR: dict[str, Any] = {"mesh": {"shape": "bar"}, "material": {"name": "stvk", "young": 1e5, "poisson": 0.3}}


def bar(**options: Any) -> sp.Body:
    return sp.Body(sp.Bar(), sp.StVK.from_young(1e5, 0.3), **options)


def in_a_scene(*bodies: dict[str, Any], **tables: Any) -> str:
    def assembled() -> object:
        return read_scene({"time": {"step": 0.01}, "body": list(bodies), **tables}, Path()).make().assemble()

    return in_python(assembled)


def in_python(make: Callable[[], object]) -> str:
    with pytest.raises(sp.SuppleError) as caught:
        make()
    return str(caught.value)


def sentence(text: str) -> str:
    """Without the path, which a single object cannot know."""
    return text.partition(": ")[2]


def test_problems_of_a_world_read_as_those_of_a_scene() -> None:
    cloth = {"mesh": {"shape": "cloth"}, "material": BAR["material"]}
    cases = [
        (in_python(lambda: sp.assemble(sp.World([bar(pin="lft")]))), in_a_scene({**BAR, "pin": ["lft"]})),
        (
            in_python(lambda: sp.World([bar(name="a"), bar(name="a")])),
            in_a_scene({**BAR, "name": "a"}, {**BAR, "name": "a"}),
        ),
        (
            in_python(lambda: sp.assemble(sp.World([sp.Body(sp.Cloth(), sp.StVK.from_young(1e5, 0.3))]))),
            in_a_scene(cloth),
        ),
        (
            in_python(lambda: sp.assemble(sp.World([bar()], damping=[sp.Viscosity(shear=1.0, bodies="jelly")]))),
            in_a_scene(BAR, damping=[{"name": "viscosity", "shear": 1.0, "bodies": "jelly"}]),
        ),
    ]
    for python, scene in cases:
        assert python == scene
    assert "did you mean 'left'?" in cases[0][0]


@pytest.mark.parametrize(
    ("python", "table"),
    [
        (lambda: bar(density=-5.0), {"density": -5.0}),
        (lambda: bar(density=float("nan")), {"density": float("nan")}),
        (lambda: bar(mass_distribution="heaps"), {"mass_distribution": "heaps"}),
        (lambda: bar(initial=sp.Initial(stretch=(1.0, 2.0))), {"initial": {"stretch": [1.0, 2.0]}}),
        (lambda: bar(initial=sp.Initial(velocity=("X +", 0.0, 0.0))), {"initial": {"velocity": ["X +", 0.0, 0.0]}}),
        (lambda: bar(colour="reddish"), {"colour": "reddish"}),
        (lambda: bar(density=1.0, mass=2.0), {"density": 1.0, "mass": 2.0}),
    ],
)
def test_values_out_of_bounds(python: Callable[[], object], table: dict[str, Any]) -> None:
    said, read = in_python(python), in_a_scene({**BAR, **table})
    assert said.removeprefix("body.") == read.removeprefix("body[0].").removeprefix("body[0]: ") or sentence(
        said
    ) == sentence(read)


def test_methods_and_materials() -> None:
    said = in_python(lambda: sp.Newmark(beta=-1))
    read = in_a_scene(BAR, integrator={"name": "newmark", "beta": -1})
    assert sentence(said) == sentence(read)
    assert "poisson" in in_python(lambda: sp.StVK.from_young(1e5, 0.7))


def test_meshes_that_are_not_finite() -> None:
    mesh = sp.Bar().mesh()
    X = np.array(mesh.vertices)
    X[3, 1] = np.nan
    said = in_python(lambda: sp.assemble(sp.World([sp.Body(mesh.moved(X), sp.StVK(1.0, 1.0))])))
    assert said.startswith("body[0].mesh: 1 of")
    assert "not finite" in said


def test_things_of_the_wrong_kind() -> None:
    assert "give a shape such as" in in_python(lambda: sp.Body(7, sp.StVK(1.0, 1.0)))  # type: ignore[arg-type]
    assert "give a material such as" in in_python(lambda: sp.Body(sp.Bar(), 7))  # type: ignore[arg-type]
    assert "Viscosity" in in_python(lambda: sp.World([sp.Viscosity(shear=1.0)]))  # type: ignore[list-item]
    assert "at least 3 entries" in in_python(lambda: sp.World([bar()], gravity=(0, 1)))
    assert "requires h [s] and steps" in in_python(lambda: sp.run(sp.World([bar()])))
    assert "unknown body 'bob'" in in_python(lambda: sp.assemble(sp.World([bar()])).body("bob"))
