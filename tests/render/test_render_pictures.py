"""Contents of pictures by both renderers: positions of bodies, shadows, colours on one scale, labels."""

from pathlib import Path

import numpy as np
import pytest
from render_runs import box, colourful, draw, middle_of, record, rope, sheet, shot_of

from supple.errors import SuppleError
from supple.mesh.topology import boundary_triangles
from supple.render.camera import CAMERAS, Camera, fit_view
from supple.render.cameras.reading import read_camera
from supple.render.colouring import table
from supple.render.shot import read_size
from supple.render.surface import make_skin, make_tubes


def test_a_body_is_where_it_is(tmp_path: Path, renderer):
    shot = shot_of(record(tmp_path / "run", 6, move=4.0), camera=CAMERAS["front"], colour="none")
    for t, centre in ((0.0, 0.5), (0.5, 2.5)):
        picture = draw(shot, t, renderer)
        assert picture.shape == (180, 320, 3)
        assert picture.dtype == np.uint8
        body = colourful(picture)
        body[:40, :80] = False  # the label
        columns = np.flatnonzero(body.any(axis=0))
        across = shot.view.project(box().vertices + np.array([centre - 0.5, 0, 0]))[0][:, 0]
        np.testing.assert_allclose([columns[0], columns[-1]], [across.min(), across.max()], atol=3)
        assert (picture[:, -4:] > 230).all()  # the film fits in with a margin


def test_a_shadow_lies_on_the_ground(tmp_path: Path, renderer):
    shot = shot_of(record(tmp_path / "run"), colour="none")
    picture = draw(shot, 0.0, renderer)
    below = [1.02, float(shot.grounds[0].middle[1]), 0.5]  # beside the box, away from the light
    beside = [-0.6, float(shot.grounds[0].middle[1]), 1.3]
    assert middle_of(picture, shot, below).max() < 215
    assert middle_of(picture, shot, beside).min() > 225


def test_colours_have_one_scale_over_the_film_and_all_runs(tmp_path: Path, renderer):
    weak, strong = record(tmp_path / "weak", strain=0.1), record(tmp_path / "strong", strain=1.0)
    both = shot_of(weak, strong, size=(400, 200))
    assert both.colouring.top == pytest.approx(shot_of(strong).colouring.top, rel=0.2)
    picture = draw(both, 0.5, renderer)
    centre = [0.5, 0.5, 1.0]
    blue, red = (middle_of(picture[:, left:], both, centre) for left in (0, 200))
    assert blue[2] > blue[0] + 30
    assert red[0] > red[2] + 30
    # and at rest all is blue, in the run that is strained later too
    start = middle_of(draw(both, 0.0, renderer)[:, 200:], both, centre)
    assert start[2] > start[0] + 30


def test_the_scale_ends_at_the_95th_percentile_with_its_unit(tmp_path: Path):
    run = record(tmp_path / "run")
    values = np.concatenate([k * (0.5 + box().vertices[:, 0]) for k in range(6)])
    shot = shot_of(run)
    assert shot.colouring.top == pytest.approx(np.percentile(values, 95), rel=1e-6)
    assert shot.colouring.title == "strain energy  [J/m³]"
    assert shot.colouring.middle == pytest.approx(shot.colouring.top / 4)
    assert shot_of(record(tmp_path / "sheet", 6, sheet(1))).colouring.unit == "J/m²"
    assert shot_of(record(tmp_path / "rope", 6, rope())).colouring.unit == "J/m"
    assert shot_of(run, colour="speed").colouring.title == "speed  [m/s]"


@pytest.mark.parametrize("facing", [1.0, -1.0])
def test_cloth_has_two_sides(tmp_path: Path, renderer, facing):
    shot = shot_of(record(tmp_path / "run", 6, sheet(facing)), camera=Camera(0, 0), colour="none")
    seen = middle_of(draw(shot, 0.0, renderer), shot, [0.5, 0.5, 0.0])
    assert seen[2] > 120  # avf's blue, lit
    assert seen[2] > seen[0] + 60


def test_ropes_are_tubes(tmp_path: Path, renderer):
    shot = shot_of(record(tmp_path / "run", 6, rope()), camera=Camera(0, 0), colour="none")
    picture = draw(shot, 0.0, renderer)
    assert colourful(picture)[40:150].any(axis=0).sum() > 0.8 * 0.86 * 320


