# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the buttons."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import bpy
from bpy.props import BoolProperty, StringProperty

from . import environment, jobs, simulation
from .folders import folders_of, plain
from .messages import Refusal
from .objects import cache, slot
from .process import Plan
from .properties import BODIES

WAIT = BoolProperty(name="Wait", description="Return when the job has ended", options={"HIDDEN", "SKIP_SAVE"})
FOLDER = StringProperty(name="Folder", subtype="DIR_PATH", description="Where the scene file goes")


class _Starts:
    """Starts a job. Without a window it is waited for."""

    bl_options: ClassVar[set[str]] = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return not jobs.running(context.scene)

    def begin(self, context: bpy.types.Context, plan: Callable[[], Plan]) -> set[str]:
        try:
            log = folders_of(context.scene).log
            job = jobs.begin(context.scene, plan(), log, self.wait or bpy.app.background)
        except Refusal as problem:
            context.scene.supple.report = str(problem)
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        if job.failed:
            self.report({"ERROR"}, job.message)
            return {"CANCELLED"}
        if job.done:
            self.report({"INFO"}, job.message)
        return {"FINISHED"}


class Simulate(_Starts, bpy.types.Operator):
    """Simulate all objects with a role in a separate process and play the result on them"""

    bl_idname = "supple.simulate"
    bl_label = "Simulate"
    wait: WAIT

    def execute(self, context: bpy.types.Context) -> set[str]:
        return self.begin(context, lambda: simulation.simulating(context))


class Resume(_Starts, bpy.types.Operator):
    """Continue a run that was cancelled, as it was started"""

    bl_idname = "supple.resume"
    bl_label = "Resume"
    wait: WAIT

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return not jobs.running(context.scene) and _resumable(context.scene)

    def execute(self, context: bpy.types.Context) -> set[str]:
        return self.begin(context, lambda: simulation.resuming(context))


class Export(_Starts, bpy.types.Operator):
    """Write the scene file with its meshes and motions, for `supple run` outside of Blender"""

    bl_idname = "supple.export_scene"
    bl_label = "Export Scene File"
    wait: WAIT
    directory: FOLDER

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not self.directory:
            self.report({"ERROR"}, "no folder given for the scene file")
            return {"CANCELLED"}
        folder = Path(bpy.path.abspath(self.directory))
        return self.begin(context, lambda: simulation.exporting(context, folder))


class Install(_Starts, bpy.types.Operator):
    """Install supple into a separate environment"""

    bl_idname = "supple.install"
    bl_label = "Install supple"
    wait: WAIT

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = environment.preferences()
        source = chosen.source if chosen is not None else "supple[mesh]"
        return self.begin(context, lambda: environment.installing(source))


class Check(bpy.types.Operator):
    """Show which supple is used"""

    bl_idname = "supple.check"
    bl_label = "Check"

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            said = f"{environment.version()} ({environment.command()[0]})"
        except Refusal as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        context.scene.supple.report = said
        self.report({"INFO"}, said)
        return {"FINISHED"}


class Cancel(bpy.types.Operator):
    """Stop after the current step; frames so far are kept, and the run can be resumed"""

    bl_idname = "supple.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return jobs.running(context.scene)

    def execute(self, context: bpy.types.Context) -> set[str]:
        jobs.job_of(context.scene).cancel()
        return {"FINISHED"}


class Bake(bpy.types.Operator):
    """Keep the caches in a folder beside the .blend, protected from new runs"""

    bl_idname = "supple.bake"
    bl_label = "Bake"
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return not jobs.running(context.scene) and any(map(slot.cache_of, context.scene.objects))

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not bpy.data.filepath:
            self.report({"ERROR"}, "baked caches live beside the .blend; save the file first")
            return {"CANCELLED"}
        blend = Path(bpy.data.filepath)
        folder = blend.parent / "supple" / "baked"
        for thing in context.scene.objects:
            modifier = slot.cache_of(thing)
            if modifier is None or thing.supple.baked:
                continue
            source = Path(bpy.path.abspath(modifier.filepath))
            if not source.exists():
                self.report({"ERROR"}, f"{thing.name}: {source} is gone; simulate again")
                return {"CANCELLED"}
            folder.mkdir(parents=True, exist_ok=True)
            kept = folder / f"{blend.stem}-{plain(context.scene.name)}-{plain(thing.name)}.pc2"
            shutil.copyfile(source, kept)
            modifier.filepath = cache.relative(kept)
            thing.supple.baked = True
        return {"FINISHED"}


class Clear(bpy.types.Operator):
    """Take all results off the objects and delete the run and its caches"""

    bl_idname = "supple.clear"
    bl_label = "Clear"
    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return not jobs.running(context.scene)

    def execute(self, context: bpy.types.Context) -> set[str]:
        for thing in context.scene.objects:
            modifier = slot.cache_of(thing)
            if modifier is not None and thing.supple.baked:
                Path(bpy.path.abspath(modifier.filepath)).unlink(missing_ok=True)
            cache.detach(thing)
            if thing.supple.role in BODIES:
                thing.supple.baked = False
        try:
            folders = folders_of(context.scene)
        except Refusal:  # a folder beside a .blend that was never saved has nothing in it
            return {"FINISHED"}
        for folder in (folders.run, folders.caches, folders.scene):
            shutil.rmtree(folder, ignore_errors=True)
        folders.log.unlink(missing_ok=True)
        context.scene.supple.report = ""
        return {"FINISHED"}


def _resumable(scene: bpy.types.Scene) -> bool:
    try:
        return folders_of(scene).resumable
    except Refusal:
        return False


CLASSES = (Simulate, Resume, Export, Install, Check, Cancel, Bake, Clear)


def register() -> None:
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister() -> None:
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
