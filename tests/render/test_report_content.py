"""The page contains the histories, is self-contained, and can be written for a run in any state."""

import re
import warnings

import numpy as np
import pytest

from report_runs import Page, make_run
from supple.errors import RecordError
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.render import style
from supple.render.report.account import labels
from supple.render.report.figures import figures
from supple.render.report.page import page, write_report
from supple.render.report.panels import MOST, comparison_panels, energy_panels
from supple.render.report.static_plot import picture
from supple.runs.accounts import account_of


def read(*folders, film=False):
    return Page(page([account_of(folder) for folder in folders], film))


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    folder = make_run(tmp_path_factory.mktemp("single") / "run", title="a bar", description="It swings.")
    html = page([account_of(folder)])
    return folder, html, Page(html)


def test_it_is_a_page_of_its_own(single):
    _, html, parsed = single
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "<title>a bar" in html
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert parsed.addresses
    assert all(address.startswith("data:") for address in parsed.addresses)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|https?://", html)


def test_every_part_is_there(single):
    _, _, parsed = single
    wanted = {"film", "energy", "ledger", "momentum", "work", "method", "scene", "notes"}
    assert wanted <= set(parsed.ids)
    for words in ("It swings.", "unconditional, by conserved energy", "body.material", "finished after step 20"):
        assert words.replace("body.", "") in parsed.words
    assert "20 steps, 1 s of motion" in parsed.words


def test_curves_are_the_history(single):
    folder, _, parsed = single
    history, panels = read_history(RunFolder.open(folder).history), parsed.panels
    for kind in ("kinetic", "elastic", "total"):
        t, values = panels["Energy by kind"][kind]
        np.testing.assert_array_equal(t, history["time"])
        np.testing.assert_array_equal(values, history[kind])
    np.testing.assert_array_equal(panels["Drift"]["drift"][1], history["residual"] / 10.0)
    np.testing.assert_array_equal(panels["Linear momentum"]["x"][1], history["px"])
    np.testing.assert_array_equal(panels["Angular momentum"]["z"][1], history["lz"])
    t, counts = panels["Iterations over time"]["iterations"]
    np.testing.assert_array_equal(t, history["time"][1:])
    np.testing.assert_array_equal(counts, history["newton_iterations"][1:])
    np.testing.assert_array_equal(panels["Iterations per step"]["steps"], [[3, 4, 5, 6], [5, 5, 5, 5]])
    np.testing.assert_allclose(
        panels["Wall time per step"]["wall time"][1], 1e3 * history["wall_seconds"][1:], rtol=1e-6
    )


def test_figures_are_those_of_the_history(single):
    folder, _, _ = single
    run = figures(account_of(folder))
    assert run is not None
    assert (run.steps, run.iterations, run.factorisations, run.pieces) == (20, 90, 40, 0)
    assert run.time == pytest.approx(1.0)
    assert run.scale == 10.0
    assert run.drift == pytest.approx(2e-13)
    assert run.slowest == 20
    assert run.start["total"] + run.external_work - run.dissipated + run.residual == pytest.approx(run.end["total"])


@pytest.mark.usefixtures("no_still_plots")
def test_words_of_others_stay_words(tmp_path):
    evil = "</script><b>bold & <img src=x onerror=alert(1)>"
    folder = make_run(tmp_path / "a <i>b", title=evil, description=evil, method="avf", log=evil, frames=1)
    other = make_run(tmp_path / "other", title=evil, frames=1)
    html = page([account_of(folder), account_of(other)])
    for parsed in (read(folder), Page(html)):
        assert evil in parsed.words
        assert not [address for address in parsed.addresses if not address.startswith("data:")]
    assert "<b>" not in html
    assert "<i>" not in html


@pytest.mark.usefixtures("no_still_plots")
def test_several_runs(tmp_path):
    rates = {"avf": 0.0, "backward-euler": -3.0, "midpoint": 30.0}
    folders = [make_run(tmp_path / name, method=name, rate=rate, frames=1) for name, rate in rates.items()]
    html = page([account_of(folder) for folder in folders])
    parsed = Page(html)
    assert "bar: 3 runs compared" in parsed.words
    assert set(parsed.panels["Drift"]) == set(rates)
    history = read_history(RunFolder.open(folders[1]).history)
    np.testing.assert_array_equal(parsed.panels["Drift"]["backward-euler"][1], history["residual"] / 10.0)
    for name in rates:
        assert f'"label":"{name}","colour":"{style.INTEGRATORS[name].colour}"' in html
    assert "energy kept" in parsed.words
    assert "differ in their method only" in parsed.words


def test_labels_tell_runs_apart(tmp_path):
    def of(*runs):
        return labels([account_of(run) for run in runs])

    one = make_run(tmp_path / "one", frames=0)
    fine = make_run(tmp_path / "fine", step=0.025, frames=0)
    other = make_run(tmp_path / "other", frames=0)
    nested = make_run(tmp_path / "deep" / "one", frames=0)
    assert of(one) == ["avf"]
    assert of(one, fine) == ["avf, h = 0.05 s", "avf, h = 0.025 s"]
    assert of(one, other) == ["avf, one", "avf, other"]
    assert of(one, nested) == ["avf, one", "avf, one (2)"]


