"""Bounds and verdicts, the choice of panels, desks that survive a kill, and failures in a study."""

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.errors import SuppleError
from supple.gallery.choice import choose, place
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.outcome import Outcome
from supple.gallery.panel import PANELS, SOURCES, Panel
from supple.gallery.tally import alarms, as_plain
from supple.gallery.tour import Tour
from supple.gallery.verdicts import Bound, Figure, Verdict, about, at_least, at_most, verdict_of, within
from supple.gallery.work import carry_out, desk_of, done_before
from supple.recording.folder import RunStatus


@pytest.mark.parametrize(
    ("bound", "inside", "outside", "words"),
    [
        (at_most(2.0), [2.0, -math.inf], [2.1, math.inf, math.nan], "at most 2"),
        (at_least(2.0), [2.0, math.inf], [1.9, math.nan], "at least 2"),
        (within(1.0, 3.0), [1.0, 3.0], [0.9, 3.1, math.nan], "1 to 3"),
        (about(1.0, 0.25), [0.75, 1.25], [0.7, 1.3], "0.75 to 1.25"),
    ],
)
def test_bounds(bound: Bound, inside: list[float], outside: list[float], words: str) -> None:
    assert all(bound.holds(value) for value in inside)
    assert not any(bound.holds(value) for value in outside)
    assert str(bound) == words


def test_figures_alone_decide_the_verdict() -> None:
    good, bad, told = Figure("a", 1.0, at_most(2.0)), Figure("b", 3.0, at_most(2.0)), Figure("c", 9.0)
    assert verdict_of([good, told], corrected=False) is Verdict.REPRODUCED
    assert verdict_of([good, told], corrected=True) is Verdict.CORRECTED
    assert verdict_of([good, bad], corrected=True) is Verdict.NOT_REPRODUCED
    with pytest.raises(SuppleError, match="at least one figure with a bound"):
        verdict_of([told], corrected=False)


def test_panels_are_complete() -> None:
    panels = choose([])
    ids = [id for panel in panels for id in (panel.name, *panel.also)]
    assert len(ids) == len(set(ids))
    for panel in panels:
        assert panel.name[0] in SOURCES
        for words in (panel.title, panel.claim, panel.setup):
            assert words
            assert "\n" not in words
        assert not panel.title.endswith(".")
        assert panel.claim.endswith(".")
        assert panel.expects is Verdict.REPRODUCED or panel.because.endswith("."), panel.name
        assert panel.expects is not Verdict.FAILED


def test_choice() -> None:
    some = choose(["k2.4"])
    assert [panel.name for panel in some] == ["K2.4"]
    assert {panel.name[0] for panel in choose(["K"])} == {"K"}
    assert [place(panel) for panel in choose([])] == sorted(place(panel) for panel in choose([]))
    with pytest.raises(SuppleError, match=r"unknown panel 'K24'; did you mean 'K2.4'\?"):
        choose(["K24"])


@pytest.fixture
def panel() -> Iterator[Callable[[Any], type[Panel]]]:
    """Makes a panel of a study, which the registry forgets after the test."""

    def make(study: Callable[[Desk], Iterable[Figure]], expects: Verdict = Verdict.REPRODUCED) -> type[Panel]:
        class Made(Panel):
            title, claim, setup = "made", "It is made.", "nothing"

            def study(self, desk: Desk) -> Iterable[Figure]:
                return study(desk)

        Made.expects = expects
        return PANELS("X-test")(Made)

    yield make
    PANELS.pop("X-test", None)


def test_a_panel_that_raises_is_a_row(panel: Any, tmp_path: Path) -> None:
    def study(desk: Desk) -> Iterable[Figure]:
        raise ZeroDivisionError("by nothing")

    made = panel(study)
    outcome = carry_out("X-test", str(tmp_path), full=False)
    assert outcome.verdict is Verdict.FAILED
    assert outcome.error == "ZeroDivisionError: by nothing"
    assert done_before("X-test", tmp_path, full=False) is None
    tour = Tour([made], tmp_path, False, {"X-test": outcome})
    assert alarms(tour) == ["X-test: failed: ZeroDivisionError: by nothing"]
    assert as_plain(tour)["failed"] == 1


