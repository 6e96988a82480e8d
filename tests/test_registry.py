"""Names are found in the sources, and only the module that has one is imported."""

import subprocess
import sys

import pytest

from supple.adaptive import RULES
from supple.contact.obstacles import OBSTACLES
from supple.damping import DAMPINGS
from supple.errors import SuppleError
from supple.export import FORMATS
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.materials.flow import FLOWS
from supple.mesh import SHAPES
from supple.model.constraints.constraint import CONSTRAINTS
from supple.model.energies.energy import ENERGIES
from supple.model.fields.field import FIELDS
from supple.model.materials.structure import STRUCTURES
from supple.points import TRANSFERS
from supple.registry import Registry

REGISTRIES = (
    INTEGRATORS, RULES, MATERIALS, MEMBRANES, STRUCTURES, SHAPES, OBSTACLES, DAMPINGS, CONSTRAINTS, ENERGIES, FORMATS,
    FLOWS, TRANSFERS, FIELDS,
)  # fmt: skip


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.variable)
def test_sources_have_every_name(registry: Registry[object]) -> None:
    loaded = registry.load()
    assert registry.homes == {
        name: cls.__module__ for name, cls in loaded.items() if cls.__module__.startswith("supple.")
    }
    assert registry.names() == sorted(loaded)


ONE_MODULE = """
import sys
from supple.integrators import INTEGRATORS
assert "newmark" in INTEGRATORS.names()
assert not INTEGRATORS
INTEGRATORS.find("backward-euler")
assert "backward-euler" in INTEGRATORS
assert "newmark" not in INTEGRATORS
assert INTEGRATORS["newmark"].name == "newmark"
"""


def test_one_module_is_imported() -> None:
    subprocess.run([sys.executable, "-c", ONE_MODULE], check=True)


def test_unknown_names() -> None:
    with pytest.raises(SuppleError, match=r"unknown integrator 'newmrak'; did you mean 'newmark'\? known: .*verlet"):
        INTEGRATORS.find("newmrak")
    assert INTEGRATORS.lookup("newmrak") is None
    with pytest.raises(KeyError):
        INTEGRATORS["newmrak"]


TAKEN = """
from supple.integrators import INTEGRATORS
class Own: ...
try:
    INTEGRATORS("newmark")(Own)
except ValueError as error:
    assert str(error) == "two integrators are called 'newmark'"
else:
    raise AssertionError
"""


def test_names_of_modules_not_yet_imported_are_taken() -> None:
    subprocess.run([sys.executable, "-c", TAKEN], check=True)
