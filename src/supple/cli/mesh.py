"""`supple mesh`: look at a mesh file, convert it, fill a surface with tets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.mesh.report import Report

BAR = 40
"""Columns of the longest bar in the histogram."""


def mesh(
    file: Annotated[Path, typer.Argument(help="mesh file: msh, vtk, vtu, mesh, obj, ply, off or stl")],
    as_json: Annotated[bool, typer.Option("--json", help="print the report as one JSON document")] = False,
    tetrahedralise: Annotated[
        Path | None, typer.Option(metavar="OUT", help="fill the closed surface with tets and write them to OUT")
    ] = None,
    edge_length: Annotated[
        float | None, typer.Option(help="largest edge of the tets [m]; default: a twentieth of the diagonal")
    ] = None,
    envelope: Annotated[
        float, typer.Option(help="how far the tets may keep from the surface, as a fraction of the diagonal")
    ] = 1e-3,
    write: Annotated[Path | None, typer.Option(metavar="OUT", help="write the mesh to OUT, in any format")] = None,
    drop_unreferenced: Annotated[bool, typer.Option(help="remove vertices that no element uses")] = False,
) -> None:
    """Report what a mesh is like: counts, volumes, quality, groups; say what is wrong with it."""
    import json
    from dataclasses import asdict

    from rich.console import Console

    from supple.errors import SuppleError
    from supple.mesh import doctor, formats
    from supple.mesh.report import report

    if edge_length is not None and tetrahedralise is None:
        raise SuppleError("--edge-length: works with --tetrahedralise OUT only; give both")
    body = formats.read_mesh(file)
    if drop_unreferenced:
        body = doctor.drop_unreferenced(body)
    body, notes = doctor.heal(body, where=str(file))
    if tetrahedralise is not None:
        from supple.mesh.tetrahedralise import tetrahedralise as fill

        body = fill(body, edge_length=edge_length, envelope=envelope)
        notes += formats.write_mesh(body, tetrahedralise)
    if write is not None:
        notes += formats.write_mesh(body, write)
    findings = report(body)
    if as_json:
        print(json.dumps({"file": str(file), "notes": notes, "closed": findings.closed, **asdict(findings)}))
        return
    written = [str(path) for path in (tetrahedralise, write) if path is not None]
    _show(Console(highlight=False), str(file), findings, notes + [f"written: {path}" for path in written])


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
        rows.append(("surface", "closed" if findings.closed else f"open, {findings.boundary_edges} boundary edges"))
    return rows
