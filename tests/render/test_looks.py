"""Shaded looks: each one draws, by both renderers; which look a scene gets; colours, captions and rounder bodies."""

import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from render_runs import box, draw, record, sheet

from supple.cli import main
from supple.errors import SuppleError
from supple.mesh.shapes.round import Ball
from supple.mesh.topology import boundary_triangles
from supple.model.presets.published import published
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.recording.scenery import read_scenery
from supple.render.camera import CAMERAS
from supple.render.caption import _Canvas
from supple.render.drawing.studio.lamps import Lamps, tone
from supple.render.drawing.studio.smooth import smoothed
from supple.render.looks.coats import choose_look, coats_of, scene_tables
from supple.render.looks.direction import Direction
from supple.render.looks.look import LOOKS, MATERIAL, SCIENTIFIC, check_look
from supple.render.looks.words import WORDS
from supple.render.shot import Shot, film_times, make_shot
from supple.render.surface import SOFT, make_skin
from supple.runs.results import Run


def shot_in(run: Path, look: str, captions: bool = False, size: tuple[int, int] = (160, 90)) -> Shot:
    with open_film(RunFolder.open(run)) as film:
        direction, times = Direction(LOOKS[look], captions), film_times([film], 10)
        return make_shot([run], [film], times, size, CAMERAS["iso"], LOOKS[look].colour, direction=direction)


def ball() -> object:
    return Ball(radius=0.5, centre=(0.0, 0.5, 0.0), resolution=3).mesh()


def scene(folder: Path, *materials: str, more: str = "") -> Path:
    tables = "".join(f'[[body]]\nname = "body {k}"\nmaterial = {text}\n' for k, text in enumerate(materials))
    (folder / "scene.toml").write_text(tables + more)
    return folder


def test_each_look_draws_and_differs(tmp_path, renderer):
    run = record(tmp_path / "run", 6, ball())
    pictures = {name: draw(shot_in(run, name), 0.3, renderer).astype(int) for name in LOOKS if name != "material"}
    for name, picture in pictures.items():
        assert picture.shape == (90, 160, 3)
        # a body stands out from the backdrop, and is round: its light changes
        middle, corner = picture[35:50, 70:90], picture[:8, :8]
        assert np.abs(middle.mean(axis=(0, 1)) - corner.mean(axis=(0, 1))).max() > 8, name
        assert np.ptp(middle.sum(axis=2)) > 10, name
    names = list(pictures)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            assert np.abs(pictures[one] - pictures[other]).mean() > 2, (one, other)


SHADED = ("clay", "jelly", "rubber", "cloth", "energy")


@pytest.mark.parametrize(
    ("look", "renderer"),
    [
        *((look, "vtk") for look in SHADED),
        *(pytest.param(look, "plain", marks=[] if look == "jelly" else pytest.mark.study) for look in SHADED),
    ],
    indirect=["renderer"],
)
def test_renderers_agree(tmp_path, look, renderer):
    shot = shot_in(record(tmp_path / "run", 6, ball()), look)
    plain, other = (draw(shot, 0.3, name).astype(int) for name in ("plain", renderer))
    assert np.abs(plain - other).mean() < 8
    assert (renderer == "plain") == np.array_equal(plain, other)


def test_light_comes_from_above_on_the_left_and_shadows_fall_to_the_right(tmp_path, renderer):
    shot = shot_in(record(tmp_path / "run", 6, ball()), "clay", size=(320, 180))
    picture = draw(shot, 0.0, renderer).astype(int).sum(axis=2)

    def at(*point: float) -> int:
        (u, w), _ = (a[0] for a in shot.view.project(np.array([point])))
        return int(picture[int(w), int(u)])

    right, _, towards = shot.view.axes
    centre, up = np.array([0, 0.5, 0]), np.array([0.0, 1, 0])
    lit, dark = (centre + 0.49 * (v / np.linalg.norm(v)) for v in (up - right + towards, right - up + towards))
    assert at(*lit) > at(*dark) + 60
    key = Lamps.of(shot).key
    fallen = centre - key * (0.5 / key[1])
    assert at(*fallen) < at(*(fallen - 1.6 * right)) - 60


def test_captions_are_off_unless_asked_for(tmp_path):
    run = record(tmp_path / "run")
    plain, written = (draw(shot_in(run, "energy", captions), 0.3, "plain") for captions in (False, True))
    assert (plain != written).any(axis=2)[-30:].sum() > 100
    assert not shot_in(run, "energy").layout.writings[0].text
    assert shot_in(run, "energy", True).layout.writings[0].text == "moving"


def test_which_look_a_scene_gets(tmp_path):
    def look(name: str, *materials: str, more: str = "") -> object:
        folder = tmp_path / name
        folder.mkdir()
        return choose_look("auto", [scene(folder, *materials, more=more)])

    assert look("words", '"jelly"', '{ name = "stvk", young = 1e5, poisson = 0.3 }') is MATERIAL
    assert look("table", '{ name = "silk", stiffer = 2.0 }') is MATERIAL
    assert look("figures", '"jelly"', more='[expect.a]\ncolumn = "residual"\n') is SCIENTIFIC
    assert look("law", '{ name = "stvk", young = 1e5, poisson = 0.3 }') is SCIENTIFIC
    assert choose_look("auto", [tmp_path / "nothing"]) is SCIENTIFIC
    assert choose_look("auto", [tmp_path / "words", tmp_path / "law"]) is SCIENTIFIC
    assert choose_look("clay", [tmp_path / "law"]).name == "clay"
    assert set(WORDS) == set(published())
    with pytest.raises(SuppleError, match="did you mean 'clay'"):
        check_look("caly")


