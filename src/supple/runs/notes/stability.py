"""Unstable steps of explicit methods, detected before the run on an oscillator with the highest frequency of the body.

The highest mode of M^-1 K at the start is found by a few Lanczos iterations, its damping by the dampers of the scene. The
method itself advances an oscillator with both; the step is stable if that grows by no more than GROWTH over the whole
run. Penalties of obstacles, which are not in contact at the start, add at most their own stiffness at their design
depth.
"""

from __future__ import annotations

import math

import numpy as np

from supple.analysis.damping import amplification
from supple.analysis.oscillator import oscillator
from supple.damping.drag import Drag
from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.model.contacts.thickness import usual_distance
from supple.model.innermost import innermost
from supple.model.model import Model
from supple.solvers.tools import StepTools
from supple.types import Array

GROWTH = 2.0
"""Factor by which the fastest mode may grow in a run."""
SAFETY = 0.8
"""Recommended fraction of the largest stable step: bodies become stiffer when they are stretched."""
HALVINGS = 40


def stability_note(model: Model, method: Method, h: float, duration: float) -> str:
    """Advice on a step that is too large for an explicit method; empty if it is stable, or the method is implicit."""
    inner = innermost(method)
    if inner.facts.solves or method.adapts or inner.moves_points:  # which subdivides its steps itself
        return ""
    try:
        omega, rate = fastest_mode(model.system, model.state)
        omega = math.hypot(omega, penalty_frequency(model))
        longest = stable_step(inner, omega, rate, h, duration)
    except SuppleError:  # a body without a stiffness matrix, or a method without a linear step: no prediction possible
        return ""
    if longest >= h:
        return ""
    advice = f"use time.step = {SAFETY * longest:.2g} or less, or" if longest > 0.0 else "use"
    return (
        f"time.step: warning: {h:.3g} s is too long for {inner.name}, which is explicit: the fastest mode of "
        f"the bodies, {omega / (2.0 * math.pi):.3g} Hz, would diverge; {advice} an implicit method such as avf"
    )


def stable_step(method: Integrator, omega: float, rate: float, h: float, duration: float) -> float:
    """The longest step up to h [s] with which a mode of omega [rad/s], damped by the force rate M v [1/s], grows by at most
    GROWTH in that time [s]; 0 if there is none."""
    if omega == 0.0 or _grows(method, omega, rate, h, duration) <= GROWTH:
        return h
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high) if low else 0.5 * high
        if _grows(method, omega, rate, middle, duration) <= GROWTH:
            low = middle
        else:
            high = middle
        if high - low < 1e-3 * low:
            break
    return low


def _grows(method: Integrator, omega: float, rate: float, h: float, duration: float) -> float:
    """Factor of the amplitude over the run; time is in units of 1/omega, as for damping curves."""
    system = oscillator(1.0, [Drag(np.ones(1), rate / omega)] if rate else [])
    tools = StepTools(system)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            T = amplification(system, method, h * omega, tools)
    finally:
        tools.close()
    if not np.isfinite(T).all():
        return math.inf
    rho = float(np.abs(np.linalg.eigvals(T)).max())
    return math.exp(min(700.0, duration / h * math.log(max(rho, 1.0))))


def penalty_frequency(model: Model) -> float:
    """Largest angular frequency of a vertex on the penalty of an obstacle [rad/s]."""
    usual = usual_distance(model.placed, min(float(part.mesh.extent.max()) for part in model.bodies))
    squares = [0.0]
    for obstacle, term in model.contact.shapes:
        curvature = float(term.law.curvature(np.array([-(obstacle.distance or usual)]))[0])
        squares.append(curvature * term.lightness(model.system.mass))
    return math.sqrt(max(squares))


def fastest_mode(system: System, state: State) -> tuple[float, float]:
    """Angular frequency of the fastest mode [rad/s] and the rate of its damping [1/s]."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    linearised = Linearised(system, state)
    root = np.sqrt(np.repeat(system.mass, 3))

    def scaled(y: Array) -> Array:
        r = (y.ravel() / root).reshape(-1, 3)
        return linearised.stiff(system.on_free(r)).ravel() / root

    size = len(root)
    if size < 4 or not len(system.free):
        return 0.0, 0.0
    start = np.random.default_rng(0).standard_normal(size)
    operator = LinearOperator((size, size), matvec=scaled, dtype=np.float64)
    values, vectors = eigsh(operator, k=1, which="LA", v0=start, tol=1e-3)
    mode = vectors[:, 0]
    damped = linearised.damp(system.on_free((mode / root).reshape(-1, 3))).ravel() / root
    return math.sqrt(max(float(values[0]), 0.0)), max(float(mode @ damped), 0.0)
