"""A first scene as text, by kind and model."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Literal, TypeAlias

from supple.errors import SuppleError
from supple.escaping import one_line
from supple.mesh.mesh import Mesh
from supple.mesh.stages.stage import is_stage, open_stage
from supple.model.presets.preset import known_word
from supple.model.presets.published import published
from supple.runs.notes.units import SIZES
from supple.runs.templates import cloth, flag, rope, soft
from supple.runs.templates.figures import STEP
from supple.runs.templates.model import Form, GivenModel, as_it_is, filled, form_of, read_model
from supple.runs.templates.stage import has_bodies, stage_scene

Kind: TypeAlias = Literal["soft", "cloth", "flag", "rope"]
KINDS: dict[str, ModuleType] = {"soft": soft, "cloth": cloth, "flag": flag, "rope": rope}
FORMS: dict[str, Form] = {"soft": "solid", "cloth": "surface", "flag": "surface", "rope": "line"}
"""Mesh form of each kind of body."""
USUAL: dict[Form, Kind] = {"solid": "soft", "surface": "cloth", "line": "rope"}
"""Default kind for each form of model."""
DURATIONS = {"soft": 2.0, "cloth": 1.5, "flag": 4.0, "rope": 3.0}
"""[s]"""
TITLES = {
    "soft": "A soft body falls onto the ground",
    "cloth": "A cloth falls over a table",
    "flag": "A flag in the wind",
    "rope": "A rope is let go",
}


def new_scene(
    file: Path, model: Path | None, kind: Kind | None, scale: float, up: str, overwrite: bool, word: str | None = None
) -> tuple[str, list[str]]:
    """Text of the scene, and notes; a generated mesh is written beside `file`.

    word: material preset; by default parameters that suit the size of the body.
    """
    if model is not None and is_stage(model):
        if has_bodies(model):
            return stage_scene(file, model, {"kind": kind, "material": word, "scale": scale != 1.0, "up": up != "y"})
        up = open_stage(model).up if up == "y" else up
    if word is not None:
        kind = _kind_of(word, kind)
    if model is None:
        kind = kind or "soft"
        found = KINDS[kind].usual()
        if up != "y":
            raise SuppleError(f"--up {up}: applies to models; without --from, y is up")
    else:
        mesh, notes = read_model(model, scale)
        kind = kind or USUAL[form_of(mesh)]
        found = _fitting(kind, model, mesh, scale, file, [*_unit(model, mesh, scale), *notes], overwrite)
    if kind in ("flag", "rope") and up == "x":
        raise SuppleError(f"--up x: a {kind} points along x, so y or z must be up")
    world = "" if up == "y" else f'[world]\nup = "{up}"\n\n'
    tables = KINDS[kind].write(found, up) if word is None else KINDS[kind].write(found, up, word)
    return _head(file, kind) + world + tables, list(found.notes)


def _kind_of(word: str, kind: Kind | None) -> Kind:
    """A kind that fits the preset."""
    try:
        row = published()[known_word(word)]
    except ValueError as error:
        raise SuppleError(f"--material {word}: {error}") from None
    form: Form = "surface" if row.is_sheet else "solid"
    if kind is not None and FORMS[kind] != form:
        fitting = " or ".join(name for name, needed in FORMS.items() if needed == form)
        raise SuppleError(f"--kind {kind}: '{word}' is a {'sheet' if row.is_sheet else 'solid'}; use --kind {fitting}")
    return kind or USUAL[form]


def _fitting(
    kind: Kind, path: Path, mesh: Mesh, scale: float, scene: Path, notes: list[str], overwrite: bool
) -> GivenModel:
    """The model in the form required by the kind."""
    form, wanted = form_of(mesh), FORMS[kind]
    fits = {"solid": form == "solid", "surface": form != "line" and not mesh.is_solid, "line": form == "line"}
    if not fits[wanted]:
        raise SuppleError(f"--kind {kind}: {_refusal(path, mesh, form, wanted)}")
    if wanted == "solid" and not mesh.is_solid:
        return filled(path, mesh, scale, scene, notes, overwrite)
    return as_it_is(path, mesh, scale, scene, notes)


def _unit(path: Path, mesh: Mesh, scale: float) -> list[str]:
    """A hint for a model that is probably not in metres."""
    longest = float(mesh.extent.max())
    if longest <= SIZES[1]:
        return []
    guess, unit = (0.001, "millimetres") if longest > 100.0 else (0.01, "centimetres")
    return [f"warning: {path} is {longest:.3g} m long; if it is in {unit}, give --scale {guess * scale:g} --overwrite"]


def _refusal(path: Path, mesh: Mesh, form: Form, wanted: Form) -> str:
    has = {
        "solid": "tets" if mesh.is_solid else "a closed surface",
        "surface": "an open surface",
        "line": "edges alone",
    }
    needs = {
        "solid": "tets or a closed surface",
        "surface": "triangles without tets",
        "line": "edges without triangles",
    }
    more = "; `supple mesh` shows where the surface is open" if wanted == "solid" and form == "surface" else ""
    return f"requires {needs[wanted]}, but {path} has {has[form]}; use --kind {USUAL[form]}{more}"


def _head(file: Path, kind: Kind) -> str:
    name = one_line(file.stem)
    return f"""\
# supple run {one_line(file.name)}: simulates it into runs/{name}
# supple render runs/{name} --to {name}.mp4: makes a film of that
# Lengths are in metres, masses in kilograms, times in seconds, stiffnesses in pascals.
title = "{TITLES[kind]}"

[time]
step = "{STEP}"
duration = {DURATIONS[kind]} # seconds

"""
