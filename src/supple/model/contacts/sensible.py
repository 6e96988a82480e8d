"""Words about contact distances and stiffnesses that will not do what they should."""

from __future__ import annotations

DISTANCES = (1e-3, 0.1)
"""Least and largest sensible contact distance over the longest side of the smallest body."""
STIFFNESSES = (0.03, 1e3)
"""The same of a stiffness over the one that would be chosen."""


def distance_warnings(where: str, distance: float, size: float) -> list[str]:
    """One line if the distance is absurd; `size`: longest side of the smallest body [m]."""
    low, high = (share * size for share in DISTANCES)
    if low <= distance <= high:
        return []
    why = "steps will be cut short to keep such a gap" if distance < low else "bodies will float above what they touch"
    return [f"{where}.distance: warning: {distance:.3g} m; {why}: sensible are {low:.3g} to {high:.3g} m here"]


def stiffness_warnings(where: str, stiffness: float, wanted: float, unit: str) -> list[str]:
    """One line if the stiffness is absurd; `wanted`: the one that would be chosen."""
    low, high = (factor * wanted for factor in STIFFNESSES)
    if low <= stiffness <= high:
        return []
    why = "gaps will close nearly to nothing" if stiffness < low else "impacts become needles that a step cannot follow"
    return [
        f"{where}.stiffness: warning: {stiffness:.3g} {unit}; {why}: sensible are {low:.2g} to {high:.2g} {unit} here"
    ]
