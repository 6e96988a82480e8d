import json
import sys

import numpy as np
import pytest
import typer

from supple.cli.mesh import mesh as command
from supple.errors import SuppleError
from supple.mesh.formats import read_mesh, write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes_solid import Bar, Cube
from supple.mesh.shapes_thin import Cloth
from supple.mesh.topology import surface


@pytest.fixture
def run(capsys):
    app = typer.Typer()
    app.command()(command)

    def run(*words):
        try:
            app([str(w) for w in words], standalone_mode=False)
            code = 0
        except SuppleError as error:
            sys.stderr.write(f"{error}\n")
            code = 2
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def bar(tmp_path):
    write_mesh(Bar().mesh(), tmp_path / "bar.msh")
    return tmp_path / "bar.msh"


def test_report_for_people(run, bar):
    code, out, _ = run(bar)
    assert code == 0
    words = " ".join(out.split())
    for part in ("vertices 36", "tets 40", "volume 1 m^3", "surface closed", "left (4)", "least 0.840", "pieces 1"):
        assert part in words
    assert "0.8 to 0.9        32  " + "█" * 40 in out


def test_report_for_programs(run, bar):
    code, out, _ = run(bar, "--json")
    data = json.loads(out.splitlines()[-1])
    assert code == 0
    assert (data["tets"], data["closed"], data["groups"]["left"], sum(data["quality_counts"])) == (40, True, 4, 40)


def test_sheets_have_boundary_edges_and_edge_groups(run, tmp_path):
    write_mesh(Cloth(cells=(6, 6)).mesh(), tmp_path / "sheet.vtu")
    _, out, _ = run(tmp_path / "sheet.vtu")
    assert "open, 24 boundary edges" in out
    assert "edge groups: stretch (84), shear (72), bend (70)" in out


def test_repairs_and_losses_are_said(run, tmp_path):
    bar = Bar().mesh()
    write_mesh(Mesh(bar.vertices, tets=bar.tets[:, [1, 0, 2, 3]], groups=bar.groups), tmp_path / "bar.vtk")
    code, out, _ = run(tmp_path / "bar.vtk", "--json", "--write", tmp_path / "bar.obj")
    notes = json.loads(out.splitlines()[-1])["notes"]
    assert code == 0
    assert "all 40 tets had negative volume" in notes[0]
    assert len(read_mesh(tmp_path / "bar.obj").triangles) == 68


def test_problems_exit_with_2(run, tmp_path):
    x = Bar().mesh().vertices.copy()
    x[3] = np.nan
    write_mesh(Bar().mesh().moved(x), tmp_path / "sick.vtu")
    code, out, err = run(tmp_path / "sick.vtu")
    assert (code, out) == (2, "")
    assert "1 vertex with a NaN or infinite coordinate (first: 3)" in err
    code, _, err = run(tmp_path / "gone.msh")
    assert code == 2
    assert "no such file" in err


def test_loose_vertices_can_be_dropped(run, tmp_path):
    bar = Bar().mesh()
    write_mesh(Mesh(np.vstack([bar.vertices, [[9.0, 9, 9]]]), tets=bar.tets), tmp_path / "loose.msh")
    code, _, err = run(tmp_path / "loose.msh")
    assert code == 2
    assert "--drop-unreferenced" in err
    code, out, _ = run(tmp_path / "loose.msh", "--drop-unreferenced", "--write", tmp_path / "clean.msh")
    assert code == 0
    assert "written" in out
    assert run(tmp_path / "clean.msh")[0] == 0


def test_edge_length_alone_makes_no_sense(run, bar):
    code, _, err = run(bar, "--edge-length", "0.1")
    assert code == 2
    assert "--tetrahedralise OUT" in err


def test_a_surface_is_filled_and_written(run, tmp_path):
    box = Cube(cells=1).mesh()
    write_mesh(Mesh(box.vertices, triangles=surface(box)), tmp_path / "box.obj")
    code, out, _ = run(
        tmp_path / "box.obj",
        "--json",
        "--tetrahedralise",
        tmp_path / "box.msh",
        "--edge-length",
        "0.6",
        "--envelope",
        "0.01",
    )
    assert code == 0
    data = json.loads(out.splitlines()[-1])
    assert data["volume"] == pytest.approx(1.0, abs=0.05)
    assert len(read_mesh(tmp_path / "box.msh").tets) == data["tets"] > 0
