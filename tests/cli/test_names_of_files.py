"""Names of files that strangers gave: in comments and values of written scenes, and in progress bars."""

from pathlib import Path

import pytest

from cli.command import here
from hostile import NAMES
from supple.mesh.formats import write_mesh
from supple.mesh.shapes.round import Ball
from supple.runs.bars import frame_bar
from supple.scene.text.load import load_scene

ODD = [name.replace("/", "") for name in NAMES if name.isascii() and "\x00" not in name]
CLOSING = 'a", scale = 1e3 } # "'
LINES = 'b"\n[limits]\nvertices = 7\n# '


@pytest.mark.parametrize("name", [*ODD, CLOSING, LINES])
def test_a_new_scene_reads_the_model_and_nothing_else(name: str, in_folder: Path) -> None:
    """The name was written as it is: it could close its quotes, and add tables and files that the user's mark allowed."""
    mesh = Ball(radius=0.1, resolution=2).mesh()
    notes = write_mesh(mesh, in_folder / "plain.vtu")
    assert not notes
    model = in_folder / f"{name}.vtu"
    (in_folder / "plain.vtu").rename(model)
    if "\x1b" in name:  # no scene has such a name in it
        here("new", "scene.toml", "--from", model, "--no-check", code=2)
        assert not (in_folder / "scene.toml").exists()
        return
    here("new", f"{name}.toml", "--from", model, "--no-check")
    scene = load_scene(in_folder / f"{name}.toml")
    made = scene.make()
    assert made.assemble().mesh.n == mesh.n
    assert scene.limits.make().vertices == 2_000_000


def test_a_name_of_control_characters_stays_out_of_comments(in_folder: Path) -> None:
    here("new", "\x1b[2Jred.toml", "--kind", "rope", "--no-check")
    assert "# supple run \\x1b[2Jred.toml" in (in_folder / "\x1b[2Jred.toml").read_text()


def test_bars_show_names_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    with frame_bar("\x1b[2J\u202ename", 1):
        pass
    assert "\x1b[2J" not in capsys.readouterr().out