def test_labels_name_run_and_method_in_its_colour(tmp_path: Path):
    runs = [record(tmp_path / name, method=name) for name in ("avf", "backward-euler")]
    shot = shot_of(*runs, size=(400, 200))
    assert [writing.text for writing in shot.layout.writings] == ["moving", "avf", "moving", "backward-euler"]
    assert shot.layout.columns == 2
    picture = draw(shot, 0.0, "plain").astype(int)
    left, right = (picture[10:40, a:b] for a, b in ((0, 100), (200, 300)))
    assert (left[..., 2] - left[..., 0]).max() > 100
    assert (right[..., 0] - right[..., 2]).max() > 100


def test_long_bodies_stand_below_each_other(tmp_path: Path):
    runs = [record(tmp_path / str(k), 6, move=12.0) for k in range(2)]
    assert shot_of(*runs, camera=CAMERAS["front"]).layout.columns == 1


def test_a_run_that_exploded_leaves_the_others_in_view(tmp_path: Path):
    run = record(tmp_path / "run", move=1e6)
    shot = shot_of(record(tmp_path / "calm"), run)
    assert shot.size < 10
    assert draw(shot, 0.5, "plain").shape == (180, 320, 3)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_up_is_up(up):
    axes = CAMERAS["front"].axes(up)
    assert axes[1]["xyz".index(up)] == 1
    assert np.linalg.det(axes) == pytest.approx(1)
    assert CAMERAS["top"].axes(up)[2]["xyz".index(up)] == pytest.approx(1)


@pytest.mark.parametrize("camera", [*CAMERAS.values(), Camera(200, -30)])
def test_a_view_holds_all_points_and_fills_the_picture(camera):
    points = np.random.default_rng(1).random((200, 3)) * (3.0, 1.0, 2.0)
    view = fit_view(camera, "z", points, 300, 200)
    pixels, depth = view.project(points)
    assert (depth > 0).all()
    share = np.abs(pixels / (150, 100) - 1).max(axis=0)
    assert 0.8 < share.max() < 0.87


def test_zoom_comes_nearer():
    points = np.eye(3)
    near, far = (fit_view(Camera(0, 0, zoom), "y", points, 100, 100).distance for zoom in (2.0, 1.0))
    assert near == pytest.approx(far / 2)


def test_cameras_are_read():
    assert read_camera("top") == CAMERAS["top"]
    assert read_camera("30,-20") == Camera(30, -20)
    assert read_camera("30,20,1.5") == Camera(30, 20, 1.5)
    for wrong in ("tpo", "30", "30,100", "1,2,0", "1,2,3,4", "nan,1"):
        with pytest.raises(SuppleError, match="--camera"):
            read_camera(wrong)


def test_sizes_are_read():
    assert read_size("960x540") == (960, 540)
    for wrong in ("960", "960x", "10x10", "axb", "99999x100"):
        with pytest.raises(SuppleError, match="--size"):
            read_size(wrong)


def test_sharp_edges_have_a_normal_for_each_side():
    mesh = box()
    skin = make_skin(boundary_triangles(mesh.tets).astype(np.int32), mesh.vertices)
    assert skin.closed
    _, normals = skin.place(mesh.vertices)
    np.testing.assert_allclose(np.abs(normals).max(axis=1), 1)
    assert len(skin.source) == 6 * 9


def test_flat_neighbours_share_their_points():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0.1], [0, 1, 0]])
    skin = make_skin(np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32), corners)
    assert len(skin.source) == 4
    assert not skin.closed


def test_tubes_look_outwards():
    x = np.array([[0.0, 0, 0], [1, 0.2, 0], [1, 1, 1]])
    tubes = make_tubes(np.array([[0, 1], [1, 2]], dtype=np.int32), 0.05, 2)
    points, normals = tubes.place(x)
    a, b, c = (points[tubes.faces[:, j]] for j in range(3))
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[tubes.faces].mean(axis=1))
    assert (outward > 0).all()
    assert len(tubes.source) == len(points)


def test_the_colour_table_is_light_enough_to_shade():
    colours = table()
    assert colours.shape == (256, 3)
    assert colours.max(axis=1).min() > 0.6
