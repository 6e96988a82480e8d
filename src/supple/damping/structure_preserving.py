"""Structure-preserving damping (Kharevych 2010): forces from the strain energy W_inc of the increment between two
configurations (increment.py). The time tau [s] is a property of the material: viscosity = tau * elastic modulus,
damping ratio tau omega/2 at small strains, for any step. The three forms act over a step of h from x0 to x1:

explicit    an impulse at the end of the step, -tau dW_inc(x0, x1)/dx1. Stable for tau omega^2 h <= 1.5 (2 if omega h is
            small); a step whose impulse exceeds that is rejected and retried in halves.
implicit    an impulse at the end of the step, M (v' - v) = +tau dW_inc(x1 + h v', x1)/dx1: the reference is where the body
            will be after another such step. One equation to solve; dissipative for any tau. That configuration lies
            on the tangent of a rotation, so a body spinning with w is compressed by a strain of about tau h w^2/2.
integrable  a dissipation potential in the step, D(v) = tau/h^2 W_inc(x0, x0 + h v). Part of the minimisation of implicit
            methods; of order 1, and it changes the angular momentum of free bodies slightly, less so with smaller
            steps. Impulses conserve both momenta, whatever method takes the step. They are booked with the kinetic
            energy they dissipate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Gt

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.elastic import ELASTIC, ElasticDamper
from supple.damping.increment import increment, increment_gradient, reference_blocks, resting
from supple.damping.quadratic import FrozenQuadratic
from supple.dynamics.equation import Jacobian, Residual
from supple.dynamics.impulse import IncrementImpulse
from supple.dynamics.state import State
from supple.dynamics.step import Tools
from supple.dynamics.system import System
from supple.energies import pulls
from supple.energies.frozen_pulls import by_constants, by_instant
from supple.energies.instant import Instant
from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.psd import clamp_negative
from supple.linalg.reduce import dot, largest
from supple.types import Array


@DAMPINGS("structure-preserving")
@dataclass(frozen=True)
class StructurePreserving(Damping):
    """Damps strain at the same rate for any step, and does not affect rigid motion."""

    tau: Annotated[float, Gt(0)]
    """Ratio of viscosity to stiffness [s]."""
    form: Literal["explicit", "implicit", "integrable"] = "implicit"
    """An explicit impulse, an implicit impulse, or a potential within the step."""

    times: ClassVar[tuple[str, ...]] = ("tau",)

    def on(self, bodies: Damped) -> Dampers:
        terms = tuple(term for term in bodies.elastic if isinstance(term, Elastic))
        if not terms:
            found = ", ".join(sorted({type(term).__name__ for term in bodies.elastic}))
            raise SuppleError(
                f"structure-preserving: damps solids and springs, found {found or 'no elastic body'}; "
                "use rayleigh, or drag for bodies that are not elastic"
            )
        if self.form == "integrable":
            return Dampers(dissipation=tuple(IncrementDamping(term, self.tau) for term in terms))
        kind = ExplicitImpulse if self.form == "explicit" else ImplicitImpulse
        return Dampers(impulses=(kind(terms, self.tau),))


class ExplicitImpulse(IncrementImpulse):
    """-tau dW_inc(x0, x1)/dx1."""

    def impulse(self, system: System, old: State, new: State, h: float, tools: Tools) -> Array:
        value, pull = increment(self.terms, old.x, new.x)
        given = -self.tau * pull
        taken = system.on_free(given)
        # in one mode of angular frequency omega: |I|^2/m = (tau omega^2 h) 2 tau W_inc/h; rigid motion contributes to
        # neither side
        limit = self.STABLE * 2.0 * self.tau / h * value
        noise = system.mass.sum() * (self.NOISE * largest(np.ptp(new.x, axis=0)) / h) ** 2
        if not dot(taken / system.mass[:, None], taken) <= max(limit, noise):
            raise self.too_strong(new.t)
        return given


@dataclass(frozen=True)
class ImplicitImpulse:
    """M (v' - v) = +tau dW_inc(x1 + h v', x1)/dx1."""

    terms: tuple[EnergyTerm, ...]
    tau: float

    def impulse(self, system: System, old: State, new: State, h: float, tools: Tools) -> Array:
        y = tools.root(_Reference(system, self.terms, self.tau, new, h))
        return self.tau * increment_gradient(self.terms, y, new.x)


class _Reference:
    """r(y) = M (y - x1 - h v) - h tau dW_inc(y, x1)/dx1 = 0 for the reference y = x1 + h v'."""

    def __init__(self, system: System, terms: tuple[EnergyTerm, ...], tau: float, state: State, h: float) -> None:
        self._system, self._terms, self._state, self._h = system, terms, state, h
        self._weight = h * tau
        self._target = state.x + h * state.v

    @property
    def start(self) -> Array:
        return self._target

    @property
    def origin(self) -> Array:
        return self._state.x

    def place(self, x: Array) -> Array:
        return self._system.motion.place(x, self._state.t + self._h)

    def max_step(self, x: Array, p: Array) -> float:
        return math.inf  # the body does not move there: nothing obstructs it

    def residual(self, x: Array) -> Residual:
        inertia = self._system.on_free(self._system.mass[:, None] * (x - self._target))
        pull = self._system.on_free(self._weight * increment_gradient(self._terms, x, self._state.x))
        return Residual(inertia - pull, max(largest(inertia), largest(pull)))

    def jacobian(self, x: Array) -> Jacobian:
        blocks = reference_blocks(self._terms, x, self._state.x)
        return Jacobian(self._system.mass, tuple((elements, -self._weight * matrix) for elements, matrix in blocks))


