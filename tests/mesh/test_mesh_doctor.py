from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.errors import MeshError
from supple.mesh.doctor import closed_surface_problems, diagnose, drop_unreferenced, heal
from supple.mesh.measure import tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.report import report
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.topology import surface

BAR = Bar(cells=(2, 1, 1)).mesh()
SHEET = Cloth(cells=(2, 2)).mesh()


def changed(mesh, kind, row, value):
    cells = getattr(mesh, kind).copy()
    cells[row] = value
    return replace(mesh, **{kind: cells})


def with_vertex(mesh, i, value):
    x = mesh.vertices.copy()
    x[i] = value
    return mesh.moved(x)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.booleans(), min_size=10, max_size=10))
def test_flipped_tets_are_repaired_and_said_so(flip):
    tets = np.where(np.array(flip)[:, None], BAR.tets[:, [1, 0, 2, 3]], BAR.tets)
    healed, notes = heal(replace(BAR, tets=tets))
    assert tet_volumes(healed.vertices, healed.tets) == pytest.approx(tet_volumes(BAR.vertices, BAR.tets))
    assert healed.groups.keys() == BAR.groups.keys()
    if not any(flip):
        assert notes == []
    else:
        count = "all 10 tets" if all(flip) else f"{sum(flip)} of 10 tets"
        assert notes[0].startswith(f"mesh: {count} had negative volume (first: {flip.index(True)}")
        assert "swapped" in notes[0]


@pytest.mark.parametrize(
    ("mesh", "message"),
    [
        (with_vertex(BAR, 3, [0, np.nan, 0]), r"1 vertex with a NaN or infinite coordinate \(first: 3\); export"),
        (with_vertex(BAR, slice(None), np.inf), r"12 vertices with a NaN .* \(first: 0, 1, 2, 3, 4\)"),
        (changed(BAR, "tets", 4, [0, 1, 2, 99]), r"1 tet with a corner that is no vertex \(first: 4\); corners count"),
        (changed(BAR, "tets", 4, [0, 1, 2, -1]), r"1 tet with a corner that is no vertex"),
        (changed(BAR, "tets", 2, [0, 1, 2, 3]), r"1 tet without volume, area or length \(first: 2\); remove"),
        (changed(BAR, "tets", 2, [0, 1, 2, 2]), r"1 tet without volume"),
        (changed(BAR, "tets", 7, BAR.tets[1][::-1]), r"1 tet with the same corners as an earlier one \(first: 7\)"),
        (changed(SHEET, "triangles", 0, [0, 1, 2]), r"1 triangle without volume, area"),
        (changed(SHEET, "triangles", 3, SHEET.triangles[0]), r"1 triangle with the same corners"),
        (changed(SHEET, "edges", 5, [4, 4]), r"1 edge without volume, area or length \(first: 5\)"),
        (changed(SHEET, "edges", 5, SHEET.edges[4][::-1]), r"1 edge with the same corners .* \(first: 5\)"),
        (Mesh(np.vstack([BAR.vertices, np.ones((2, 3))]), tets=BAR.tets), r"2 vertices that no element uses .*12, 13"),
        (Mesh(BAR.vertices), "1 mesh without any element"),
        (BAR.with_groups({"far": [0, 12]}), r"1 group with a member that does not exist \(first: far\)"),
        (replace(SHEET, edge_groups={"far": [999]}), "1 edge group with a member that does not exist"),
    ],
)
def test_each_problem_has_a_message_with_count_offenders_and_remedy(mesh, message):
    with pytest.raises(MeshError, match=message):
        heal(mesh)


def test_all_problems_come_at_once():
    sick = changed(with_vertex(BAR, 11, np.nan), "tets", 0, [0, 1, 2, 77])
    lines = [str(p) for p in diagnose(sick).problems]
    assert len(lines) == 2
    with pytest.raises(MeshError) as caught:
        heal(sick, where="bar.msh")
    assert str(caught.value).splitlines() == [f"bar.msh: {line}" for line in lines]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_flatness_is_relative_to_the_element(scale):
    assert diagnose(BAR.moved(BAR.vertices * scale)).problems == ()
    assert diagnose(BAR.moved(BAR.vertices * scale * [1, 1, 1e-4])).problems == ()
    assert len(diagnose(BAR.moved(BAR.vertices * scale * [1, 1, 1e-14])).problems) == 1


def test_unreferenced_vertices_can_be_dropped():
    x = np.vstack([[[9.0, 9, 9]], BAR.vertices, [[8.0, 8, 8]]])
    loose = Mesh(x, tets=BAR.tets + 1, groups={"left": [0, 1, 2], "lost": [13]})
    clean = drop_unreferenced(loose)
    assert np.array_equal(clean.vertices, BAR.vertices)
    assert np.array_equal(clean.tets, BAR.tets)
    assert clean.group("left").tolist() == [0, 1]
    assert clean.group("lost").tolist() == []
    assert heal(clean)[1] == []
    with pytest.raises(MeshError, match="corner that is no vertex"):
        drop_unreferenced(changed(BAR, "tets", 0, [0, 1, 2, 99]))


def test_closed_surfaces():
    skin = surface(BAR)
    assert closed_surface_problems(skin) == []
    hole = closed_surface_problems(skin[1:])
    assert [str(p).split(" (")[0] for p in hole] == ["3 edges at the rim of a hole"]
    a, b = sorted(skin[0][:2].tolist())
    assert f"{a}-{b}" in str(hole[0])
    fin = closed_surface_problems(np.vstack([skin, [[*skin[0][:2], 11]]]).astype(np.int32))
    assert any("more than two triangles meet" in str(p) for p in fin)
    turned = np.vstack([skin[:1, ::-1], skin[1:]])
    assert [p.count for p in closed_surface_problems(turned)] == [3]
    assert "face opposite ways" in str(closed_surface_problems(turned)[0])


def test_report_of_a_solid():
    found = report(Bar().mesh())
    assert (found.vertices, found.edges, found.triangles, found.tets) == (36, 0, 0, 40)
    assert found.volume == pytest.approx(1.0)
    assert found.area == pytest.approx(2 * 0.25 + 4 * 2.0)
    assert (found.low, found.high) == ((0, 0, 0), (4, 0.5, 0.5))
    assert (found.smallest, found.largest) == (pytest.approx(0.125 / 6), pytest.approx(0.125 / 3))
    assert found.quality_counts == (0, 0, 0, 0, 0, 0, 0, 0, 32, 8)
    assert found.quality_least == pytest.approx(0.84, abs=1e-3)
    assert (found.components, found.boundary_edges, found.closed) == (1, 0, True)
    assert found.groups["left"] == 4


def test_report_of_a_sheet_and_a_rope():
    sheet = report(SHEET)
    assert (sheet.volume, sheet.area, sheet.boundary_edges, sheet.closed) == (0, pytest.approx(1.0), 8, False)
    assert sheet.edge_groups == {"stretch": 12, "shear": 8, "bend": 6}
    rope = report(Rope(segments=4).mesh())
    assert (rope.area, rope.closed, rope.components) == (0, False, 1)
    assert rope.length == pytest.approx(1.0 + 3 * 0.5)
