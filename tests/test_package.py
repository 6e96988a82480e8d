"""`import supple` is quick, and offers the main names; the archives of a release are complete and agree with the project."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml
from archives import ROOT, build, differences, files, problems
from trove_classifiers import classifiers

import supple


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, supple; print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'numba', 'scipy'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_there() -> None:
    assert dir(supple) == sorted(supple.__all__)
    for name in supple.__all__:
        found = getattr(supple, name)
        if name != "__version__":
            assert found.__name__ == name
            assert found.__doc__
    with pytest.raises(AttributeError, match="no attribute 'jelly'"):
        supple.__getattr__("jelly")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("dist"))


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    assert problems(wheel) == []


def test_problems_of_a_wheel_are_reported(wheel: Path, tmp_path: Path) -> None:
    kept = {name: data for name, data in files(wheel).items() if not name.endswith(("/py.typed", "/LICENSE"))}
    kept["supple/__pycache__/loop.cpython-311.pyc"] = b""
    with zipfile.ZipFile(tmp_path / wheel.name, "w") as damaged:
        for name, data in kept.items():
            damaged.writestr(name, data)
    said = "\n".join(problems(tmp_path / wheel.name))
    assert "no licenses/LICENSE in the dist-info" in said
    assert "no supple/py.typed (types for checkers and editors)" in said
    assert "supple/__pycache__/loop.cpython-311.pyc is a cache or a test" in said
    assert said.count("\n") == 4  # a stray file does not belong there, and its kind is unknown


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = build("sdist", tmp_path)
    assert problems(source) == []
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    assert differences(wheel, build("wheel", tmp_path / "again", tmp_path / source.name.removesuffix(".tar.gz"))) == []


def test_metadata_of_the_wheel(wheel: Path) -> None:
    (about,) = (data.decode() for name, data in files(wheel).items() if name.endswith("/METADATA"))
    told = message_from_string(about)
    assert (told["Version"], told["License-Expression"]) == (supple.__version__, "Apache-2.0")
    kinds = told.get_all("Classifier") or []
    assert [kind for kind in kinds if kind not in classifiers] == []
    assert kinds == sorted(kinds)
    assert "Operating System :: POSIX" in kinds


def test_the_citation_agrees_with_the_package() -> None:
    """The fields that CFF 1.2.0 requires, and those that stand in two files."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert cited["version"] == supple.__version__
    assert cited["license"] == table["license"]
    assert cited["authors"] == table["authors"]
    assert cited["keywords"] == table["keywords"]
    assert cited["title"].startswith(f"{table['name']}: ")
