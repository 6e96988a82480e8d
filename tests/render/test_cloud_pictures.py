"""Clouds of points in pictures, the report and on the command line."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from render_runs import colourful, draw, record, shot_of
from typer.testing import CliRunner

import supple as sp
from clouds import block, record_cloud
from supple.cli.app import app
from supple.recording.history import read_history
from supple.render.cloud import Balls, Wrap
from supple.render.report.markup import number


def test_balls_are_drawn_where_points_are(tmp_path: Path, renderer: str) -> None:
    shot = shot_of(record_cloud(tmp_path / "run"))
    picture = colourful(draw(shot, 0.0, renderer))
    (pixels, _) = shot.view.project(np.array([[0.5, 0.5, 1.0], [1.0, 1.6, 0.5], [1.5, 1.0, 0.5]]))
    drop = picture[int(pixels[1, 1]), int(pixels[1, 0])]
    assert drop
    assert not picture[int(pixels[2, 1]), int(pixels[2, 0])]
    assert shot.colouring.unit == "J/m³"


def test_a_cloud_has_the_colour_of_its_body(tmp_path: Path, renderer: str) -> None:
    shot = shot_of(record_cloud(tmp_path / "run", beside=True), colour="none")
    assert colourful(draw(shot, 0.0, renderer)).sum() > 300


def test_the_surface_covers_what_balls_leave_open(tmp_path: Path, renderer: str) -> None:
    from dataclasses import replace

    shot = shot_of(record_cloud(tmp_path / "run"), colour="speed")
    balls, wrapped = (colourful(draw(replace(shot, wrapped=how), 0.3, renderer))[:140] for how in (False, True))
    assert balls.sum() > 300
    assert (wrapped & balls).sum() > 0.8 * balls.sum()


def test_points_deep_inside_are_left_out() -> None:
    few, many = block(cells=10).vertices, block(cells=30).vertices
    assert len(np.unique(Balls(0.1).form(few).source)) == len(few)
    shown = np.unique(Balls(1 / 30).form(many).source)
    assert len(shown) < 0.75 * len(many)
    edge = np.flatnonzero((np.abs(many[:27000] - 0.5) > 0.43).any(axis=1))
    assert np.isin(edge, shown).all()


def test_forms_are_consistent() -> None:
    x = block(cells=12).vertices
    for form in (Balls(1 / 12).form(x), Wrap(1 / 12).form(x)):
        assert form.faces.max() == len(form.points) - 1
        assert form.values(np.full(len(x), 0.25)) == pytest.approx(0.25)
        a, b, c = (form.points[form.faces[:, k]] for k in range(3))
        out = np.einsum("ij,ij->i", np.cross(b - a, c - a), form.normals[form.faces[:, 0]])
        assert (out > -1e-9).mean() > 0.99


def test_the_command_draws_the_surface_of_clouds_only(tmp_path: Path) -> None:
    cloud, box = record_cloud(tmp_path / "cloud"), record(tmp_path / "box")
    options = ["--to", str(tmp_path / "a.png"), "--surface", "--renderer", "plain", "--size", "160x96"]
    refused = CliRunner().invoke(app, ["render", str(box), *options])
    assert "--surface: applies to point clouds" in str(refused.exception or refused.output)
    made = CliRunner().invoke(app, ["render", str(cloud), *options])
    assert made.exit_code == 0
    assert (tmp_path / "a.png").stat().st_size > 2000


@pytest.mark.usefixtures("no_still_plots")
def test_the_report_has_pictures_of_a_cloud(tmp_path: Path) -> None:
    run = record_cloud(tmp_path / "cloud")
    assert CliRunner().invoke(app, ["report", str(run)]).exit_code == 0
    page = (run / "report.html").read_text()
    assert page.count("data:image/jpeg") == 4
    assert "No pictures" not in page


@pytest.mark.parametrize("wrapped", [False, True], ids=["balls", "surface"])
def test_clouds_have_the_colour_of_their_body(tmp_path: Path, renderer: str, wrapped: bool) -> None:
    """Without a scale; a cloud has no faces when the renderer is made."""
    shot = replace(shot_of(record_cloud(tmp_path / "run"), colour="none"), wrapped=wrapped)
    assert colourful(draw(shot, 0.3, renderer)).sum() > 500


def test_several_moments_in_a_row(tmp_path: Path) -> None:
    run = record_cloud(tmp_path / "cloud")
    words = ["render", str(run), "--to", str(tmp_path / "a.png"), "--renderer", "plain", "--size", "160x96"]
    assert CliRunner().invoke(app, [*words, "--time", "0,0.1,0.3"]).exit_code == 0
    picture = np.asarray(Image.open(tmp_path / "a.png"))
    assert picture.shape == (96, 3 * 160 + 2 * 4, 3)
    parts = [picture[:60, k * 164 : k * 164 + 160].astype(int) for k in range(3)]
    assert all(np.abs(one - two).max() > 50 for one, two in pairwise(parts))
    for time, sentence in (("0,x", "--time: found '0,x'"), ("0,9", "--time: found 9 s, but the runs cover")):
        refused = CliRunner().invoke(app, [*words, "--time", time, "--overwrite"])
        assert sentence in str(refused.exception or refused.output)


@pytest.mark.usefixtures("no_still_plots")
def test_the_report_says_what_steps_of_points_did(tmp_path: Path) -> None:
    """The balance of a run adds up with hardening in it, and the residual has its parts."""
    snow = sp.Body(
        sp.Bar(cells=(1, 1, 1), size=(0.2, 0.2, 0.2)), sp.Snow(1e5, 0.2), points=sp.Points(cell=0.1),
        initial=sp.Initial(velocity=(0, -3, 0)),
    )  # fmt: skip
    world = sp.World([snow], obstacles=[sp.Obstacle(sp.HalfSpace(), law="separate")])
    run = sp.run(world, sp.Mpm(), h=0.005, steps=6, out=tmp_path / "run", progress=False)
    assert CliRunner().invoke(app, ["report", str(run.path)]).exit_code == 0
    page = (run.path / "report.html").read_text()
    history = read_history(run.path / "history.csv")
    assert history["hardening"][-1] != 0.0
    assert "Material-point steps" in page
    for name in ("transfer", "force", "collided", "plastic", "hardening"):
        assert number(history[name][-1], digits=7) in page
