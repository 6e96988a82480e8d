"""Small files that would take minutes, or all memory: parts that repeat, share or multiply other parts."""

import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from supple.clips.contents import contents
from supple.clips.gltf.document import ROOM
from supple.clips.reading import read_clip, read_rig
from supple.errors import MeshError, SceneError
from supple.mesh.faces import polygons, triangulate
from supple.mesh.formats import read_mesh
from supple.mesh.images import read_voxels
from supple.mesh.obj import mtl
from supple.scene.text.load import parse_toml

TET = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def obj(folder: Path, text: str) -> Path:
    (folder / "a.obj").write_text(text)
    return folder / "a.obj"


def test_a_material_library_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 lines that name one library of 20,000 materials took minutes."""
    read: list[Path] = []
    plain = mtl.statements
    monkeypatch.setattr(mtl, "statements", lambda path: (read.append(path), plain(path))[1])
    (tmp_path / "b.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "b c.mtl").write_text("newmtl blue\nKd 0 0 1\n")
    names = "mtllib b.mtl\nmtllib ./b.mtl b.mtl\nmtllib b c.mtl\n"
    mesh = read_mesh(
        obj(tmp_path, names * 100 + f"mtllib {'x' * 5000}\n" + TET.replace("f 1 3 2", "usemtl red\nf 1 3 2"))
    )
    assert mesh.polygons is not None
    assert set(mesh.polygons.finishes) == {"red", "blue"}
    assert len(read) == 2


def test_few_names_of_libraries_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(mtl, "_is_readable", lambda folder, name: looked.append(name))
    read_mesh(obj(tmp_path, f"mtllib {' '.join(f'm{k}' for k in range(5000))}\n{TET}"))
    assert len(looked) == mtl.MOST_LIBRARIES


def test_groups_multiply_their_faces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of 100,000 groups for 60,000 faces filled 20 GB."""
    monkeypatch.setattr(polygons, "MOST_MEMBERS", 1000)
    file = obj(tmp_path, f"g {' '.join(f'a{k}' for k in range(2000))}\n{TET}")
    with pytest.raises(MeshError, match=r"a\.obj: the group line 'a0 a1.* has 2000 names for 4 vertices"):
        read_mesh(file)
    assert len(read_mesh(obj(tmp_path, f"g {' '.join(f'a{k}' for k in range(40))}\n{TET}")).groups) == 40


