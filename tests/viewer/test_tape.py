"""Recordings of live simulations: folders that all commands take, with a ledger that closes whatever the user did."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_bar import BAR, bar
from typer.testing import CliRunner

from supple.cli.app import app
from supple.errors import RecordError
from supple.recording.film import open_film
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.scene.text.load import load_scene, read_scene
from supple.viewer.session import Session
from supple.viewer.tape import Tape

COURSE = (
    BAR
    + """
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0.5, -2.0, 0.0]
radius = 0.5
[[obstacle]]
name = "paddle"
mesh = { shape = "bar", cells = [1, 1, 1], size = [0.1, 0.5, 0.5], origin = [3.0, 0.0, 0.0] }
motion = { translate = { velocity = [1.0, 0.0, 0.0] } }
"""
)


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Five steps before it, then 20 with a change of everything and a pull."""
    session = Session(read_scene(tomllib.loads(COURSE), Path()))
    for _ in range(5):
        session.step()
    tape = Tape(tmp_path_factory.mktemp("live") / "taken", session)
    for k in range(20):
        if k == 6:
            session.change(replace(session.settings, stiffness=2.0, density=0.7, gravity=5.0))
            tape.changed()
        if k == 10:
            session.hold(15, session.state.x[15] + 0.1)
        if k == 14:
            session.release()
        if k == 16:
            session.change(replace(session.settings, integrator="backward-euler"))
            tape.changed()
        tape.add(session.step())
    assert len(tape) == 21
    assert tape.close() == ""
    session.close()
    return RunFolder.open(tape.path)


def test_it_is_a_finished_run(tape: RunFolder) -> None:
    assert tape.status is RunStatus.FINISHED
    assert tape.energy_plot.is_file()
    scene = load_scene(tape.scene)
    assert scene.time.duration == pytest.approx(20 / 60)
    assert scene.world.gravity == 9.81  # as it was at the start of the recording
    log = tape.log.read_text()
    assert "recorded live from t = 0.0833333 s on" in log
    assert "gravity 9.81 -> 5.0, stiffness 1.0 -> 2.0, density 1.0 -> 0.7" in log
    assert "integrator avf -> backward-euler" in log


def test_film_and_history_have_the_time_of_the_simulation(tape: RunFolder) -> None:
    history = read_history(tape.history)
    assert history["step"].tolist() == list(range(21))
    np.testing.assert_allclose(history["time"], (5 + np.arange(21)) / 60)
    with open_film(tape) as film:
        np.testing.assert_allclose(film.times, history["time"])
        assert [part.name for part in film.parts] == ["body0", "paddle", "ball"]
        paddle = film.parts[1].vertices
        way = film.frame(20).x[paddle] - film.frame(0).x[paddle]
        np.testing.assert_allclose(way, np.broadcast_to([20 / 60, 0.0, 0.0], way.shape), atol=1e-6)


def test_its_ledger_closes(tape: RunFolder) -> None:
    history = read_history(tape.history)
    total = history["total"]
    left = total + history["dissipated"] - history["external_work"] - total[0]
    np.testing.assert_allclose(left, history["residual"], atol=1e-9)
    scale = np.abs(history["kinetic"]) + np.abs(history["elastic"]) + np.abs(history["gravity"])
    assert np.abs(left[:17]).max() < 1e-9 * scale.max()
    assert abs(history["external_work"][6] - history["external_work"][7]) > 1.0  # the change of everything


def test_commands_take_it(tape: RunFolder, tmp_path: Path) -> None:
    def ask(*words: object) -> dict:
        done = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout.splitlines()[-1])

    made = ask("export", tape.path, "--to", "npz", "--fps", 24, "--out", tmp_path / "made.npz")
    assert (made["bodies"], made["obstacles"]) == (["body0"], ["paddle", "ball"])
    ask("render", tape.path, "--to", tmp_path / "still.png", "--renderer", "plain", "--size", "120x90")
    assert (tmp_path / "still.png").stat().st_size > 500


def test_the_replay_page_takes_it(tape: RunFolder) -> None:
    pytest.importorskip("viser")
    from supple.viewer.replay import Take

    take = Take(tape)
    assert take.figures(0.2)[0] == pytest.approx(12 / 60)
    assert {patch.look.obstacle for patch in take.patches} == {True, False}
    take.close()


def test_it_keeps_to_the_rate_of_the_scene(tmp_path: Path) -> None:
    session = Session(bar(**{"record.fps": "30"}))
    session.step()
    tape = Tape(tmp_path / "taken", session)
    for _ in range(8):
        tape.add(session.step())
    assert len(tape) == 5
    tape.close()
    session.close()
    with open_film(RunFolder.open(tape.path)) as film:
        np.testing.assert_allclose(film.times, 1 / 60 + np.arange(5) / 30)


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "thesis.tex").write_text("years of work")
    with pytest.raises(RecordError, match="thesis"):
        Tape(tmp_path / "taken", Session(bar()))
