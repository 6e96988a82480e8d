"""The system of a scene under the settings of the live page, with a handle at every vertex.

The settings are written into the scene and all of it is built anew but for the meshes, so that nothing that a scene may
have is forgotten here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from supple.dynamics.system import System, build_system
from supple.energies.springs.anchor import Anchors
from supple.integrators.method import Method
from supple.model.assemble import Assembled, assemble
from supple.recording.recorder import Subject
from supple.scene.tables.scene import Scene
from supple.viewer.changed_scene import changed_scene
from supple.viewer.settings import Settings


@dataclass(frozen=True)
class Model:
    """What is simulated: a scene with settings, what it describes, and the same with handles."""

    scene: Scene
    assembled: Assembled
    system: System

    @cached_property
    def integrator(self) -> Method:
        made: Method = self.scene.integrator.make()
        return made

    @cached_property
    def subject(self) -> Subject:
        """What a recording of it is about."""
        return Subject(self.system, self.assembled.mesh, self.assembled.share)


def model_for(scene: Scene, built: Assembled, anchors: Anchors, settings: Settings, like: Model | None = None) -> Model:
    """A scene that was built, with these settings; `anchors` is one of the terms. `like`: a model whose settings differ at
    most in the method, and which is built already."""
    meshes = [part.mesh for part in built.parts]
    changed = changed_scene(scene, meshes, settings)
    if like is not None:
        return Model(changed, like.assembled, like.system)
    assembled = built if changed is scene else assemble(changed, meshes)
    base = assembled.system
    system = build_system(
        assembled.mesh.vertices,
        base.mass,
        [*base.potential.terms, anchors],
        base.motion,
        base.dissipation.terms,
        base.impulses,
        base.projections,
        base.constraints.kinds,
    )
    return Model(changed, assembled, system)
