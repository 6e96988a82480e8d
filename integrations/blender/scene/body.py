# SPDX-License-Identifier: GPL-3.0-or-later
"""An object as a table `[[body]]` or `[[obstacle]]`, with the files that it names."""

import hashlib
import math
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..messages import Refusal
from ..objects import solid
from ..objects.sampling import Samples
from ..process import Command
from ..words import ROD_FIGURES

SLOW = 5.0
"""Frequency [Hz] at which loss factors of presets hold."""


@dataclass(eq=False)
class Writer:
    """Writes objects into the folder of a scene."""

    folder: Path
    supple: list[str]
    """The words that start supple."""
    times: np.ndarray
    """Of the frames [s]."""
    scale: float
    """Metres in a unit of Blender."""
    notes: list[str] = field(default_factory=list)
    damping: list[dict[str, Any]] = field(default_factory=list)

    def obstacle(self, name: str, thing: bpy.types.Object, samples: Samples) -> dict[str, Any]:
        """A surface, with a clip of its motion if it moves or deforms."""
        surface = samples.surface
        if not len(surface.triangles):
            raise Refusal(f"{thing.name}: an obstacle needs faces, found none; give it some, or another role")
        used = np.unique(surface.triangles)  # loose vertices hold nothing off
        number = np.full(len(surface.vertices), -1)
        number[used] = np.arange(len(used))
        lines = ["v {!r} {!r} {!r}".format(*row) for row in surface.vertices[used].tolist()]
        lines += ["f {} {} {}".format(*row) for row in (number[surface.triangles] + 1).tolist()]
        (self.folder / f"{name}.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")
        table: dict[str, Any] = {
            "name": name,
            "mesh": {"file": f"{name}.obj"},
            "friction": _plain(thing.supple.friction),
        }
        if thing.supple.thickness > 0.0:
            table["thickness"] = _plain(thing.supple.thickness * self.scale)
        if samples.moves():
            self._clip(name, samples.positions[:, used], number[surface.triangles])
            table["motion"] = {"file": f"{name}.npz"}
        return table

    def body(self, name: str, thing: bpy.types.Object, samples: Samples) -> Generator[Command, int, dict[str, Any]]:
        """A table of its role; a soft body requires a process that fills it."""
        settings, surface = thing.supple, samples.surface
        check(thing, samples)
        (self.folder / f"{name}.obj").write_text(surface.obj(), encoding="utf-8")
        factors = {key: _plain(getattr(settings, key)) for key in ("stiffer", "denser", "damping")}
        table: dict[str, Any] = {
            "name": name,
            "mesh": {"file": f"{name}.obj"},
            "material": {"name": settings.word} | {key: value for key, value in factors.items() if value != 1.0},
            "friction": _plain(settings.friction),
            "self_contact": settings.self_contact,
        }
        pinned, match = np.flatnonzero(samples.pinned), "index"
        if settings.role == "SHELL":
            table["thickness"] = self._thickness(thing, samples)
        elif settings.role == "ROPE":
            table |= self._rope(name, thing, samples)
        elif settings.role == "SOFT":
            vertices, tets = yield from self._filled(name, thing, samples, table)
            if len(pinned):
                pinned = solid.held(vertices, tets, surface.vertices, samples.pinned, settings.core)
                match = "barycentric"
        if len(pinned):
            table["groups"] = {"pins": {"vertices": pinned.tolist()}}
            if samples.moves(samples.pinned):
                self._clip(name, samples.positions, surface.triangles if match == "barycentric" else None)
                table["motion"] = [{"group": "pins", "file": f"{name}.npz", "match": match}]
            else:
                table["pin"] = "pins"
        return table

    def _filled(
        self, name: str, thing: bpy.types.Object, samples: Samples, table: dict[str, Any]
    ) -> Generator[Command, int, tuple[np.ndarray, np.ndarray]]:
        """Tets inside of a closed surface, or a cage around any; the same ones as last time if nothing has changed."""
        settings, surface = thing.supple, samples.surface
        pieces, gaps = surface.pieces, surface.open_edges
        cage = settings.filling == "CAGE" or (settings.filling == "AUTO" and (gaps > 0 or pieces > 1))
        if not cage and gaps:
            raise Refusal(
                f"{thing.name}: tetrahedra need a closed surface, but {gaps} edges do not join two faces; close it, "
                "or choose Cage for the inside"
            )
        length = settings.edge_length * self.scale or samples.size / 12.0
        source, made = self.folder / f"{name}.obj", self.folder / f"{name}.mesh"
        options = ["--cage", "--size", repr(length), "--write", str(made)]
        if not cage:
            options = ["--tetrahedralise", str(made), "--edge-length", repr(length)]
        key = hashlib.sha256(source.read_bytes() + f"{cage} {length!r}".encode()).hexdigest()
        mark = made.with_suffix(".key")
        if not (made.exists() and mark.exists() and mark.read_text() == key):
            yield Command([*self.supple, "mesh", str(source), *options], f"filling {thing.name}")
            mark.write_text(key)
        table["mesh"] = {"file": made.name, "skin": source.name}
        return solid.read_tets(made)

    def _thickness(self, thing: bpy.types.Object, samples: Samples) -> float:
        return _plain(thing.supple.thickness * self.scale or samples.size / 100.0)

    def _rope(self, name: str, thing: bpy.types.Object, samples: Samples) -> dict[str, Any]:
        settings = thing.supple
        young, density, loss = ROD_FIGURES[settings.word]
        diameter = self._thickness(thing, samples)
        delay = loss * settings.damping / (2.0 * math.pi * SLOW)
        if delay > 0.0:
            self.damping.append({"name": "rayleigh", "stiffness": _plain(delay), "bodies": [name]})
        rod = {"name": "rod", "young": _plain(young * settings.stiffer), "radius": diameter / 2.0}
        return {"material": rod, "thickness": diameter, "density": _plain(density * settings.denser)}

    def _clip(self, name: str, x: np.ndarray, triangles: np.ndarray | None) -> None:
        more = {} if triangles is None else {"triangles": triangles.astype(np.int32)}
        np.savez_compressed(self.folder / f"{name}.npz", positions=x, times=self.times, **more)


