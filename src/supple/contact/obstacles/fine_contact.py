"""Contact of an obstacle with a fine surface embedded in a coarse body, as a function of the coarse vertices.

    V(x) = sum over surface points of w phi(d(y)),   y = Y + W (x - X)
The map is linear (fine_surface.py), so the contact of single vertices carries over. Its mean over a step is W^T times
the mean at the points, exact in energy for the same reasons, and a barrier bounds the displacements of the points.
Coarse vertices lie outside the fine body and may pass through the obstacle.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.contact.obstacles.fine_surface import FineSurface
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.energies.points.carried import CarriedContact
from supple.energies.roles.contact import ContactTerm
from supple.energies.samples import Samples
from supple.energies.touch import Touch
from supple.linalg.parts import Parts
from supple.types import Array, Ints


class FineContact(CarriedContact, ContactTerm):
    """Points of a fine surface against one shape; an element is a coarse tet with the points in it."""

    def __init__(self, of: ObstacleContact, surface: FineSurface) -> None:
        """of: contact of the points, with the indices of the surface."""
        super().__init__(of, surface.passage)
        self.of: ObstacleContact = of
        self.surface = surface
        self.shape, self.law, self.thickness = of.shape, of.law, of.thickness

    def positions(self, x: Array) -> Array:
        """(f, 3) of the surface points [m]."""
        return self.passage.places(x)

    def gaps(self, x: Array) -> Array:
        """(m,) gaps of the points to each part of the shape [m]."""
        return self.of.gaps(self.positions(x))

    def intruders(self, x: Array) -> Ints:
        """Points on the obstacle's surface or behind it, ascending."""
        return self.of.intruders(self.positions(x))

    def gaps_of(self, vertex: int, x: Array) -> Array:
        """Gaps of the points that a vertex carries [m]."""
        carried = np.flatnonzero((self.surface.corners == vertex).any(axis=1))
        return self.gaps(x)[np.isin(self.of.elements[:, 0], carried)]

    def lightness(self, mass: Array) -> float:
        """Largest weight over mass of a vertex: every point contributes its weight times its coordinate [1/kg]."""
        points = self.of.elements[:, 0]
        shares = self.of.weights[:, None] * np.abs(self.surface.w[points])
        sums = np.bincount(self.surface.corners[points].ravel(), shares.ravel(), len(mass))
        return float((sums / mass).max(initial=0.0))

    def touches(self, x: Array) -> tuple[Touch, ...]:
        """Contacts within reach of the law; the point of each moves with the corners of its tet."""
        return tuple(self._carried(touch) for touch in self.of.touches(self.positions(x)))

    def presses(self, x0: Array, x1: Array) -> tuple[Touch, ...]:
        """Contacts within reach in a step, with the mean force."""
        return tuple(self._carried(touch) for touch in self.of.presses(self.positions(x0), self.positions(x1)))

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        places = np.stack([self.positions(x) for x in samples.x])
        pull = np.zeros_like(self.surface.x)
        total = self.of.add_value_gradient(replace(samples, x=places), parts, pull)
        if pull.any():  # few points are in contact, and often none
            gradient += self.passage.at_nodes(pull)
        return total

    def clipped(self, x: Array, p: Array) -> Array:
        if not self.law.keeps_apart:
            return p
        t = self.of.entries(self.positions(x), self.passage.moved(p))
        cut = np.flatnonzero(t < 1.0)
        if not len(cut):
            return p
        allowed = np.ones(len(p))
        np.minimum.at(allowed, self.surface.corners[self.of.elements[cut, 0]], t[cut, None])
        return allowed[:, None] * p

    def _carried(self, touch: Touch) -> Touch:
        """The same contacts with the corners that carry their points."""
        points = touch.corners[:, 0]
        w = self.surface.w[points]
        slope = None if touch.slope is None else w[:, :, None] * touch.slope
        return Touch(self.surface.corners[points], w, touch.normal, touch.force, slope)
