"""Texts of USD whose errors would take gigabytes: refused by a process with limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from supple.errors import MeshError
from supple.mesh.stages.stage import open_stage
from supple.mesh.stages.tried import SHORT


def layer(points: str) -> str:
    return f'#usda 1.0\n(\n    upAxis = "Y"\n)\ndef Mesh "leg"\n{{\n    point3f[] points = [{points}]\n}}\n'


def test_a_long_list_of_wrong_tuples(tmp_path: Path) -> None:
    """pxr reports every error with the whole list: 60 s and 8 GB for 240 kB."""
    file = tmp_path / "wrong.usda"
    file.write_text(layer("(0, 0, 0)" + ", (1, 0)" * 30_000), encoding="utf-8")
    with pytest.raises(MeshError, match=r"wrong\.usda: cannot be read as USD: .*; it is damaged"):
        open_stage(file)


@pytest.mark.parametrize("count", [3, 3_000])
def test_sound_texts_of_any_length(count: int, tmp_path: Path) -> None:
    file = tmp_path / "sound.usda"
    file.write_text(layer(", ".join(["(0, 0, 1)"] * count)), encoding="utf-8")
    assert (file.stat().st_size > SHORT) == (count > 3)
    stage = open_stage(file)
    assert len(stage.usd.GetPrimAtPath("/leg").GetAttribute("points").Get()) == count
