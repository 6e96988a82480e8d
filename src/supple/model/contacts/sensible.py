"""Warnings about unsuitable contact distances and stiffnesses."""

from __future__ import annotations

DISTANCES = (1e-3, 0.1)
"""Least and largest sensible contact distance over the longest side of the smallest body."""
LARGEST = 0.25
"""Largest contact distance that is accepted, over the same length."""
WIDEST = 1.0
"""The same for a shape: the barrier of a curved one beyond its centres of curvature has no gradient."""
STIFFNESSES = (0.03, 1e3)
"""The same for a stiffness relative to the automatic choice."""


def distance_warnings(where: str, distance: float, size: float) -> list[str]:
    """A warning if the distance is absurd; `size`: longest side of the smallest body [m]."""
    low, high = (share * size for share in DISTANCES)
    if low <= distance <= high:
        return []
    why = (
        "steps will be cut short to keep such a gap"
        if distance < low
        else "bodies will float above the surfaces they touch"
    )
    return [f"{where}.distance: warning: {distance:.3g} m; {why}: sensible values are {low:.3g} to {high:.3g} m here"]


def distance_problems(where: str, distance: float, size: float) -> list[str]:
    """One line if most surfaces of a body lie within the distance of each other; `size`: as above [m]."""
    most = LARGEST * size
    if distance <= most:
        return []
    low, high = (share * size for share in DISTANCES)
    return [
        f"{where}.distance: {distance:.3g} m exceeds a quarter of the longest side of the smallest body, {size:.3g} m: opposite "
        f"sides of it would touch; allowed is up to {most:.3g} m, sensible are {low:.3g} to {high:.3g} m here"
    ]


def barrier_problems(where: str, distance: float, size: float) -> list[str]:
    """One line if the barrier of a shape reaches through whole bodies; `size`: as above, 0 for points [m]."""
    if distance <= WIDEST * size or not size:
        return []
    low, high = (share * size for share in DISTANCES)
    return [
        f"{where}.distance: {distance:.3g} m exceeds the longest side of the smallest body, {size:.3g} m: its barrier would "
        f"push bodies that are nowhere near; sensible values are {low:.3g} to {high:.3g} m here"
    ]


def stiffness_warnings(where: str, stiffness: float, wanted: float, unit: str) -> list[str]:
    """A warning if the stiffness is absurd; `wanted`: the automatic choice."""
    low, high = (factor * wanted for factor in STIFFNESSES)
    if low <= stiffness <= high or not wanted:  # nothing is expected to press: no stiffness is absurd
        return []
    why = "gaps will close almost entirely" if stiffness < low else "impacts become spikes that a step cannot resolve"
    return [
        f"{where}.stiffness: warning: {stiffness:.3g} {unit}; {why}: sensible values are {low:.2g} to {high:.2g} {unit} here"
    ]
