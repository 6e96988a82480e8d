"""`[[attachment]]` in scenes: connected parts, notation, refusals."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas import scene_schema
from supple.energies.springs.attachment import Attachments
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.errors import SceneError
from supple.scene.text.load import dump_scene, parse_toml, read_scene

BOTH = """
[world]
gravity = 0
[time]
step = 0.01
[[body]]
name = "sheet"
mesh = { shape = "cloth", cells = [4, 4], size = [1.0, 1.0] }
material = { name = "stvk-spring", stretch = 100.0 }
[[body]]
name = "rope"
mesh = { shape = "rope", segments = 2, length = 1.0, origin = [0.1, 0.2, 0.6] }
material = { name = "stvk-spring", stretch = 100.0 }
initial = { translate = [0.0, -0.1, 0.0] }
"""


def tied(**table: Any) -> dict[str, Any]:
    return {**tomllib.loads(BOTH), "attachment": [{"vertices": "rope", "to": "sheet", "stiffness": 9.0, **table}]}


def springs(**table: Any) -> tuple[EnergyTerm, np.ndarray]:
    """The term of one table, and positions at the start."""
    body = read_scene(tied(**table), Path()).make().assemble()
    *_, term = body.system.potential.terms
    return term, body.state.x


def test_to_the_nearest_vertex() -> None:
    term, x = springs()
    assert isinstance(term, HookeSprings)
    assert len(term.elements) == 3
    to = x[term.elements[:, 1]]
    np.testing.assert_allclose(to[:, [0, 2]], [[0.0, 0.5], [0.5, 0.5], [1.0, 0.5]], atol=1e-12)
    np.testing.assert_allclose(term.rest_length, np.linalg.norm(x[term.elements[:, 0]] - to, axis=1), rtol=1e-14)
    assert abs(term.element_values(x)).max() == 0.0


def test_to_the_nearest_point_of_the_surface() -> None:
    """The rope begins and ends over the sheet's inside: its feet are right below, but for the end that sticks out."""
    term, x = springs(onto="surface", rest_length=0)
    assert isinstance(term, Attachments)
    assert term.degree == 2
    assert (term.coefficients[:, 1:] <= 0.0).all()
    d = np.einsum("mk,mki->mi", term.coefficients, x[term.elements])
    np.testing.assert_allclose(d, [[0, 0.1, 0], [0, 0.1, 0], [0.1, 0.1, 0]], atol=1e-12)
    np.testing.assert_allclose(term.element_values(x), 4.5 * np.array([0.01, 0.01, 0.02]), rtol=1e-12)


def test_only_those_within_a_distance() -> None:
    assert len(springs(onto="surface", within=0.12)[0].elements) == 2
    assert springs(vertices="rope.end", rest_length=0.3)[0].rest_length.tolist() == [0.3]


def test_groups_of_one_body_and_several_tables() -> None:
    data = tied(vertices="sheet.left", to="sheet.right", rest_length=0)
    data["attachment"] += [{"vertices": "rope.start", "to": "sheet", "stiffness": 1.0, "rest_length": 0.0}] * 2
    *_, term = read_scene(data, Path()).make().assemble().system.potential.terms
    assert isinstance(term, Attachments)
    assert term.stiffness.tolist() == [9.0] * 5 + [1.0] * 2


def test_it_can_be_written_down_and_read_again(tmp_path: Path) -> None:
    scene = read_scene(tied(onto="surface", within=1.0), tmp_path)
    (tmp_path / "again.toml").write_text(dump_scene(scene), encoding="utf-8")
    assert read_scene(parse_toml(tmp_path / "again.toml"), tmp_path) == scene
    assert "rest_length" in scene_schema()["$defs"]["Attachment"]["properties"]


@pytest.mark.parametrize(
    ("table", "starts"),
    [
        ({"to": "sheat"}, "attachment[0].to: unknown body 'sheat'; did you mean 'sheet'? known: sheet, rope"),
        (
            {"to": "sheet.lefft"},
            "attachment[0].to: unknown group 'lefft' of 'sheet'; did you mean 'left'? known: bottom, ",
        ),
        ({"vertices": "sheet"}, "attachment[0]: 'sheet' and 'sheet' have 25 vertices in common"),
        ({"vertices": "sheet", "to": "rope", "onto": "surface"}, "attachment[0].to: no triangles between"),
        (
            {"within": 0.05},
            "attachment[0].within: no vertex of 'rope' is within 0.05 m of 'sheet'; the nearest is 0.173 m",
        ),
        ({"stiffness": 0}, "attachment[0].stiffness: input should be greater than 0, found 0"),
        ({"rest_length": -1.0}, "attachment[0].rest_length: input should be greater than or equal to 0"),
        ({"onto": "edge"}, "attachment[0].onto: "),
        ({"form": "rope"}, "attachment[0].form: unknown key"),
    ],
)
def test_mistakes(table: dict[str, Any], starts: str) -> None:
    with pytest.raises(SceneError) as caught:
        read_scene(tied(**table), Path()).make().assemble()
    (found,) = caught.value.problems
    assert found.startswith(starts)


def test_all_mistakes_at_once() -> None:
    data = tied(to="sheat")
    data["attachment"].append({"vertices": "rope.middle", "to": "sheet", "stiffness": 1.0})
    with pytest.raises(SceneError) as caught:
        read_scene(data, Path()).make().assemble()
    assert len(caught.value.problems) == 2
