"""Cases of mesh files and voxel images."""

from __future__ import annotations

import gzip
import os
from functools import cache
from pathlib import Path
from random import Random

from fuzz.files.bombs import mesh_bombs
from fuzz.files.case import Case
from fuzz.files.garbling import garbled
from fuzz.files.mesh_samples import MTL, samples

SPECIAL = 0.15
"""Part of the cases that are made by hand."""


@cache
def known() -> dict[str, bytes]:
    return samples()


def mesh_case(random: Random, folder: Path) -> Case:
    """A damaged mesh file or image in the folder."""
    if random.random() < SPECIAL:
        bombs = mesh_bombs()
        name = random.choice(sorted(bombs))
        data = bombs[name]
        label = f"{name}, by hand"
    else:
        name = random.choice(sorted(known()))
        data, label = garbled(known()[name], random), f"{name}, garbled"
    if random.random() < 0.05:
        name, label = Path(name).stem + Path(random.choice(sorted(known()))).suffix, f"{label}, another suffix"
    path = folder / "in" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    (path.parent / "a.mtl").write_bytes(garbled(MTL, random) if random.random() < 0.3 else MTL)
    if random.random() < 0.03:
        path, label = _other_kind(path, random), f"{label}, not a plain file"
    return Case(label, lambda: read_everything(path), path.name)


def _other_kind(path: Path, random: Random) -> Path:
    """A folder, a pipe without a writer, a link to itself or to a missing file."""
    path.unlink()
    kind = random.choice(("folder", "pipe", "loop", "nowhere", "device"))
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"loop": path.name, "nowhere": "nothing-there", "device": "/dev/zero"}[kind])
    return path


def read_everything(path: Path) -> str:
    """Use of a mesh file by commands and scenes: read it, report on it, repair it."""
    from supple.errors import MeshError
    from supple.mesh.doctor import diagnose, heal
    from supple.mesh.formats import read_mesh
    from supple.mesh.images import read_voxels
    from supple.mesh.mending.repair import HOLE_SIZE, repaired
    from supple.mesh.report import report

    if path.suffix == ".npy":
        return str(read_voxels(path).shape)
    if path.suffix == ".png":
        return str(read_voxels(path.parent).shape)
    mesh = read_mesh(path)
    sound = diagnose(mesh).problems
    if sound:
        try:
            mesh, _ = repaired(mesh, HOLE_SIZE, where=str(path))
        except MeshError:
            heal(mesh, str(path))
    else:
        mesh, _ = heal(mesh, str(path))
    return str(report(mesh))
