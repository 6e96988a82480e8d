"""Links that somebody else put where files are written lead nowhere else."""

from pathlib import Path

import numpy as np
import pytest

from supple.errors import MeshError
from supple.interruption.placing import placed, under_way
from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.recording.checkpoint import write_checkpoint
from supple.recording.files import replace_bytes, temporary
from supple.recording.vtkhdf import new_file

TET = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), tets=np.array([[0, 1, 2, 3]]))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of the user, outside the folder of the stranger."""
    (tmp_path / "stranger").mkdir()
    (tmp_path / "mine").write_text("mine")
    return tmp_path / "mine"


@pytest.mark.parametrize("plant", ["symlink_to", "hardlink_to"])
def test_temporary_names_are_not_written_through(plant: str, mine: Path) -> None:
    """They can be guessed, so an archive can contain links of these names."""
    folder = mine.parent / "stranger"
    places = {folder / name: temporary(folder / name) for name in ("page.html", "a.vtkhdf", "checkpoint")}
    places[folder / "a.vtu"] = folder / ".part-a.vtu"
    for new in places.values():
        getattr(new, plant)(mine)
    replace_bytes(folder / "page.html", b"page")
    with new_file(folder / "a.vtkhdf") as file:
        file["x"] = [1.0]
    write_checkpoint(folder, {}, {"x": np.zeros(3)})
    write_mesh(TET, folder / "a.vtu")
    assert mine.read_text() == "mine"
    assert (folder / "page.html").read_bytes() == b"page"
    assert not any(new.exists() or new.is_symlink() for new in places.values())


@pytest.mark.parametrize("there", [True, False])
def test_a_link_out_of_its_folder_is_not_written_to(there: bool, mine: Path) -> None:
    """Not even one to a file that does not exist yet, such as a start script."""
    link = mine.parent / "stranger" / "a.vtu"
    target = mine if there else mine.parent / "new"
    link.symlink_to(target)
    with pytest.raises(
        MeshError, match=r"a\.vtu: a link to .*, outside its folder, is not written to; remove the link"
    ):
        write_mesh(TET, link)
    with pytest.raises(PermissionError), placed(link) as new:
        new.write_text("other")
    assert mine.read_text() == "mine"
    assert not (mine.parent / "new").exists()


def test_folders_under_way_are_kept_at_first(tmp_path: Path) -> None:
    with under_way(tmp_path):
        assert tmp_path.is_dir()
