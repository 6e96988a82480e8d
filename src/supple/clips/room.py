"""Size limits of clips: a short file can declare a size that fills all memory."""

from __future__ import annotations

from supple.errors import SuppleError

MOST_FRAMES = 1_000_000
MOST_POSITIONS = 200_000_000
"""Frames times vertices; 4.8 GB as doubles."""


def demand_room(file: str, frames: int, vertices: int) -> None:
    """Reject a clip with too many frames and vertices before memory is allocated for it."""
    if frames > MOST_FRAMES or frames * vertices > MOST_POSITIONS:
        raise SuppleError(
            f"{file}: {frames:,} frames of {vertices:,} vertices are too many; at most {MOST_FRAMES:,} frames and "
            f"{MOST_POSITIONS:,} positions are read: export a shorter range"
        )
