# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene file: all objects with a role, the world and the time of a scene of Blender."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..folders import body_names
from ..messages import Refusal
from ..objects.sampling import Samples, frames_of, metres, sample
from ..process import Command
from ..properties import BODIES
from .body import Writer
from .fields import field_tables
from .toml_text import text_of


@dataclass(frozen=True)
class Cast:
    """The objects that take part."""

    bodies: list[bpy.types.Object]
    obstacles: list[bpy.types.Object]


def cast_of(context: bpy.types.Context) -> Cast:
    """Objects of the view layer with a role. Those that are disabled in viewports are left out."""
    things = [t for t in context.view_layer.objects if t.supple.role != "NONE" and not t.hide_viewport]
    for thing in things:
        if thing.type != "MESH":
            raise Refusal(
                f"{thing.name}: is no mesh but a {thing.type.lower()}; convert it to a mesh (Object > Convert)"
            )
        if thing.mode != "OBJECT":
            raise Refusal(f"{thing.name}: is in {thing.mode.lower()} mode; leave it first (Tab)")
    bodies = [thing for thing in things if thing.supple.role in BODIES]
    if not bodies:
        raise Refusal("no object has the role of a soft body, cloth, shell or rope; give one a role first")
    return Cast(bodies, [thing for thing in things if thing.supple.role == "OBSTACLE"])


def write_scene(
    context: bpy.types.Context, cast: Cast, folder: Path, supple: list[str]
) -> Generator[Command, int, tuple[Path, list[str]]]:
    """Sample the objects and write everything; returns the scene file and notes."""
    scene = context.scene
    names = body_names([*cast.bodies, *cast.obstacles])
    samples = sample(context, cast.bodies, cast.obstacles)
    folder.mkdir(parents=True, exist_ok=True)
    fps = scene.render.fps / scene.render.fps_base
    writer = Writer(folder, supple, np.arange(len(frames_of(scene))) / fps, metres(scene))
    tables = world_tables(scene)
    if scene.supple.fields:
        tables["field"], writer.notes = field_tables(context)
    tables["obstacle"] = [writer.obstacle(names[t.name], t, samples[t.name]) for t in cast.obstacles]
    tables["body"] = []
    for thing in cast.bodies:
        tables["body"].append((yield from writer.body(names[thing.name], thing, samples[thing.name])))
    tables["contact"] = contact_table(scene)
    tables["damping"] = writer.damping
    file = folder / "scene.toml"
    file.write_text(
        text_of({key: value for key, value in tables.items() if value or key == "contact"}), encoding="utf-8"
    )
    write_placement(folder / "placement.npz", scene, {names[t.name]: samples[t.name] for t in cast.bodies})
    return file, writer.notes


def world_tables(scene: bpy.types.Scene) -> dict[str, Any]:
    """Gravity, time and method. Whole frame rates are written as fractions, which lose no digit."""
    scale, steps = metres(scene), scene.supple.substeps
    fps = scene.render.fps / scene.render.fps_base
    count = len(frames_of(scene)) - 1
    whole = fps == int(fps)
    pull = [float(f"{c * scale:.7g}") for c in scene.gravity] if scene.use_gravity else [0.0, 0.0, 0.0]
    return {
        "title": scene.name,
        "world": {"up": "z", "gravity": pull},
        "time": {
            "step": f"1/{int(fps) * steps}" if whole else 1.0 / (fps * steps),
            "duration": f"{count}/{int(fps)}" if whole else count / fps,
        },
        "integrator": {"name": scene.supple.method},
        "record": {"fps": int(fps) if whole else fps},
    }


def contact_table(scene: bpy.types.Scene) -> dict[str, Any]:
    """Bodies and obstacles keep apart."""
    distance = scene.supple.distance * metres(scene)
    return {"distance": float(f"{distance:.7g}")} if distance > 0.0 else {}


def write_placement(path: Path, scene: bpy.types.Scene, samples: dict[str, Samples]) -> None:
    """Which object each body is and where it stands at each frame: the way back from world to object.

    Pinned vertices of soft bodies are kept too: tets carry them, and the bend of a rig inside of a tet is lost.
    """
    about = {
        "objects": {name: taken.name for name, taken in samples.items()},
        "first": scene.frame_start,
        "scale": metres(scene),
        "frames": len(frames_of(scene)),
    }
    arrays = {f"matrices.{name}": taken.matrices for name, taken in samples.items()}
    for name, taken in samples.items():
        if scene.objects[taken.name].supple.role == "SOFT" and taken.pinned.any():
            pinned = np.flatnonzero(taken.pinned)
            arrays |= {f"pinned.{name}": pinned, f"rig.{name}": taken.positions[:, pinned]}
    np.savez_compressed(path, about=np.array(json.dumps(about)), **arrays)
