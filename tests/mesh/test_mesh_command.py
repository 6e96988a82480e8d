import json
import sys

import numpy as np
import pytest
import typer

from supple.cli.mesh import mesh as command
from supple.errors import MeshError, SuppleError
from supple.mesh.filled.process import News
from supple.mesh.formats import read_mesh, write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.tetrahedralise import tetrahedralise
from supple.mesh.topology import surface
from supple.scene.text.load import read_scene

BOX = Mesh(Cube(cells=1).mesh().vertices, triangles=surface(Cube(cells=1).mesh()))


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


PIERCED = Mesh(BOX.vertices, triangles=BOX.triangles[1:])
TURNED = Mesh(BOX.vertices, triangles=np.vstack([BOX.triangles[:1, ::-1], BOX.triangles[1:]]))
WALLED = Mesh(BOX.vertices, triangles=np.vstack([BOX.triangles, [[0, 3, 7]]]))
INSIDE_OUT = Mesh(BOX.vertices, triangles=BOX.triangles[:, ::-1])


@pytest.mark.parametrize("surface", [BOX, PIERCED, TURNED, WALLED, INSIDE_OUT, Cloth().mesh()])
def test_report_and_tetrahedralisation_judge_alike(run, tmp_path, monkeypatch, surface):
    solid = Cube(cells=1).mesh()
    monkeypatch.setattr("supple.mesh.tetrahedralise.fill", lambda *_: (solid.vertices, solid.tets))
    write_mesh(surface, tmp_path / "box.obj")
    code, out, _ = run(tmp_path / "box.obj", "--json")
    verdict = json.loads(out.splitlines()[-1])
    assert code == 0
    code, _, err = run(tmp_path / "box.obj", "--tetrahedralise", tmp_path / "box.msh")
    assert (code == 0) == verdict["closed"] == (not verdict["filling_problems"])
    assert err.splitlines() == verdict["filling_problems"]
    _, out, _ = run(tmp_path / "box.obj")
    assert ("cannot be filled with tets: surface is not closed" in out) == (not verdict["closed"])


@pytest.mark.study  # the cube of test_mesh_tetrahedralise.py reports it, too
def test_progress_is_told():
    said = []
    tetrahedralise(BOX, edge_length=0.5, envelope=0.01, threads=1, watch=said.append)
    assert said[0] == "collapsing edges"
    assert any("tets, worst distortion" in line for line in said)


def test_the_log_of_the_filler_is_understood():
    news = News()
    log = "eps = 0.1\n//////////////// pass 2 ////////////////\nedge swapping...\n#t = 4966\nmax_energy = 6.53379e+11\n"
    assert [news.take(line) for line in log.splitlines()] == [False, True, True, True, True]
    assert str(news) == (
        "pass 3 of at most 80, swapping edges, 4966 tets, worst distortion 6.53e+11 (3 is regular, stops below 10)"
    )


def test_a_crash_of_the_filler_is_an_error(monkeypatch):
    monkeypatch.setattr("supple.mesh.filled.process.sys.executable", "/bin/false")
    with pytest.raises(MeshError, match="fTetWild ended with status 1"):
        tetrahedralise(BOX)


def test_repair_says_what_it_did(run, tmp_path):
    write_mesh(Mesh(np.vstack([BOX.vertices, [[9, 9, 9]]]), triangles=TURNED.triangles[:-1]), tmp_path / "box.obj")
    (tmp_path / "box.obj").write_text((tmp_path / "box.obj").read_text() + "v 9 9 9\n")
    code, _, err = run(tmp_path / "box.obj")
    assert code == 2
    assert "that no element uses" in err
    code, out, _ = run(tmp_path / "box.obj", "--repair", "--hole-size", 0.9, "--write", tmp_path / "fixed.obj")
    assert code == 0
    for words in ("turned 1 face over", "closed 1 hole (edges: 3", "removed 1 vertex that no element uses"):
        assert words in out
    assert json.loads(run(tmp_path / "fixed.obj", "--json")[1].splitlines()[-1])["closed"]


