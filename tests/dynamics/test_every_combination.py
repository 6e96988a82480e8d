"""Every method on every kind of body and with everything around one: a refusal with a sentence, or a step."""

from pathlib import Path

import pytest
from ingredients import AROUND, BODIES, scene

from supple.errors import StepFailed, SuppleError
from supple.integrators import INTEGRATORS
from supple.loop import simulate
from supple.scene.text.load import read_scene
from supple.solvers.tools import StepTools

NAMES = sorted(INTEGRATORS.load())
MESHES = [name for name in NAMES if name != "mpm"]
WRAPPED: list[dict[str, object]] = [{"budget": True}, {"adaptive": True}]


def outcome(body: str, around: str, integrator: dict[str, object]) -> str:
    """`ran`, `failed`, or the refusal."""
    try:
        setup = read_scene(scene(body, around, integrator), Path()).make()
        model = setup.assemble()
        tools = StepTools(model.system)
        try:
            for frame in simulate(model.system, setup.method, model.state, setup.h, 1, tools):
                assert frame.ledger.is_finite
        finally:
            tools.close()
    except StepFailed:
        return "failed"
    except SuppleError as refusal:
        return str(refusal)
    return "ran"


def integrator(name: str) -> dict[str, object]:
    return {"name": name, "cell": 0.1} if name == "mpm" else {"name": name}


def check(body: str, around: str, names: list[str], **wrapper: object) -> None:
    for name in names:
        said = outcome(body, around, integrator(name) | wrapper)
        assert said in ("ran", "failed") or len(said.split()) > 5


def some(of: list[str], k: int, count: int) -> list[str]:
    """Every so many from the k-th on: other ones for each k below the count, and all of them together."""
    return of[k::count]


@pytest.mark.parametrize(("k", "body"), list(enumerate(BODIES)))
def test_bodies(k: int, body: str) -> None:
    check(body, "nothing", some(NAMES, k, len(BODIES)))


@pytest.mark.parametrize(("k", "around"), list(enumerate(AROUND)))
def test_what_is_around(k: int, around: str) -> None:
    check("solid", around, some(NAMES, k, len(AROUND)))


@pytest.mark.parametrize("wrapper", WRAPPED, ids=str)
def test_wrappers(wrapper: dict[str, object]) -> None:
    check("chain", "nothing", MESHES[::3], **wrapper)


@pytest.mark.study
@pytest.mark.parametrize("body", BODIES)
def test_all_methods_on_bodies(body: str) -> None:
    check(body, "nothing", NAMES)


@pytest.mark.study
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("body", ["solid", "sheet", "chain"])
def test_all_methods_with_what_is_around(body: str, around: str) -> None:
    check(body, around, NAMES)


@pytest.mark.study
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("wrapper", WRAPPED, ids=str)
def test_all_methods_in_wrappers(body: str, wrapper: dict[str, object]) -> None:
    check(body, "nothing", MESHES, **wrapper)
