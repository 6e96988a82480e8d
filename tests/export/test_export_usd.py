"""USD as its own library reads and judges it."""

from pathlib import Path

import numpy as np
import pytest
from moving import FPS, FRAMES, film, surface_positions, write
from pxr import Usd, UsdGeom, UsdValidation


@pytest.fixture(params=["made.usdc", "made.usda"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_frame_is_exact(name: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        path = write(source, "usd", tmp_path / name).paths[0]
        assert (path.read_bytes()[:5] == b"#usda") == name.endswith("usda")
        stage = Usd.Stage.Open(str(path))
        mesh = UsdGeom.Mesh.Get(stage, "/run/bar")
        for k in range(FRAMES):
            np.testing.assert_array_equal(mesh.GetPointsAttr().Get(k + 1), surface_positions(source, k, 0))
            velocity = source.frame(k).v[source.parts[0].vertices]
            np.testing.assert_array_equal(mesh.GetVelocitiesAttr().Get(k + 1), velocity)
            x = surface_positions(source, k, 0)
            np.testing.assert_array_equal(mesh.GetExtentAttr().Get(k + 1), [x.min(axis=0), x.max(axis=0)])
        indices = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
        np.testing.assert_array_equal(indices, source.parts[0].faces)


def test_the_stage_says_what_it_is(tmp_path: Path) -> None:
    with film(tmp_path / "run", up="z") as source:
        stage = Usd.Stage.Open(str(write(source, "usd", tmp_path / "made", scale=100.0).paths[0]))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == FPS
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (1, FRAMES)
    assert stage.GetDefaultPrim().GetPath() == "/run"
    assert stage.HasAuthoredTimeCodeRange()
    bar, cloth = (UsdGeom.Mesh.Get(stage, f"/run/{body}") for body in ("bar", "my_cloth"))
    assert bar.GetSubdivisionSchemeAttr().Get() == "none"
    assert not bar.GetDoubleSidedAttr().Get()
    assert cloth.GetDoubleSidedAttr().Get()
    assert bar.GetDisplayColorPrimvar().GetInterpolation() == "constant"
    assert bar.GetPointsAttr().GetNumTimeSamples() == FRAMES


def test_a_rope_is_one_curve(tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        stage = Usd.Stage.Open(str(write(source, "usd", tmp_path / "made").paths[0]))
        curves = UsdGeom.BasisCurves.Get(stage, "/run/rope")
        assert list(curves.GetCurveVertexCountsAttr().Get()) == [6]
        np.testing.assert_array_equal(curves.GetPointsAttr().Get(3), surface_positions(source, 2, 2))


@pytest.mark.parametrize("energy", [False, True])
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_no_validator_complains(up: str, energy: bool, tmp_path: Path) -> None:
    with film(tmp_path / "run", up) as source:
        stage = Usd.Stage.Open(str(write(source, "usd", tmp_path / "made", energy_colours=energy).paths[0]))
    assert complaints(stage) == []
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            _check_faces(UsdGeom.Mesh(prim), energy)


def complaints(stage: Usd.Stage) -> list[str]:
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    return [error.GetMessage() for error in UsdValidation.ValidationContext(validators).Validate(stage)]


def test_the_validators_are_awake() -> None:
    assert complaints(Usd.Stage.CreateInMemory())


def _check_faces(mesh: UsdGeom.Mesh, energy: bool) -> None:
    """Data that the validators do not check: counts, indices, lengths of arrays, at all times."""
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get())
    indices = np.array(mesh.GetFaceVertexIndicesAttr().Get())
    assert (counts == 3).all()
    assert counts.sum() == len(indices)
    triangles = np.sort(indices.reshape(-1, 3), axis=1)
    assert (np.diff(triangles, axis=1) > 0).all()  # three different corners
    assert len(np.unique(triangles, axis=0)) == len(triangles)
    colour = mesh.GetDisplayColorPrimvar()
    for time in mesh.GetPointsAttr().GetTimeSamples():
        n = len(mesh.GetPointsAttr().Get(time))
        assert set(indices) == set(range(n))
        assert len(mesh.GetVelocitiesAttr().Get(time)) == n
        assert len(colour.Get(time)) == (n if energy else 1)
