# SPDX-License-Identifier: GPL-3.0-or-later
"""The place of the cache among the modifiers of an object, and the object as it enters that place."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy

NAME = "supple"
DEFORMERS = {
    "ARMATURE", "CAST", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LATTICE", "MESH_CACHE", "MESH_DEFORM",
    "MESH_SEQUENCE_CACHE", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "CORRECTIVE_SMOOTH", "LAPLACIANSMOOTH",
    "SURFACE_DEFORM", "VOLUME_DISPLACE", "WARP", "WAVE", "CLOTH", "SOFT_BODY",
}  # fmt: skip
"""Modifiers that move vertices. The cache comes after the last of them, and before subdivision or thickness."""


def cache_of(thing: bpy.types.Object) -> bpy.types.Modifier | None:
    """The modifier with the result of supple."""
    found = thing.modifiers.get(NAME)
    return found if found is not None and found.type == "MESH_CACHE" else None


def place_of(thing: bpy.types.Object) -> int:
    """Number of modifiers that come before the cache."""
    own = cache_of(thing)
    if own is not None:
        return list(thing.modifiers).index(own)
    last = -1
    for k, modifier in enumerate(thing.modifiers):
        last = k if modifier.type in DEFORMERS else last
    return last + 1


@contextmanager
def inputs(bodies: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> Iterator[None]:
    """While it lasts bodies end with the modifiers before their cache, and no object shows a cache of supple."""
    muted = [modifier for body in bodies for modifier in list(body.modifiers)[place_of(body) :]]
    muted += [own for thing in scene.objects if (own := cache_of(thing)) is not None and own not in muted]
    shown = [modifier.show_viewport for modifier in muted]
    frame, part = scene.frame_current, scene.frame_subframe
    try:
        for modifier in muted:
            modifier.show_viewport = False
        yield
    finally:
        for modifier, was in zip(muted, shown, strict=True):
            modifier.show_viewport = was
        scene.frame_set(frame, subframe=part)
