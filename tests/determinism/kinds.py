"""All kinds of scenes, small: what every row of the table in docs/develop/determinism.md is tested with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

import numpy as np

from supple.loop import Frame, simulate
from supple.model.model import Model
from supple.progress import begin
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene
from supple.solvers.tools import StepTools

SMALL_BAR = "body.0.mesh.cells=[4, 1, 1]"
MIDDLING = "body.0.mesh.cells=[10, 3, 3]"


@dataclass(frozen=True)
class Kind:
    """A shipped scene, some steps of it, and what is changed to make it small."""

    scene: str
    steps: int
    changes: tuple[str, ...] = field(default=())

    def load(self, *more: str) -> Scene:
        return load_scene(self.scene, ["solver.threads=1", *self.changes, *more]).lasting(self.steps)


KINDS = {
    "two bodies": Kind("two-bodies", 16, ("body.0.mesh.cells=2", "body.1.mesh.cells=1")),
    "aligned bodies": Kind("two-bodies", 6, ("body.0.mesh.cells=6", "body.1.mesh.cells=5")),
    "self-contact": Kind("wheel-self-contact", 24, ("body.0.mesh.around=8", "body.0.material.young=2e4")),
    "pile": Kind("pile", 12, ("body.0.initial.velocity=[0, -9, 0]", "body.4.initial.velocity=[0, -12, 0]")),
    "cloth on a ball": Kind("draped-cloth", 12, ("body.0.mesh.cells=[6, 6]",)),
    "cloth on itself": Kind("curtain", 12, ("body.0.mesh.cells=[12, 2]", "body.0.thickness=5e-2")),
    "friction": Kind("block-on-slope", 12),
    "exact contact": Kind("bouncing-cube-exact", 16),
    "stairs": Kind("ball-on-stairs", 16, ("body.0.mesh.resolution=1",)),
    "budget": Kind("bouncing-ball-budget", 30),
    "rebound": Kind("rebounding-ball", 30),
    "constraints": Kind("chain-over-a-ball", 10),
    "conserving": Kind("cantilever", 12, (SMALL_BAR,)),
    "error control": Kind("cantilever", 12, (SMALL_BAR, "integrator.adaptive=true")),
    "reversible control": Kind("pendulum-adaptive", 20),
    "two steps": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=bdf2")),
    "newmark": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=newmark")),
    "quadrature": Kind("cantilever", 6, (SMALL_BAR, "body.0.material.name=neo-hookean")),
    "collocation": Kind("cantilever", 6, (SMALL_BAR, "integrator.name=gauss4")),
    "exponential": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=siere")),
    "explicit": Kind("dropped-ball-verlet", 40),
    "position based": Kind("xpbd-cloth", 12),
    "material points": Kind("vibrating-bar-points", 12),
    "implicit material points": Kind("jelly-drop-points", 3),
    "formula": Kind("own-laws", 6),
    "incomplete factors": Kind("cantilever", 6, (MIDDLING, "solver.linear=ic")),
    "multigrid": Kind("cantilever", 6, (MIDDLING, "solver.linear=amg")),
    "conjugate gradients": Kind("cantilever", 6, (MIDDLING, "solver.linear=cg")),
    "kept factors": Kind("cantilever", 12, (SMALL_BAR, "solver.reuse=always")),
}


def made(scene: Scene) -> tuple[Model, StepTools]:
    model = scene.make().assemble()
    return model, StepTools(model.system, scene.make().solver)


def frames(scene: Scene, model: Model, tools: StepTools) -> Iterator[Frame]:
    setup = scene.make()
    progress = begin(model.system, setup.method, model.state, tools)
    return simulate(model.system, setup.method, progress, setup.h, setup.steps, tools)


def digest(frame: Frame) -> str:
    """Of all that a frame says, but for the time that it took."""
    total = hashlib.blake2b(digest_size=12)
    total.update(np.array([frame.state.t, frame.h]).tobytes() + frame.state.x.tobytes() + frame.state.v.tobytes())
    counts = frame.solve.iterations, frame.solve.factorisations, frame.solve.line_search_steps, frame.rejected
    said = [asdict(frame.ledger), counts, frame.solve.gradient_norm, frame.note]
    total.update(json.dumps(said, sort_keys=True).encode())
    return total.hexdigest()


def digests(scene: Scene) -> list[str]:
    """Of all frames of a run."""
    model, tools = made(scene)
    try:
        return [digest(frame) for frame in frames(scene, model, tools)]
    finally:
        tools.close()