def test_a_verdict_that_was_not_expected_is_an_alarm(panel: Any, tmp_path: Path) -> None:
    made = panel(lambda desk: [Figure("length", math.inf, at_most(2.0))])
    outcome = carry_out("X-test", str(tmp_path), full=False)
    assert outcome.verdict is Verdict.NOT_REPRODUCED
    tour = Tour([made], tmp_path, False, {"X-test": outcome})
    assert alarms(tour) == ["X-test: found 'not reproduced', expected 'reproduced': length is inf, expected at most 2"]
    plain = as_plain(tour)["panels"][0]
    assert plain["measured"] == {"length": "inf"}
    assert plain["bound"] == {"length": "at most 2"}
    assert Outcome.read(desk_of(tmp_path, "X-test")) == outcome


def test_a_panel_done_is_not_done_again(panel: Any, tmp_path: Path) -> None:
    def draw(canvas: Any) -> None:
        axes = canvas.subplots()
        t = np.linspace(0.0, 1.0, 20)
        curves(axes, {"avf": (t, t), "backward-euler": (t, t**2), "gone": (t, np.where(t < 0.5, t, np.nan))}, "t", "y")

    def study(desk: Desk) -> Iterable[Figure]:
        desk.plot("curves", draw, "curves")
        yield Figure("one", 1.0, at_most(2.0))

    panel(study)
    outcome = carry_out("X-test", str(tmp_path), full=False)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.error
    assert done_before("X-test", tmp_path, full=False) == outcome
    assert done_before("X-test", tmp_path, full=True) is None
    picture = desk_of(tmp_path, "X-test") / "curves-dark.svg"
    assert "backward-euler" in picture.read_text(encoding="utf-8")
    picture.unlink()
    assert done_before("X-test", tmp_path, full=False) is None


def test_a_desk_goes_on_where_it_was_killed(panel: Any, tmp_path: Path) -> None:
    world = sp.World([sp.Body(sp.Bar((1, 1, 1)).mesh(), sp.StVK.from_young(1e4, 0.3), pin="left", name="bar")])
    computed: list[str] = []

    class Killed(BaseException):
        """As a kill: nothing of the panel is written down."""

    def study(desk: Desk) -> Iterable[Figure]:
        run = desk.run("bar", world, sp.AVF(), h=0.01, steps=5)
        length = desk.kept("length", lambda: computed.append("length") or [len(run.history["time"])])
        if not computed[1:]:
            computed.append("killed")
            raise Killed
        yield Figure("rows", float(length[0]), within(6, 6))

    panel(study)
    with pytest.raises(Killed):
        carry_out("X-test", str(tmp_path), full=False)
    history = desk_of(tmp_path, "X-test") / "runs/bar/history.csv"
    written = history.stat().st_mtime_ns
    assert carry_out("X-test", str(tmp_path), full=False).verdict is Verdict.REPRODUCED
    assert computed == ["length", "killed"]
    assert history.stat().st_mtime_ns == written


def test_a_run_that_explodes_is_a_result(tmp_path: Path) -> None:
    world = sp.World([sp.Body(sp.Bar((2, 1, 1)).mesh(), sp.StVK.from_young(1e9, 0.3), pin="left", name="bar")])
    run = Desk(tmp_path).run("bar", world, sp.ForwardEuler(), h=0.05, steps=400)
    assert run.status is RunStatus.FAILED
    assert 1 < len(run.history["time"]) < 401
    assert Desk(tmp_path).run("bar", world, sp.ForwardEuler(), h=0.05, steps=400).status is RunStatus.FAILED