class IncrementDamping(ElasticDamper):
    """D(v) = tau/h^2 W_inc(x0, x0 + h v) of one elastic term, or its limit for h = 0: tau/2 v^T K v, K at rest in x."""

    number = "tau"

    def freeze(self, instant: Instant) -> EnergyTerm:
        if instant.h == 0.0:
            x = instant.place
            K = clamp_negative(resting(self._elastic, x).element_hessians(x))
            return FrozenQuadratic(self.elements, self._value * K)
        return FrozenIncrement(resting(self._elastic, instant.x0), instant.x0, instant.h, self._value)

    def constants(self) -> dict[str, Array]:
        """(1,) `tau`, and the constants of the elastic term as `elastic.<name>`, except those measured at its rest
        configuration."""
        own = self._elastic.constants()
        rested = self._elastic.measured_again if isinstance(self._elastic, MeasuredAtRest) else frozenset()
        kept = {name: value for name, value in own.items() if name not in rested}
        return {"tau": np.array([self._value]), **pulls.prefixed(kept, ELASTIC, ())}

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        return by_instant(self, "place", instant, samples, lam) if instant.h == 0.0 else np.zeros_like(lam)

    def pull_start(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        frozen = self.freeze(instant)
        return frozen.pull_start(samples, lam) if isinstance(frozen, FrozenIncrement) else np.zeros_like(lam)

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        frozen, constants = self.freeze(instant), self.constants()
        own = {"tau": frozen.element_works(samples, lam).sum(keepdims=True) / self._value}
        if isinstance(frozen, FrozenIncrement):
            found = pulls.prefixed(frozen.pull(samples, lam), ELASTIC, ())
            return {**own, **{name: found[name] for name in constants if name != "tau"}}
        others = {name: value for name, value in constants.items() if name != "tau"}
        return {**own, **by_constants(self, others, instant, samples, lam)}


class FrozenIncrement(EnergyTerm):
    """tau/h^2 W(x0 + h v), W at rest in x0."""

    def __init__(self, rested: EnergyTerm, x0: Array, h: float, tau: float) -> None:
        self.elements, self.degree = rested.elements, rested.degree
        self._rested, self._x0, self._h, self._tau = rested, x0, h, tau

    def element_values(self, v: Array) -> Array:
        return self._tau / self._h**2 * self._rested.element_values(self._x0 + self._h * v)

    def element_gradients(self, v: Array) -> Array:
        return self._tau / self._h * self._rested.element_gradients(self._x0 + self._h * v)

    def element_hessians(self, v: Array) -> Array:
        return self._tau * self._rested.element_hessians(self._x0 + self._h * v)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        return self._rested.add_value_gradient(self._moved(samples), parts, gradient)

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        self._rested.add_hessian(self._moved(samples), place, values, project)

    def element_works(self, samples: Samples, lam: Array) -> Array:
        return self._rested.element_works(self._moved(samples), lam)

    def add_product(self, samples: Samples, parts: Parts, move: Array, out: Array) -> None:
        self._rested.add_product(self._moved(samples), parts, move, out)

    def pull(self, samples: Samples, lam: Array) -> dict[str, Array]:
        """Pulls of the term with rest configuration x0; `rest` is the derivative with respect to the rest positions."""
        return self._rested.pull(self._moved(samples), lam)

    def pull_start(self, samples: Samples, lam: Array) -> Array:
        """(n, 3) derivative with respect to x0, the rest configuration of W and the start of the increment."""
        moved, out = self._moved(samples), self.pull(samples, lam)["rest"]
        for x, force in zip(moved.x, moved.force, strict=True):
            out += force * pulls.at_vertices(self.elements, self._rested.element_products(x, lam), len(lam))
        return out

    def _moved(self, samples: Samples) -> Samples:
        tau, h = self._tau, self._h
        return Samples(
            self._x0 + h * samples.x,
            tau / h**2 * samples.energy,
            tau / h * samples.force,
            tau * samples.curvature,
        )
