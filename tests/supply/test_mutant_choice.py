"""Mutants meet tests that exist, and kernels that contain the edited code are compiled anew."""

import choice
import pytest
from pins import ROOT

SOURCE = ROOT / "src" / "supple"


@pytest.mark.parametrize("package", choice.TESTS)
def test_lists_name_tests_that_exist(package: str) -> None:
    assert (SOURCE / package).is_dir()
    for name in choice.tests_for(ROOT, f"{package}/__init__.py"):
        assert (ROOT / name).exists(), name


def test_tests_that_import_the_module_come_first() -> None:
    assert choice.tests_for(ROOT, "contact/surfaces/distances.py")[0].startswith("tests/")
    points = choice.tests_for(ROOT, "energies/points/kernels.py")
    assert points.index("tests/points/test_point_terms.py") < points.index("tests/energies/test_term_assembly.py")
    assert any("test_root" in name for name in choice.tests_for(ROOT, "solvers/root.py"))


def test_callers_are_found_through_others() -> None:
    found = {path.relative_to(SOURCE).as_posix() for path in choice.callers(SOURCE, "linalg/small.py")}
    assert "linalg/small.py" in found
    assert any(name.startswith("energies/") for name in found)


def test_loops_over_elements_are_callers_of_materials() -> None:
    assert any("energies" in path.parts for path in choice.callers(SOURCE, "materials/lame.py"))
