"""The locks meet pyproject.toml, name a hash for every file, and agree with each other."""

import shutil
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from pins import LOCKS, ROOT, direct, disagreements, pins
from write_locks import EXTRAS

ALL = (*EXTRAS, "supply")


@pytest.mark.parametrize("lock", EXTRAS)
def test_lock_meets_the_project(lock: str) -> None:
    assert disagreements(lock, EXTRAS[lock]) == []


@pytest.mark.parametrize("lock", ALL)
def test_every_pin_has_hashes(lock: str) -> None:
    assert [name for name, pin in pins(lock).items() if not pin.hashes] == []


@pytest.mark.parametrize("lock", ["run", "dev", "site", "minimum"])
def test_lock_can_build_the_package(lock: str) -> None:
    assert {"hatchling", "editables", "pip"} <= pins(lock).keys()


def test_run_is_a_part_of_dev() -> None:
    assert {n: p.version for n, p in pins("run").items()}.items() <= {
        n: p.version for n, p in pins("dev").items()
    }.items()


def test_site_goes_into_the_environment_of_dev() -> None:
    """Both are installed into one environment, so that packages in both have one version."""
    site, dev = pins("site"), pins("dev")
    assert {n: site[n].version for n in site.keys() & dev.keys()} == {
        n: dev[n].version for n in site.keys() & dev.keys()
    }


@pytest.mark.parametrize("lock", ALL)
def test_one_version_per_package(lock: str) -> None:
    """Markers may leave a package out, but give no second version of it."""
    lines = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8").splitlines()
    assert sum("==" in line.partition("#")[0].partition(";")[0] for line in lines) == len(pins(lock))


def test_mkl_is_for_intel_processors_only() -> None:
    for name in ("pypardiso", "mkl", "tbb", "intel-openmp"):
        assert "x86_64" in pins("run")[name].marker


def test_minimum_has_the_lower_bounds() -> None:
    locked = pins("minimum")
    for requirement in direct():
        lowest = next(s.version for s in requirement.specifier if s.operator == ">=")
        pinned = locked[canonicalize_name(requirement.name)].version
        # an index may have no file of the very first release of a series
        assert SpecifierSet(f"~={lowest}.0" if lowest.count(".") < 2 else f"~={lowest}").contains(pinned), requirement


def test_disagreement_is_told(tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        text.replace('"rich>=13"', '"rich>=999"').replace('"h5py', '"nonesuch>=1", "h5py')
    )
    said = disagreements("run", (), root=tmp_path)
    assert len(said) == 2
    assert any("no nonesuch" in sentence for sentence in said)
    assert any("rich" in sentence and "999" in sentence for sentence in said)


def test_a_line_that_is_no_pin_is_refused(tmp_path: Path) -> None:
    shutil.copy(LOCKS / "run.txt", tmp_path / "run.txt")
    with (tmp_path / "run.txt").open("a", encoding="utf-8") as lock:
        lock.write("loose>=1\n")
    with pytest.raises(ValueError, match="not a pin"):
        pins("run", tmp_path)


def test_minimum_tests_are_there() -> None:
    for name in (LOCKS / "minimum-tests").read_text(encoding="utf-8").split():
        assert (ROOT / name).exists(), name
