"""Hundreds of runs, and kills at any moment: memory stays flat, and the manifest is always one to go on from."""

import random
import time
from pathlib import Path

import psutil
import pytest
from clusters import MEASURES, cluster, start, states, status, sweep, table, wanted

from supple.sweeps.axes import parse_axis
from supple.sweeps.campaign import new_sweep
from supple.sweeps.designs import Grid
from supple.sweeps.farm import open_farm
from supple.sweeps.manifest import Manifest, Row, State
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import Base, Plan

KILLS = 20
MANY = 500
EARLY = 100
GROWTH = 20e6
"""Bytes that client and scheduler may need more after 500 runs than after 100."""


@pytest.mark.study
def test_memory_stays_flat(in_folder: Path) -> None:
    axes = (parse_axis(f"body.0.material.young=1e5:2e5:{MANY}"),)
    plan = Plan(Base.of_file(in_folder / "bar.toml"), axes, Grid(), make_measures(MEASURES), steps=2)
    sizes: dict[int, tuple[int, int]] = {}
    done = 0
    with cluster(in_folder / "cluster") as processes, open_farm(scheduler=processes.address) as farm:
        client, scheduler = psutil.Process(), psutil.Process(processes.scheduler.pid)

        def told(row: Row) -> None:
            nonlocal done
            done += row.state is State.FINISHED
            if done in {EARLY, MANY}:
                sizes[done] = client.memory_info().rss, scheduler.memory_info().rss

        new_sweep(plan, in_folder / "out").go(farm, told)
    for early, late in zip(sizes[EARLY], sizes[MANY], strict=True):
        assert late - early < GROWTH, sizes


@pytest.mark.study
def test_the_manifest_at_twenty_random_kills(in_folder: Path) -> None:
    out, chance = in_folder / "out", random.Random(19)
    fresh = wanted(vary=("body.0.material.young=1e5:3e5:40",), steps=10)
    sweep(*wanted("whole", vary=("body.0.material.young=1e5:3e5:40",), steps=10), folder=in_folder)
    arguments = fresh
    for _ in range(KILLS):
        child = start("sweep", *arguments, folder=in_folder)
        time.sleep(chance.uniform(1.0, 20.0))
        child.kill()
        child.wait()
        if (out / "manifest.json").exists():
            arguments = ["--resume", "out"]
            _assert_consistent(out)
    sweep(*arguments, folder=in_folder)
    assert table(out) == table(in_folder / "whole")


def _assert_consistent(out: Path) -> None:
    """Runs marked as finished in the manifest are complete on the disk."""
    assert set(states(out)) <= {"waiting", "running", "finished"}
    for row in Manifest.read(out).rows:
        if row.state is State.FINISHED:
            assert status(out / row.folder) == "finished"
            assert list(row.measures) == [measure.partition("=")[0] for measure in MEASURES]
            assert row.seconds is not None
        else:
            assert not row.measures
