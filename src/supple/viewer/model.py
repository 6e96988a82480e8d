"""The model of a setup under the settings of the live page, with a handle at every vertex."""

from __future__ import annotations

from dataclasses import dataclass

from supple.energies.springs.anchor import Anchors
from supple.model.model import Model
from supple.scene.tables.setup import Setup
from supple.viewer.changed import changed
from supple.viewer.settings import Settings


@dataclass(frozen=True)
class Steered:
    """The simulated model: a setup with settings, and its model with handles."""

    setup: Setup
    model: Model


def steered(setup: Setup, plain: Model, anchors: Anchors, settings: Settings, like: Steered | None = None) -> Steered:
    """A setup with these settings; `plain` is its model without any, `anchors` becomes one of the terms. `like`: an assembled
    one whose settings differ at most in the method."""
    other = changed(setup, [placed.mesh for placed in plain.placed], settings)
    if like is not None:
        return Steered(other, like.model)
    model = plain if other is setup else other.assemble(like=plain, overlapping=True)
    return Steered(other, model.with_terms([anchors]))
