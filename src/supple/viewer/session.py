"""A simulation that can be changed between steps: the core of the live page, without processes or pages.

The ledger continues through changes that preserve the energy of a state (method, step, damping). A different material or
gravity changes the energy of the same state: the ledger restarts. The handle's springs belong to the system; when
their ends are moved, the change of their energy is booked as external work.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from supple.dynamics.ledger import Ledger
from supple.dynamics.state import State
from supple.dynamics.step import Memory
from supple.energies.springs.anchor import Anchors
from supple.errors import SuppleError
from supple.integrators.points.mpm import Mpm
from supple.loop import Frame, simulate
from supple.model.innermost import innermost
from supple.model.model import Model
from supple.progress import Progress, begin, first_memory
from supple.scene.tables.scene import Scene
from supple.solvers.tools import StepTools
from supple.types import Array
from supple.viewer.changed import as_scene
from supple.viewer.grip import Grip, grip_at
from supple.viewer.model import Steered, steered
from supple.viewer.settings import Settings, settings_of

NEARLY = 1e-9
"""Tolerance for equal energies of a state, relative to the energy in play."""


MATTER = ("F", "C", "history")
"""The material-point data in the memory of a method, through all wrappers."""


def kept_matter(memory: Memory, before: Memory) -> Memory:
    """The memory of a method at its start, with the points of the previous memory."""
    carried = {key.rpartition(".")[2]: value for key, value in before.items()}
    own = {key: key.rpartition(".")[2] for key in memory}
    return memory | {key: carried[name] for key, name in own.items() if name in MATTER and name in carried}


class Session:
    """State, settings and handle of one simulation; `figures` reports its status."""

    def __init__(self, scene: Scene, settings: Settings | None = None) -> None:
        self._given, self._setup = scene, scene.make()
        self.settings = settings or settings_of(self._setup)
        self._plain = self._setup.assemble()
        self._anchors = Anchors(self._plain.state.x)
        self._steered = steered(self._setup, self._plain, self._anchors, self.settings)
        self._tools = self._new_tools(self._steered)
        self.iterations = 0
        self.reset()

    @property
    def scene(self) -> Scene:
        """The scene with the settings in it."""
        return as_scene(self._given, self._steered.setup)

    @property
    def model(self) -> Model:
        """The simulated model, with its handles."""
        return self._steered.model

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
        """Return to the scene's start, with the current settings and no grip."""
        self._anchors.stiffness[:] = 0.0
        self._grip: Grip | None = None
        model = self.model
        self._progress = begin(model.system, self._steered.setup.method, model.state, self._tools)
        if not np.isfinite(self.ledger.energies.total):
            raise SuppleError(
                "the energy at the start is not finite: a material with a logarithm cannot start inverted"
            )
        self.iterations = 0

    def change(self, settings: Settings) -> bool:
        """Continue with other settings from the current positions and velocities; True if the ledger restarted. Settings
        that cannot be simulated are refused, and the previous ones stay."""
        progress, same = self._progress, settings.same_system(self.settings)
        new = steered(self._setup, self._plain, self._anchors, settings, self._steered if same else None)
        state = replace(progress.state)  # another object: tools remember energies by state
        memory = kept_matter(first_memory(new.model.system, new.setup.method, state), progress.memory)
        tools = self._tools if same else self._new_tools(new)
        try:
            energies = new.setup.method.energies(new.model.system, state, memory, tools)
            if not np.isfinite(energies.total):
                raise SuppleError(
                    "the energy of these positions is not finite with these settings: a material with a logarithm cannot be "
                    "inverted; reset first, then choose them again"
                )
        except BaseException:
            if not same:
                tools.close()
            raise
        if not same:
            self._tools.close()
        ledger = progress.ledger
        # where contact depends on step and weight, other changes affect the energy too
        change = abs(energies.total - ledger.energies.total)
        anew = not settings.same_energy(self.settings) or change > NEARLY * energies.scale
        if anew:
            ledger = Ledger(energies, energies.total)
        self.settings, self._steered, self._tools = settings, new, tools
        self._progress = Progress(state, memory, ledger, progress.step, progress.whole_steps)
        return anew

    def step(self) -> list[Frame]:
        """One step of h, in one or several frames; if it fails in all substeps, StepFailed, and the state is the last good
        one."""
        progress, h = self._progress, self.settings.step
        wanted = progress.whole_steps + 1
        taken = progress.step
        try:
            frames = simulate(self.model.system, self._steered.setup.method, progress, h, wanted, self._tools)
            new = [frame for frame in frames if frame.step > taken]
        finally:
            progress.pending.clear()
        self.iterations = sum(frame.solve.iterations for frame in new)
        return new

    def hold(self, vertex: int, target: npt.ArrayLike) -> None:
        """Tie a vertex, or the points around it in a cloud, to a point by the handle's springs, or move that point; the previous
        grip is released."""
        self._book(vertex, np.asarray(target, dtype=np.float64))

    def release(self) -> None:
        """Release the handle."""
        self._book(None, np.zeros(3))

    def momenta(self) -> tuple[Array, Array]:
        """Linear and angular momentum [kg m/s, kg m^2/s]."""
        return self._steered.setup.method.momenta(self.model.system, self.state, self._progress.memory)

    def energy_density(self) -> Array:
        """(n,) strain energy around each vertex [J/m^3]."""
        return self.model.energy_density(self.state.x, self._carried_densities(), self.state.t)

    def _carried_densities(self) -> Array | None:
        return self._steered.setup.method.densities(self.model.system, self._progress.memory)

    def close(self) -> None:
        """Release the solver's memory."""
        self._tools.close()

    @staticmethod
    def _new_tools(steered: Steered) -> StepTools:
        return StepTools(steered.model.system, steered.setup.solver)

    @property
    def _cell(self) -> float | None:
        """Size of the grid's cells [m]."""
        method, system = innermost(self._steered.setup.method), self.model.system
        return method.spline(system).dx if isinstance(method, Mpm) and system.on_grid else None

    def _book(self, vertex: int | None, target: Array) -> None:
        """Change the handle; the change of spring energy is external work."""
        before = float(self._anchors.element_values(self.state.x).sum())
        self._anchors.stiffness[:] = 0.0
        if vertex is None:
            self._grip = None
        else:
            if self._grip is None or self._grip.vertex != vertex:
                self._grip = grip_at(self.model.system, self.state.x, vertex, self._cell)
            self._grip.tighten(self._anchors, target)
        after = float(self._anchors.element_values(self.state.x).sum())
        progress = self._progress
        progress.state = replace(progress.state)  # another object, since the same one now has another energy
        method = self._steered.setup.method
        energies = method.energies(self.model.system, progress.state, progress.memory, self._tools)
        work = progress.ledger.external_work + after - before
        progress.ledger = replace(progress.ledger, energies=energies, external_work=work)
