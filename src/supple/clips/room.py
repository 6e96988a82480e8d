"""Size limits of clips: a short file can declare a size that fills all memory."""

from __future__ import annotations

from supple.errors import SuppleError

MOST_FRAMES = 1_000_000
MOST_POSITIONS = 80_000_000
"""Frames times vertices; 1.9 GB as doubles."""
MOST_TRANSFORMS = 2_000_000
"""Frames times nodes whose transforms are computed, for all objects of a file together: less than a minute."""
MOST_INFLUENCES = 4 * MOST_POSITIONS
"""Frames times vertices times weights of joints, or of morph targets that are not zero."""


def demand_room(file: str, frames: int, vertices: int) -> None:
    """Reject a clip with too many frames and vertices before memory is allocated for it."""
    if frames > MOST_FRAMES or frames * vertices > MOST_POSITIONS:
        raise SuppleError(
            f"{file}: {frames:,} frames of {vertices:,} vertices are too many; at most {MOST_FRAMES:,} frames and "
            f"{MOST_POSITIONS:,} positions are read: export a shorter range"
        )


def demand_work(file: str, frames: int, nodes: int, weights: int) -> None:
    """Reject a motion whose nodes, or whose weights per frame, would take minutes to compute."""
    if frames * nodes > MOST_TRANSFORMS or frames * weights > MOST_INFLUENCES:
        raise SuppleError(
            f"{file}: {frames:,} frames of {nodes:,} nodes and {weights:,} weights are too many; at most {MOST_TRANSFORMS:,} "
            f"transforms and {MOST_INFLUENCES:,} weights are read: export a shorter range, or positions instead of joints"
        )
