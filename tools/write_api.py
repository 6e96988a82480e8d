"""Writes src/supple/__init__.pyi, the public names with their modules, and the pages of docs/reference/api. Run by `make docs`.

Registered classes are public by being registered; the other names are listed here, by groups.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from supple.adaptive import RULES
from supple.contact.obstacles import OBSTACLES
from supple.damping import DAMPINGS
from supple.integrators import INTEGRATORS
from supple.materials import FORMULAS, MATERIALS, MEMBRANES
from supple.materials.flow import FLOWS
from supple.mesh import SHAPES
from supple.model.constraints.constraint import CONSTRAINTS
from supple.model.energies.energy import ENERGIES
from supple.model.fields.field import FIELDS
from supple.model.materials.structure import STRUCTURES
from supple.points import TRANSFERS

ROOT = Path(__file__).parent.parent
STUB, PAGES = ROOT / "src" / "supple" / "__init__.pyi", ROOT / "docs" / "reference" / "api"
MADE = "---\nsearch:\n  boost: 0.2\n---\n<!-- Written by tools/write_api.py: `make docs`. -->"
OVERVIEW = f"""{MADE}
# Python API

All public names, under one name each: `import supple as sp`, then `sp.Body`. [Python](../../guide/python-api.md) shows how they
work together, [extending](../../develop/extending.md) how to write classes of your own. Deep imports such as
`supple.energies.solids.solid` are for developers; they may move.
"""
MODEL = {
    "supple.model.assemble": "assemble",
    "supple.model.attachments": "Attachment",
    "supple.model.body": "Body",
    "supple.model.changing.muscle": "Muscle",
    "supple.model.contact": "Contact",
    "supple.model.direction.direction": "Directions",
    "supple.model.initial": "Initial Turn Twist",
    "supple.model.limits.limits": "Limits",
    "supple.model.model": "Model",
    "supple.model.motion": "Motion Moves Rotation Translation",
    "supple.model.moving.keyframe": "Keyframe",
    "supple.model.moving.orientation": "AxisAngle",
    "supple.model.obstacle": "MeshObstacle Obstacle",
    "supple.model.placed": "Placed",
    "supple.model.points.points": "Points",
    "supple.model.presets.preset": "Preset preset",
    "supple.model.regions.made": "RegionMaterial",
    "supple.model.regions.region": "LayeredRegion Region TaggedRegion Tubular VoxelRegion",
    "supple.model.sewing.pleat": "Pleat",
    "supple.model.sewing.seam": "Seam",
    "supple.model.selection": "Beyond Nearest Selection Within",
    "supple.model.source": "CoarseFile MeshFile",
    "supple.model.thin": "Bending Kept Pressure",
    "supple.model.world": "World",
    "supple.mesh.cages.cage": "Cage",
    "supple.mesh.mesh": "Mesh",
    "supple.formulas.curves": "Curve",
    "supple.formulas.places.fields": "Field",
    "supple.formulas.values": "VectorField",
}
FIELD_PARTS = {"supple.model.fields.region": "FieldRegion"}
WRAPPERS = {
    "supple.adaptive.error_control": "ErrorControl",
    "supple.budget.energy_budget": "EnergyBudget",
    "supple.budget.points": "PointBudget",
}
OWN = {
    "supple.materials.formula_material": "FormulaMaterial material",
    "supple.materials.membranes.membrane": "MembraneLaw",
    "supple.materials.membranes.own": "membrane",
    "supple.scene.register": "register",
    "supple.constraints.own": "OwnConstraint",
    "supple.damping.damper": "Damping",
    "supple.damping.formula": "dissipation",
    "supple.dynamics.state": "State",
    "supple.energies.term": "EnergyTerm",
    "supple.integrators.method": "Method",
    "supple.materials.material": "Material",
    "supple.model.constraints.constraint": "Constraint",
    "supple.model.energies.energy": "Energy",
    "supple.model.fields.field": "ForceField",
    "supple.model.materials.own_springs": "spring",
    "supple.model.materials.structure": "Structure",
    "supple.model.thin": "bending",
    "supple.analysis.own": "Analysis",
    "supple.scene.own_tables": "SceneTable",
}
RUNNING = {
    "supple.errors": "LimitReached SuppleError SuppleWarning",
    "supple.loop": "Frame",
    "supple.runs.results": "Run open_run",
    "supple.runs.running": "load resume run",
    "supple.runs.simulating": "simulate",
    "supple.paths": "allow_paths",
    "supple.scene.tables.setup": "Setup",
    "supple.scene.text.plugins": "load_plugin",
    "supple.solvers.options": "SolverOptions",
    "supple.sweeps.results": "Sweep resume_sweep sweep",
}
RECORDING = {"supple.recording.history": "read_history", "supple.recording.playback": "open_animation"}
FITTING = {
    "supple.fits.fit": "Fit",
    "supple.fits.gradient": "Gradient gradient",
    "supple.fits.losses.losses": "Loss energy_at follow highest hit pose roughness",
    "supple.fits.results.result": "FitResult",
    "supple.fits.unknowns": "Unknown",
    "supple.sensitivity.record": "Record record",
    "supple.sensitivity.sweeps": "Bars Direction Share pull push",
}
ANALYSIS = {
    "supple.analysis.materials.curves": "material_curves",
    "supple.analysis.materials.data": "read_stress_data",
    "supple.analysis.materials.fitting": "fit_material",
    "supple.materials.rest.at_rest": "AtRest",
    "supple.materials.rest.facts": "MaterialFacts material_facts",
    "supple.analysis.spectrum": "spectrum",
    "supple.dynamics.invariants": "momenta",
    "supple.mesh.formats": "load_mesh write_mesh",
    "supple.runs.judge": "judge",
}


def listed(names: dict[str, str]) -> dict[str, str]:
    """Public name -> module."""
    return {name: module for module, several in names.items() for name in several.split()}


def registered(*registries: Any) -> dict[str, str]:
    """The same of all classes of some registries."""
    return {cls.__name__: cls.__module__ for registry in registries for cls in registry.load().values()}


def groups() -> dict[str, dict[str, str]]:
    """Heading -> public names and their modules."""
    return {
        "Model": listed(MODEL) | registered(ENERGIES),
        "Shapes": registered(SHAPES),
        "Shapes of obstacles": registered(OBSTACLES),
        "Materials": registered(MATERIALS, FORMULAS, MEMBRANES, STRUCTURES, FLOWS),
        "Integrators": registered(INTEGRATORS, RULES, TRANSFERS) | listed(WRAPPERS),
        "Dampings": registered(DAMPINGS),
        "Fields": registered(FIELDS) | listed(FIELD_PARTS),
        "Constraints": registered(CONSTRAINTS),
        "Running": listed(RUNNING),
        "Derivatives and fits": listed(FITTING),
        "Recording": listed(RECORDING),
        "Analysis and files": listed(ANALYSIS),
        "Bases of your own classes": listed(OWN),
    }


def stub() -> str:
    """The whole file."""
    lines = ["# The public names of supple. Written by tools/write_api.py: `make docs`.", ""]
    seen: dict[str, str] = {}
    for heading, names in groups().items():
        lines.append(f"# {heading}")
        for name, module in sorted(names.items(), key=lambda entry: (entry[1], entry[0])):
            if seen.setdefault(name, module) != module:
                raise SystemExit(f"two public names {name}: {seen[name]} and {module}")
            lines.append(f"from {module} import {name} as {name}")
        lines.append("")
    return "\n".join([*lines, "__version__: str", ""])


def slug(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def pages() -> dict[str, str]:
    """The pages of docs/reference/api: file name -> text. MkDocs puts signatures and docstrings below the names."""
    return {"index.md": overview(), **{f"{slug(heading)}.md": members(heading) for heading in groups()}}


def overview() -> str:
    """All names by groups."""
    rows = [
        f"| [{heading}]({slug(heading)}.md) | {', '.join(f'`{name}`' for name in sorted(names))} |"
        for heading, names in groups().items()
    ]
    return "\n".join([OVERVIEW, "| group | names |", "|---|---|", *rows, ""])


def members(heading: str) -> str:
    """One group."""
    names = "".join(f"\n::: supple.{name}\n" for name in sorted(groups()[heading]))
    return f"{MADE}\n# API: {heading[0].lower()}{heading[1:]}\n\nNames of [`supple`](index.md), `import supple as sp`.\n{names}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    PAGES.mkdir(exist_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
