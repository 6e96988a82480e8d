"""Runs of coarse bodies are shown by their fine surfaces: in films, exports, pictures and on the page."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from moving import FPS, FRAMES, bodies, motion, record, write
from typer.testing import CliRunner

from supple.cli.app import app
from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarsen import coarsen
from supple.coarsening.fine_body import FineBody, isotropic
from supple.coarsening.fine_cover import FineCover
from supple.coarsening.fine_map import FineMap
from supple.errors import RecordError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh, join
from supple.recording.film import Film, open_film
from supple.recording.fine_skins import file_name
from supple.recording.folder import RunFolder
from supple.viewer.page.surface import mesh_surface


@pytest.fixture(scope="module")
def coarse() -> CoarseBody:
    """The bar of the other bodies, as layers of two materials over 4 cells in a row."""
    mesh = SHAPES.find("bar")(cells=(12, 6, 6), size=(1.0, 0.5, 0.5)).mesh()
    soft = (12 * mesh.vertices[mesh.tets].mean(axis=1)[:, 0]).astype(int) % 2 == 1
    fine = FineBody(mesh.vertices, mesh.tets, isotropic(np.where(soft, 1e3, 1e4), 0.3), np.full(len(soft), 1e3))
    return coarsen(fine, SHAPES.find("bar")(cells=(4, 2, 2), size=(1.0, 0.5, 0.5)).mesh())


def meshes(coarse: CoarseBody) -> dict[str, Mesh]:
    """The coarse body comes second, so that others are before and after it."""
    others = bodies()
    return {"my cloth": others["my cloth"], "bar": coarse.mesh, "rope": others["rope"]}


@pytest.fixture
def run(coarse: CoarseBody, tmp_path: Path) -> RunFolder:
    folder = record(tmp_path / "run", meshes(coarse), np.arange(FRAMES) / FPS)
    coarse.save(folder.path / file_name("bar"))
    return folder


@pytest.fixture
def film(run: RunFolder) -> Film:
    return open_film(run)


def wanted(coarse: CoarseBody, t: float) -> tuple[np.ndarray, np.ndarray]:
    return FineMap(coarse, blend=True).motion(*motion(coarse.vertices, t))


@pytest.mark.parametrize("t", [3 / FPS, 3.4 / FPS])
def test_films_have_the_fine_surface_between_frames_too(coarse: CoarseBody, film: Film, t: float) -> None:
    moment = film.at(t)
    cloth, bar, rope = film.parts
    assert film.fine == {"bar"}
    assert film.vertices == len(moment.x) == 4 + len(coarse.skin) + 6
    x, v = wanted(coarse, t)
    np.testing.assert_allclose(moment.x[bar.vertices], x, atol=3e-6)
    np.testing.assert_allclose(moment.v[bar.vertices], v, atol=2e-3)
    np.testing.assert_array_equal(bar.faces, coarse.skin_triangles)
    for part, mesh in ((cloth, bodies()["my cloth"]), (rope, bodies()["rope"])):
        np.testing.assert_allclose(moment.x[part.vertices], motion(mesh.vertices, t)[0], atol=3e-6)
    assert moment.energy[bar.vertices].min() > 0.0


@pytest.mark.parametrize(("form", "suffix"), [("npz", "npz"), ("vtkhdf", "vtkhdf"), ("pvd", "pvd"), ("glb", "glb")])
def test_exports_have_it(coarse: CoarseBody, film: Film, tmp_path: Path, form: str, suffix: str) -> None:
    done = write(film, form, tmp_path / f"out.{suffix}")
    bar = done.sequence.bodies[1]
    assert (bar.n, len(bar.faces), len(bar.tets), bar.closed) == (len(coarse.skin), len(coarse.skin_triangles), 0, True)
    x, _ = wanted(coarse, 5 / FPS)
    if form == "npz":
        with np.load(tmp_path / "out.npz") as data:
            np.testing.assert_allclose(data["bar.positions"][5], x, atol=1e-6)
    if form == "vtkhdf":
        with h5py.File(tmp_path / "out.vtkhdf") as file:
            first = 5 * film.vertices + 4
            np.testing.assert_allclose(file["VTKHDF/Points"][first : first + len(x)], x, atol=1e-6)


def test_the_coarse_mesh_is_there_for_who_asks(coarse: CoarseBody, run: RunFolder) -> None:
    with open_film(run, coarse=True) as film:
        assert film.fine == frozenset()
        assert film.vertices == 4 + len(coarse.vertices) + 6
    for flags, n in ((["--coarse"], len(coarse.vertices)), ([], len(coarse.skin))):
        done = CliRunner().invoke(
            app,
            ["export", str(run.path), "--to", "npz", "--body", "bar", *flags, "--overwrite"],
            catch_exceptions=False,
        )
        assert done.exit_code == 0
        with np.load(run.path / "run.npz") as data:
            assert data["bar.positions"].shape == (FRAMES, n, 3)


def test_pictures_show_it(coarse: CoarseBody, run: RunFolder, tmp_path: Path) -> None:
    from supple.render.camera import CAMERAS
    from supple.render.drawing.pieces import cut_pieces
    from supple.render.shot import make_shot

    with open_film(run) as film:
        shot = make_shot([run.path], [film], film.times, (160, 90), CAMERAS["iso"], "none")
        pieces = cut_pieces(film, shot, shot.grounds[0])
    assert [len(p.surface.faces) for p in pieces if p.part.name == "bar"] == [len(coarse.skin_triangles)]
    still = tmp_path / "still.png"
    arguments = ["render", str(run.path), "--to", str(still), "--renderer", "plain", "--size", "160x120"]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert still.stat().st_size > 1000


def test_a_file_of_another_body_is_refused(coarse: CoarseBody, run: RunFolder) -> None:
    mesh = SHAPES.find("bar")(cells=(2, 1, 1), size=(1.0, 0.5, 0.5)).mesh()
    n = len(mesh.tets)
    other = FineBody(mesh.vertices, mesh.tets, isotropic(np.full(n, 1e3), 0.3), np.full(n, 1e3))
    coarsen(other, mesh).save(run.path / file_name("bar"))
    with pytest.raises(RecordError, match="has 12 coarse vertices, the body in the animation has 45"):
        open_film(run)


def test_new_runs_remove_old_files(run: RunFolder) -> None:
    RunFolder.create(run.path, overwrite=True).close()
    assert not list(run.path.glob("*.npz"))
    assert file_name("my/bar") == "my%2Fbar.coarse.npz"


def test_the_page_shows_it_and_pulls_at_coarse_vertices(coarse: CoarseBody) -> None:
    together = meshes(coarse)
    whole = join(together)
    surface = mesh_surface(whole, [(4, FineCover(coarse))])
    k = len(surface.vertices)
    assert k == whole.n  # all of the coarse body, seen or not
    x, _ = motion(whole.vertices, 0.2)
    points = surface.points(x[surface.vertices].astype(np.float32))
    np.testing.assert_allclose(points[k:], wanted(coarse, 0.2)[0], atol=3e-6)
    assert not np.isin(surface.faces, np.arange(4, 4 + len(coarse.vertices))).any()
    assert len(surface.faces) == 2 + len(coarse.skin_triangles)
    np.testing.assert_array_equal(np.setdiff1d(surface.edges, surface.faces), np.arange(k - 6, k))
    values = surface.values(whole.vertices[surface.vertices, 0].astype(np.float32))
    np.testing.assert_allclose(values[k:], coarse.skin[:, 0], atol=1e-6)
    assert surface.grip(2) == 2
    corner = int(np.argmin(np.linalg.norm(coarse.skin - coarse.vertices[7], axis=1)))
    assert surface.grip(k + corner) == 4 + 7
