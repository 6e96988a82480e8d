"""The content of a scene file as plain objects: a world, the method and the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from supple.formulas.curves import Curve
from supple.integrators.method import Method
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.innermost import innermost
from supple.model.limits.limits import Limits
from supple.model.model import Model
from supple.model.source import CoarseFile
from supple.model.world import World
from supple.progress import demand_step
from supple.recording.fine_skins import file_name
from supple.scene.tables.length import demand_recording
from supple.solvers.options import SolverOptions


@dataclass(frozen=True)
class Setup:
    """A world with its method, solver and time steps."""

    world: World
    """Bodies, obstacles, and everything that acts on them."""
    method: Method
    """Integrator."""
    h: float
    """Time step [s]."""
    steps: int
    """Number of steps."""
    duration: float
    """Simulated time [s]."""
    solver: SolverOptions
    """Options of the solver."""
    title: str = ""
    """Title of the scene."""
    source: str = ""
    """Name or path of the scene file."""
    notes: tuple[str, ...] = ()
    """Notes on values chosen or omitted when the scene was converted, for example from a USD stage."""
    speed: float | Curve | None = None
    """Simulated seconds per second of film; default: real time [-]."""
    limits: Limits = field(default_factory=Limits)
    """How large the model may be."""
    recorded: float = 0.0
    """Bytes of the recording per vertex."""

    def __post_init__(self) -> None:
        demand_step(self.method, self.h)

    def assemble(self, like: Model | None = None, overlapping: bool = False) -> Model:
        """The model of its world, with contact made for its steps."""
        model = assemble(
            self.world,
            h=self.h,
            duration=self.duration,
            solver=self.solver,
            like=like,
            overlapping=overlapping,
            cell=getattr(innermost(self.method), "cell", None),
            method=self.method,
            limits=self.limits,
        )
        demand_recording(self.limits, model.mesh.n, self.recorded)
        return model


def located_sources(bodies: Sequence[Body], folder: Path) -> tuple[Body, ...]:
    """Bodies with absolute paths of their coarse files: the named ones, or their copies in the folder of a run."""
    return tuple(
        replace(body, mesh=replace(body.mesh, coarse=str(coarse_file(body.mesh, folder, body.name))))
        if isinstance(body.mesh, CoarseFile)
        else body
        for body in bodies
    )


def coarse_file(source: CoarseFile, folder: Path, body: str) -> Path:
    """The file of a coarse body: the named one, or the copy in the folder of a run.

    A run keeps a copy of the file as BODY.coarse.npz in its folder, beside the copy of the scene. The copy is used if the
    named file does not exist. So a run can be resumed, and its fine surface shown, after the folder is moved.
    """
    named, copied = folder / source.coarse, folder / file_name(body)
    return copied if copied.is_file() and not named.is_file() else named