def test_bodies_look_like_what_they_are_made_of(tmp_path):
    run = record(tmp_path / "run", 2, ball(), box(), sheet(1), box())
    scene(run, '"jelly"', '"rubber"', '"denim"', '"jelly"\ncolour = "green"')
    with open_film(RunFolder.open(run)) as film:
        coats = coats_of(film, MATERIAL)
        assert [coats[f"body {k}"].feel.name for k in range(4)] == ["jelly", "rubber", "cloth", "jelly"]
        assert coats["body 2"].colour == "#34547c"
        assert coats["body 3"].colour == "#3d9a50"  # that of the scene
        grey = coats_of(film, LOOKS["clay"])
        assert {coat.feel.name for coat in grey.values()} == {"clay"}
        assert grey["body 3"].colour != "#3d9a50"
        assert coats_of(film, LOOKS["rubber"])["body 3"].colour == "#3d9a50"


def test_light_goes_through_jelly_and_colours_its_shadow(tmp_path):
    run = record(tmp_path / "run", 6, ball())
    jelly, rubber = (
        draw(shot_in(run, look, size=(320, 180)), 0.0, "plain").astype(int) for look in ("jelly", "rubber")
    )
    shot = shot_in(run, "jelly", size=(320, 180))
    key = Lamps.of(shot).key
    fallen = np.array([[0, 0.5, 0]]) - key * (0.5 / key[1])
    (u, w), _ = (a[0] for a in shot.view.project(fallen))
    red, grey = jelly[int(w), int(u)], rubber[int(w), int(u)]
    assert red[0] > red[1] + 15
    assert np.ptp(grey) < 10


def test_rounder_bodies_keep_their_points_and_come_nearer_to_the_ball():
    mesh = Ball(radius=1.0, resolution=3).mesh()
    skin = make_skin(boundary_triangles(mesh.tets).astype(np.int32), mesh.vertices, SOFT)
    fine = smoothed(skin)
    points, normals = fine.place(mesh.vertices)
    assert len(fine.faces) == 16 * len(skin.faces)
    np.testing.assert_allclose(points[: len(skin.source)], mesh.vertices[skin.source])
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1)
    middles = mesh.vertices[skin.source][skin.faces].mean(axis=1)
    assert np.abs(np.linalg.norm(points, axis=1) - 1).max() < 0.35 * (1 - np.linalg.norm(middles, axis=1).min())
    # colours are means of those of the vertices around
    values = np.arange(mesh.n, dtype=float)
    assert values[fine.source].mean(axis=1)[: len(skin.source)] == pytest.approx(values[skin.source])


def test_sharp_edges_stay_straight():
    mesh = box()
    skin = make_skin(boundary_triangles(mesh.tets).astype(np.int32), mesh.vertices, SOFT)
    points, _ = smoothed(skin).place(mesh.vertices)
    assert np.abs(points - 0.5).max() == pytest.approx(0.5)
    assert (np.isclose(np.abs(points - 0.5), 0.5).any(axis=1)).all()


def test_tone_bends_towards_white():
    light = np.linspace(0, 20, 200)
    pixels = np.array([tone(v) for v in light])
    assert (np.diff(pixels) >= 0).all()
    assert pixels[0] == 0
    assert pixels[-1] <= 1


def test_looks_of_the_command_and_of_python(tmp_path, monkeypatch, capsys):
    from PIL import Image

    monkeypatch.chdir(tmp_path)
    run = scene(record(Path("run"), 4, ball()), '"jelly"')
    small = ("--to", "a.png", "--size", "160x90", "--overwrite", "--json", "--renderer", "plain")

    def told(*words: object) -> str:
        with pytest.raises(SystemExit) as left:
            main(["render", str(run), *map(str, small), *map(str, words)])
        assert int(left.value.code or 0) == 0
        return str(json.loads(capsys.readouterr().out.splitlines()[-1])["look"])

    assert told() == "material"
    assert told("--colour", "energy") == "scientific"  # figures on request
    assert told("--look", "clay") == "clay"
    assert told("--look", "cloth", "--colour", "speed") == "cloth"
    shown = [Run(run).picture(0.1, size=(160, 90), renderer="plain", look=look).png for look in ("auto", "scientific")]
    assert shown[0] != shown[1]
    turned = Run(run).film(10, size=(160, 90), renderer="plain", look="clay", turntable=0.6, camera="orbit:10,20")
    turned.save("turned.gif")
    with Image.open("turned.gif") as film:
        assert film.n_frames == 4
    with pytest.raises(SystemExit):
        main(["render", str(run), "--to", "b.png", "--look", "caly"])
    assert "did you mean 'clay'" in capsys.readouterr().err


def test_a_scene_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "scene.toml")
    assert scene_tables(tmp_path) == {}
    assert choose_look("auto", [tmp_path]) is SCIENTIFIC


@pytest.mark.parametrize(
    "text", ["body = 3", "body = [[1], 2]", "world = 1\nbody = ['a']\nobstacle = [3, {}]", "obstacle = 'a'"]
)
def test_anything_may_stand_where_tables_should(text: str, tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(text, encoding="utf-8")
    assert choose_look("auto", [tmp_path]) is SCIENTIFIC
    assert all(name.startswith("body") for name in read_scenery(tmp_path).colours)


def test_characters_without_a_glyph_are_drawn_without_a_warning():
    canvas = _Canvas(160, 90)
    canvas.write(10, 10, "\u65e5", 20.0, "black", False, "left")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert canvas.pixels().any()
