"""Coarse bodies: their file, the scene body made from it, and how they compare with the fine body."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from composite import Composite, body, centres, grid, layered

from supple.analysis.coarsening_check import CHECKS, LOADS, check, frequency_ratios, skins, static_errors, tracked
from supple.coarsening.cage import cage
from supple.coarsening.coarse_body import CoarseBody, load_coarse_body
from supple.coarsening.coarsen import STAGES, Pair, coarsen
from supple.energies.corotational.term import Corotational
from supple.energies.solids.solid import Solid
from supple.errors import MeshError, SceneError, SuppleError
from supple.mesh.mesh import Mesh
from supple.recording.fine_skins import file_name
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(layered(8, 10.0, 8), grid((2, 2, 2), (1.0, 1.0, 1.0)))


@pytest.fixture(scope="module")
def made(pair: Pair) -> CoarseBody:
    return coarsen(pair.fine, pair.coarse)


def scene_of(folder: Path, law: str = "corotational", **keys: object) -> Scene:
    """A scene with one coarse body in `folder`/cube.npz, held below."""
    table = {
        "name": "cube",
        "mesh": {"coarse": "cube.npz"},
        "groups": {"low": {"plane": {"point": [0, 0, 0], "normal": [0, 0, -1]}}},
        "pin": "low",
        "material": {"name": "coarse", "law": law},
        **keys,
    }
    return read_scene({"time": {"step": 0.01}, "body": [table]}, folder)


def test_the_file_keeps_everything(made: CoarseBody, tmp_path: Path) -> None:
    made.save(tmp_path / "cube.npz")
    again = load_coarse_body(tmp_path / "cube.npz")
    for field in fields(CoarseBody):
        np.testing.assert_array_equal(getattr(made, field.name), getattr(again, field.name))
    assert again.facts["method"] == "average"
    assert again.mass.sum() == pytest.approx(1.0, rel=1e-12)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match=r"no such file; create it with `supple coarsen \.\.\. --out none\.npz`"):
        load_coarse_body(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(SuppleError, match="cannot be read as a coarse body"):
        load_coarse_body(tmp_path / "text.npz")
    np.savez(tmp_path / "old.npz", format="supple-coarse-body-0")
    with pytest.raises(SuppleError, match="is not a coarse body of this version"):
        load_coarse_body(tmp_path / "old.npz")


def test_stages_are_told(pair: Pair) -> None:
    heard: list[str] = []
    coarsen(pair.fine, pair.coarse, "nodal", progress=heard.append)
    assert tuple(heard) == STAGES


def test_meshes_that_do_not_hold_the_body(pair: Pair) -> None:
    with pytest.raises(MeshError, match=r"% of the fine body lies outside of it, for example the fine tets \d+"):
        coarsen(pair.fine, grid((2, 2, 2), (1.0, 1.0, 0.9)))
    with pytest.raises(MeshError, match="shares no volume with the fine body"):
        coarsen(pair.fine, grid((2, 2, 2), (1.0, 1.0, 1.0), origin=7.0))
    far = Mesh(
        np.concatenate([pair.coarse.vertices, pair.coarse.vertices + 5.0]),
        tets=np.concatenate([pair.coarse.tets, pair.coarse.tets + pair.coarse.n]).astype(np.int32),
    )
    with pytest.raises(
        MeshError, match=f"{pair.coarse.n} vertices have no part .* the first is vertex {pair.coarse.n}"
    ):
        coarsen(pair.fine, far)


def test_a_scene_with_a_coarse_body(made: CoarseBody, tmp_path: Path) -> None:
    made.save(tmp_path / "cube.npz")
    turning, linear = scene_of(tmp_path).make().assemble(), scene_of(tmp_path, "linear").make().assemble()
    np.testing.assert_array_equal(turning.system.mass, made.mass)
    [corotated], [plain] = ([t for t in a.system.potential.terms if t.group == "elastic"] for a in (turning, linear))
    assert isinstance(corotated, Corotational)
    assert isinstance(plain, Solid)
    X = made.vertices
    c, s = np.cos(0.5), np.sin(0.5)
    turned = X @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert corotated.element_values(turned).sum() <= 1e-20 * made.stiffness.max()
    assert plain.element_values(turned).sum() > 1e-3 * made.stiffness.max()
    # a stretch e along z costs sum V/2 C33 e^2 with either
    volume = np.full(len(made.tets), 1.0 / len(made.tets))
    wanted = 0.5 * float(volume @ made.stiffness[:, 2, 2]) * 0.1**2
    for term in (corotated, plain):
        assert term.element_values(X * [1.0, 1.0, 1.1]).sum() == pytest.approx(wanted, rel=1e-12)


def test_the_copy_of_a_run_is_found(made: CoarseBody, tmp_path: Path) -> None:
    made.save(tmp_path / file_name("cube"))
    assert scene_of(tmp_path).make().assemble().system.mass.sum() == pytest.approx(1.0)


def test_what_a_scene_cannot_ask_of_a_coarse_body(made: CoarseBody, tmp_path: Path) -> None:
    made.save(tmp_path / "cube.npz")
    for key in ("density", "mass"):
        with pytest.raises(
            SceneError, match=rf"body\[0\]\.{key}: masses and materials of a coarse body are in its file"
        ):
            scene_of(tmp_path, **{key: 3.0}).make().assemble()
    with pytest.raises(
        SceneError, match=r'body\[0\]\.material: the tensors of cube\.npz are the material; take \{ name = "coarse"'
    ):
        scene_of(tmp_path, material={"name": "linear", "young": 1, "poisson": 0}).make().assemble()
    with pytest.raises(SceneError, match="'coarse' is for bodies made by `supple coarsen`"):
        scene_of(tmp_path, mesh={"shape": "cube"}, groups={}, pin=()).make().assemble()


def test_errors_are_those_of_the_page(pair: Pair) -> None:
    """8 layers at 10:1 on 48 tets."""
    found = [static_errors(pair, load) for load in LOADS]
    same = Composite(pair.fine, pair.coarse)
    for load, errors in zip(LOADS, found, strict=True):
        for method, error in errors.items():
            assert error == pytest.approx(same.static(method, load.axis, load.force)[0], rel=1e-6)
    assert max(errors["average"] for errors in found) < 0.25
    assert sum(errors["naive"] > 0.45 for errors in found) == 2
    ratios = frequency_ratios(pair, count=2)
    np.testing.assert_allclose(ratios["average"], same.frequency_ratios("average", 2, 2), rtol=1e-6)


def test_a_whole_check(made: CoarseBody) -> None:
    small = Pair(layered(4, 10.0, 4), made.mesh)
    heard: list[str] = []
    found = check(small, "average", 12, heard.append)
    figures = found.summary()
    assert len(heard) == CHECKS
    assert figures["homogeneous_error"] <= 1e-9
    assert set(figures["static_error"]) == {"nodal", "average", "naive", "moduli"}
    assert figures["swing_error"]["average"] < 0.8 * figures["swing_error"]["naive"]
    assert figures["speedup"] == found.seconds["fine"] / found.seconds["average"]
    own = coarsen(small.fine, small.coarse)
    places, points = skins(small, own, found.swings), tracked(small, found.swings)
    assert list(places) == list(points) == ["fine", "average", "naive"]
    far = {name: np.linalg.norm(x - places["fine"], axis=1).mean() for name, x in places.items()}
    assert 0.0 == far["fine"] < far["average"] < far["naive"]


def test_round_ends_are_held_as_deep_as_the_coarse_tets(pair: Pair) -> None:
    fine, coarse = pair.held(2)
    assert np.abs(pair.fine.vertices[fine, 2]).max() == 0.0
    assert len(fine) == 81
    assert len(coarse) == 9
    mesh = grid((8, 8, 8), (1.0, 1.0, 1.0))
    ball = mesh.tets[np.linalg.norm(centres(mesh) - 0.5, axis=1) < 0.5]
    kept, numbers = np.unique(ball, return_inverse=True)
    round_mesh = Mesh(mesh.vertices[kept], tets=numbers.reshape(-1, 4).astype(np.int32))
    lump = body(round_mesh, np.zeros(len(ball), dtype=bool), 1e4, 1.0)
    caged = Pair(lump, cage(lump.vertices, lump.tets, (4, 4, 4)))
    fine, coarse = caged.held(0)
    low, span = lump.vertices[:, 0].min(), np.ptp(lump.vertices[:, 0])
    for held, X in ((fine, lump.vertices), (coarse, caged.coarse.vertices)):
        assert X[held, 0].max() == pytest.approx(low + span / 4)
