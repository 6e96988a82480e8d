"""Writes scenes/walker.npz: a torso of 42 vertices walks along z, sways, turns and bobs for 1.5 s at 24 frames per second."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.constraints.scripts import rotated
from supple.mesh.shapes.surface import Sphere

SCENES = Path(__file__).parent.parent / "scenes"
FPS, FRAMES, PACE = 24, 37, 2.0 * np.pi
"""Two steps take a second."""
CENTRE, HALF = np.array([0.0, 1.2, 0.0]), np.array([0.17, 0.3, 0.12])


def torso(t: float) -> np.ndarray:
    """(42, 3) at a time [s]; it begins at rest."""
    ball = Sphere(radius=1.0, centre=(0.0, 0.0, 0.0), subdivisions=1).mesh().vertices
    begun = np.clip(t / 0.4, 0.0, 1.0) ** 2 * (3.0 - 2.0 * np.clip(t / 0.4, 0.0, 1.0))
    phase = PACE * t
    breath = 1.0 + 0.03 * begun * np.sin(phase)
    x = ball * HALF * np.array([breath, 1.0, breath])
    x = rotated(x, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), 0.5 * begun * float(np.sin(phase)))
    x = rotated(x, (0.0, 0.0, 1.0), (0.0, -0.3, 0.0), 0.12 * begun * float(np.sin(phase)))
    way = 0.4 * _distance(t)
    return x + CENTRE + np.array([0.04 * begun * np.sin(phase), 0.03 * begun * np.sin(2.0 * phase) ** 2, way])


def _distance(t: float) -> float:
    """The integral of a speed that eases from 0 to 1 in 0.4 s."""
    s = min(t / 0.4, 1.0)
    return 0.4 * (s**3 - 0.5 * s**4) + max(t - 0.4, 0.0)


if __name__ == "__main__":
    times = np.arange(FRAMES) / FPS
    triangles = Sphere(radius=1.0, centre=(0.0, 0.0, 0.0), subdivisions=1).mesh().triangles
    positions = np.array([torso(float(t)) for t in times], dtype=np.float32)
    np.savez_compressed(
        SCENES / "walker.npz",
        positions=positions,
        times=times,
        triangles=triangles.astype(np.uint8),
        name="torso",
        up="y",
    )
