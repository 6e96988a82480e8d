"""Which systems position-based methods cannot advance, and why."""

from __future__ import annotations

from supple.contact.obstacles.obstacle import ObstacleContact
from supple.dynamics.system import System
from supple.energies.roles.driven import DrivenByAir
from supple.energies.roles.frozen import FrozenAgain
from supple.energies.term import EnergyTerm
from supple.integrators.position_based.plan import unknown_terms


def refusal(name: str, system: System) -> str:
    """What a method of that name cannot do and what to take instead; empty if it can advance the system."""
    if any(not isinstance(term, ObstacleContact) for term in system.potential.roles.barriers):
        return (
            f"{name} knows contact with obstacles that are shapes, not between surfaces; leave out [contact] and mesh "
            "obstacles, or take avf, backward-euler, bdf2, tr-bdf2, generalized-alpha or simo-tarnow"
        )
    odd = [_label(term) for term in unknown_terms(system.potential)]
    if odd:
        return (
            f"{name} is for energies that are squares of constraints; found {', '.join(odd)}; take stvk, neo-hookean "
            "(with poisson above 0), stable-neo-hookean or stable-neo-hookean-log for solids, stvk-membrane or "
            "orthotropic-membrane for sheets, springs, or another integrator"
        )
    stiff = [_label(term) for term in system.dissipation.terms if _is_stiff(term)]
    if stiff:
        return (
            f"{name} knows damping by obstacles and air only, since damping between vertices may be too stiff for its "
            f"explicit forces; found {', '.join(stiff)}; leave it out, the method damps of its own accord, or take drag or "
            "another integrator"
        )
    return ""


def _label(term: EnergyTerm) -> str:
    """Solid (corotated)."""
    name = type(term).__name__
    material = getattr(getattr(term, "material", None) or getattr(term, "law", None), "name", "")
    return f"{name} ({material})" if material else name


def _is_stiff(damper: EnergyTerm) -> bool:
    """Whether a dissipation couples vertices, and is neither air nor friction."""
    return damper.elements.shape[1] > 1 and not isinstance(damper, DrivenByAir | FrozenAgain)
