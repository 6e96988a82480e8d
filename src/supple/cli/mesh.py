"""`supple mesh`: inspect, repair and convert a mesh file, name vertices, fill a surface with tets or build a cage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.cli.options.mesh import (
    ENVELOPE,
    AsJson,
    Cage,
    Cells,
    CellSize,
    DropUnreferenced,
    EdgeLength,
    Envelope,
    File,
    Group,
    HoleSize,
    Inside,
    KeepApart,
    Object,
    Picture,
    Repair,
    Settings,
    Smooth,
    Tetrahedralise,
    Up,
    Write,
)

if TYPE_CHECKING:
    from rich.console import Console

    from supple.mesh.mesh import Mesh
    from supple.mesh.report import Report

BAR = 40
"""Width of the longest bar in the histogram, in characters."""


def mesh(
    file: File,
    settings: Settings = None,
    as_json: AsJson = False,
    repair: Repair = False,
    hole_size: HoleSize = None,
    tetrahedralise: Tetrahedralise = None,
    edge_length: EdgeLength = None,
    envelope: Envelope = ENVELOPE,
    cage: Cage = False,
    cells: Cells = None,
    size: CellSize = None,
    inside: Inside = None,
    smooth: Smooth = False,
    keep_apart: KeepApart = False,
    group: Group = None,
    write: Write = None,
    picture: Picture = None,
    up: Up = "y",
    drop_unreferenced: DropUnreferenced = False,
    of: Object = None,
) -> None:
    """Report counts, volumes, quality, groups and defects of a mesh; optionally repair, convert or fill it."""
    import json
    from dataclasses import asdict

    from supple.cli.output import new_console
    from supple.mesh import doctor, formats
    from supple.mesh.mending.repair import HOLE_SIZE, repaired
    from supple.mesh.report import report
    from supple.scene.text.picking import with_picked

    _check_pairs(edge_length, envelope, tetrahedralise, hole_size, repair, up)
    options = {"cells": cells, "size": size, "inside": inside, "smooth": smooth, "keep_apart": keep_apart}
    _check_files(file, tetrahedralise, write, picture)
    _check_cage(cage, {key: value for key, value in options.items() if value}, tetrahedralise)
    console = new_console(as_json)
    body, notes = _read(file, settings or [], of, up)
    if repair:
        body, said = repaired(body, HOLE_SIZE if hole_size is None else hole_size, where=str(file))
        notes += said
    if drop_unreferenced:
        body = doctor.drop_unreferenced(body)
    body, said = _caged(body, file, options) if cage else _healed(body, file, picture, up)
    notes += said
    if tetrahedralise is not None:
        body = _filled(console, body, edge_length, envelope)
    body = with_picked(body, group or [])
    for out in (tetrahedralise, write):
        notes += formats.write_mesh(body, out) if out is not None else []
    if picture is not None:
        _draw(body, picture, up, file)
    findings = report(body)
    if as_json:
        print(json.dumps({"file": str(file), "notes": notes, "closed": findings.closed, **asdict(findings)}))
        return
    written = [str(path) for path in (tetrahedralise, write, picture) if path is not None]
    _show(console, str(file), findings, notes + [f"written: {path}" for path in written])


def _read(file: Path, settings: list[str], of: str | None, up: str) -> tuple[Mesh, list[str]]:
    """The mesh of a file or of a named shape, and notes on further content."""
    from supple.clips.reading import is_clip_file
    from supple.errors import SuppleError, did_you_mean
    from supple.mesh import SHAPES
    from supple.mesh.formats import read_mesh
    from supple.scene.text.shaped import shaped

    found = None if file.exists() else shaped(str(file), settings)
    if found is not None:
        return found, []
    if is_clip_file(file) and not settings:
        return _first_frame(file, of, up)
    if of is not None:
        raise SuppleError(f"--object {of}: {file} is not a motion file; omit this option")
    if settings or not (file.exists() or file.suffix):
        names = SHAPES.names()
        reason = "so --set has nothing to change" if settings else "and no such file exists"
        raise SuppleError(f"{file}: not a shape, {reason}{did_you_mean(str(file), names)} shapes: {', '.join(names)}")
    return read_mesh(file), []


def _first_frame(file: Path, of: str | None, up: str) -> tuple[Mesh, list[str]]:
    """Mesh of a moving object, in metres, with the vertical axis of the picture; a note lists other objects."""
    from supple.clips.contents import contents
    from supple.clips.reading import read_clip
    from supple.clips.space import Placement
    from supple.errors import SuppleError

    clip, jump = read_clip(file, of)
    if clip.faces is None and clip.edges is None:
        raise SuppleError(
            f"{clip.file}: '{clip.name}' has neither faces nor edges; `supple info {file}` lists its contents"
        )
    placement = Placement.of(clip.space, up)
    mesh = clip.mesh()
    notes = [f"first frame of '{clip.name}', {placement.text(clip.space, up)}", *([f"warning: {jump}"] if jump else [])]
    return mesh.moved(placement(mesh.vertices)), notes + [line.lstrip("\n") for line in contents(file).lines()]


def _check_pairs(
    edge_length: float | None,
    envelope: float,
    tetrahedralise: Path | None,
    hole_size: float | None,
    repair: bool,
    up: str,
) -> None:
    from supple.errors import SuppleError

    if edge_length is not None and tetrahedralise is None:
        raise SuppleError("--edge-length: requires --tetrahedralise OUT; give both")
    if envelope != ENVELOPE and tetrahedralise is None:
        raise SuppleError("--envelope: requires --tetrahedralise OUT; give both")
    if hole_size is not None and not repair:
        raise SuppleError("--hole-size: requires --repair; give both")
    if up not in ("x", "y", "z"):
        raise SuppleError(f"--up: found '{up}'; give x, y or z")


def _check_files(given: Path, tetrahedralise: Path | None, write: Path | None, picture: Path | None) -> None:
    """Refuse files that cannot be written, and the mesh itself, before anything is filled with tets."""
    from supple.cli.analyse.output import check_places
    from supple.errors import SuppleError
    from supple.mesh.formats import writable
    from supple.render.style import check_drawable

    meshes = [file for file in (tetrahedralise, write) if file is not None]
    for file in meshes:
        writable(file)
        if file.resolve() == given.resolve():
            raise SuppleError(f"{file}: is the mesh itself; write to another file")
    if picture is not None:
        check_drawable(picture)
    check_places(*meshes, *([picture] if picture is not None else []))


def _check_cage(cage: bool, options: dict[str, Any], tetrahedralise: Path | None) -> None:
    from supple.errors import SuppleError

    if options and not cage:
        raise SuppleError(f"--{next(iter(options)).replace('_', '-')}: requires --cage; give both")
    if cage and tetrahedralise is not None:
        raise SuppleError(
            "--cage, --tetrahedralise: give one of the two; a cage already consists of tets, and --write OUT writes it"
        )


def _caged(body: Mesh, file: Path, options: dict[str, Any]) -> tuple[Mesh, list[str]]:
    """The cage around an unchecked surface, and its findings."""
    from supple.mesh.cages.cage import Cage, caged

    found = caged(body, Cage(**{key: value for key, value in options.items() if value is not None}), str(file))
    return found.mesh, [found.summary]


def _healed(body: Mesh, file: Path, picture: Path | None, up: str) -> tuple[Mesh, list[str]]:
    """Findings of the mesh doctor; a refused mesh is still drawn as far as possible."""
    from supple.errors import MeshError
    from supple.mesh.doctor import heal

    try:
        return heal(body, where=str(file))
    except MeshError as error:
        if picture is not None and body.n and len(body.triangles) and not body.is_solid:
            _draw(body, picture, up, file)
            raise MeshError(f"{error}\npicture of the refused mesh: {picture}") from None
        raise


def _draw(body: Mesh, picture: Path, up: str, file: Path) -> None:
    from supple.render.mesh_picture import draw_mesh

    kinds = {"vertices": body.n, "triangles": len(body.triangles), "tets": len(body.tets), "edges": len(body.edges)}
    draw_mesh(
        body, picture, up, f"{file.name}: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    )


def _filled(console: Console, body: Mesh, edge_length: float | None, envelope: float) -> Mesh:
    """The tet mesh inside a surface; the console shows the progress."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from supple.mesh.tetrahedralise import tetrahedralise as fill

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("filling with tets", total=None)

        def watch(text: str) -> None:
            bar.update(task, description=f"filling with tets: {text}")

        return fill(body, edge_length=edge_length, envelope=envelope, watch=watch)


