"""A piece of the fuzzer's work in every run of the tests, and a bug planted to see that it is found and made small."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from child import environment
from fuzz.cases import Case, Garble, case
from fuzz.mutations import MISSING, Put
from fuzz.seeds import Seed
from fuzz.text import document

CASES = [(2, 40), pytest.param(3, 200, marks=pytest.mark.study)]
"""Seeds and numbers of cases."""
SMALL = Seed(
    "small",
    {
        "time": {"step": 0.01, "duration": 0.02},
        "body": [{"mesh": {"shape": "rope", "segments": 1}, "material": {"name": "hooke-spring", "stretch": 10.0}}],
        "solver": {"tolerance": 1e-9},
    },
)


@pytest.mark.parametrize(("seed", "count"), CASES)
def test_random_scenes_run_or_are_refused_in_a_sentence(seed: int, count: int) -> None:
    """In a separate process, which may fork: the tests before have threads."""
    words = ["-m", "fuzz.main", "--scenes", str(count), "--seed", str(seed), "--workers", "1", "--quick"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_a_planted_bug_is_found_and_made_small(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "planted.py")],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    kind, _, scene = done.stdout.partition("\n")
    assert kind == "traceback ZeroDivisionError in "
    assert "young = 13.0" in scene
    assert not any(word in scene for word in ("poisson", "solver", "title", "--set", "--strict"))


PLANTED = """
from fuzz.worker import Limits, prepare_process
prepare_process()
import tomllib
from fuzz import trying
from fuzz.cases import SCENE, Case
from fuzz.mutations import Put
from fuzz.seeds import Seed

def command(words):
    def work():
        with open(SCENE, "rb") as file:
            young = tomllib.load(file)["body"][0]["material"]["young"]
        1 / (young - 13.0)
    return work

trying.command = command
base = Seed("planted", {"title": "a", "solver": {"tolerance": 1e-9}, "body": [{"material": {"young": 1.0, "poisson": 0.3}}]})
changes = (Put(("title",), 3), Put(("body", 0, "material", "young"), 13.0), Put(("solver", "tolerance"), 0.5))
case = Case("0:0", base, changes, ("time.step=1",), (("--strict",),))
bug = trying.attempt(case, Limits())
print(bug.kind, bug.group)
print(trying.reduced(case, bug, Limits()).shown())
"""


def test_cases_depend_on_seed_and_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.cases.seed", lambda name: replace(SMALL, name=name))
    monkeypatch.setattr("fuzz.cases.warm", lambda tables: None)
    monkeypatch.setattr("fuzz.cases.warm_contact", lambda tables: None)
    once = [case(5, number) for number in range(15)]
    again = [case(5, number) for number in reversed(range(15))][::-1]
    assert [one.shown() for one in once] == [one.shown() for one in again]
    assert len({one.shown() for one in once}) > 12
    assert [one.shown() for one in once] != [case(6, number).shown() for number in range(15)]


def test_changes_can_be_left_out_one_by_one() -> None:
    made = Case("0:0", SMALL, (Put(("title",), "a"), Garble(0.5, 1, "?")), ("time.step=1",), (("--steps", "2"),))
    assert made.parts() == 4
    assert made.without(0).changes == made.changes[1:]
    assert made.without(2).settings == ()
    assert made.without(3).arguments() == ["run", "scene.toml", "--out", "out", "--json", "--set", "time.step=1"]


def test_what_leads_nowhere_is_no_change() -> None:
    tables = {"body": [{"mesh": {}}]}
    for path in (("body", 3, "mesh"), ("world", "up", "x"), ("body", 0, "pin")):
        Put(path, MISSING).apply(tables)
    assert tables == {"body": [{"mesh": {}}]}


def test_anything_is_written_as_toml() -> None:
    import tomllib

    tables = {"": -0.0, "é\x00": [1, [True, "a\nb"]], "t": {"x": {"y": 10**30}}, "list": [{"a": 1}, {}]}
    assert tomllib.loads(document(tables)) == tables
