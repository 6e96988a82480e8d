"""Bodies with names of strangers in every format: files are read back, and a name is a name."""

import json
import struct
import xml.etree.ElementTree as tree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from moving import FPS, bodies, record

from hostile import NAMES
from supple.escaping import one_line, word
from supple.export import FORMATS
from supple.export.export import Choice, find_format, prepare
from supple.export.staging import staged
from supple.recording.film import open_film

USUAL = [name for name in NAMES if "\ud800" not in name]


def exported(tmp_path: Path, to: str, names: list[str], obstacle: bool = False) -> Path:
    """A film with a body for each name, written as one format."""
    mesh = bodies()["bar"]
    run = record(tmp_path / "run", {f"body{k}": mesh for k in range(len(names))}, np.arange(3) / FPS)
    form = find_format(to)
    out = tmp_path / f"out{form.suffixes[0] if form.suffixes else ''}"
    with open_film(run) as film:
        sequence, _ = prepare(film, form, Choice())
        renamed = [
            replace(body, name=name, obstacle=obstacle) for body, name in zip(sequence.bodies, names, strict=True)
        ]
        sequence = replace(sequence, bodies=tuple(renamed))
        with staged(form.outputs(form.named(out), sequence), False) as paths:
            form.write(sequence, sequence.frames(), paths)
    return out


@pytest.mark.parametrize("to", FORMATS.names())
@pytest.mark.parametrize("obstacle", [False, True])
def test_every_format_stays_in_its_place(tmp_path: Path, to: str, obstacle: bool) -> None:
    names = USUAL
    exported(tmp_path, to, names, obstacle)
    inside = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert all(name == "run" or name.startswith("out") for name in inside)


def test_obj_has_no_more_statements(tmp_path: Path) -> None:
    out = exported(tmp_path, "obj", USUAL)
    for file in out.iterdir():
        for line in file.read_text(encoding="utf-8").split("\n"):
            assert line.split(" ")[0] in ("", "o", "v", "vn", "vt", "f", "l", "g", "usemtl", "mtllib", "newmtl", "Kd")
            assert line.isprintable()
    text = next(out.glob("*.obj")).read_text(encoding="utf-8")
    assert [line[2:] for line in text.split("\n") if line.startswith("o ")] == [one_line(name) for name in USUAL]
    assert {line[7:] for line in text.split("\n") if line.startswith("usemtl ")} == {word(name) for name in USUAL}
    assert text.count("\nv ") % len(USUAL) == 0  # all bodies are alike, and no name has added a vertex


def test_glb_is_json(tmp_path: Path) -> None:
    data = exported(tmp_path, "glb", USUAL).read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    document = json.loads(data[20 : 20 + length])
    assert set(USUAL) <= {node.get("name") for node in document["nodes"]}


def test_pvd_is_xml(tmp_path: Path) -> None:
    out = exported(tmp_path, "pvd", USUAL, obstacle=True)
    sets = list(tree.parse(out).getroot().iter("DataSet"))
    assert {found.get("name") for found in sets} == {one_line(name) for name in USUAL}
    for found in sets:
        file = (tmp_path / str(found.get("file"))).resolve()
        assert file.is_file()
        assert tmp_path.resolve() in file.parents
    assert len({found.get("file") for found in sets}) >= len(USUAL)