def check(thing: bpy.types.Object, samples: Samples) -> None:
    """Refuse meshes that do not suit their role."""
    surface, role = samples.surface, thing.supple.role
    noun = {"SOFT": "a soft body", "CLOTH": "cloth", "SHELL": "a shell", "ROPE": "a rope"}[role]
    if role == "ROPE":
        if len(surface.counts) or not len(surface.edges):
            raise Refusal(
                f"{thing.name}: a rope is made of edges without faces, found {len(surface.counts)} faces and "
                f"{len(surface.edges)} such edges; convert a curve to a mesh without thickness, or choose another role"
            )
    elif not len(surface.counts):
        raise Refusal(f"{thing.name}: {noun} needs faces, found none; give it some, or choose Rope for edges")
    elif len(surface.edges):
        raise Refusal(
            f"{thing.name}: {noun} with {len(surface.edges)} edges without faces; delete them (Mesh > Clean Up > Delete Loose)"
        )
    if len(surface.loose):
        raise Refusal(
            f"{thing.name}: {len(surface.loose)} loose vertices, the first is {surface.loose[0]}; delete them (Mesh > Clean Up > "
            "Delete Loose)"
        )
    if samples.pinned.all():
        raise Refusal(
            f"{thing.name}: all vertices are pinned, so that nothing is left to simulate; choose a smaller vertex group"
        )
    if samples.size == 0.0 or not np.isfinite(samples.size):
        raise Refusal(f"{thing.name}: has no size; check its scale")


def _plain(value: float) -> float:
    """A value of Blender without the digits that single precision adds."""
    return float(f"{value:.7g}")
