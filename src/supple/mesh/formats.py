"""Mesh files, read and written through meshio; OBJ files by supple itself, since they contain more than meshio reads.

| extension | tets | edges | vertex groups | edge groups |
|---|---|---|---|---|
| .msh (Gmsh 2.2), .vtk, .vtu | yes | yes | yes | yes |
| .mesh (Medit) | yes | yes | lost | lost |
| .ply | surface only | lost | yes | lost |
| .obj | surface only | of models | names of faces only | lost |
| .off, .stl | surface only | lost | lost | lost |
| .usd, .usda, .usdc, .usdz | read only | read only | subsets of points, read only | lost |

Polygons, texture coordinates, hard edges, objects, groups and materials of faces are read from .obj files and written to them.

Named physical groups of Gmsh and meshio's point and cell sets become vertex groups; integer cell data and physical
volumes become tags of tets. The .vtk and .vtu files hold any number of tags, .msh and .mesh one. Vertices that an .stl
file repeats for each triangle are merged.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from supple.checks import checked_call
from supple.errors import MeshError, did_you_mean
from supple.interruption.placing import placed
from supple.mesh import guarded
from supple.mesh.doctor import drop_unreferenced, heal
from supple.mesh.exchange import (
    EdgeNames,
    edge_groups_overlap,
    from_meshio,
    merged_vertices,
    to_meshio,
    written_tags,
)
from supple.mesh.mesh import Mesh
from supple.mesh.obj.reader import read_obj
from supple.mesh.obj.writer import write_obj
from supple.mesh.stages.stage import SUFFIXES as STAGES
from supple.mesh.stages.stage import is_stage
from supple.mesh.topology import surface


@dataclass(frozen=True)
class Format:
    """The content that a file format can hold, and the meshio module that handles it; None: supple itself."""

    module: str | None
    solids: bool = True
    groups: bool = True
    edge_groups: EdgeNames = "data"
    options: dict[str, Any] = field(default_factory=dict)


FORMATS = {
    # Version 4.1 cannot hold several kinds of elements without a geometry; meshio's text writer breaks with numpy 2.
    ".msh": Format("gmsh", edge_groups="tags", options={"fmt_version": "2.2", "binary": True}),
    ".vtk": Format("vtk"),
    ".vtu": Format("vtu"),
    ".mesh": Format("medit", groups=False, edge_groups="none"),
    ".obj": Format(None, solids=False, groups=False, edge_groups="none"),
    ".ply": Format("ply", solids=False, edge_groups="none"),
    ".off": Format("off", solids=False, groups=False, edge_groups="none"),
    ".stl": Format("stl", solids=False, groups=False, edge_groups="none"),
}


def read_mesh(path: str | os.PathLike[str], name: str | None = None) -> Mesh:
    """The mesh in a file, unchecked; `load_mesh` also runs the doctor. `name`: a prim of a USD stage."""
    path = Path(path)
    if is_stage(path):
        from supple.mesh.stages.prims import read_stage_mesh

        return read_stage_mesh(path, name)
    if name is not None:
        raise MeshError(f"{path}: found object '{name}', which is for files with several ({', '.join(STAGES)})")
    form = _format(path)
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "no such file"
        raise MeshError(f"{path}: {what}; check the name, and the folder that it is relative to")
    if form.module is None:
        try:
            with _trouble(path):
                return read_obj(path)
        except MeshError as error:
            raise error if str(path) in str(error) else MeshError(f"{path}: {error}") from error
    with _failures(path, "cannot be read as", "export it again, or convert it with another program"):
        data = guarded.read(form.module, path)
    try:
        mesh = from_meshio(data)
    except MeshError as error:
        raise MeshError(f"{path}: {error}") from error
    except (ValueError, IndexError, TypeError, OverflowError) as error:  # arrays that do not fit together
        raise MeshError(f"{path}: its arrays do not fit together: {error}; export it again") from error
    return merged_vertices(mesh) if path.suffix.lower() == ".stl" else mesh


@checked_call
def load_mesh(path: str | os.PathLike[str], name: str | None = None) -> tuple[Mesh, list[str]]:
    """The mesh in a file as checked by the doctor, and notes on the repairs."""
    return heal(read_mesh(path, name), where=os.fspath(path) if name is None else f"{os.fspath(path)}: {name}")


def writable(path: Path) -> Format:
    """The format of a file to be written; refuses formats that are read only, and folders that do not exist."""
    if is_stage(path):
        raise MeshError(f"{path}: USD meshes are read only; write {', '.join(FORMATS)}, or a run with `supple export`")
    form = _format(path)
    if not path.parent.is_dir():
        raise MeshError(f"{path}: the folder {path.parent} does not exist; create it first")
    return form


@checked_call
def write_mesh(mesh: Mesh, path: str | os.PathLike[str]) -> list[str]:
    """Write a file in the format of its extension; returns notes on lost content."""
    path = Path(path)
    form = writable(path)
    mesh, notes = _reduced(mesh, form, path)
    if form.module is None:
        with _trouble(path):
            write_obj(mesh, path)
        return notes
    data = to_meshio(mesh, form.groups, form.edge_groups)
    remedy = "check that the folder is writable and the disk not full"
    with _failures(path, "cannot be written as", remedy), placed(path) as new:
        importlib.import_module(f"meshio.{form.module}").write(str(new), data, **form.options)
    return notes


def _reduced(mesh: Mesh, form: Format, path: Path) -> tuple[Mesh, list[str]]:
    """The part of a mesh that the format can hold, and notes on the rest."""
    lost = []
    if not form.solids:
        skin = surface(mesh)
        if len(skin) == 0:
            holding = ", ".join(ext for ext, f in FORMATS.items() if f.solids)
            raise MeshError(f"{path}: {path.suffix} files hold triangles only, and the mesh has none; use {holding}")
        lost += ["inner vertices and tets (only the surface is kept)"] if mesh.is_solid else []
        # only a model's own lines; the springs of a sheet should not appear in other programs
        has_lines = form.module is None and mesh.polygons is not None
        lost += ["edges"] if len(mesh.edges) and not has_lines else []
        edges = mesh.edges if has_lines else mesh.edges[:0]
        mesh = drop_unreferenced(Mesh(mesh.vertices, edges, skin, groups=mesh.groups, polygons=mesh.polygons))
    known = {} if mesh.polygons is None else mesh.polygons.vertex_groups()
    if not form.groups and any(name not in known for name in mesh.groups):
        lost += ["vertex groups"]
    if mesh.polygons is not None and mesh.polygons.has_uv and form.module is not None:
        lost += ["texture coordinates and polygons (.obj files can)"]
    if mesh.edge_groups and form.edge_groups == "none":
        lost += ["edge groups"]
    if form.edge_groups == "tags" and edge_groups_overlap(mesh):
        lost += ["edges in several edge groups (the last group has them)"]
    if len(written_tags(mesh, form.edge_groups)) < len(mesh.tags):
        lost += ["several arrays of tags (one of them is kept)"]
    return mesh, [f"{path}: {path.suffix} files cannot hold {what}" for what in lost]


def _format(path: Path) -> Format:
    extension = path.suffix.lower()
    if extension not in FORMATS:
        found = f"unknown extension '{extension}'" if extension else "no extension"
        hint = did_you_mean(extension, [*FORMATS, *STAGES])
        raise MeshError(f"{path}: {found}{hint} known: {', '.join([*FORMATS, *STAGES])}")
    return FORMATS[extension]


@contextlib.contextmanager
def _trouble(path: Path) -> Iterator[None]:
    """Turn file system errors into a `MeshError`."""
    try:
        yield
    except OSError as error:
        raise _disk(path, error) from error


def _disk(path: Path, error: OSError) -> MeshError:
    return MeshError(f"{path}: {error.strerror or error}; check permissions and free space")


@contextlib.contextmanager
def _failures(path: Path, what: str, remedy: str) -> Iterator[None]:
    """Turn any reaction of meshio to a bad file (an exception, an exit, text on the console) into a `MeshError`."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except OSError as error:
        raise _disk(path, error) from error
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{error} {said.getvalue()}".split()) or "its beginning is not that of such a file"
        if isinstance(error, IndexError):
            reason = f"an element names a vertex that the file does not have ({reason})"
        raise MeshError(f"{path}: {what} {path.suffix}: {reason[:300]}; {remedy}") from error
