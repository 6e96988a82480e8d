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
WRAPPED = [{"budget": True}, {"adaptive": True}]


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


@pytest.mark.parametrize("body", BODIES)
def test_bodies(body: str) -> None:
    found = {name: outcome(body, "nothing", integrator(name)) for name in NAMES}
    assert "ran" in found.values()
    assert all(len(said.split()) > 5 for said in found.values() if said not in ("ran", "failed"))


@pytest.mark.parametrize("around", AROUND)
def test_what_is_around(around: str) -> None:
    found = {name: outcome("solid", around, integrator(name)) for name in NAMES}
    assert "ran" in found.values() or around == "rods"  # those of a box follow from each other
    assert all(len(said.split()) > 5 for said in found.values() if said not in ("ran", "failed"))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mpm"])
def test_wrappers(name: str) -> None:
    for body in ("solid", "gas in a bag", "chain"):
        for table in WRAPPED:
            said = outcome(body, "nothing", {"name": name, **table})
            assert said in ("ran", "failed") or len(said.split()) > 5
