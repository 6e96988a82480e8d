"""The comparison with peers: its driver, its judgement, and the section of the docs that is made from a sitting."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from child import environment

ROOT = Path(__file__).parent.parent
PEERS = ROOT / "benchmarks" / "peers"
FAKE = """
from runner import Method, Refused, main
import numpy as np

class Still:
    def __init__(self, problem, substeps):
        self.problem, self.substeps, self.x = problem, substeps, problem.start.copy()
    def advance(self):
        self.x[:, 2] -= self.problem.step / self.substeps * SPEED
    def state(self):
        return self.x.copy(), np.zeros_like(self.x)

def refuse(problem, substeps):
    raise Refused("has no bars")

def burst(problem, substeps):
    if substeps < 4:
        still = Still(problem, substeps)
        still.x[:] = np.nan
        return still
    return Still(problem, substeps)

SPEED = 0.5
print("noise of the engine")
main({
    "moves": Method(Still, "stvk"),
    "refuses": Method(refuse, "stvk"),
    "bursts": Method(burst, "stvk", (1, 2, 4)),
    "never": Method(burst, "stvk", (1, 2)),
    "crashes": lambda problem: 1 / 0,
})
"""


def loaded(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def compare() -> Iterator[ModuleType]:
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PEERS)
        yield loaded(PEERS / "compare.py")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(PEERS)):
            del sys.modules[name]


@pytest.fixture(scope="module")
def page() -> ModuleType:
    return loaded(ROOT / "tools" / "write_measurements.py")


@pytest.fixture
def sitting(compare: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONPATH", environment(PEERS)["PYTHONPATH"])
    script = tmp_path / "fake.py"
    script.write_text(FAKE, encoding="utf-8")
    ways = dict.fromkeys(("moves", "refuses", "bursts", "never", "crashes"), ("bar",))
    peers = {"fake": compare.Peer(script, ways), "none": compare.Peer(None, {"-": ("bar",)}, "needs a moon")}
    return compare.Sitting(tmp_path, 1.0, tmp_path, peers, {"fake": Path(sys.executable)})


@pytest.fixture
def bar(compare: ModuleType):
    from dataclasses import replace

    import workloads

    return replace(workloads.bar("tiny"), steps=3)


def test_a_run_is_judged_here(sitting, bar) -> None:
    row = sitting.row("fake", "moves", bar)
    assert row["status"] == "done"
    assert row["steps"] == 3
    assert row["tip"][2] == pytest.approx(0.5 - 3 * 0.5 * bar.step)
    # it falls without speed or strain: the whole work of gravity is lost
    assert row["energy_kept"] == pytest.approx(0, abs=1e-12)
    assert row["residual"] > 0.1


@pytest.mark.parametrize(
    ("method", "status", "words"),
    [
        ("refuses", "refused", "has no bars"),
        ("never", "diverged", "up to 2 substeps"),
        ("crashes", "failed", "ZeroDivision"),
    ],
)
def test_what_goes_wrong_is_a_row(sitting, bar, method: str, status: str, words: str) -> None:
    row = sitting.row("fake", method, bar)
    assert row["status"] == status
    assert words in row["note"]


def test_substeps_grow_until_a_run_survives(sitting, bar) -> None:
    row = sitting.row("fake", "bursts", bar)
    assert (row["status"], row["substeps"]) == ("done", 4)


def test_an_absent_peer_says_why(sitting, bar) -> None:
    row = sitting.row("none", "-", bar)
    assert (row["status"], row["note"]) == ("absent", "needs a moon")


def test_methods_run_where_they_are_meant_to(compare: ModuleType, sitting) -> None:
    sitting.peers["fake"].methods["some"] = ("bar small", "cloth")
    chosen = {
        size: ("fake", "some") in compare.ways(sitting, ["fake"], "bar", size) for size in ("small", "middle", "")
    }
    assert chosen == {"small": True, "middle": False, "": True}
    assert compare.ways(sitting, ["fake", "none"], "cloth", "small") == [("fake", "some")]


def test_a_run_that_hangs_is_stopped(compare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    real = compare.subprocess.run

    def hurried(command, **options):
        return real(command, **(options | {"timeout": 0.2}))

    monkeypatch.setattr(compare.subprocess, "run", hurried)
    row = compare.launch([sys.executable, "-c", "import time; time.sleep(60)"], 1.0)
    assert row["status"] == "stopped"


def test_errors_do_not_tell_folders(compare: ModuleType) -> None:
    assert compare.failure("Traceback\nOSError: cannot open /home/somebody/x.npz\n", 1) == "OSError: cannot open x.npz"
    assert compare.failure("", -11) == "ended with code -11"


def test_the_machine_has_no_names(compare: ModuleType) -> None:
    found = compare.machine()
    assert set(found) == {"cpu", "cores", "memory_gib", "system", "python"}
    for name in (platform.node(), str(Path.home()), str(Path.cwd())):
        assert not name or name not in json.dumps(found)


def test_other_work_is_noticed(compare: ModuleType) -> None:
    assert 0 <= compare.busy(0.05) <= (os.cpu_count() or 1)


def test_energy_and_residual_agree_with_a_solved_step(compare: ModuleType, bar) -> None:
    """A converged step of backward Euler leaves no residual, and one of AVF keeps the energy."""
    from judge import judged
    from supple_steps import Steps

    found = {}
    for name in ("backward-euler", "avf"):
        run = Steps(bar, 1, "stvk", name)
        run.advance()
        before = run.state()
        run.advance()
        after = run.state()
        result = dict(zip(("before_x", "before_v", "x", "v"), (*before, *after), strict=True))
        row = {"law": "stvk", "equation": "backward-euler", "substeps": 1}
        found[name] = judged(bar, row, result)
        assert run.extra()["residual"] < 1e-6
    assert found["backward-euler"]["residual"] < 1e-6
    assert found["backward-euler"]["energy_kept"] < 0.99
    assert found["avf"]["energy_kept"] == pytest.approx(1, abs=1e-9)


def test_vertices_in_other_bodies_are_counted(compare: ModuleType) -> None:
    import workloads
    from judge import inside

    pile = workloads.pile("small")
    assert len(pile.bodies) == 20
    assert inside(pile, pile.start) == 0
    x = pile.start.copy()
    first, second = (ids for ids, _ in pile.bodies[:2])
    x[first[0]] = x[second].mean(axis=0) + 1e-4
    assert inside(pile, x) == 1


def test_environments_are_kept_until_versions_change(
    compare: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import environments

    made = []
    monkeypatch.setattr(environments.venv, "create", lambda place, with_pip: Path(place).mkdir(parents=True))
    monkeypatch.setattr(environments, "install", lambda python, wanted: made.append(wanted))
    for version in ("a==1", "a==1", "a==2"):
        monkeypatch.setitem(environments.REQUIREMENTS, "a", (version,))
        python = environments.environment("a", tmp_path)
        assert tmp_path in python.parents
    assert made == [("a==1",), ("a==2",)]
    assert environments.reason("noise\nERROR: No matching distribution found for a\n") == (
        "No matching distribution found for a"
    )


def test_the_page_is_of_the_kept_sitting(page: ModuleType) -> None:
    sitting = json.loads(page.SITTING.read_text(encoding="utf-8"))
    text = page.PAGE.read_text(encoding="utf-8")
    assert text == page.current(text, sitting), "run `python tools/write_measurements.py`"
    assert len(page.BLOCK.findall(text)) == 1
    assert sitting["machine"]["cpu"] in text
    assert sitting["date"] in text


def test_the_kept_sitting_is_whole(page: ModuleType, compare: ModuleType) -> None:
    sitting = json.loads(page.SITTING.read_text(encoding="utf-8"))
    assert {row["peer"] for row in sitting["rows"]} == set(compare.PEERS)
    assert {row["workload"] for row in sitting["rows"]} == set(compare.WORKLOADS)
    assert page.SITTING.stat().st_size < 100_000
    assert "/home" not in page.SITTING.read_text(encoding="utf-8")


def test_a_table_shows_figures_and_reasons(page: ModuleType) -> None:
    base = {"workload": "bar", "size": "small", "cells": 3500, "step": 1 / 30}
    ran = {
        "status": "done",
        "law": "stvk",
        "substeps": 2,
        "steps": 20,
        "seconds_per_step": 0.0123,
        "first_step_seconds": 0.5,
        "residual": 3e-9,
        "energy_kept": 1 + 2e-13,
        "tip": [3.0, 0.5, -1.0],
    }
    rows = [
        base | ran | {"peer": "supple", "method": "avf"},
        base | ran | {"peer": "supple", "method": "reference stvk", "tip": [3.0, 0.5, -1.002]},
        base | {"peer": "sofa", "method": "-", "status": "absent", "note": "not | here"},
    ]
    text = page.part("bar", rows)
    assert "| supple, avf | 2 | stvk | 12.3 | 500 | 3.0e-9 | 1 + 2e-13 | 1.500 | 2 |" in text
    assert "Not measured:\n\n- SOFA: not | here.\n" in text
    assert "reference" not in text
    assert np.char.count(text, "\n| ") == 3
