"""Workers that tests share, and a sweep that nothing disturbs, to compare others with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import FEW, Cluster, cluster, here, sweep, wanted, write_scene


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder with a scene in it, which is the current one."""
    monkeypatch.chdir(tmp_path)
    write_scene(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers, of which one may be killed."""
    with cluster(tmp_path_factory.mktemp("shared") / "cluster") as made:
        yield made


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, shared: Cluster) -> Path:
    """Folder of a sweep over few values."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_scene(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        here("sweep", *wanted("out", "--scheduler", shared.address, vary=FEW))
    return folder / "out"


@pytest.fixture(scope="session")
def undisturbed_many(tmp_path_factory: pytest.TempPathFactory, shared: Cluster) -> Path:
    """Folder of a sweep over all values."""
    folder = tmp_path_factory.mktemp("undisturbed-many")
    write_scene(folder)
    sweep(*wanted("out", "--scheduler", shared.address), folder=folder)
    return folder / "out"
