# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension: which supple it starts."""

import bpy
from bpy.props import StringProperty

PYTHON = StringProperty(
    name="Python",
    subtype="FILE_PATH",
    description="A Python that has supple; empty: the installed one, or the one in PATH",
)
SOURCE = StringProperty(
    name="Source",
    default="supple[mesh]",
    description="What Install takes: a package, a wheel, or a folder with the sources",
)


class SupplePreferences(bpy.types.AddonPreferences):
    """Saved with the preferences of Blender, not in the .blend."""

    bl_idname = __package__
    python: PYTHON
    source: SOURCE

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "python")
        layout.prop(self, "source")
        row = layout.row(align=True)
        row.operator("supple.install", icon="IMPORT")
        row.operator("supple.check", icon="CHECKMARK")
        if context.scene.supple.report:
            layout.label(text=context.scene.supple.report)


def register() -> None:
    bpy.utils.register_class(SupplePreferences)


def unregister() -> None:
    bpy.utils.unregister_class(SupplePreferences)
