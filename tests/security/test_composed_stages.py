"""A few lines of USD can refer to so many prims that composing them takes all memory: such stages are refused before."""

from pathlib import Path

import pytest

pytest.importorskip("pxr")

from supple.clips.contents import contents
from supple.errors import MeshError
from supple.mesh.stages.composed import MOST_PRIMS, demand_few_prims
from supple.mesh.stages.prims import read_stage_mesh
from supple.mesh.stages.references import check_references

MESH = """def Mesh "m"
{
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
}
"""
PAIR = 'def "a{k}"\n{{\n    def "l" ({arc}) {{\n    }}\n    def "r" ({arc}) {{\n    }}\n}}\n'
FIRST = f'def "a0"\n{{\n{MESH}}}\n'


def doubled(arc: str, count: int, first: str = FIRST) -> str:
    """Prims that refer to the one before twice."""
    return first + "".join(PAIR.format(k=k, arc=arc.format(before=k - 1)) for k in range(1, count + 1))


def stage(folder: Path, text: str, name: str = "a.usda") -> Path:
    (folder / name).write_text(f"#usda 1.0\n{text}")
    return folder / name


@pytest.mark.parametrize(
    "arc",
    [
        "references = </a{before}>", "payload = </a{before}>", "inherits = </a{before}>", "specializes = </a{before}>",
        "prepend references = </a{before}>", "references = @a.usda@</a{before}>",
        "\ninstanceable = true\nreferences = </a{before}>\n",
    ],
)  # fmt: skip
def test_references_that_double_are_refused(arc: str, tmp_path: Path) -> None:
    """Two kilobytes took more than 3 GB."""
    for read in (contents, read_stage_mesh):
        with pytest.raises(MeshError, match=r"a\.usda: its references make more than 200,000 prims"):
            read(stage(tmp_path, doubled(arc, 20)))
    check_references(stage(tmp_path, doubled(arc, 3)))


def test_references_through_others_are_counted(tmp_path: Path) -> None:
    """Below a prim that refers to another one, prims need no description of their own; nor do those of sublayers."""
    below = f'def "x" (references = </y>)\n{{\n}}\ndef "y"\n{{\n{doubled("references = </x/a{before}>", 20)}}}\n'
    with pytest.raises(MeshError, match="its references make more than"):
        check_references(stage(tmp_path, below))
    stage(tmp_path, doubled("references = </a{before}>", 20), "b.usda")
    (tmp_path / "a.usda").write_text(
        '#usda 1.0\n(\n    subLayers = [@b.usda@]\n)\ndef "c" (references = </a20>) {\n}\n'
    )
    with pytest.raises(MeshError, match="its references make more than"):
        check_references(tmp_path / "a.usda")


def test_variants_are_counted(tmp_path: Path) -> None:
    inner = 'variantSet "v" = {{\n"y" (references = </a{k}>) {{\n}}\n}}\n'
    text = FIRST + "".join(
        f'def "a{k + 1}"\n{{\n' + "".join(f'def "{side}"\n{{\n{inner.format(k=k)}}}\n' for side in "lr") + "}\n"
        for k in range(20)
    )
    with pytest.raises(MeshError, match="its references make more than"):
        check_references(stage(tmp_path, text))


def test_the_estimate_is_above_the_count_of_pxr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pxr import Sdf, Usd

    path = stage(tmp_path, doubled("references = </a{before}>", 6))
    composed = Usd.Stage.Open(str(path))
    count = len(list(composed.TraverseAll()))
    layers = {str(path): Sdf.Layer.FindOrOpen(str(path))}
    assert count < MOST_PRIMS
    monkeypatch.setattr("supple.mesh.stages.composed.MOST_PRIMS", 2 * count)
    demand_few_prims(path, layers)
    monkeypatch.setattr("supple.mesh.stages.composed.MOST_PRIMS", count - 1)
    with pytest.raises(MeshError, match="prims"):
        demand_few_prims(path, layers)


def test_many_meshes_are_listed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The skins of a stage were searched for each of its meshes."""
    from supple.clips.usd import usd_file

    looked: list[object] = []
    plain = usd_file.bound_prims
    monkeypatch.setattr(usd_file, "bound_prims", lambda whole: (looked.append(whole), plain(whole))[1])
    meshes = "".join(MESH.replace('"m"', f'"m{k}"') for k in range(50))
    assert len(contents(stage(tmp_path, meshes)).objects) == 50
    assert len(looked) == 1