@pytest.mark.usefixtures("no_still_plots")
@pytest.mark.parametrize("status", list(RunStatus))
def test_unfinished_runs_say_so(tmp_path, status):
    parsed = read(make_run(tmp_path / "run", status=status, frames=1))
    warned = "shows the data recorded until then" in parsed.words
    assert warned == (status is not RunStatus.FINISHED)
    assert status.value in parsed.words


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_short_histories(tmp_path, rows, request):
    folder = make_run(tmp_path / "run", rows=rows, status=RunStatus.RUNNING, frames=0)
    parsed = read(folder)
    assert ("energy" in parsed.ids) == (rows > 0)
    assert ("Iterations per step" in parsed.panels) == (rows > 1)
    assert "No pictures" in parsed.words
    full = make_run(tmp_path / "full", frames=0)
    if rows != 1:  # the still plots beside a full history differ from common ones where a curve is a point
        request.getfixturevalue("no_still_plots")
    assert set(read(folder, full).panels["Drift"]) >= {"avf, full"}


@pytest.mark.usefixtures("no_still_plots")
def test_a_cut_row_is_left_out(tmp_path):
    folder = make_run(tmp_path / "run", status=RunStatus.RUNNING, frames=0)
    history = RunFolder.open(folder).history
    history.write_bytes(history.read_bytes()[:-30])
    assert len(read(folder).panels["Energy by kind"]["total"][0]) == 20


@pytest.mark.usefixtures("no_still_plots")
def test_what_is_missing_is_said(tmp_path):
    folder = make_run(tmp_path / "run", method="no-such-method")
    RunFolder.open(folder).animation.unlink()
    parsed = read(folder)
    assert "No pictures" in parsed.words
    assert "does not support the integrator" in parsed.words
    RunFolder.open(folder).scene.unlink()
    RunFolder.open(folder).log.unlink()
    assert "no such scene file" in read(folder).words


@pytest.mark.usefixtures("no_still_plots")
@pytest.mark.parametrize("rate", [pytest.param(400.0, marks=pytest.mark.study), 700.0])
def test_explosions(tmp_path, rate):
    """Of the still plots only those of energies are drawn: all others show other columns."""
    folders = [make_run(tmp_path / "run", rate=rate, step=0.1, frames=1), make_run(tmp_path / "calm", frames=1)]
    histories = {folder.name: read_history(RunFolder.open(folder).history) for folder in folders}
    assert not np.isfinite(histories["run"]["total"][-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "energy" in read(folders[0]).ids
        assert "energy" in read(*folders).ids
        for panel in (*energy_panels(histories["run"]), *comparison_panels(histories)):
            assert picture(panel).startswith("data:image/svg+xml")


def test_size(tmp_path):
    rates = {"avf": 0.0, "bdf2": -0.1, "midpoint": 0.1}  # different, since equal columns are kept once
    folders = [
        make_run(tmp_path / name, rows=3001, method=name, step=1 / (60 + 10 * rate), rate=rate)
        for name, rate in rates.items()
    ]
    out = tmp_path / "report.html"
    write_report([account_of(folder) for folder in folders], out)
    assert out.stat().st_size < 1_000_000


@pytest.mark.usefixtures("no_still_plots")
def test_long_runs_are_thinned(tmp_path):
    parsed = read(make_run(tmp_path / "run", rows=2 * MOST + 5, step=1e-3, frames=1))
    t, _ = parsed.panels["Energy by kind"]["total"]
    assert len(t) <= MOST + 1
    assert t[-1] == pytest.approx((2 * MOST + 4) * 1e-3)
    assert "Long runs show one step in 3" in parsed.words


@pytest.fixture
def short_film(no_still_plots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of as many pictures as its motion needs, and small."""
    monkeypatch.setattr("supple.render.report.film_strip.LEAST_FRAMES", 2)
    monkeypatch.setattr("supple.render.report.film_strip.FILM_SIZE", (160, 112))


@pytest.mark.usefixtures("short_film")
def test_film(tmp_path):
    parsed = read(make_run(tmp_path / "run", frames=3), film=True)
    assert any(address.startswith(("data:video/mp4", "data:image/gif")) for address in parsed.addresses)


@pytest.mark.usefixtures("short_film")
def test_film_without_ffmpeg_is_a_gif(tmp_path, monkeypatch):
    monkeypatch.setattr("supple.render.report.film_strip.find_spec", lambda name: None)
    parsed = read(make_run(tmp_path / "run", frames=3), film=True)
    assert any(address.startswith("data:image/gif") for address in parsed.addresses)


def test_stills(single):
    _, _, parsed = single
    assert sum(address.startswith("data:image/jpeg") for address in parsed.addresses) == 6


def test_nothing_to_report(tmp_path):
    with pytest.raises(RecordError, match="no runs to report on"):
        write_report([], tmp_path / "report.html")
