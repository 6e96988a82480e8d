"""The tables that a stage becomes: values in SI units, and notes on ignored data."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom, UsdPhysics

import supple as sp
from supple.scene.stages.tables import stage_tables
from written_stage import SURFACE, Written, put, rope_points, small_bar, small_cloth


def only(tables: dict[str, Any]) -> dict[str, Any]:
    [body] = tables["body"]
    return body


def test_a_volume_on_the_ground_in_centimetres_with_z_up(tmp_path: Path) -> None:
    mesh = small_bar()
    stage = Written(tmp_path / "a.usda", "Z", metres=0.01, kilograms=0.001)
    made = stage.volume("/World/Jelly", mesh.moved(100.0 * mesh.vertices))
    made.AddTranslateOp().Set((0, 0, 5))
    # E [g/(cm s^2)], density [g/cm^3]
    stage.material(made, youngsModulus=5e5, poissonsRatio=0.4, density=1.2, dynamicFriction=0.25)
    stage.ground()
    scene = UsdPhysics.Scene.Define(stage.stage, "/World/scene")
    scene.CreateGravityMagnitudeAttr(162.0)
    tables, notes = stage_tables(stage.save())
    body = only(tables)
    assert body["material"] == {"name": "stable-neo-hookean", "young": 5e4, "poisson": 0.4}
    assert (body["density"], body["friction"]) == (1200.0, 0.25)
    assert tables["world"] == {"up": "z", "gravity": 1.62}
    assert tables["time"] == {"step": "1/72", "duration": 0.25}
    assert tables["obstacle"] == [
        {"name": "Ground", "shape": "half-space", "point": [0.0] * 3, "normal": [0.0, 0.0, 1.0]}
    ]
    assert [note for note in notes if "damping" not in note] == []
    setup = sp.load(tmp_path / "a.usda")
    model = setup.assemble()
    assert model.system.mass.sum() == pytest.approx(1200 * 0.016, rel=1e-6)
    assert model.world.acceleration == (0.0, 0.0, -1.62)


def test_sheets_have_the_stiffness_of_their_structure(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    made = stage.surface("/World/Cloth", small_cloth())
    put(made, "physics:thicknesses", "FloatArray", [0.002])
    put(made, "physics:thicknesses:elementType", "Token", "constant")
    k, g, d = 400.0, 140.0, 3e-4
    schema = "PhysicsSurfaceDeformableMaterialAPI"
    stage.material(
        made, schema, surfaceStretchStiffness=k, surfaceShearStiffness=g, surfaceBendStiffness=d, density=300
    )
    body = only(stage_tables(stage.save())[0])
    law = body["material"]
    nu = 1 - 2 * g / k
    assert law["name"] == "stvk-membrane"
    assert law["poisson"] == pytest.approx(nu)
    assert law["young"] * 0.002 / (1 - nu**2) == pytest.approx(k)
    assert law["young"] * 0.002 / (2 * (1 + nu)) == pytest.approx(g)
    assert body["bending"] == {"model": "quadratic", "rigidity": d}
    assert body["thickness"] == 0.002
    model = sp.load(tmp_path / "a.usda").assemble()
    assert model.system.mass.sum() == pytest.approx(300 * 0.002 * 0.16, rel=1e-6)


def test_a_sheet_that_shears_easily_is_woven_and_one_of_moduli_is_plate_like(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    loose, plate = (stage.surface(f"/World/{name}", small_cloth()) for name in ("Loose", "Plate"))
    schema = "PhysicsSurfaceDeformableMaterialAPI"
    stage.material(loose, schema, surfaceStretchStiffness=400, surfaceShearStiffness=2)
    stage.material(plate, schema, youngsModulus=2e6, poissonsRatio=0.2)
    put(plate, "physics:restBendAnglesDefault", "Token", "restShape")
    first, second = stage_tables(stage.save())[0]["body"]
    assert first["material"]["name"] == "orthotropic-membrane"
    assert first["material"]["shear"] == pytest.approx(2 / 1e-3)
    assert second["material"] == {"name": "stvk-membrane", "young": 2e6, "poisson": 0.2}
    assert second["bending"]["model"] == "dihedral"
    assert second["bending"]["rigidity"] == pytest.approx(2e6 * 1e-9 / (12 * (1 - 0.04)))


def test_earlier_versions_have_moduli_in_place_of_stiffnesses(tmp_path: Path) -> None:
    """Omni Physics: other prefixes, thickness with the material, stiffnesses per area."""
    stage = Written(tmp_path / "a.usda")
    schemas = tuple(name.replace("Physics", "OmniPhysics", 1) for name in SURFACE[:2])
    made = stage.surface("/World/Cloth", small_cloth(), (*schemas, "PhysicsCollisionAPI"))
    h, values = (
        0.002,
        {"surfaceThickness": 0.002, "surfaceStretchStiffness": 2e5, "surfaceBendStiffness": 3e4, "density": 200},
    )
    stage.material(
        made,
        "OmniPhysicsSurfaceDeformableMaterialAPI",
        **{f"omniphysics:{name}": value for name, value in values.items()},
    )
    body = only(stage_tables(stage.save())[0])
    assert body["thickness"] == h
    assert body["material"]["young"] == pytest.approx(2e5 * (1 - 0.3**2))
    assert body["bending"]["rigidity"] == pytest.approx(3e4 * h**3)
    assert body["density"] == 200


def test_ropes(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda", metres=0.01)
    schema = "PhysicsCurvesDeformableMaterialAPI"
    made = stage.curves("/World/Rope", 100.0 * rope_points())
    put(made, "physics:thicknesses", "FloatArray", [1.0])
    stage.material(
        made, schema, curvesStretchStiffness=5e3, curvesBendStiffness=20.0, curvesTwistStiffness=3.0, density=1e-3
    )
    thin = stage.curves("/World/Thin", 100.0 * rope_points() + [0, 5, 0])
    stage.material(thin, schema, youngsModulus=1e6)
    tables, notes = stage_tables(stage.save())
    first, second = tables["body"]
    # [kg cm/s^2] and [kg cm^3/s^2]
    assert first["material"] == {"name": "rod", "axial": 50.0, "rigidity": 2e-5}
    assert second["material"] == {"name": "rod", "young": 1e8, "radius": 5e-4}
    assert any("curvesTwistStiffness is ignored" in note and "no twist" in note for note in notes)
    model = sp.load(tmp_path / "a.usda").assemble()
    assert model.system.mass[:6].sum() == pytest.approx(1000 * math.pi / 4 * 0.01**2 * 0.5, rel=1e-6)


def test_masses_come_in_the_order_of_the_proposal(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    bodies = [stage.volume(f"/World/B{k}", small_bar()) for k in range(4)]
    for k, body in enumerate(bodies):
        body.AddTranslateOp().Set((0, k, 0))
        stage.material(body, density=700)
    put(bodies[1], "physics:density", "Float", 800)
    put(bodies[2], "physics:mass", "Float", 3.0)
    put(bodies[3], "physics:mass", "Float", 3.0)
    put(bodies[3], "physics:masses", "FloatArray", [0.5] * small_bar().n)
    put(bodies[3], "physics:masses:elementType", "Token", "point")
    tables, notes = stage_tables(stage.save())
    keys = [{k: v for k, v in body.items() if k in ("mass", "density")} for body in tables["body"]]
    assert keys == [{"density": 700}, {"density": 800}, {"mass": 3.0}, {"mass": 6.0}]
    assert any("/World/B3: masses are distributed uniformly" in note for note in notes)


def test_what_is_not_written_has_the_values_of_the_proposal(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.surface("/World/Cloth", small_cloth())
    stage.stage.ClearMetadata("startTimeCode")
    stage.stage.ClearMetadata("endTimeCode")
    tables, notes = stage_tables(stage.save())
    body = only(tables)
    assert body["material"] == {"name": "stvk-membrane", "young": 1e6, "poisson": 0.3}
    assert (body["thickness"], body["density"]) == (1e-3, 1000.0)
    assert "gravity" not in tables["world"]
    assert any("/World/Cloth: has no physics material" in note for note in notes)
    assert any("has no time range" in note for note in notes)


def test_subsets_with_a_material_are_regions(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    made = stage.volume("/World/Bar", small_bar())
    stage.material(made, youngsModulus=1e4, density=900)
    subset = UsdGeom.Subset.Define(stage.stage, "/World/Bar/hard")
    subset.CreateElementTypeAttr("tetrahedron")
    subset.CreateIndicesAttr([0, 1])
    stage.material(subset, youngsModulus=1e6, poissonsRatio=0.2, density=1100)
    body = only(stage_tables(stage.save())[0])
    assert body["regions"] == [{"tag": "hard", "material": {"young": 1e6, "poisson": 0.2, "density": 1100.0}}]
    assert sp.load(tmp_path / "a.usda").assemble().system.mass.sum() > 0.016 * 900


def test_start_positions_as_words_or_from_the_stage(tmp_path: Path) -> None:
    mesh = small_bar()
    rest = [Gf.Vec3f(*row) for row in mesh.vertices.tolist()]
    stage = Written(tmp_path / "a.usda")
    still = stage.volume("/World/Still", mesh)
    thrown = stage.volume("/World/Thrown", mesh.moved(mesh.vertices + np.array([0, 1, 0])))
    bent = stage.volume("/World/Bent", mesh.moved(mesh.vertices * [1.1, 1, 1] + [0, 2, 0]))
    for made in (thrown, bent):
        put(made, "physics:restShapePoints", "Point3fArray", rest)
    thrown.CreateVelocitiesAttr([(0, 0, 3)] * mesh.n)
    assert still
    file = stage.save()
    one, two, three = stage_tables(file)[0]["body"]
    assert "initial" not in one
    assert two["initial"] == {"translate": [0.0, 1.0, 0.0], "velocity": [0.0, 0.0, 3.0]}
    assert three["initial"] == {"file": str(file.resolve()), "object": "/World/Bent"}
    model = sp.load(file).assemble()
    np.testing.assert_allclose(model.placed[2].x, mesh.vertices * [1.1, 1, 1] + [0, 2, 0], atol=1e-6)


def test_pins_follow_frames_that_stand_still_or_move(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    mesh = small_cloth()
    stage.surface("/World/Cloth", mesh)
    UsdGeom.Xform.Define(stage.stage, "/World/Wall")
    hand = UsdGeom.Xform.Define(stage.stage, "/World/Hand")
    turn = hand.AddRotateZOp()
    for code in (1, 7):
        turn.Set(15.0 * (code - 1), Usd.TimeCode(code))
    slide = UsdGeom.Xform.Define(stage.stage, "/World/Slide")
    move = slide.AddTranslateOp()
    for code in (1, 7):
        move.Set((0.1 * (code - 1), 0, 0), Usd.TimeCode(code))
    stage.attachment("/World/Pin", "/World/Cloth", "/World/Wall", indices0=[0, 1], type0="point", type1="xform")
    stage.attachment("/World/Grip", "/World/Cloth", "/World/Hand", indices0=[2, 3, 1])
    stage.attachment("/World/Pull", "/World/Cloth", "/World/Slide", indices0=[4])
    stage.attachment("/World/Soft", "/World/Cloth", "/World/Wall", indices0=[20], stiffness=50.0, damping=1.0)
    tables, notes = stage_tables(stage.save())
    body = only(tables)
    assert body["groups"]["Pin"] == {"vertices": [0, 1]}
    assert body["pin"] == ["Pin"]
    grip, pull = body["motion"]
    assert grip["group"] == "Grip"
    assert body["groups"]["Grip"] == {"vertices": [2, 3]}
    assert any("/World/Grip: 1 vertices are already fixed by another attachment" in note for note in notes)
    assert pull == {"group": "Pull", "translate": {"velocity": [2.4, 0.0, 0.0]}, "stop": 0.25}
    assert tables["energy"] == [{"name": "soft-pin", "vertices": "Cloth.Soft", "stiffness": 50.0}]
    assert any("/World/Soft: its damping is ignored" in note for note in notes)
    model = sp.load(tmp_path / "a.usda").assemble()
    [_, scripted, _] = model.system.motion.prescribed
    for t in (0.0, 0.125, 0.25):
        c, s = math.cos(math.radians(360.0 * t)), math.sin(math.radians(360.0 * t))
        x, y, z = mesh.vertices[[2, 3]].T
        expected = np.stack([c * x - s * y, s * x + c * y, z], axis=1)
        np.testing.assert_allclose(scripted.script.position(scripted.start, t), expected, atol=1e-6)


def test_bodies_attached_to_each_other(tmp_path: Path) -> None:
    mesh = small_bar()
    right, left = (np.flatnonzero(mesh.vertices[:, 0] == end) for end in (0.4, 0.0))
    stage = Written(tmp_path / "a.usda")
    stage.material(stage.volume("/World/A", mesh), youngsModulus=1e5)
    stage.volume("/World/B", mesh.moved(mesh.vertices + np.array([0.4, 0, 0])))
    swapped = [int(left[1]), int(left[0]), *map(int, left[2:])]
    stage.attachment(
        "/World/Joint",
        "/World/A",
        "/World/B",
        type0="point",
        type1="point",
        indices0=right.tolist(),
        indices1=left.tolist(),
    )
    stage.attachment(
        "/World/Crossed", "/World/A", "/World/B", type0="point", type1="point", indices0=right.tolist(), indices1=swapped,
        stiffness=7.0,
    )  # fmt: skip
    tables, notes = stage_tables(stage.save())
    joint, *crossed = tables["attachment"]
    assert joint == {"vertices": "A.Joint", "to": "B.Joint-to", "stiffness": joint["stiffness"], "rest_length": 0.0}
    assert joint["stiffness"] >= 1e5
    assert len(crossed) == len(right)
    assert all(table["stiffness"] == 7.0 for table in crossed)
    assert "contact" not in tables
    assert any("attached to each other" in note for note in notes)
    model = sp.load(tmp_path / "a.usda").assemble()
    assert model.state.x.shape == (24, 3)


def test_earlier_attachments_and_points_on_triangles(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    mesh = small_bar()
    stage.volume("/World/A", mesh)
    stage.surface("/World/Cloth", small_cloth())
    UsdGeom.Xform.Define(stage.stage, "/World/Wall").AddTranslateOp().Set((0, 5, 0))
    prim = stage.stage.DefinePrim("/World/Old", "OmniPhysicsVtxXformAttachment")
    prim.CreateRelationship("omniphysics:src0").SetTargets(["/World/A"])
    prim.CreateRelationship("omniphysics:src1").SetTargets(["/World/Wall"])
    put(prim, "omniphysics:vtxIndicesSrc0", "IntArray", [0])
    put(prim, "omniphysics:localPositionsSrc1", "Vector3fArray", [Gf.Vec3f(0, 0, 0)])
    stage.attachment(
        "/World/Sewn", "/World/A", "/World/Cloth", type0="point", type1="face", indices0=[5], indices1=[3],
        coords1=[Gf.Vec3f(0.2, 0.3, 0)],
    )  # fmt: skip
    tables, notes = stage_tables(stage.save())
    assert tables["body"][0]["pin"] == ["Old"]
    assert any("/World/Old: its two sides are initially up to 5 m apart" in note for note in notes)
    [sewn] = tables["attachment"]
    assert sewn["onto"] == "surface"
    assert tables["body"][1]["groups"]["Sewn-to"]["vertices"] == sorted(small_cloth().triangles[3].tolist())


def test_colliders(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.volume("/World/Jelly", small_bar())
    for k, kind in enumerate(("Sphere", "Cube", "Capsule", "Cylinder", "Mesh")):
        path = f"/World/{kind}"
        made = (
            stage.surface(path, small_cloth(), ())
            if kind == "Mesh"
            else getattr(UsdGeom, kind).Define(stage.stage, path)
        )
        made.AddTranslateOp().Set((0, -5 * (k + 1), 0))
        stage.collider(made)
    cube = UsdGeom.Cube(stage.stage.GetPrimAtPath("/World/Cube"))
    cube.AddRotateZOp().Set(90)
    cube.AddScaleOp().Set((1, 2, 3))
    squashed = UsdGeom.Sphere.Define(stage.stage, "/World/Squashed")
    squashed.AddScaleOp().Set((1, 2, 3))
    stage.collider(squashed).AddTranslateOp().Set((50, 0, 0))
    off = stage.collider(UsdGeom.Sphere.Define(stage.stage, "/World/Off"))
    UsdPhysics.CollisionAPI(off).CreateCollisionEnabledAttr(False)
    UsdPhysics.RigidBodyAPI.Apply(stage.stage.GetPrimAtPath("/World/Sphere"))
    stage.material(
        UsdGeom.Sphere(stage.stage.GetPrimAtPath("/World/Sphere")), "PhysicsMaterialAPI", dynamicFriction=0.4
    )
    tables, notes = stage_tables(stage.save())
    by_name = {table["name"]: table for table in tables["obstacle"]}
    assert by_name["Sphere"] == {
        "name": "Sphere", "shape": "sphere", "centre": [0.0, -5.0, 0.0], "radius": 1.0, "friction": 0.4
    }  # fmt: skip
    assert by_name["Cube"]["size"] == [2.0, 4.0, 6.0]
    assert by_name["Cube"]["turn"] == pytest.approx([0, 0, math.pi / 2])
    assert by_name["Capsule"]["start"] == [0.0, -15.0, -0.5]
    for name in ("Cylinder", "Mesh", "Squashed"):
        assert by_name[name]["mesh"]["object"] == f"/World/{name}"
    assert "Off" not in by_name
    assert any("supple has no rigid bodies; its collider /World/Sphere stands still" in note for note in notes)
    assert sp.load(tmp_path / "a.usda").assemble()


def test_a_moving_collider_is_a_mesh_with_keyframes(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.surface("/World/Cloth", small_cloth())
    ball = stage.collider(UsdGeom.Sphere.Define(stage.stage, "/World/Ball"))
    ball.CreateRadiusAttr(0.1)
    move = ball.AddTranslateOp()
    for code in range(1, 8):
        move.Set((0, -1.0 + 0.01 * (code - 1) ** 2, 0), Usd.TimeCode(code))
    [table] = stage_tables(stage.save())[0]["obstacle"]
    keys = table["motion"]["keyframes"]
    assert table["mesh"]["object"] == "/World/Ball"
    assert table["motion"]["interpolation"] == "spline"
    np.testing.assert_allclose([key["offset"][1] for key in keys], [0.01 * k**2 for k in range(7)], atol=1e-9)
    np.testing.assert_allclose([key["time"] for key in keys], np.arange(7) / 24)
    model = sp.load(tmp_path / "a.usda").assemble()
    [script] = [p.script for p in model.system.motion.prescribed]
    x = model.placed[1].mesh.vertices
    assert script.position(x, 3 / 24)[0, 1] - x[0, 1] == pytest.approx(0.09)


def test_filtered_pairs_kinematic_bodies_and_bodies_without_collision(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    for k, name in enumerate("ABC"):
        stage.volume(f"/World/{name}", small_bar()).AddTranslateOp().Set((0, k + 1, 0))
    ghost = stage.volume("/World/Ghost", small_bar(), ("PhysicsVolumeDeformableSimAPI",))
    ghost.AddTranslateOp().Set((0, 7, 0))
    put(stage.stage.GetPrimAtPath("/World/C"), "physics:kinematicEnabled", "Bool", True)
    ground = stage.ground()
    UsdPhysics.FilteredPairsAPI.Apply(ground.GetPrim()).CreateFilteredPairsRel().SetTargets(["/World/B"])
    tables, _ = stage_tables(stage.save())
    assert [body["name"] for body in tables["body"]] == ["A", "B", "Ghost"]
    kinematic, plane = tables["obstacle"]
    assert kinematic["name"] == "C"
    assert plane["bodies"] == ["A"]


def test_invisible_prims_and_guides_count_inactive_ones_do_not(tmp_path: Path) -> None:
    """Colliders and simulation meshes are often hidden; deactivated prims are ignored."""
    stage = Written(tmp_path / "a.usda")
    hidden = stage.volume("/World/Hidden", small_bar())
    hidden.CreateVisibilityAttr("invisible")
    hidden.CreatePurposeAttr("guide")
    stage.volume("/World/Gone", small_bar()).GetPrim().SetActive(False)
    off = stage.volume("/World/Disabled", small_bar())
    put(off, "physics:bodyEnabled", "Bool", False)
    tables, notes = stage_tables(stage.save())
    assert only(tables)["name"] == "Hidden"
    assert any("/World/Disabled: is disabled and omitted" in note for note in notes)


def test_references_and_instances(tmp_path: Path) -> None:
    part = Written(tmp_path / "part.usda")
    part.volume("/World/Jelly", small_bar())
    part.save()
    stage = Written(tmp_path / "a.usda")
    for k in range(2):
        one = UsdGeom.Xform.Define(stage.stage, f"/World/Copy{k}")
        one.GetPrim().GetReferences().AddReference("./part.usda")
        one.GetPrim().SetInstanceable(True)
        one.AddTranslateOp().Set((0, 2.0 * k, 0))
    tables, _ = stage_tables(stage.save())
    assert [body["name"] for body in tables["body"]] == ["Jelly", "Copy1-Jelly"]
    assert [body["mesh"]["object"] for body in tables["body"]] == ["/World/Copy0/Jelly", "/World/Copy1/Jelly"]
    model = sp.load(tmp_path / "a.usda").assemble()
    np.testing.assert_allclose(model.placed[1].x - model.placed[0].x, [[0, 2, 0]] * 12, atol=1e-6)


def test_a_body_with_a_simulation_mesh_among_others(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    UsdGeom.Xform.Define(stage.stage, "/World/Tire").GetPrim().AddAppliedSchema("PhysicsDeformableBodyAPI")
    stage.volume("/World/Tire/simulation", small_bar(), ("PhysicsVolumeDeformableSimAPI",))
    stage.surface("/World/Tire/collision", small_cloth(), ("PhysicsCollisionAPI",))
    stage.surface("/World/Tire/graphics", small_cloth(), ())
    stage.ground().AddTranslateOp().Set((0, -1, 0))
    tables, notes = stage_tables(stage.save())
    assert only(tables)["name"] == "Tire"
    assert [table["name"] for table in tables["obstacle"]] == ["Ground"]
    assert any("contact acts on the simulation geometry /World/Tire/simulation" in note for note in notes)


def test_what_is_not_known_is_listed(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    made = stage.volume("/World/Jelly", small_bar())
    made.GetPrim().AddAppliedSchema("PhysxBaseDeformableBodyAPI")
    put(made, "physxDeformableBody:linearDamping", "Float", 0.1)
    put(made, "physics:newIdea", "Float", 1.0)
    UsdPhysics.RevoluteJoint.Define(stage.stage, "/World/Hinge")
    stage.stage.DefinePrim("/World/Filter", "PhysicsElementCollisionFilter")
    UsdGeom.Xform.Define(stage.stage, "/World/Missing").GetPrim().GetReferences().AddReference("./nowhere.usda")
    _, notes = stage_tables(stage.save())
    for words in (
        "schema PhysxBaseDeformableBodyAPI is ignored (1 prim: /World/Jelly)",
        "attribute physxDeformableBody:linearDamping is ignored",
        "attribute physics:newIdea is ignored",
        "prims of type PhysicsRevoluteJoint are ignored",
        "prims of type PhysicsElementCollisionFilter are ignored",
        "part of it cannot be read",
    ):
        assert any(words in note for note in notes), words


def test_texts_of_supple_come_before_the_schema(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    made = stage.volume("/World/Jelly", small_bar())
    put(made, "supple:body", "String", 'material = "jelly"\nmass = 2.0\ncolour = "red"')
    scene = UsdPhysics.Scene.Define(stage.stage, "/World/scene")
    put(scene, "supple:scene", "String", 'damping = []\ntime.step = "1/30"\nintegrator.name = "bdf2"')
    tables, _ = stage_tables(stage.save())
    body = only(tables)
    assert (body["material"], body["mass"]) == ("jelly", 2.0)
    assert "density" not in body
    assert tables["damping"] == []
    assert tables["time"] == {"step": "1/30", "duration": 0.25}
    assert sp.load(tmp_path / "a.usda").method.name == "bdf2"


def test_a_mesh_for_display_is_listed(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    root = UsdGeom.Xform.Define(stage.stage, "/World/Prop").GetPrim()
    root.AddAppliedSchema("PhysicsDeformableBodyAPI")
    simulated = ("PhysicsVolumeDeformableSimAPI", "PhysicsCollisionAPI")
    stage.volume("/World/Prop/Sim", small_bar(), simulated)
    stage.surface("/World/Prop/Looks", small_cloth(), ())
    _, notes = stage_tables(stage.save())
    assert [note for note in notes if "/World/Prop/Looks" in note] == [
        "/World/Prop/Looks: a display mesh is not embedded; set it as a file in body.surface"
    ]