def test_faces_that_fold_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 faces of 2,000 corners each, which are not convex, took five minutes."""
    monkeypatch.setattr(triangulate, "MOST_WORK", 1000)
    points = "".join(f"v {k % 97} {k * k % 89} {k % 7}\n" for k in range(300))
    face = f"f {' '.join(map(str, range(1, 301)))}\n"
    assert len(read_mesh(obj(tmp_path, points + face)).triangles) == 298
    with pytest.raises(MeshError, match=r"a\.obj: 2 of 2 faces have more than four corners and are not convex"):
        read_mesh(obj(tmp_path, points + face * 2))


def test_messages_quote_the_beginning_of_a_line(tmp_path: Path) -> None:
    for line in ("v " + "x " * 10**5, "f 1 2 " + "x" * 10**5, "f 1 2 " + "1/" * 10**5, "f 1 2 -" + "1" * 4000):
        with pytest.raises(MeshError) as caught:
            read_mesh(obj(tmp_path, f"{TET}{line}\n"))
        assert len(str(caught.value)) < 400 + len(str(tmp_path))


def glb(folder: Path, data: bytes, **tables: Any) -> Path:
    """A file with these tables, and one buffer."""
    document = {"asset": {"version": "2.0"}, "bufferViews": [{"buffer": 0}], "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(document | tables).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path = folder / "a.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


def accessor(count: int, kind: str = "VEC3", **more: Any) -> dict[str, Any]:
    return {"componentType": 5126, "count": count, "type": kind, **more}


POINT = {
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [accessor(3)],
}
CLOCK = struct.pack("<2f", 0.0, 40_000.0)


def test_accessors_that_repeat_the_same_bytes_are_counted(tmp_path: Path) -> None:
    """The indices of 5,000 primitives, or the positions of 1,000, without any data: a megabyte took all memory."""
    each = 500_000
    many = ROOM // each + 2
    for primitives, accessors in (
        ([{"attributes": {"POSITION": 0}, "indices": 1}] * many, [accessor(3), accessor(each, "SCALAR")]),
        ([{"attributes": {"POSITION": k}} for k in range(many)], [accessor(each)] * many),
    ):
        path = glb(tmp_path, bytes(each), **POINT | {"meshes": [{"primitives": primitives}], "accessors": accessors})
        assert "declare more than" in contents(path).objects[0].problem


def test_a_chain_of_joints_is_followed_once(tmp_path: Path) -> None:
    """3,000 joints, each below the one before, took a minute per ten frames."""
    n = 3000
    nodes: list[dict[str, Any]] = [{"children": [k + 1], "translation": [0, 0, 1]} for k in range(n - 1)]
    path = glb(tmp_path, bytes(400), **POINT | {"nodes": [*nodes, {"mesh": 0}], "skins": [{"joints": list(range(n))}]})
    rig = read_rig(path)
    assert rig.parents == tuple(range(-1, n - 1))
    np.testing.assert_array_equal(rig.poses[0, :, 3, 2], np.minimum(np.arange(n) + 1, n - 1))


def test_frames_times_nodes_are_bounded(tmp_path: Path) -> None:
    """Two keys half a day apart, which are filled with frames, took minutes with a few nodes."""
    moving = {
        "accessors": [accessor(3), accessor(2, "SCALAR", bufferView=0), accessor(2, "VEC4")],
        "nodes": [*({"children": [k + 1]} for k in range(5)), {"mesh": 0}],
        "animations": [
            {
                "samplers": [{"input": 1, "output": 2}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            }
        ],
    }
    assert "960,001 frames of 7 nodes" in contents(glb(tmp_path, CLOCK, **POINT | moving)).objects[0].problem


def test_morph_targets_at_rest_cost_nothing(tmp_path: Path) -> None:
    """Most weights are zero at a time, and targets without effect are left out."""
    targets = [{"POSITION": 0}] * 50
    mesh = {"primitives": [{"attributes": {"POSITION": 0}, "targets": targets}], "weights": [0.0] * 49 + [2.0]}
    data = np.arange(9, dtype="<f4").tobytes()
    clip, _ = read_clip(glb(tmp_path, data, **POINT | {"meshes": [mesh], "accessors": [accessor(3, bufferView=0)]}))
    np.testing.assert_array_equal(clip.frame(0), 3.0 * np.arange(9.0).reshape(3, 3))


def test_slices_take_no_more_memory_than_their_pixels(tmp_path: Path) -> None:
    """Pictures of one colour are tiny: 180 kB of them took 3 GB."""
    for k in range(3):
        Image.fromarray(np.zeros((1000, 1000), dtype=np.uint8)).save(tmp_path / f"{k}.png")
    read_voxels(tmp_path)  # imports
    tracemalloc.start()
    try:
        assert read_voxels(tmp_path).shape == (1000, 1000, 3)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("part", ['"!"', "'~'", '"\\""', "a"])
@pytest.mark.parametrize("form", ["{}=1", "[{}]", "x={{y='''\n'\"''',{}=1}}", "# don't\n{}=1"])
def test_long_keys_are_refused_however_they_are_written(form: str, part: str, tmp_path: Path) -> None:
    """Their parsing takes memory that grows with the square of their length: 6 GB for 400 kB."""
    file = tmp_path / "a.toml"
    file.write_text(form.format(".".join([part] * 20_000)) + "\n")
    with pytest.raises(SceneError, match="levels deep"):
        parse_toml(file)


def test_dots_in_texts_and_comments_are_no_keys(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    dots = ".".join("abc" * 50)
    file.write_text(
        f'# {dots}\na = "{dots}" # \' {dots}\nb = """\n{dots}"""\nc = \'\'\'{dots}\'\'\'\'\'\nd = "\\"{dots}"\n'
    )
    assert parse_toml(file) == {"a": dots, "b": dots, "c": f"{dots}''", "d": f'"{dots}'}


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "-" + "9" * 20])
def test_whole_numbers_have_64_bits(number: str, tmp_path: Path) -> None:
    """Python refuses to print longer ones, with an error that no message prepared for."""
    from supple.scene.text.load import load_scene

    file = tmp_path / "a.toml"
    file.write_text(f"[time]\nstep = {number}\n")
    with pytest.raises(SceneError, match=r"not TOML|time\.step: input should be a whole number of at most 64 bits"):
        load_scene(file)
