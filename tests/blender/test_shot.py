"""A shot end to end: Blender's own files with a rig and a collider come in, run, and go back into Blender."""

from pathlib import Path

import numpy as np
import pytest
from blender_python import HERE, in_blender, needs_blender, played

from supple.cli import main
from supple.recording.film import open_film
from supple.recording.folder import RunFolder

pytestmark = needs_blender
FRAMES = 13
SCENE = """
[world]
up = "z"
[time]
step = "1/48"
duration = "12/24"
[record]
fps = 24
[[body]]
name = "flesh"
mesh = {{ file = "shot.{kind}", object = "Tube" }}
material = {{ name = "soft-rubber", stiffer = 0.1 }}
thickness = 0.004
groups = {{ ends = {{ vertices = {ends} }} }}
motion = [{{ group = "ends", file = "shot.{kind}", object = "Tube" }}]
[[obstacle]]
name = "collider"
mesh = {{ file = "shot.{kind}", object = "Ball" }}
motion = {{ file = "shot.{kind}", object = "Ball" }}
[contact]
distance = 0.004
"""


def supple(*words: object) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    assert not left.value.code


@pytest.fixture(scope="module")
def shot(home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, np.ndarray]]:
    """The folder with the files of Blender, and what Blender showed when it wrote them."""
    folder = tmp_path_factory.mktemp("shot")
    return folder, played(home, "shot", folder)


@pytest.mark.parametrize(("kind", "back"), [("usdc", "usd"), ("abc", "abc")])
def test_shot(home: Path, shot: tuple[Path, dict[str, np.ndarray]], kind: str, back: str) -> None:
    folder, source = shot
    ends = source["ends"]
    (folder / f"{kind}.toml").write_text(SCENE.format(kind=kind, ends=np.flatnonzero(ends).tolist()))
    run = folder / kind
    supple("run", folder / f"{kind}.toml", "--out", run)
    with open_film(RunFolder.open(run)) as film:
        assert len(film) == FRAMES
        spans = {part.name: part.span for part in film.parts}
        frames = np.stack([film.frame(k).x for k in range(FRAMES)]).astype(float)
    supple("export", run, "--to", back, "--out", run / f"back.{kind}")
    in_blender(home, HERE / "look.py", back, run / f"back.{kind}", run / "seen.npz", 1, FRAMES, 24, "z")
    with np.load(run / "seen.npz") as found:
        seen = {name: found[f"{name}.world"] for name in spans}
    for name, (first, end) in spans.items():
        np.testing.assert_allclose(seen[name], frames[:, first:end], atol=1e-6)
    flesh, rig = seen["flesh"], source["Tube"]
    np.testing.assert_allclose(flesh[:, ends], rig[:, ends], atol=1e-6)
    np.testing.assert_allclose(seen["collider"], source["Ball"], atol=1e-6)
    assert np.abs(rig - rig[0]).max() > 0.2
    assert np.abs(flesh - rig).max() > 0.01  # the ball and inertia have moved the free part
    assert np.linalg.norm(flesh[-1] - source["Ball"][-1].mean(axis=0), axis=1).min() > 0.14
