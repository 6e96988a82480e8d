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
    """A shipped scene, a number of steps, and changes that make it small and eventful from the start."""

    scene: str
    steps: int
    changes: tuple[str, ...] = field(default=())
    touches: bool = False
    """Whether bodies touch each other, themselves or obstacles within these steps."""

    def load(self, *more: str) -> Scene:
        return load_scene(self.scene, ["solver.threads=1", *self.changes, *more]).lasting(self.steps)


NEAR = ("body.0.mesh.centre=[0, 0.12, 0]", "body.0.mesh.resolution=2", "body.0.initial.velocity=[0, -3, 0]")
"""A ball that is about to touch the ground."""
FOLDED = 'body.0.initial.position=["0.3*X + 0.42", "Y", "0.1*sin(15.7*X)"]'
KINDS = {
    "two bodies": Kind("two-bodies", 8, ("body.0.mesh.cells=2", "body.1.mesh.cells=1"), touches=True),
    "aligned bodies": Kind(
        "two-bodies", 3, ("body.0.mesh.cells=4", "body.1.mesh.cells=3", "body.1.mesh.origin=[0.53, 0.13, 0.07]"), touches=True
    ),
    "self-contact": Kind(
        "wheel-self-contact", 5, ("body.0.mesh.around=8", "body.0.material.young=2e4"), touches=True
    ),
    "pile": Kind("pile", 3, ("body.0.initial.velocity=[0, -9, 0]", "body.4.initial.velocity=[0, -12, 0]"), touches=True),
    "cloth on a ball": Kind("draped-cloth", 6, ("body.0.mesh.cells=[6, 6]",), touches=True),
    "cloth on itself": Kind("curtain", 4, ("body.0.mesh.cells=[12, 2]", "body.0.thickness=5e-2", FOLDED), touches=True),
    "friction": Kind("block-on-slope", 6, touches=True),
    "exact contact": Kind(
        "bouncing-cube-exact", 6, ("body.0.mesh.origin=[0, 0.2, 0]", "body.0.initial.velocity=[0, -3, 0]"), touches=True
    ),
    "stairs": Kind(
        "ball-on-stairs", 3,
        ("body.0.mesh.resolution=1", "body.0.mesh.centre=[1.05, 0.94, 0]", "body.0.initial.velocity=[-1.2, -3, 0]"), touches=True,
    ),
    "budget": Kind("bouncing-ball-budget", 8, NEAR, touches=True),
    "rebound": Kind("rebounding-ball", 9, NEAR, touches=True),
    "constraints": Kind("chain-over-a-ball", 4),
    "conserving": Kind("cantilever", 12, (SMALL_BAR,)),
    "error control": Kind("cantilever", 5, (SMALL_BAR, "integrator.adaptive=true")),
    "reversible control": Kind("pendulum-adaptive", 10),
    "two steps": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=bdf2")),
    "newmark": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=newmark")),
    "quadrature": Kind("cantilever", 4, (SMALL_BAR, "body.0.material.name=neo-hookean")),
    "collocation": Kind("cantilever", 6, (SMALL_BAR, "integrator.name=gauss4")),
    "exponential": Kind("cantilever", 12, (SMALL_BAR, "integrator.name=siere")),
    "explicit": Kind("dropped-ball-verlet", 12, (*NEAR, "body.0.mesh.centre=[0, 0.102, 0]")),
    "position based": Kind("xpbd-cloth", 4),
    "material points": Kind("vibrating-bar-points", 5),
    "implicit material points": Kind("jelly-drop-points", 2),
    "formula": Kind("own-laws", 3),
    "incomplete factors": Kind("cantilever", 3, (MIDDLING, "solver.linear=ic")),
    "multigrid": Kind("cantilever", 3, (MIDDLING, "solver.linear=amg")),
    "conjugate gradients": Kind("cantilever", 3, (MIDDLING, "solver.linear=cg")),
    "kept factors": Kind("cantilever", 12, (SMALL_BAR, "solver.reuse=always")),
}  # fmt: skip


def made(scene: Scene) -> tuple[Model, StepTools]:
    model = scene.make().assemble()
    return model, StepTools(model.system, scene.make().solver)


def frames(scene: Scene, model: Model, tools: StepTools) -> Iterator[Frame]:
    setup = scene.make()
    progress = begin(model.system, setup.method, model.state, tools)
    return simulate(model.system, setup.method, progress, setup.h, setup.steps, tools)


def digest(frame: Frame) -> str:
    """Of everything in a frame except its wall time."""
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
