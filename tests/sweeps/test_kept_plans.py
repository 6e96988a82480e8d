"""Plans in a manifest: the same plan is read back, and foreign content is refused with the name of the file."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from supple.errors import RecordError, SuppleError
from supple.sweeps.axes import Choice, Listed, Range
from supple.sweeps.designs import Grid, Sampled
from supple.sweeps.kept import read_plan
from supple.sweeps.manifest import Manifest, Row
from supple.sweeps.plan import Base, Plan

AXES = (Listed("time.step", (0.01, 0.02)), Range("world.gravity", 1.0, 9.0, 3))
PLAN = Plan(Base({"time": {"step": 0.01}}, Path(), "a.toml", ("time.duration=1",)), AXES, Grid(), (), 7, 2)
REFUSED = r"manifest\.json: its plan cannot be read: .*; put back"
ODD: tuple[Any, ...] = (None, -1, 1.5, [3], [None], {"a": [1]})


def test_a_plan_comes_back(tmp_path: Path) -> None:
    found = read_plan(json.loads(json.dumps(PLAN.plain())), tmp_path, 6)
    assert (found.axes, found.design, found.steps, found.threads) == (AXES, Grid(), 7, 2)
    assert (found.base.tables, found.base.settings) == ({"time": {"step": 0.01}}, ("time.duration=1",))


@pytest.mark.parametrize(
    "key", ["scene", "source", "settings", "axes", "design", "measures", "threads", "others", "names"]
)
@pytest.mark.parametrize("value", ODD, ids=str)
def test_odd_plans_are_refused_by_name(key: str, value: Any, tmp_path: Path) -> None:
    data = json.loads(json.dumps(PLAN.plain()))
    with pytest.raises(RecordError, match=REFUSED):
        read_plan({**data, key: value}, tmp_path, 6)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("axes", 0, "kind"), "unknown"), (("axes", 0, "values"), 3), (("axes", 0, "key"), None), (("axes", 0, "values"), [1]),
        (("axes", 1, "count"), 10**12), (("axes", 1, "start"), "a"), (("axes", 1, "stop"), {}), (("steps",), -3),
        (("design",), {"kind": "sampled", "size": 10**12}), (("design",), {"kind": "sampled", "size": 6, "sampling": "all"}),
        (("axes", 0), {"kind": "choice", "key": "scene", "values": [[1], [2]], "meaning": {}}), (("scene",), "= no toml"),
    ],
)  # fmt: skip
def test_odd_entries_are_refused_by_name(path: tuple[str | int, ...], value: Any, tmp_path: Path) -> None:
    data = json.loads(json.dumps(PLAN.plain()))
    at = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(RecordError, match=REFUSED):
        read_plan(data, tmp_path, 6)


def test_python_functions_are_asked_for(tmp_path: Path) -> None:
    data = {**copy.deepcopy(PLAN.plain()), "measures": {"height": None}}
    with pytest.raises(SuppleError, match=r"'height'.*Python function"):
        read_plan(data, tmp_path, 6)
    assert read_plan(data, tmp_path, 6, measures=()).measures == ()


def test_samples_and_choices_come_back(tmp_path: Path) -> None:
    axes = (Choice("integrator", ("a", "b"), {"a": ["time.step=1"]}), Range("world.gravity", 1.0, 9.0))
    plan = Plan(PLAN.base, axes, Sampled(4, 3, "sobol"), (), None, names=("p", "q", "r", "s"))
    found = read_plan(json.loads(json.dumps(plan.plain())), tmp_path, 4)
    assert (found.axes, found.design, found.names) == (axes, Sampled(4, 3, "sobol"), ("p", "q", "r", "s"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"index": 1', '"index": 0'), ('"index": 1', '"index": 1000000'), ('"deaths": 0', '"deaths": "a"'),
        ('"seconds": null', '"seconds": NaN'), ('"seconds": null', '"seconds": 1e999'), ('"values": {}', '"values": 3'),
        ('"worker": null', '"worker": {}'), ('"state": "waiting"', '"state": []'), ('"measures": {}', '"measures": {"a": []}'),
    ],
)  # fmt: skip
def test_odd_rows_are_refused_by_name(old: str, new: str, tmp_path: Path) -> None:
    Manifest(tmp_path, {}, [Row(0, "runs/000", {}), Row(1, "runs/001", {})]).write()
    text = (tmp_path / "manifest.json").read_text()
    assert old in text
    (tmp_path / "manifest.json").write_text(text.replace(old, new))
    with pytest.raises(RecordError, match=r"manifest\.json: "):
        Manifest.read(tmp_path)
