"""USD stages written for tests, with the names of the schema for deformable bodies."""

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

import supple as sp
from supple.mesh.mesh import Mesh

VOLUME = ("PhysicsDeformableBodyAPI", "PhysicsVolumeDeformableSimAPI", "PhysicsCollisionAPI")
SURFACE = ("PhysicsDeformableBodyAPI", "PhysicsSurfaceDeformableSimAPI", "PhysicsCollisionAPI")
CURVES = ("PhysicsDeformableBodyAPI", "PhysicsCurvesDeformableSimAPI", "PhysicsCollisionAPI")


class Written:
    """A stage in a file; `save` writes it."""

    def __init__(self, file: Path, up: str = "Y", metres: float = 1.0, kilograms: float = 1.0) -> None:
        self.file = file
        self.stage = Usd.Stage.CreateNew(str(file))
        UsdGeom.SetStageUpAxis(self.stage, up)
        UsdGeom.SetStageMetersPerUnit(self.stage, metres)
        UsdPhysics.SetStageKilogramsPerUnit(self.stage, kilograms)
        self.stage.SetTimeCodesPerSecond(24)
        self.stage.SetStartTimeCode(1)
        self.stage.SetEndTimeCode(7)
        self.stage.SetDefaultPrim(UsdGeom.Xform.Define(self.stage, "/World").GetPrim())

    def save(self) -> Path:
        self.stage.Save()
        return self.file

    def volume(self, path: str, mesh: Mesh, schemas: tuple[str, ...] = VOLUME) -> Any:
        made = UsdGeom.TetMesh.Define(self.stage, path)
        made.CreateTetVertexIndicesAttr([tuple(row) for row in mesh.tets.tolist()])
        return self._body(made, mesh.vertices, schemas)

    def surface(self, path: str, mesh: Mesh, schemas: tuple[str, ...] = SURFACE) -> Any:
        made = UsdGeom.Mesh.Define(self.stage, path)
        made.CreateFaceVertexCountsAttr([3] * len(mesh.triangles))
        made.CreateFaceVertexIndicesAttr(mesh.triangles.ravel().tolist())
        return self._body(made, mesh.vertices, schemas)

    def curves(self, path: str, x: Any, counts: list[int] | None = None, schemas: tuple[str, ...] = CURVES) -> Any:
        made = UsdGeom.BasisCurves.Define(self.stage, path)
        made.CreateTypeAttr("linear")
        made.CreateCurveVertexCountsAttr(counts or [len(x)])
        return self._body(made, x, schemas)

    def _body(self, made: Any, x: Any, schemas: tuple[str, ...]) -> Any:
        made.CreatePointsAttr([Gf.Vec3f(*map(float, row)) for row in np.asarray(x)])
        for name in schemas:
            made.GetPrim().AddAppliedSchema(name)
        return made

    def material(self, of: Any, schema: str = "PhysicsVolumeDeformableMaterialAPI", **values: float) -> Any:
        """Bind a new material; keys without a prefix are of `physics:`."""
        path = f"/World/Materials/{of.GetPrim().GetName()}"
        made = UsdShade.Material.Define(self.stage, path)
        made.GetPrim().AddAppliedSchema(schema)
        for name, value in values.items():
            put(made, name if ":" in name else f"physics:{name}", "Float", value)
        UsdShade.MaterialBindingAPI.Apply(of.GetPrim()).Bind(made, materialPurpose="physics")
        return made

    def collider(self, made: Any) -> Any:
        UsdPhysics.CollisionAPI.Apply(made.GetPrim())
        return made

    def ground(self, path: str = "/World/Ground") -> Any:
        plane = UsdGeom.Plane.Define(self.stage, path)
        plane.CreateAxisAttr(UsdGeom.GetStageUpAxis(self.stage))
        return self.collider(plane)

    def attachment(self, path: str, src0: str, src1: str, **values: Any) -> Any:
        """type0, type1, indices0, indices1, coords0, coords1, stiffness, damping."""
        prim = self.stage.DefinePrim(path, "PhysicsAttachment")
        for k, target in enumerate((src0, src1)):
            prim.CreateRelationship(f"physics:src{k}").SetTargets([target])
        kinds = {"ty": "Token", "in": "IntArray", "co": "Vector3fArray", "st": "Float", "da": "Float"}
        for name, value in values.items():
            put(prim, f"physics:{name}", kinds[name[:2]], value)
        return prim


def put(of: Any, name: str, kind: str, value: Any) -> None:
    of.GetPrim().CreateAttribute(name, getattr(Sdf.ValueTypeNames, kind)).Set(value)


def small_bar() -> Mesh:
    return sp.Bar(cells=(2, 1, 1), size=(0.4, 0.2, 0.2)).mesh()


def small_cloth() -> Mesh:
    mesh = sp.Cloth(size=(0.4, 0.4), cells=(4, 4)).mesh()
    return Mesh(mesh.vertices, triangles=mesh.triangles)


def rope_points(n: int = 6) -> np.ndarray:
    return np.column_stack([np.linspace(0.0, 0.5, n), np.zeros(n), np.zeros(n)])
