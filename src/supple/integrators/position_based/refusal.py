"""Systems that position-based methods cannot advance, and why."""

from __future__ import annotations

from supple.dynamics.needs import Objection
from supple.dynamics.system import System
from supple.energies.roles.driven import DrivenByAir
from supple.energies.roles.frozen import FrozenAgain
from supple.energies.term import EnergyTerm
from supple.integrators.position_based.plan import unknown_terms


def objection(name: str, system: System) -> Objection | None:
    """The objection of a method of that name; None if it can advance the system."""
    odd = [_label(term) for term in unknown_terms(system.potential)]
    if odd:
        return Objection(
            f"{name} is for energies that are squares of constraints; found {', '.join(odd)}",
            (
                "give solids stvk, neo-hookean (with poisson above 0), stable-neo-hookean or stable-neo-hookean-log, sheets "
                "stvk-membrane or orthotropic-membrane, or make the body of springs",
            ),
        )
    stiff = [_label(term) for term in system.dissipation.terms if _is_stiff(term)]
    if stiff:
        return Objection(
            f"{name} applies damping by obstacles and air only, since damping between vertices may be too stiff for its "
            f"explicit forces; found {', '.join(stiff)}",
            (
                "leave it out (damping = 0 for a preset material); the method itself is dissipative",
                "use drag instead",
            ),
        )
    return None


def _label(term: EnergyTerm) -> str:
    """Solid (corotated)."""
    name = type(term).__name__
    material = getattr(getattr(term, "material", None) or getattr(term, "law", None), "name", "")
    return f"{name} ({material})" if material else name


def _is_stiff(damper: EnergyTerm) -> bool:
    """Whether a dissipation couples vertices, and is neither air nor friction."""
    return damper.elements.shape[1] > 1 and not isinstance(damper, DrivenByAir | FrozenAgain)
