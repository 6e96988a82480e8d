"""A piece of the comparison in every run of the tests, and planted differences to see that each is found."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from child import environment
from fuzz.again.comparing import first_difference
from fuzz.again.scenes import RECORDS, rerun, resumed
from fuzz.again.stopping import torn
from fuzz.seeds import Seed
from fuzz.sorting import IN_ORDER

SCRIPT = """
import json
from dataclasses import replace
from fuzz.again.scenes import Rerun, rerun
from fuzz.again.trying import THREADS, attempt
from fuzz.campaign import begin
from fuzz.seeds import Seed
from fuzz.worker import Limits
begin(THREADS)
import numpy as np
from supple.linalg.threads import threads
from supple.progress import Progress
from supple.recording import recorder
from supple.runs import run

def case(method):
    bar = {"mesh": {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.1, 0.1]}, "pin": "left",
           "material": {"name": "stvk", "young": 1e4, "poisson": 0.3}, "density": 100.0}
    tables = {"time": {"step": 0.02, "duration": 0.12}, "integrator": {"name": method}, "body": [bar]}
    return Rerun("7:1", Seed(method, tables))

def found(method):
    verdict = attempt(case(method), Limits())
    return [verdict.kind, verdict.group]

told = {"random": [attempt(rerun(1, 25), Limits()).kind, ""]}
told |= {"newmark": found("newmark"), "bdf2": found("bdf2"), "refused": found("no-such-method")}
save, read, row = Progress.save, run.read_checkpoint, recorder.history_row

def without_memory(meta, arrays):
    return meta, {k: np.zeros_like(v) if k.startswith("memory.") else v for k, v in arrays.items()}

Progress.save = lambda self, tools: without_memory(*save(self, tools))
told["forgotten"] = found("bdf2")
Progress.save = save
run.read_checkpoint = lambda folder: replace(read(folder), arrays=without_memory(0, read(folder).arrays)[1])
told["badly read"] = found("bdf2")
run.read_checkpoint = read
recorder.history_row = lambda *given: {**row(*given), "newton_iterations": threads()}
told["threads"] = found("newmark")
print(json.dumps(told))
"""


def test_equal_runs_are_equal_and_planted_differences_are_found() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert told.pop("random")[0] in IN_ORDER
    assert told.pop("newmark")[0] == told.pop("bdf2")[0] == "ran"
    assert told.pop("refused")[0] == "refused"
    assert {kind for kind, _ in told.values()} == {"difference"}
    assert told["forgotten"][1].startswith("restored: row")
    assert told["badly read"][1].startswith("resumed: row")
    assert told["threads"][1] == "two threads: row of newmark"


@pytest.mark.study
def test_random_scenes_run_again_to_the_same_bits() -> None:
    words = ["-m", "fuzz.again", "--scenes", "60", "--seed", "3", "--quick"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_first_difference_is_named_with_the_entries_that_differ() -> None:
    one = {"row 0": "a=1 b=2", "row 1": "a=1 b=3", "times": "x"}
    assert first_difference(one, dict(one)) == ""
    assert first_difference(one, {**one, "row 1": "a=1 b=4"}) == "row 1: b=3 | b=4"
    assert first_difference(one, {**one, "frame 9": "y"}) == "frame 9: missing | y"
    assert first_difference({**one, "row 2": "a=1 b=2"}, one) == "row 2: a=1 b=2 | missing"


def test_cases_depend_on_seed_and_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"time": {"step": 0.01}, "integrator": {"name": "avf"}, "body": [{"mesh": {"shape": "cube", "cells": 1}}]}
    monkeypatch.setattr("fuzz.again.scenes.base_scene", lambda random: Seed("small", tables))
    monkeypatch.setattr("fuzz.again.scenes.seed", lambda name: Seed(name, tables))
    once = [rerun(5, number).shown() for number in range(30)]
    assert once == [rerun(5, number).shown() for number in reversed(range(30))][::-1]
    assert len(set(once)) > 25
    assert any(f"fps = {record['fps']}" in text for record in RECORDS if "fps" in record for text in once)
    assert rerun(5, 0).started(2)[-1] == "solver.threads=2"
    assert resumed("there")[:3] == ["run", "--resume", "there"]
    assert tables["body"] == [{"mesh": {"shape": "cube", "cells": 1}}], "the scene of the source is not changed"


def test_a_torn_row_is_part_of_the_last_one(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "history.csv"
    for k in range(20):
        file.write_text("step,time\n0,0.0\n1,0.25\n")
        torn(file, Random(k))
        assert "1,0.25".startswith(file.read_text().removeprefix("step,time\n0,0.0\n1,0.25\n"))
