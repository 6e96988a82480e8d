# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of jobs: a run from scene to cache, its continuation, and the export of a scene file."""

import json
import shutil
from pathlib import Path

import bpy
import numpy as np

from .environment import command
from .folders import Folders, folders_of
from .ledger import last_row
from .messages import Refusal
from .objects import cache
from .process import INTERRUPTED, Command, Plan
from .scene.scene_file import cast_of, write_scene


def simulating(context: bpy.types.Context) -> Plan:
    """Write the scene, run it, bring the result back."""
    scene, folders = context.scene, folders_of(context.scene)
    cast = cast_of(context)
    for thing in cast.bodies:
        if thing.supple.baked:
            raise Refusal(f"{thing.name}: its cache is baked; press Clear to simulate again")
    supple = command()
    file, notes = yield from write_scene(context, cast, folders.scene, supple)
    words = [*supple, "run", str(file), "--out", str(folders.run), "--overwrite"]
    code = yield Command([*words, *(["--separate"] if scene.supple.separate else [])], "simulating", interruptible=True)
    said = yield from bringing_back(scene.name, folders, supple, code)
    return "; ".join([said, *notes])


def resuming(context: bpy.types.Context) -> Plan:
    """Continue the run as it was started."""
    folders = folders_of(context.scene)
    if not folders.resumable:
        raise Refusal(f"no run to resume in {folders.run}; press Simulate")
    supple = command()
    code = yield Command([*supple, "run", "--resume", str(folders.run)], "resuming", interruptible=True)
    return (yield from bringing_back(context.scene.name, folders, supple, code))


def exporting(context: bpy.types.Context, folder: Path) -> Plan:
    """The scene file and all files that it references, for `supple run` outside Blender."""
    cast, supple = cast_of(context), command()
    file, notes = yield from write_scene(context, cast, folder, supple)
    return "; ".join([f"written: {file}", *notes])


def bringing_back(scene: str, folders: Folders, supple: list[str], code: int) -> Plan:
    """Frames of the run as caches on the objects; of an interrupted run those that it has."""
    if not (folders.run / "animation.vtkhdf").exists():
        return "cancelled before the first frame"
    shutil.rmtree(folders.caches / "world", ignore_errors=True)
    (folders.caches / "world").mkdir(parents=True)
    out = folders.caches / "world" / "world.pc2"
    yield Command(
        [*supple, "export", str(folders.run), "--to", "pc2", "--no-obstacles", "--out", str(out)], "reading back"
    )
    frames, notes = _attach_all(bpy.data.scenes[scene], folders, out)
    row = last_row(folders.run / "history.csv")
    word = "cancelled" if code == INTERRUPTED else "finished"
    ledger = "" if row is None else f", energy residual {row.residual:+.1e} J"
    return "; ".join([f"{word}: {frames} frames{ledger}", *notes])


def _attach_all(scene: bpy.types.Scene, folders: Folders, out: Path) -> tuple[int, list[str]]:
    """All objects or none; the number of frames, and notes."""
    with np.load(folders.placement) as data:
        kept = dict(data)
    about = json.loads(str(kept["about"]))
    found, notes, frames = [], [], 0
    for name, wanted in about["objects"].items():
        thing = scene.objects.get(wanted)
        if thing is None:
            raise Refusal(f"{wanted}: is not in the scene any more; bring it back under its name, or simulate again")
        alone = len(about["objects"]) == 1
        x = cache.read_points(out if alone else out.with_name(f"{out.stem}-{name}{out.suffix}")).astype(float)
        frames = len(x)
        if f"rig.{name}" in kept:
            pinned, rig = kept[f"pinned.{name}"], kept[f"rig.{name}"][:frames]
            away = float(np.linalg.norm(x[:, pinned] - rig, axis=2).max())
            x[:, pinned] = rig
            notes.append(f"{wanted}: tets left pinned vertices up to {away:.1e} m off the rig, they are shown on it")
        found.append((thing, name, cache.in_object(x, kept[f"matrices.{name}"], about["scale"])))
    for thing, name, x in found:
        path = folders.caches / f"{name}.pc2"
        cache.write_points(path, x, about["first"])
        cache.attach(thing, path, about["first"])
    return frames, notes
