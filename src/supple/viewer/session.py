"""A simulation that may be changed between any two steps: what the live page steers, without processes or pages.

The ledger goes on through all that leaves the energy of a state alone (method, step, damping). Other materials or another
gravity give the same state another energy: there the ledger starts anew. The handle's springs belong to the system; when
their ends are moved, the change of their energy is work from outside and is booked as such.
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
"""Part of the energy in play by which the energy of a state may differ and still count as the same."""


MATTER = ("F", "C", "history")
"""What material points carry in the memory of their method, whatever stands around it."""


def kept_matter(memory: Memory, before: Memory) -> Memory:
    """The memory of a method at its start, with the points as they were in the one before."""
    carried = {key.rpartition(".")[2]: value for key, value in before.items()}
    own = {key: key.rpartition(".")[2] for key in memory}
    return memory | {key: carried[name] for key, name in own.items() if name in MATTER and name in carried}


class Session:
    """State, settings and handle of one simulation; `figures` tells how it stands."""

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
        """What is simulated, with its handles."""
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
        """Back to the scene's start, with the settings as they are and nothing held."""
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
        """Go on with other settings from the present positions and velocities; True if the ledger started anew. Settings
        that cannot be simulated are refused, and those before stay."""
        progress, same = self._progress, settings.same_system(self.settings)
        new = steered(self._setup, self._plain, self._anchors, settings, self._steered if same else None)
        state = replace(progress.state)  # another object: tools remember energies by state
        memory = kept_matter(first_memory(new.model.system, new.setup.method, state), progress.memory)
        tools = self._tools if same else self._new_tools(new)
        if not same:
            self._tools.close()
        ledger, energies = progress.ledger, new.setup.method.energies(new.model.system, state, memory, tools)
        # where contact is chosen for the step and the weight, other things change the energy too
        change = abs(energies.total - ledger.energies.total)
        anew = not settings.same_energy(self.settings) or change > NEARLY * energies.scale
        if anew:
            ledger = Ledger(energies, energies.total)
        self.settings, self._steered, self._tools = settings, new, tools
        self._progress = Progress(state, memory, ledger, progress.step, progress.whole_steps)
        return anew

    def step(self) -> list[Frame]:
        """One step of h, in one or several frames; if it fails in all pieces, StepFailed, and the state is the last good
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
        """Tie a vertex, of clouds the points around it, to a point by the handle's springs, or move that point; what was held
        before is let go."""
        self._book(vertex, np.asarray(target, dtype=np.float64))

    def release(self) -> None:
        """Let go of the handle."""
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
        """Give the solver's memory back."""
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
        """Change the handle; the energy that its spring gains or loses by that is work from outside."""
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
        progress.state = replace(progress.state)  # another object, since the same one has another energy now
        method = self._steered.setup.method
        energies = method.energies(self.model.system, progress.state, progress.memory, self._tools)
        work = progress.ledger.external_work + after - before
        progress.ledger = replace(progress.ledger, energies=energies, external_work=work)
