"""Parts of the pages: surfaces, coloured meshes, figures."""

import json
import struct

import numpy as np
import pytest
from small_bar import bar

from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.topology import boundary_triangles
from supple.viewer.figures import FIGURES, describe, figures_of, figures_of_history
from supple.viewer.page.colours import ramp
from supple.viewer.page.glb import ColouredMesh
from supple.viewer.page.surface import mesh_surface
from supple.viewer.session import Session


def test_a_solid_shows_its_boundary() -> None:
    mesh = Bar(cells=(3, 3, 3), size=(1.0, 1.0, 1.0)).mesh()
    seen = mesh_surface(mesh)
    assert len(seen.vertices) < mesh.n
    assert np.array_equal(seen.vertices[seen.faces], boundary_triangles(mesh.tets))
    assert not len(seen.edges)


def test_a_rope_shows_lines_and_cloth_its_faces() -> None:
    rope = mesh_surface(Rope().mesh())
    assert len(rope.edges) > 0
    assert len(np.setdiff1d(rope.edges, rope.faces)) == len(rope.vertices)
    cloth = mesh_surface(Cloth().mesh())
    assert len(cloth.faces) > 0
    assert not len(cloth.edges)


def test_a_glb_holds_what_it_was_given() -> None:
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 2]], dtype=np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3]], dtype=np.int32)
    data = ColouredMesh(4, faces).encode(x, np.array([[255, 0, 0]] * 4, dtype=np.uint8))
    magic, version, length, size, kind = struct.unpack("<IIIII", data[:20])
    assert (magic, version, length, kind) == (0x46546C67, 2, len(data), 0x4E4F534A)
    document = json.loads(data[20 : 20 + size])
    body = data[28 + size :]
    assert document["buffers"][0]["byteLength"] == len(body)
    views, accessors = document["bufferViews"], document["accessors"]

    def read(k: int, kind: type, columns: int) -> np.ndarray:
        part = body[views[k]["byteOffset"] : views[k]["byteOffset"] + views[k]["byteLength"]]
        return np.frombuffer(part, dtype=kind).reshape(-1, columns)

    assert np.array_equal(read(0, np.float32, 3), x)
    assert accessors[0]["min"] == [0, 0, 0]
    assert accessors[0]["max"] == [1, 1, 2]
    np.testing.assert_allclose(np.linalg.norm(read(1, np.float32, 3), axis=1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(read(1, np.float32, 3)[2], [0, 0, -1], atol=1e-7)
    assert read(2, np.uint8, 4)[0].tolist() == [255, 0, 0, 255]
    assert np.array_equal(read(3, np.uint32, 3), faces)


def test_colours_are_clipped_and_grow_brighter() -> None:
    colours = ramp(np.array([-1.0, 0.0, 0.5, 1.0, 9.0, np.nan]), 1.0).astype(int)
    assert np.array_equal(colours[0], colours[1])
    assert np.array_equal(colours[3], colours[4])
    assert colours[1].sum() < colours[2].sum() < colours[3].sum()
    assert len(np.unique(ramp(np.zeros(3), 0.0), axis=0)) == 1


def test_figures_of_a_session_and_of_its_history_agree() -> None:
    from supple.dynamics.invariants import momenta

    session = Session(bar())
    for _ in range(3):
        session.step()
    e, (p, L) = session.ledger.energies, momenta(bar().make().assemble().system, session.state)
    row = {
        "time": session.state.t, "step": 3, "kinetic": e.kinetic, "elastic": e.elastic, "gravity": e.gravity,
        "other": e.other, "total": e.total, "dissipated": 0.0, "external_work": 0.0, "residual": session.ledger.residual,
        "newton_iterations": session.iterations,
        **dict(zip(("px", "py", "pz"), p, strict=True)), **dict(zip(("lx", "ly", "lz"), L, strict=True)),
    }  # fmt: skip
    past = figures_of_history({key: np.array([value]) for key, value in row.items()})[0]
    now = figures_of(session, False, 0)
    unlike = {FIGURES.index("scale"), FIGURES.index("pace")}  # the history has its first row only, and no clock
    for k in set(range(len(FIGURES))) - unlike:
        assert past[k] == pytest.approx(now[k], rel=1e-12), FIGURES[k]
    assert describe(now).startswith("t = 0.050 s, step 3, energy ")
