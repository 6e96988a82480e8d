"""Calls of flow functions by address, from compiled loops; see materials/address.py."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from supple.materials.address import _call


@intrinsic
def call_flow(typing, address, constants, F, taken):
    """Flow of a batch: constants and F change in place."""
    return types.void(address, constants, F, taken), _call
