"""Obstacles as colliders: planes, spheres, capsules, boxes and meshes."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import BoxShape, Capsule, SphereShape
from supple.export.physics.frames import move
from supple.export.physics.materials import bind_friction
from supple.export.physics.physics import GUIDE, Page, apply, put_own, vectors, whole
from supple.model.obstacle import AnyObstacle, MeshObstacle, Obstacle
from supple.model.placed import Placed
from supple.model.plain import plain
from supple.types import Array

SHAPES = (HalfSpace, SphereShape, Capsule, BoxShape)
SAID = {"name", "mesh", "friction", "shape", "point", "normal", "centre", "radius", "start", "end", "size", "turn"}
"""Keys of an obstacle supported by the stage."""


def write_obstacle(page: Page, obstacle: AnyObstacle, parts: tuple[Placed, ...]) -> bool:
    """Write a collider; False for obstacles that only a scene file supports."""
    if isinstance(obstacle, MeshObstacle):
        part = next((part for part in parts if part.is_obstacle and part.name == obstacle.name), None)
        if part is None:
            return False
        schema = _mesh(page, part)
        if obstacle.motion is not None:
            move(page, schema, obstacle.motion.script(part.mesh.vertices))
    elif isinstance(obstacle.shape, SHAPES) and obstacle.motion is None:
        schema = _shape(page, obstacle)
    else:
        return False
    prim = schema.GetPrim()
    schema.CreatePurposeAttr(GUIDE)
    apply(prim, "CollisionAPI")
    friction = obstacle.friction or 0.0
    if isinstance(friction, int | float):
        bind_friction(page, prim, obstacle.name, float(friction))
    table = plain(obstacle)
    rest = {key: value for key, value in table.items() if key not in SAID}
    if prim.GetName() != obstacle.name:
        rest["name"] = obstacle.name
    if "friction" in table and not isinstance(friction, int | float):
        rest["friction"] = table["friction"]
    put_own(prim, "obstacle", rest)
    if rest.keys() - {"name", "motion", "colour"}:
        page.notes.append(f"obstacle '{obstacle.name}': only supple reads {', '.join(rest)} (supple:obstacle)")
    return True


def _mesh(page: Page, part: Placed) -> Any:
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh.Define(page.stage, page.path("obstacles", part.name))
    mesh.CreatePointsAttr(vectors(page.points(part.mesh.vertices)))
    mesh.CreateFaceVertexCountsAttr(whole(np.full(len(part.mesh.triangles), 3)))
    mesh.CreateFaceVertexIndicesAttr(whole(part.mesh.triangles))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    return mesh


def _shape(page: Page, obstacle: Obstacle) -> Any:
    from pxr import UsdGeom

    shape, path = obstacle.shape, page.path("obstacles", obstacle.name)
    if isinstance(shape, HalfSpace):
        plane = UsdGeom.Plane.Define(page.stage, path)
        plane.CreateAxisAttr("Z")
        _put_frame(plane, page.points(np.array(shape.point))[0], _across(page.direction(shape.unit)))
        return plane
    if isinstance(shape, SphereShape):
        sphere = UsdGeom.Sphere.Define(page.stage, path)
        sphere.CreateRadiusAttr(shape.radius * page.scale)
        _put_frame(sphere, page.points(np.array(shape.centre))[0], np.eye(3))
        return sphere
    if isinstance(shape, Capsule):
        a, b = page.points(np.array([shape.start, shape.end]))
        capsule = UsdGeom.Capsule.Define(page.stage, path)
        capsule.CreateAxisAttr("Z")
        capsule.CreateRadiusAttr(shape.radius * page.scale)
        capsule.CreateHeightAttr(float(np.linalg.norm(b - a)))
        _put_frame(capsule, 0.5 * (a + b), _across((b - a) / np.linalg.norm(b - a)))
        return capsule
    assert isinstance(shape, BoxShape)
    cube = UsdGeom.Cube.Define(page.stage, path)
    cube.CreateSizeAttr(1.0)
    sides = np.array(shape.size)[:, None] * page.points(shape.axes)
    _put_frame(cube, page.points(np.array(shape.centre))[0], sides)
    return cube


def _put_frame(schema: Any, origin: Array, rows: Array) -> None:
    """Rotation whose rows are the directions of the prim's axes."""
    from pxr import Gf

    made = np.eye(4)
    made[:3, :3], made[3, :3] = rows, origin
    schema.AddTransformOp().Set(Gf.Matrix4d(made.tolist()))


def _across(z: Array) -> Array:
    """(3, 3) rows: right-handed axes with the given last one."""
    other = np.eye(3)[int(np.abs(z).argmin())]
    x = np.cross(other, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z])
