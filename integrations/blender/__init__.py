# SPDX-License-Identifier: GPL-3.0-or-later
"""supple in Blender: soft bodies, cloth, shells and ropes, simulated by supple in a separate process."""

from . import jobs, operators, panel, preferences, properties

MODULES = (properties, preferences, operators, panel, jobs)


def register() -> None:
    for module in MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(MODULES):
        module.unregister()
