"""Requirements of workers before they compute: the folder, the same supple, pinned threads, kernels that are compiled once."""

import os
from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from clusters import SCENE

from supple.errors import RecordError, SuppleError
from supple.scene.text.plugins import check_named, load_plugin
from supple.sweeps.cluster import sight
from supple.sweeps.cluster.deaths import Death, Watch
from supple.sweeps.cluster.load import Load
from supple.sweeps.cluster.scratch import scratch_folder
from supple.sweeps.drive import Drive
from supple.sweeps.farm import Farm, open_farm, pinned
from supple.sweeps.parcel import packed_tables, unpack
from supple.sweeps.site import Site
from supple.sweeps.task import Task, carry_out, rehearse


class Hosts:
    """A client whose workers are on two machines, according to their answers."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.submitted: list[tuple[Any, list[str]]] = []

    def run(self, function: Any, *given: Any, workers: list[str]) -> dict[str, Any]:
        return {worker: self.answers[worker] for worker in workers}

    def scheduler_info(self, n_workers: int = 5) -> dict[str, Any]:
        return {"workers": {address: {"host": address.partition(":")[0]} for address in ("a:1", "a:2", "b:1", "b:2")}}

    def submit(self, function: Any, *given: Any, workers: list[str], **more: Any) -> Any:
        self.submitted.append((function, workers))
        return SimpleNamespace(result=lambda timeout: None, release=lambda: None)


def test_a_folder_that_workers_do_not_see() -> None:
    blind = Hosts({"a:1": ("host-a", sight.__version__, True), "b:1": ("host-b", sight.__version__, False)})
    with pytest.raises(
        RecordError, match=r"/out: workers on host-b do not see this folder; collect the runs with --collect"
    ):
        sight.check_workers(blind, ["a:1", "b:1"], "/out", "mark")


def test_workers_with_another_supple() -> None:
    other = Hosts({"a:1": ("host-a", "0.0.9", True)})
    with pytest.raises(
        SuppleError, match=r"workers on host-a have supple 0.0.9, this machine has .*; install the same version"
    ):
        sight.check_workers(other, ["a:1"], "/out", "mark")


def test_a_worker_that_joins_late_computes_nothing_into_another_folder(tmp_path: Path) -> None:
    sight.leave_mark(tmp_path, "another sweep")
    outcome = carry_out(Task(0, "runs/000", SCENE), Site(str(tmp_path), mark="this sweep"), (), {})
    assert outcome.error is not None
    assert "do not see this folder; collect the runs with --collect" in outcome.error
    assert not (tmp_path / "runs").exists()


def test_kernels_are_compiled_by_one_worker_of_each_machine() -> None:
    client = Hosts({})
    farm = Farm(client, False, 1)
    Drive(farm, Load(Site("/out"), (), lambda name: b"")).warm([Task(0, "runs/000", ""), Task(1, "runs/001", "")])
    assert [workers for function, workers in client.submitted if function is rehearse] == [["a:1"], ["b:1"]] * 2


def test_local_workers_are_pinned_and_leave_no_environment_behind() -> None:
    import dask

    before, settings = {key: os.environ.get(key) for key in pinned(1)}, deepcopy(dask.config.config)
    with open_farm(1, threads=1) as farm:
        found = next(iter(farm.client.run(lambda: dict(__import__("os").environ)).values()))
        assert {key: found[key] for key in pinned(1)} == pinned(1)
        assert (farm.dashboard is None) == (find_spec("bokeh") is None), "no address of a missing page"
    assert {key: os.environ.get(key) for key in pinned(1)} == before
    found = deepcopy(dask.config.config)
    for config in (found, settings):
        del config["distributed"]["scheduler"]["http"]  # Dask itself adds a page about the missing Bokeh
    assert found == settings


def test_only_the_run_that_was_under_way_is_to_blame() -> None:
    handlers: dict[str, Any] = {}
    client = SimpleNamespace(
        subscribe_topic=handlers.__setitem__, unsubscribe_topic=handlers.__delitem__, status="running"
    )
    deaths: list[Death] = []
    with Watch(client, deaths.append):
        handlers["supple-sweep-begun"]((0.0, {"index": 3, "worker": "a:1"}))
        handlers["all"]((0.0, {"action": "remove-worker", "worker": "a:1", "expected": False, "processing-tasks": {}}))
        handlers["all"]((0.0, {"action": "remove-worker", "worker": "b:1", "expected": False, "processing-tasks": {}}))
        handlers["all"]((0.0, {"action": "add-worker", "worker": "a:1"}))
    assert deaths == [Death(3, "a:1", expected=False)]
    assert not handlers


def test_files_keep_their_names_when_they_are_packed_again(tmp_path: Path) -> None:
    (tmp_path / "one.obj").write_text("v 0 0 0")
    (tmp_path / "images").mkdir()
    (tmp_path / "images/a.png").write_text("a")
    (tmp_path / "walk").mkdir()
    for name in ("f1.obj", "f2.obj", "notes.txt"):
        (tmp_path / "walk" / name).write_text(name)
    motion = [{"file": "walk/*.obj", "group": "pins"}]
    tables = {"body": [{"mesh": {"file": "one.obj"}, "motion": motion}, {"mesh": {"file": "images"}}]}
    once, contents = packed_tables(tables, tmp_path)
    unpack(tmp_path / "sweep", contents)
    assert packed_tables(once, tmp_path / "sweep") == (once, contents)
    frames = sorted((tmp_path / "sweep").glob(once["body"][0]["motion"][0]["file"]))
    assert [frame.name for frame in frames] == ["f1.obj", "f2.obj"]


def test_a_copy_of_a_plugin_that_was_allowed_is_allowed(tmp_path: Path) -> None:
    text = f"LOADED = '{tmp_path}'\n"
    for name in ("mine.py", "copy.py"):
        (tmp_path / name).write_text(text)
    (tmp_path / "other.py").write_text("raise RuntimeError")
    load_plugin(tmp_path / "mine.py")
    assert str(tmp_path / "copy.py") in check_named(["copy.py"], tmp_path)
    assert str(tmp_path / "mine.py") not in check_named(["copy.py"], tmp_path), "once is enough"
    load_plugin(tmp_path / "copy.py")
    with pytest.raises(SuppleError, match="a scene cannot start by itself"):
        check_named(["other.py"], tmp_path)


def test_scratch_folders_of_killed_clients_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    stale, fresh = tmp_path / "supple-sweep-stale", tmp_path / "supple-sweep-fresh"
    for folder in (stale, fresh):
        (folder / "worker").mkdir(parents=True)
    os.utime(stale, (0.0, 0.0))
    with scratch_folder() as used:
        assert not stale.exists()
        os.utime(used, (0.0, 0.0))
        with scratch_folder() as another:
            assert Path(used).exists(), "its lock shows that it is in use"
    assert not Path(used).exists()
    assert not Path(another).exists()
    assert fresh.exists()
