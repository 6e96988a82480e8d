"""A simulation that may be changed between any two steps: what the live page steers, without processes or pages.

The ledger goes on through all that leaves the energy of a state alone (method, step, damping). Other materials or another
gravity give the same state another energy: there the ledger starts anew. The handle's spring belongs to the system; when
its end is moved, the change of its energy is work from outside and is booked as such.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from supple.dynamics.invariants import momenta
from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.energies.anchor import Anchors
from supple.errors import SuppleError
from supple.progress import Progress, begin, first_memory
from supple.recording.recorder import Subject
from supple.scene.build import build
from supple.scene.schema import Scene
from supple.simulate import simulate
from supple.solvers.tools import StepTools
from supple.types import Array
from supple.viewer.model import integrator_for, system_for
from supple.viewer.settings import Settings, settings_of

HANDLE_HERTZ = 4.0
"""Frequency at which the handle's spring would swing the whole body: firm for soft bodies, gentle for stiff ones."""


class Session:
    """State, settings and handle of one simulation; `figures` tells how it stands."""

    _system: System
    _integrator: Integrator
    _progress: Progress

    def __init__(self, scene: Scene, settings: Settings | None = None) -> None:
        self.scene = scene
        self.settings = settings or settings_of(scene)
        self._assembled = build(scene)
        self._anchors = Anchors(self._assembled.state.x)
        self._tools: StepTools | None = None
        self.iterations = 0
        self.reset()

    @property
    def state(self) -> State:
        return self._progress.state

    @property
    def ledger(self) -> Ledger:
        return self._progress.ledger

    @property
    def steps(self) -> int:
        """Whole steps since the start or the last reset."""
        return self._progress.whole_steps

    def reset(self) -> None:
        """Back to the scene's start, with the settings as they are and nothing held."""
        self._anchors.stiffness[:] = 0.0
        self._equip()
        self._progress = begin(self._system, self._integrator, self._assembled.state, self._steppers)
        if not np.isfinite(self.ledger.energies.total):
            raise SuppleError(
                "the energy at the start is not finite: a material with a logarithm cannot start inverted"
            )
        self.iterations = 0

    def change(self, settings: Settings) -> bool:
        """Go on with other settings from the present positions and velocities; True if the ledger started anew."""
        old, progress = self.settings, self._progress
        self.settings = settings
        if not settings.same_system(old):
            self._equip()
        self._integrator = integrator_for(self.scene, settings)
        state = replace(progress.state)  # another object: tools remember energies by state
        ledger, energies = progress.ledger, self._steppers.energies(state)
        anew = not settings.same_energy(old)
        if anew:
            ledger = Ledger(energies, energies.total)
        memory = first_memory(self._system, self._integrator, state)
        self._progress = Progress(state, memory, ledger, progress.step, progress.whole_steps)
        return anew

    def step(self) -> None:
        """One step of h; if it fails in all pieces, StepFailed, and the state is the last good one."""
        progress = self._progress
        wanted = progress.whole_steps + 1
        iterations = 0
        try:
            for frame in simulate(self._system, self._integrator, progress, self.settings.step, wanted, self._steppers):
                iterations += frame.solve.iterations
        finally:
            progress.pending.clear()
        self.iterations = iterations

    def hold(self, vertex: int, target: npt.ArrayLike) -> None:
        """Tie a vertex to a point with the handle's spring, or move that point; another vertex is let go."""
        self._book(vertex, np.asarray(target, dtype=np.float64))

    def release(self) -> None:
        """Let go of the handle."""
        self._book(None, np.zeros(3))

    def momenta(self) -> tuple[Array, Array]:
        """Linear and angular momentum [kg m/s, kg m^2/s]."""
        return momenta(self._system, self.state)

    def energy_density(self) -> Array:
        """(n,) strain energy around each vertex [J/m^3]."""
        return self._subject.energy_density(self.state.x)

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._tools is not None:
            self._tools.close()

    @property
    def _steppers(self) -> StepTools:
        if self._tools is None:
            self._tools = StepTools(self._system, self.scene.solver.make())
        return self._tools

    def _equip(self) -> None:
        """System and solver for the settings."""
        self.close()
        self._tools = None
        self._system = system_for(self.scene, self._assembled, self._anchors, self.settings)
        self._integrator = integrator_for(self.scene, self.settings)
        self._subject = Subject(self._system, self._assembled.mesh, self._assembled.share)

    def _book(self, vertex: int | None, target: Array) -> None:
        """Change the handle; the energy that its spring gains or loses by that is work from outside."""
        before = float(self._anchors.element_values(self.state.x).sum())
        self._anchors.stiffness[:] = 0.0
        if vertex is not None:
            omega = 2.0 * np.pi * HANDLE_HERTZ
            self._anchors.stiffness[vertex] = omega * omega * float(self._system.mass.sum())
            self._anchors.points[vertex] = target
        after = float(self._anchors.element_values(self.state.x).sum())
        progress = self._progress
        progress.state = replace(progress.state)  # another object, since the same one has another energy now
        energies = self._steppers.energies(progress.state)
        work = progress.ledger.external_work + after - before
        progress.ledger = replace(progress.ledger, energies=energies, external_work=work)