def test_groups_are_picked_written_and_used(run, tmp_path):
    write_mesh(Bar().mesh(), tmp_path / "bar.vtu")
    words = []
    for group in (
        "low=box:-1,-1,-1,9,0.001,9",
        "ball=sphere:0,0,0,0.6",
        "far=plane:3.9,0,0,1,0,0",
        "tip=nearest:4,0.5,0.5:4",
        "one=nearest:0,0,0",
        "some=vertices:1,5,5",
        "both=expression:X < 0.1 and Y > 0.4",
    ):
        words += ["--group", group]
    code, out, _ = run(tmp_path / "bar.vtu", *words, "--write", tmp_path / "picked.msh")
    assert code == 0
    back = read_mesh(tmp_path / "picked.msh")
    X = back.vertices
    assert np.array_equal(back.group("low"), np.flatnonzero(X[:, 1] <= 0.001))
    assert np.array_equal(back.group("ball"), np.flatnonzero(np.linalg.norm(X, axis=1) <= 0.6))
    assert np.array_equal(back.group("far"), np.flatnonzero(X[:, 0] >= 3.9))
    assert len(back.group("tip")) == 4
    assert X[back.group("one")].tolist() == [[0, 0, 0]]
    assert back.group("some").tolist() == [1, 5]
    assert np.array_equal(back.group("both"), np.flatnonzero((X[:, 0] < 0.1) & (X[:, 1] > 0.4)))
    assert "tip (4)" in out
    body = {"name": "bar", "mesh": {"file": "picked.msh"}, "pin": "tip"}
    body["material"] = {"name": "stvk", "young": 1e5, "poisson": 0.3}
    made = read_scene({"time": {"step": 0.01, "duration": 0.01}, "body": [body]}, tmp_path).make().assemble()
    assert np.array_equal(made.mesh.groups["bar.tip"], back.group("tip"))


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("low", "found 'low'; give one of name=box:x0,y0,z0,x1,y1,z1, name=sphere:"),
        ("=box:0,0,0,1,1,1", "found '=box:0,0,0,1,1,1'; give one of"),
        ("a=bix:1", "unknown kind 'bix'; did you mean 'box'?"),
        ("a=box:0,0,0,1,1", "box is followed by numbers: box:x0,y0,z0,x1,y1,z1"),
        ("a=box:0,0,0,1,1,one", "box is followed by numbers"),
        ("a=box:1,1,1,0,0,0", "box must go from its lower to its upper corner"),
        ("a=sphere:0,0,0,-1", "sphere.radius: input should be greater than 0, found -1"),
        ("a=nearest:0,0,0:0", "nearest.count: input should be greater than or equal to 1, found 0"),
        ("a=nearest:0,0,0:99", "nearest.count: the body has 36 vertices, found 99"),
        ("a=nearest:0,0,0:1.5", "nearest.count: input should be a whole number, found 1.5"),
        ("a=vertices:1,99", "vertices: the body has 36 vertices, found index 99"),
        ("a=expression:X +", "is not an expression"),
        ("a=expression:X + 1", "is a number; a condition is needed here"),
        ("a=sphere:9,9,9,0.1", "contains none of the 36 vertices; the mesh fills [0, "),
    ],
)
def test_wrong_groups_are_explained(run, bar, group, words):
    code, _, err = run(bar, "--group", group)
    assert code == 2
    assert words in err


def test_a_mesh_is_drawn(run, tmp_path):
    from matplotlib.image import imread

    write_mesh(PIERCED, tmp_path / "box.obj")
    code, out, _ = run(tmp_path / "box.obj", "--picture", tmp_path / "box.png", "--group", "low=box:0,0,0,1,0,1")
    assert code == 0
    assert f"written: {tmp_path / 'box.png'}" in out
    pixels = imread(tmp_path / "box.png")[70:, :, :3]  # below the legend
    red = (pixels[..., 0] > 0.7) & (pixels[..., 1] < 0.1) & (pixels[..., 2] < 0.1)
    assert red.sum() > 100  # the rim of the hole
    write_mesh(BOX, tmp_path / "box.obj")
    assert run(tmp_path / "box.obj", "--picture", tmp_path / "box.png", "--up", "z")[0] == 0
    pixels = imread(tmp_path / "box.png")[70:, :, :3]
    assert not ((pixels[..., 0] > 0.7) & (pixels[..., 1] < 0.1)).any()
    assert (pixels < 0.9).any(axis=2).mean() > 0.1


def test_solids_ropes_and_refused_meshes_are_drawn(run, bar, tmp_path):
    assert run(bar, "--picture", tmp_path / "bar.png")[0] == 0
    write_mesh(Rope().mesh(), tmp_path / "rope.vtu")
    assert run(tmp_path / "rope.vtu", "--picture", tmp_path / "rope.svg")[0] == 0
    write_mesh(Mesh(BOX.vertices, triangles=np.vstack([BOX.triangles, BOX.triangles[:1]])), tmp_path / "twice.obj")
    code, _, err = run(tmp_path / "twice.obj", "--picture", tmp_path / "twice.png")
    assert code == 2
    assert f"picture of the refused mesh: {tmp_path / 'twice.png'}" in err
    assert (tmp_path / "twice.png").exists()
    code, _, err = run(bar, "--picture", tmp_path / "bar.doc")
    assert code == 2
    assert "cannot draw a '.doc' file; known:" in err


def test_files_are_checked_before_anything_is_written(run, bar, tmp_path):
    before = bar.read_bytes()
    code, _, err = run(bar, "--write", tmp_path / "out.vtu", "--picture", tmp_path / "nothing")
    assert (code, "cannot draw a '.' file" in err, (tmp_path / "out.vtu").exists()) == (2, True, False)
    code, _, err = run(bar, "--write", bar)
    assert (code, "is the mesh itself; write to another file" in err, bar.read_bytes() == before) == (2, True, True)


def test_options_that_need_others(run, bar):
    assert "--hole-size: requires --repair" in run(bar, "--hole-size", "0.1")[2]
    assert "--up: found 'w'; give x, y or z" in run(bar, "--up", "w")[2]


def test_shapes_by_their_names(run, tmp_path):
    code, out, _ = run("character", "--set", "size=small", "--write", tmp_path / "figure.msh", "--json")
    assert code == 0
    assert json.loads(out)["tets"] == len(read_mesh(tmp_path / "figure.msh").tets) == 440
    code, out, _ = run("slab", "--set", "size=[1.0, 0.5, 1.0]", "--set", "rows=0", "--json")
    assert (code, json.loads(out)["volume"]) == (0, pytest.approx(0.5))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["character", "--set", "sise=large"],
            "character.sise: unknown key; did you mean 'size'? known: size, height,",
        ),
        (["character", "--set", "size"], "--set size: give KEY=VALUE"),
        (["character", "--set", "size=huge"], 'character.size: unknown value "huge"; known: small, medium, large'),
        (
            ["charakter"],
            "charakter: not a shape, and no such file exists; did you mean 'character'? shapes: ball, bar,",
        ),
        (["dog.obj", "--set", "size=large"], "dog.obj: not a shape, so --set has nothing to change"),
    ],
)
def test_shapes_with_wrong_options(run, words, message):
    code, _, err = run(*words)
    assert code == 2
    assert message in err
