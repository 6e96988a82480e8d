"""Frames with notes."""

from __future__ import annotations

from dataclasses import replace

from supple.loop import Frame


def noted(frame: Frame, note: str) -> Frame:
    """The frame with another note after its own; the same frame if there is none."""
    return replace(frame, note="; ".join(filter(None, (frame.note, note)))) if note else frame
