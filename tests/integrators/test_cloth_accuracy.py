"""Cloth of StVK springs: what methods miss of a wave, what they keep of a swing, and energy over many steps."""

from functools import cache

import numpy as np
import pytest
from sheet_errors import sheet_errors

from builders import drift
from supple.scene.build import build
from supple.scene.load import load_scene
from supple.simulate import Frame, simulate

QUARTER = ("body.0.mesh.cells=[60,20]", "body.0.mesh.size=[1.5,0.5]", "body.0.mass=0.25")
"""The first quarter of the thin sheet: the same cells, the same strike."""