def _show(console: Console, title: str, findings: Report, notes: list[str]) -> None:
    from rich.table import Table

    table = Table(title=title, show_header=False, box=None, title_justify="left", title_style="bold")
    for label, value in _rows(findings):
        table.add_row(label, value)
    console.print(table)
    console.print("quality (mean ratio; 1 is regular, 0 is flat)")
    most = max(findings.quality_counts)
    for i, count in enumerate(findings.quality_counts):
        bar = "█" * -(-BAR * count // most)
        console.print(f"  {i / 10:.1f} to {(i + 1) / 10:.1f}  {count:>8}  {bar}")
    for kind, groups in (("groups", findings.groups), ("edge groups", findings.edge_groups)):
        if groups:
            console.print(f"{kind}: " + ", ".join(f"{name} ({count})" for name, count in groups.items()), markup=False)
    if findings.triangles and not findings.tets and findings.filling_problems:
        notes = [f"cannot be filled with tets: {problem}" for problem in findings.filling_problems] + notes
    for note in notes:
        console.print(note, markup=False)


def _rows(findings: Report) -> list[tuple[str, str]]:
    counts = {"vertices": findings.vertices, "edges": findings.edges, "triangles": findings.triangles}
    rows = [(name, f"{count}") for name, count in {**counts, "tets": findings.tets}.items() if count]
    kind, unit = ("tet", "m^3") if findings.tets else ("triangle", "m^2") if findings.triangles else ("edge", "m")
    low, high = (", ".join(f"{c:.6g}" for c in corner) for corner in (findings.low, findings.high))
    rows.append(("box", f"({low}) to ({high}) m"))
    totals = (("volume", findings.volume, "m^3"), ("area", findings.area, "m^2"), ("length", findings.length, "m"))
    rows += [(name, f"{value:.6g} {u}") for name, value, u in totals if value > 0]
    rows.append((f"smallest {kind}", f"{findings.smallest:.6g} {unit}"))
    rows.append((f"largest {kind}", f"{findings.largest:.6g} {unit}"))
    rows.append(("quality", f"least {findings.quality_least:.3f}, mean {findings.quality_mean:.3f}"))
    rows.append(("pieces", f"{findings.components}"))
    if findings.area > 0:
        rows.append(("surface", _surface(findings)))
    if findings.triangles and not findings.tets:
        rows.append(("tets inside", "no, see below" if findings.filling_problems else "yes, use --tetrahedralise OUT"))
    return rows


def _surface(findings: Report) -> str:
    if findings.closed:
        return "closed"
    return (
        f"open, {findings.boundary_edges} boundary edges"
        if findings.boundary_edges
        else "non-manifold, or inconsistently oriented"
    )
