# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of an object and of a scene. They are saved in the .blend."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from . import words

ROLES = (
    ("NONE", "None", "No part in the simulation", "X", 0),
    ("SOFT", "Soft body", "A solid: filled with tetrahedra", "MESH_ICOSPHERE", 1),
    ("CLOTH", "Cloth", "A sheet with the thickness of its fabric", "MOD_CLOTH", 2),
    ("SHELL", "Shell", "A thin wall with a given thickness", "MOD_SOLIDIFY", 3),
    ("ROPE", "Rope", "Edges without faces", "MOD_LINEART", 4),
    ("OBSTACLE", "Obstacle", "A surface that no body passes; it may move and deform", "MOD_PHYSICS", 5),
)
BODIES = ("SOFT", "CLOTH", "SHELL", "ROPE")
FILLINGS = (
    ("AUTO", "Automatic", "Tetrahedra in closed meshes, a cage around others", 0),
    ("TETS", "Tetrahedra", "Fill the closed surface; contact and pins follow it closely", 1),
    ("CAGE", "Cage", "A coarse lattice around any surface, which carries it along", 2),
)
METHODS = (
    ("avf", "AVF", "Keeps the energy; damping is that of the materials", 0),
    ("bdf2", "BDF2", "Second order, takes a little energy away", 1),
    ("tr-bdf2", "TR-BDF2", "Second order, two solves per step", 2),
    ("backward-euler", "Backward Euler", "Robust and calm: takes much energy away", 3),
)

ROLE = EnumProperty(name="Role", items=ROLES, default="NONE", description="Role of the object in the simulation")
SOLID = EnumProperty(name="Preset", items=words.SOLIDS, description="Material of the soft body")
SHEET = EnumProperty(name="Preset", items=words.SHEETS, description="Fabric")
PLATE = EnumProperty(name="Preset", items=words.PLATES, description="Material of the shell")
ROD = EnumProperty(name="Preset", items=words.RODS, description="Material of the rope")
STIFFER = FloatProperty(
    name="Stiffer", default=1.0, min=1e-4, soft_max=10.0, description="Factor on all stiffnesses of the preset"
)
DENSER = FloatProperty(name="Heavier", default=1.0, min=1e-3, soft_max=10.0, description="Factor on the density")
DAMPING = FloatProperty(
    name="Damping", default=1.0, min=0.0, soft_max=10.0, description="Factor on the damping of the preset; 0: none"
)
THICKNESS = FloatProperty(
    name="Thickness",
    default=0.0,
    min=0.0,
    unit="LENGTH",
    precision=5,
    description="Of the wall, or diameter of the rope; 0: a hundredth of the object. Of an obstacle: distance kept, 0: none",
)
PINS = StringProperty(
    name="Pins",
    description="Vertex group whose members (weight 0.5 and more) follow armature, modifiers, shape keys and parents",
)
CORE = BoolProperty(
    name="Rigid core", description="Also pin the inside next to pinned vertices, as flesh sits on bones"
)
FILLING = EnumProperty(name="Inside", items=FILLINGS, default="AUTO", description="How the inside is discretised")
EDGE = FloatProperty(
    name="Cell size",
    default=0.0,
    min=0.0,
    unit="LENGTH",
    precision=4,
    description="Edge length of tetrahedra or of the lattice; 0: a twelfth of the diagonal",
)
FRICTION = FloatProperty(name="Friction", default=0.3, min=0.0, soft_max=1.0, description="Coulomb's coefficient")
SELF = BoolProperty(name="Self-contact", default=True, description="Parts of the body keep each other off")
BAKED = BoolProperty(name="Baked", description="The cache is kept beside the .blend and protected")


class SuppleObject(bpy.types.PropertyGroup):
    """Settings of an object."""

    role: ROLE
    solid: SOLID
    sheet: SHEET
    plate: PLATE
    rod: ROD
    stiffer: STIFFER
    denser: DENSER
    damping: DAMPING
    thickness: THICKNESS
    pins: PINS
    core: CORE
    filling: FILLING
    edge_length: EDGE
    friction: FRICTION
    self_contact: SELF
    baked: BAKED

    @property
    def word(self) -> str:
        """The preset of the role."""
        return getattr(self, {"SOFT": "solid", "CLOTH": "sheet", "SHELL": "plate", "ROPE": "rod"}[self.role])


SUBSTEPS = IntProperty(
    name="Steps per frame", default=2, min=1, soft_max=20, description="More steps for fast motion and stiff materials"
)
METHOD = EnumProperty(name="Method", items=METHODS, default="avf", description="Integrator")
DISTANCE = FloatProperty(
    name="Contact distance",
    default=0.0,
    min=0.0,
    unit="LENGTH",
    precision=5,
    description="Gap at which surfaces begin to repel; 0: chosen by supple from thickness and size",
)
SEPARATE = BoolProperty(
    name="Move apart at start", description="Move bodies that start inside each other or an obstacle"
)
FIELDS = BoolProperty(name="Force fields", default=True, description="Wind and forces of the scene act on the bodies")
FOLDER = StringProperty(
    name="Folder",
    subtype="DIR_PATH",
    description="Scene, run and caches; empty: a folder beside the .blend, or a temporary one",
)
REPORT = StringProperty(name="Report", description="Result of the last run")


class SuppleScene(bpy.types.PropertyGroup):
    """Settings of the whole simulation."""

    substeps: SUBSTEPS
    method: METHOD
    distance: DISTANCE
    separate: SEPARATE
    fields: FIELDS
    folder: FOLDER
    report: REPORT


CLASSES = (SuppleObject, SuppleScene)


def register() -> None:
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.Object.supple = PointerProperty(type=SuppleObject)
    bpy.types.Scene.supple = PointerProperty(type=SuppleScene)


def unregister() -> None:
    del bpy.types.Scene.supple
    del bpy.types.Object.supple
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
