# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel "supple" in the physics properties of an object."""

import textwrap

import bpy

from . import environment, jobs
from .folders import folders_of
from .ledger import last_row
from .messages import Refusal
from .objects import slot
from .properties import BODIES

WORDS = {"SOFT": "solid", "CLOTH": "sheet", "SHELL": "plate", "ROPE": "rod"}
LETTER = 8.0
"""Width of a letter in a message, with the room beside it [pixels]."""


class _Side:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"


class ObjectPanel(_Side, bpy.types.Panel):
    """Role and material of the object."""

    bl_idname = "SUPPLE_PT_object"
    bl_label = "supple"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context: bpy.types.Context) -> None:
        layout, thing = self.layout, context.object
        settings = thing.supple
        layout.grid_flow(row_major=True, columns=2, align=True).prop(settings, "role", expand=True)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if settings.role in BODIES:
            column = layout.column()
            column.enabled = not settings.baked
            draw_body(column, thing)
        elif settings.role == "OBSTACLE":
            layout.prop(settings, "friction")
            layout.prop(settings, "thickness")


def draw_body(layout: bpy.types.UILayout, thing: bpy.types.Object) -> None:
    """Settings of a body."""
    settings = thing.supple
    layout.prop(settings, WORDS[settings.role])
    column = layout.column(align=True)
    for key in ("stiffer", "denser", "damping"):
        column.prop(settings, key)
    layout.prop_search(settings, "pins", thing, "vertex_groups", icon="PINNED")
    if settings.role in ("SHELL", "ROPE"):
        layout.prop(settings, "thickness")
    if settings.role == "SOFT":
        layout.prop(settings, "core")
        layout.prop(settings, "filling")
        layout.prop(settings, "edge_length")
    layout.prop(settings, "friction")
    layout.prop(settings, "self_contact")


class ScenePanel(_Side, bpy.types.Panel):
    """The simulation of all objects together."""

    bl_idname = "SUPPLE_PT_scene"
    bl_label = "Simulation"
    bl_parent_id = "SUPPLE_PT_object"

    def draw(self, context: bpy.types.Context) -> None:
        layout, scene = self.layout, context.scene
        if jobs.running(scene):
            draw_job(layout, scene)
        else:
            row = layout.row(align=True)
            row.scale_y = 1.4
            row.operator("supple.simulate", icon="PLAY")
            row.operator("supple.resume", icon="FF")
            row = layout.row(align=True)
            row.operator("supple.bake", icon="FREEZE")
            row.operator("supple.clear", icon="TRASH")
            layout.operator("supple.export_scene", icon="EXPORT")
        draw_result(layout, context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.enabled = not jobs.running(scene)
        column.label(
            text=f"Frames {scene.frame_start} to {scene.frame_end}, {scene.render.fps / scene.render.fps_base:g} fps"
        )
        for key in ("substeps", "method", "distance", "fields", "separate", "folder"):
            column.prop(scene.supple, key)


def draw_job(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """Progress, the energy ledger and a way to stop."""
    job = jobs.job_of(scene)
    row = last_row(folders_of(scene).run / "history.csv") if job.command and job.command.interruptible else None
    length = (scene.frame_end - scene.frame_start) * scene.render.fps_base / scene.render.fps
    part = 0.0 if row is None or length <= 0.0 else min(1.0, row.time / length)
    layout.progress(factor=part, text=f"{job.title}: {100.0 * part:.0f} %")
    layout.operator("supple.cancel", icon="CANCEL")


def draw_result(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The last report, and the ledger of the run."""
    scene, box = context.scene, None
    try:
        environment.command()
        row = last_row(folders_of(scene).run / "history.csv")
    except Refusal as problem:
        draw_text(layout.box(), str(problem), "ERROR")
        return
    if row is not None:
        box = layout.box()
        grid = box.grid_flow(row_major=True, columns=2, even_columns=True)
        for label, value in (
            ("Energy", row.total),
            ("Dissipated", row.dissipated),
            ("External work", row.external_work),
            ("Residual", row.residual),
        ):
            grid.label(text=label)
            grid.label(text=f"{value:.4g} J")
    if scene.supple.report and not jobs.running(scene):
        job = jobs.job_of(scene)
        draw_text(box or layout.box(), scene.supple.report, "ERROR" if job is not None and job.failed else "INFO")
    if not bpy.data.filepath and slot.cache_of(context.object) is not None:
        draw_text(layout, "Save the file: results are in a temporary folder", "INFO")


def draw_text(layout: bpy.types.UILayout, text: str, icon: str) -> None:
    """Several lines; only the first has the icon."""
    column = layout.column(align=True)
    letters = bpy.context.region.width / (LETTER * bpy.context.preferences.system.ui_scale)
    for k, line in enumerate(textwrap.wrap(text, max(16, int(letters) - 6))):
        column.label(text=line, icon=icon if k == 0 else "BLANK1")


CLASSES = (ObjectPanel, ScenePanel)


def register() -> None:
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister() -> None:
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
