"""Meshes and start states of prims."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, UsdGeom

import supple as sp
from fuzz.files.mesh_samples import TEXTS
from supple.errors import MeshError, SuppleError
from supple.mesh.doctor import closed_surface_problems, heal
from supple.mesh.formats import load_mesh, read_mesh, write_mesh
from supple.mesh.measure import lumped_mass
from supple.mesh.stages.stage import open_stage
from supple.model.initial import Initial, read_state
from supple.model.source import MeshFile, find
from written_stage import Written, rope_points, small_bar, small_cloth


def test_tets_are_in_metres_where_the_prim_stands(tmp_path: Path) -> None:
    mesh = small_bar()
    stage = Written(tmp_path / "a.usda", metres=0.01)
    made = stage.volume("/World/Bar", mesh.moved(100.0 * mesh.vertices))
    made.AddTranslateOp().Set((10.0, 0.0, 0.0))
    made.AddRotateZOp().Set(90.0)
    found = read_mesh(stage.save())
    np.testing.assert_array_equal(found.tets, mesh.tets)
    x, y, z = mesh.vertices.T
    np.testing.assert_allclose(found.vertices, np.stack([0.1 - y, x, z], axis=1), atol=1e-7)


def test_polygons_with_texture_coordinates_and_handedness(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    quad = UsdGeom.Mesh.Define(stage.stage, "/World/Quad")
    quad.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    quad.CreateFaceVertexCountsAttr([4])
    quad.CreateFaceVertexIndicesAttr([0, 3, 2, 1])
    quad.CreateOrientationAttr("leftHanded")
    from pxr import Sdf

    st = UsdGeom.PrimvarsAPI(quad).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "vertex")
    st.Set([(0, 0), (1, 0), (1, 1), (0, 1)])
    mesh = read_mesh(stage.save(), "Quad")
    assert len(mesh.triangles) == 2
    assert mesh.polygons is not None
    assert mesh.polygons.counts.tolist() == [4]
    a, b, c = mesh.vertices[mesh.triangles[0]]
    assert np.cross(b - a, c - a)[2] > 0
    np.testing.assert_allclose(mesh.polygons.uv[mesh.polygons.uv_corners], mesh.vertices[mesh.polygons.corners, :2])


def test_curves_open_and_closed(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.curves("/World/Open", rope_points(5), [3, 2])
    stage.curves("/World/Closed", [(0, 0, 0), (1, 0, 0), (0, 1, 0)]).CreateWrapAttr("periodic")
    file = stage.save()
    assert read_mesh(file, "Open").edges.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert read_mesh(file, "/World/Closed").edges.tolist() == [[0, 1], [1, 2], [2, 0]]


@pytest.mark.parametrize(
    ("kind", "volume"),
    [
        ("Sphere", 4 / 3 * np.pi),
        ("Cube", 8.0),
        ("Cylinder", 2 * np.pi),
        ("Cone", 2 / 3 * np.pi),
        ("Capsule", (1 + 4 / 3) * np.pi),
    ],
)
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_simple_solids_are_closed_and_face_outwards(tmp_path: Path, kind: str, volume: float, axis: str) -> None:
    stage = Written(tmp_path / "a.usda")
    made = getattr(UsdGeom, kind).Define(stage.stage, "/World/Solid")
    made.GetPrim().GetAttribute("radius" if kind != "Cube" else "size").Set(1.0 if kind != "Cube" else 2.0)
    if kind not in ("Sphere", "Cube"):
        made.CreateAxisAttr(axis)
        made.CreateHeightAttr(2.0 if kind != "Capsule" else 1.0)
    mesh = read_mesh(stage.save(), "Solid")
    assert not closed_surface_problems(mesh.triangles)
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(volume, rel=0.03)
    long = {"Cylinder": 2.0, "Cone": 2.0, "Capsule": 3.0}.get(kind)
    if long:
        assert np.ptp(mesh.vertices, axis=0)["XYZ".index(axis)] == pytest.approx(long)


def test_rest_shape_start_and_velocities(tmp_path: Path) -> None:
    mesh = small_bar()
    stage = Written(tmp_path / "a.usda", metres=0.1)
    made = stage.volume("/World/Bar", mesh)
    made.AddScaleOp().Set((2.0, 2.0, 2.0))
    from written_stage import put

    put(made, "physics:restShapePoints", "Point3fArray", [Gf.Vec3f(*(0.5 * row).tolist()) for row in mesh.vertices])
    made.CreateVelocitiesAttr([(1.0, 0.0, 0.0)] * mesh.n)
    file = stage.save()
    np.testing.assert_allclose(read_mesh(file).vertices, 0.1 * mesh.vertices, atol=1e-8)
    x, v = read_state(str(file))
    np.testing.assert_allclose(x, 0.2 * mesh.vertices, atol=1e-8)
    np.testing.assert_allclose(v, [[0.2, 0.0, 0.0]] * mesh.n)
    initial = Initial(file=str(file), velocity=(0.0, 1.0, 0.0))
    np.testing.assert_allclose(initial.positions(0.1 * mesh.vertices), x)
    np.testing.assert_allclose(initial.velocities(0.1 * mesh.vertices), v + np.array([0.0, 1.0, 0.0]))
    with pytest.raises(SuppleError, match="12 vertices, the body has 3"):
        initial.positions(np.zeros((3, 3)))


def test_start_from_any_mesh_file(tmp_path: Path) -> None:
    mesh = small_bar()
    write_mesh(mesh.moved(1.1 * mesh.vertices), tmp_path / "draped.vtk")
    x, v = read_state(str(tmp_path / "draped.vtk"))
    np.testing.assert_allclose(x, 1.1 * mesh.vertices)
    assert not v.any()
    with pytest.raises(SuppleError, match="cannot be combined with translate"):
        Initial(file="draped.vtk", translate=(1, 0, 0))


def test_subsets_are_groups_and_tags(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    made = stage.volume("/World/Bar", small_bar())
    for name, kind, members in (("feet", "point", [1, 0]), ("hard", "tetrahedron", [2])):
        subset = UsdGeom.Subset.Define(stage.stage, f"/World/Bar/{name}")
        subset.CreateElementTypeAttr(kind)
        subset.CreateIndicesAttr(members)
    mesh = read_mesh(stage.save(), "Bar")
    assert mesh.groups["feet"].tolist() == [0, 1]
    assert np.flatnonzero(mesh.tags["hard"]).tolist() == [2]
    assert made


def test_a_mesh_of_a_stage_in_any_scene(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.volume("/World/Bar", small_bar(), schemas=())
    file = stage.save()
    body = sp.Body(MeshFile(str(file), scale=2.0, object="Bar"), sp.StVK.from_young(1e5, 0.3))
    world = sp.World([body])
    assert find(body.mesh).mesh.extent[0] == pytest.approx(0.8)
    assert 'object = "Bar"' in world.to_toml()
    assert lumped_mass(find(body.mesh).mesh, density=1.0).sum() == pytest.approx(8 * 0.016)


def test_wrong_prims_are_refused_with_a_sentence(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.volume("/World/Bar", small_bar())
    stage.surface("/World/Cloth", small_cloth())
    stage.curves("/World/Cubic", rope_points()).GetTypeAttr().Set("cubic")
    empty = UsdGeom.TetMesh.Define(stage.stage, "/World/Empty")
    empty.CreatePointsAttr([(0, 0, 0)])
    beyond = stage.surface("/World/Beyond", small_cloth())
    beyond.GetFaceVertexIndicesAttr().Set([99] * len(beyond.GetFaceVertexIndicesAttr().Get()))
    short = stage.surface("/World/Short", small_cloth())
    short.GetFaceVertexIndicesAttr().Set([0, 1])
    nan = stage.surface("/World/Nan", small_cloth())
    nan.GetPointsAttr().Set([Gf.Vec3f(float("nan"), 0, 0)] * 25)
    file = stage.save()
    for name, words in {
        None: "has 7 meshes; choose one",
        "Bra": "no prim 'Bra'",
        "/World": "is a prim of type 'Xform', not a mesh",
        "Cubic": "its type is 'cubic'",
        "Empty": "tetVertexIndices is empty",
        "Beyond": "the first is 99; they count from 0 to 24",
        "Short": "faceVertexIndices has 2 entries",
        "Nan": "NaN or infinite coordinate",
    }.items():
        with pytest.raises(MeshError, match=words):
            load_mesh(file, name)
    with pytest.raises(MeshError, match="is for files with several"):
        read_mesh(tmp_path / "a.obj", "Bar")
    (tmp_path / "broken.usda").write_text("#usda 1.0\ndef Mesh {")
    with pytest.raises(MeshError, match="cannot be read as USD"):
        read_mesh(tmp_path / "broken.usda")
    with pytest.raises(MeshError, match="read only"):
        write_mesh(small_bar(), tmp_path / "b.usda")


def test_a_mesh_may_be_called_like_the_transform_above_it(tmp_path: Path) -> None:
    """As Blender writes it."""
    stage = Written(tmp_path / "a.usda")
    UsdGeom.Xform.Define(stage.stage, "/World/Tube")
    made = stage.surface("/World/Tube/Tube", small_cloth(), ())
    file = stage.save()
    assert open_stage(file).prim("Tube").GetPath() == made.GetPath()
    stage.surface("/World/Other/Tube", small_cloth(), ())
    with pytest.raises(MeshError, match="3 prims are called 'Tube'"):
        open_stage(stage.save()).prim("Tube")


@pytest.mark.parametrize(
    ("sample", "old", "new", "message"),
    [
        ("hand", "point3f[] points", "poinnnt3f[] points", r"/World/Sheet.points is .*; expected numbers"),
        ("hand", "point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]", 'string points = "a"', "points is a"),
        ("hand", "int[] faceVertexCounts = [4]", "float[] faceVertexCounts = [4]", "faceVertexCounts has fractions"),
        ("hand", "int[] faceVertexIndices = [0, 1, 2, 3]", "int64[] faceVertexIndices = [4294967299]", "more than 32 bits"),
        ("hand", "texCoord2f[] primvars:st", "unknown[] primvars:st", r"primvars:st is .*; expected numbers"),
        ("hand", '["xformOp:translate"]', '[""]', "cannot be read as USD"),
        ("hand", "(0, 1, 0)\n", "(inf, 1, 0)\n", "the transform of /World/Sheet is not finite"),
        ("volume", "int4[] tetVertexIndices", "unknown[] tetVertexIndices", r"tetVertexIndices is .*; expected numbers"),
        ("volume", "(0, 1, 2, 3), (1, 2, 3, 4)]", "]", "tetVertexIndices is empty"),
        ("volume", "point3f[] physics:rest", "odd[] physics:rest", r"physics:restShapePoints is .*; expected numbers"),
        ("volume", "int[] indices = [1]", "int[] indices = [5]", "subset 'core': has 1 wrong entries"),
        ("rope", "int[] curveVertexCounts", "odd[] curveVertexCounts", r"curveVertexCounts is .*; expected numbers"),
    ],
)  # fmt: skip
def test_attributes_of_another_type_are_refused_by_name(
    tmp_path: Path, sample: str, old: str, new: str, message: str
) -> None:
    text = TEXTS[f"{sample}.usda"].decode()
    assert old in text
    (tmp_path / "a.usda").write_text(text.replace(old, new))
    with pytest.raises(MeshError, match=rf"a\.usda: .*{message}"):
        read_mesh(tmp_path / "a.usda")


@pytest.mark.parametrize(
    ("kind", "line", "message"),
    [
        ("Sphere", 'string radius = "wide"', r"/Ball.radius is wide; expected numbers"),
        ("Sphere", "double radius = inf", r"/Ball.radius is inf; expected a finite number"),
        ("Cylinder", 'token axis = "Q"', "/Ball.axis is 'Q'; allowed: X, Y, Z"),
        ("Cube", "odd size = 3", r"/Ball.size is .*; expected"),
    ],
)
def test_solids_of_odd_sizes_are_refused_by_name(tmp_path: Path, kind: str, line: str, message: str) -> None:
    file = tmp_path / "a.usda"
    file.write_text(f'#usda 1.0\ndef {kind} "Ball"\n{{\n    {line}\n}}\n')
    with pytest.raises(MeshError, match=rf"a\.usda: {message}"):
        read_mesh(file, "/Ball")


def test_infinite_points_reach_the_doctor_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.usda").write_text(TEXTS["hand.usda"].decode().replace("(1, 1, 0)", "(inf, 1, 0)", 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mesh = read_mesh(tmp_path / "a.usda")
    with pytest.raises(MeshError, match="1 vertex with a NaN or infinite coordinate"):
        heal(mesh)
