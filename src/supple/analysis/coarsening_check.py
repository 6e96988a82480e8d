"""Accuracy of a coarse body: static loads, lowest frequencies, and a free vibration, compared with naive averaging.

Errors are |u_coarse - u_fine| / |u_fine| over the vertices of the coarse mesh that lie in the fine body, where u_fine is
interpolated. The lowest part of the body along an axis is fixed; forces act uniformly on all mass. `naive` is the
body whose tensors are the means of the fine ones (Voigt), `moduli` that of the mean Young's modulus and Poisson's ratio.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from supple.analysis.spectrum import spectrum
from supple.coarsening.coarse_body import CoarseBody
from supple.coarsening.coarsen import Pair
from supple.coarsening.effective import Method, Naive, effective_tensors
from supple.coarsening.fine_body import FineBody, isotropic
from supple.coarsening.fine_map import fine_positions
from supple.coarsening.harmonic import harmonic_displacements, outer_faces, uniform_displacements
from supple.coarsening.statics import lumped, static_displacement, weight
from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System, build_system
from supple.energies.corotational.term import Corotational
from supple.energies.gravity import Gravity
from supple.integrators.implicit.bdf2 import BDF2
from supple.loop import simulate
from supple.mesh.topology import boundary_triangles
from supple.types import Array, Ints

Kind = Method | Naive
METHODS: tuple[Kind, ...] = ("nodal", "average", "naive", "moduli")
MODES = 3
POISSON = 0.3
"""Properties of the homogeneous body."""
PERIOD_STEPS = 20
CHECKS = 6
"""Stages reported by `check`: one material, three loads, frequencies, swing."""
SAG = 0.1
"""Displacement at rest under the force of the swing, over the diagonal of the body."""


@dataclass(frozen=True)
class Load:
    """The fixed end, and a force per mass [N/kg]."""

    name: str
    axis: int
    force: tuple[float, float, float]


LOADS = (
    Load("pressed along z", 2, (0.0, 0.0, -1.0)),
    Load("held at x, bent", 0, (0.0, 0.0, -1.0)),
    Load("held at x, pulled", 0, (1.0, 0.0, 0.0)),
)


@dataclass(frozen=True)
class Swing:
    """A body released under a force: its positions, and the wall time per step."""

    t: Array
    """(k,) [s]"""
    x: Array
    """(k, n, 3) [m]"""
    seconds: float
    """Median wall time per step, without the first."""


@dataclass(frozen=True)
class Check:
    """All comparisons of a coarse body of one method."""

    method: str
    homogeneous_error: float
    static: dict[str, dict[str, float]]
    """Load -> method -> error."""
    frequencies: dict[str, list[float]]
    """Method -> frequencies over those of the fine body."""
    swings: dict[str, Swing]
    """Motions of `fine`, the method and `naive`."""
    swing_error: dict[str, float]

    @property
    def seconds(self) -> dict[str, float]:
        """Wall time per step."""
        return {name: swing.seconds for name, swing in self.swings.items()}

    @property
    def speedup(self) -> float:
        """Time of a fine step over that of a coarse one."""
        return self.seconds["fine"] / self.seconds[self.method]

    def summary(self) -> dict[str, Any]:
        """The figures; `frequency_ratio` is that of the first two which is further from one."""
        return {
            "homogeneous_error": self.homogeneous_error,
            "static_error": {m: max(errors[m] for errors in self.static.values()) for m in METHODS},
            "static_errors": self.static,
            "frequency_ratio": max(self.frequencies[self.method][:2], key=lambda r: abs(np.log(r))),
            "frequency_ratios": self.frequencies,
            "swing_error": self.swing_error,
            "step_seconds": self.seconds,
            "speedup": self.speedup,
        }


def check(pair: Pair, method: Method, steps: int, told: Callable[[str], None] = lambda _: None) -> Check:
    """All comparisons; `told` is called with the name of each stage."""
    told("one material")
    homogeneous = homogeneous_error(pair, method)
    static = {}
    for load in LOADS:
        told(load.name)
        static[load.name] = static_errors(pair, load)
    told("frequencies")
    frequencies = frequency_ratios(pair)
    told("swing")
    found = swings(pair, (method, "naive"), steps)
    return Check(method, homogeneous, static, frequencies, found, swing_errors(pair, found))


def homogeneous_error(pair: Pair, method: Method) -> float:
    """Largest difference of the tensors to coverage x C, relative to C, if the fine body were of one material. Walls of holes
    disturb such a body; there the displacements of one without are taken."""
    C = isotropic(1.0, POISSON)
    one = replace(pair.fine, stiffness=np.broadcast_to(C, pair.fine.stiffness.shape))
    if len(outer_faces(one.vertices, one.tets)) == len(boundary_triangles(one.tets)):
        H = harmonic_displacements(one)
    else:
        H = uniform_displacements(one.vertices, POISSON)
    found = effective_tensors(one, H, pair.coarse.vertices, pair.coarse.tets, pair.found, method)
    return float(np.abs(found.stiffness - found.coverage[:, None, None] * C).max() / np.abs(C).max())


def static_errors(pair: Pair, load: Load) -> dict[str, float]:
    """Method -> error under a load."""
    fine, coarse = _at_rest(pair, load)
    wanted = pair.at_coarse(fine[None])[0]
    return {kind: pair.error(coarse(kind), wanted) for kind in METHODS}


def frequency_ratios(pair: Pair, axis: int = 2, count: int = MODES) -> dict[str, list[float]]:
    """Method -> lowest frequencies over those of the fine body, one end fixed."""
    held, own = pair.held(axis)
    fine = _frequencies(pair.fine, lumped(pair.fine), held, count)
    return {kind: (_frequencies(pair.body(kind), pair.mass, own, count) / fine).tolist() for kind in METHODS}


def swings(
    pair: Pair,
    kinds: Sequence[Kind],
    steps: int = PERIOD_STEPS,
    integrator: Integrator | None = None,
) -> dict[str, Swing]:
    """`fine` and each of the kinds -> its motion after release, fixed at x.

    The force along -z has a static sag of a tenth of the diagonal. A step is a twentieth of the fine body's longest period.
    """
    load, mass = LOADS[1], lumped(pair.fine)
    held, own = pair.held(load.axis)
    diagonal = float(np.linalg.norm(np.ptp(pair.fine.vertices, axis=0)))
    force = np.asarray(load.force) * SAG * diagonal / float(np.abs(_at_rest(pair, load)[0]).max())
    h = 1.0 / (PERIOD_STEPS * float(_frequencies(pair.fine, mass, held, 1)[0]))
    bodies = {"fine": (pair.fine, mass, held)} | {kind: (pair.body(kind), pair.mass, own) for kind in kinds}
    method = integrator or BDF2()
    runs = {
        name: _swing(_system(body, masses, pins, force), body.vertices, h, steps, method)
        for name, (body, masses, pins) in bodies.items()
    }
    # in sequence: if interleaved, cold caches and spinning threads of a fine step would slow the coarse ones
    return {name: _collected(list(run)) for name, run in runs.items()}


def swing_errors(pair: Pair, found: dict[str, Swing]) -> dict[str, float]:
    """Method -> error of the displacements over the whole motion."""
    wanted = pair.at_coarse(found["fine"].x - pair.fine.vertices)
    return {k: pair.error(s.x - pair.coarse.vertices, wanted) for k, s in found.items() if k != "fine"}


def skins(pair: Pair, made: CoarseBody, found: dict[str, Swing]) -> dict[str, Array]:
    """Body -> (f, 3) its fine surface when the fine body is furthest from rest; that of naive means follows the corners."""
    moved = np.linalg.norm(found["fine"].x - pair.fine.vertices, axis=2).max(axis=1)
    k = int(np.argmax(moved))
    out = {"fine": found["fine"].x[k][np.unique(boundary_triangles(pair.fine.tets))]}
    for name, swing in found.items():
        if name == "naive":
            out[name] = np.einsum("fa,fai->fi", made.coordinates, swing.x[k][made.tets[made.host]])
        elif name != "fine":
            out[name] = fine_positions(made, swing.x[k], blend=True)
    return out


def tracked(pair: Pair, found: dict[str, Swing]) -> dict[str, tuple[Array, Array]]:
    """Body -> times [s] and displacement of the coarse vertex that moves most [m]."""
    X = pair.coarse.vertices
    moves = {name: s.x - X for name, s in found.items() if name != "fine"}
    moves = {"fine": pair.at_coarse(found["fine"].x - pair.fine.vertices), **moves}
    far = {name: np.linalg.norm(u, axis=2) for name, u in moves.items()}
    most = int(np.argmax(np.where(pair.compared, far["fine"].max(axis=0), 0.0)))
    return {name: (found[name].t, u[:, most]) for name, u in far.items()}


def _at_rest(pair: Pair, load: Load) -> tuple[Array, Callable[[Kind], Array]]:
    """Displacements of the fine body under a load, and a function for those of the coarse ones."""
    fine, coarse = pair.held(load.axis)
    force = np.asarray(load.force)
    wanted = static_displacement(pair.fine, fine, weight(lumped(pair.fine), force))
    return wanted, lambda kind: static_displacement(pair.body(kind), coarse, weight(pair.mass, force))


def _system(body: FineBody, mass: Array, held: Ints, force: Array | None = None) -> System:
    X = body.vertices
    pins = Motion((Prescribed(held, np.ascontiguousarray(X[held]), Hold()),))
    pull = [] if force is None else [Gravity(mass, force)]
    return build_system(X, mass, [Corotational(X, body.tets, body.stiffness), *pull], pins)


def _frequencies(body: FineBody, mass: Array, held: Ints, count: int) -> Array:
    return spectrum(_system(body, mass, held), body.vertices, count).frequencies


def _swing(system: System, X: Array, h: float, steps: int, integrator: Integrator) -> Iterator[tuple[State, float]]:
    """States after whole steps, the first one included, and the wall time since the previous one."""
    seconds, began = 0.0, time.perf_counter()
    for frame in simulate(system, integrator, State(0.0, X.copy(), np.zeros_like(X)), h, steps):
        seconds += time.perf_counter() - began
        if frame.whole:
            yield frame.state, seconds
            seconds = 0.0
        began = time.perf_counter()


def _collected(frames: Sequence[tuple[State, float]]) -> Swing:
    walls = [seconds for _, seconds in frames[2:]]  # the first step analyses the matrix
    states = [state for state, _ in frames]
    return Swing(np.array([s.t for s in states]), np.array([s.x for s in states]), float(np.median(walls)))
