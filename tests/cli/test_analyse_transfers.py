"""`supple analyse transfers`: the study of a free bar, its files, its JSON, and refusals."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from command import here, last_json

from supple.analysis.free_bar import FreeBar
from supple.analysis.transfers import frequency_of, transfer_losses
from supple.budget.points import PointBudget
from supple.integrators.implicit.avf import AVF
from supple.integrators.points.mpm import Mpm
from supple.points.transfer import APIC, FLIP, PIC

SMALL = ["--of", "symplectic-euler", "--cells", "5,1,1", "--steps", "120", "--step", "0.004"]


def test_the_command(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = "pic,apic,flip:blend=0.95,apic:budget=true"
    here("analyse", "transfers", "--transfers", chosen, *SMALL, "--csv", "t.csv", "--json")
    captured = capsys.readouterr()
    found = last_json(captured.out)
    losses = {one["transfer"]: one for one in found["transfers"]}
    assert list(losses) == ["pic", "apic", "flip:blend=0.95", "apic:budget=true"]
    assert losses["pic"]["energy_lost"] > 1.0  # of the spin, too
    assert 0.0 < losses["apic"]["energy_lost"] < 1.0
    assert abs(losses["apic:budget=true"]["energy_lost"]) < 1e-12
    assert losses["pic"]["amplitude"] < losses["apic"]["amplitude"] < losses["apic:budget=true"]["amplitude"] + 0.01
    assert losses["pic"]["frequency"] is None
    assert abs(losses["apic:budget=true"]["frequency"] / found["frequency_of_tets"] - 1.0) < 0.05
    assert all(one["momentum_lost"] < 1e-12 for one in losses.values())
    assert losses["apic"]["angular_momentum_lost"] < 1e-12 < losses["pic"]["angular_momentum_lost"]
    with (in_folder / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 * 121
    ends = {row["transfer"]: -float(row["energy"]) for row in rows}  # the last row of each
    assert ends == pytest.approx({name: one["energy_lost"] for name, one in losses.items()}, abs=1e-15)
    assert (in_folder / "transfers.png").stat().st_size > 10_000
    assert json.dumps(found)


REFUSED = {
    "flipp": (["--transfers", "flipp"], "--transfers: unknown transfer 'flipp'; did you mean 'flip'"),
    "blnd": (["--transfers", "flip:blnd=1"], "--transfers: flip has no option 'blnd'; known: blend, budget"),
    "blend": (["--transfers", "flip:blend=2"], "mpm.transfer.blend: input should be less than or equal to 1, found 2"),
    "bdf2": (["--of", "bdf2"], "--of: unknown method 'bdf2'; known: avf, midpoint"),
    "cells": (["--cells", "2,2,2"], "--cells: found '2,2,2'; give three whole numbers, the first at least 3"),
    "both": (["--quick", "--steps", "60"], "--quick: takes 250 steps, but --steps 60 is given too"),
    "step": (["--step", "-1"], "--step: found -1; give a number above 0"),
}


@pytest.mark.parametrize(("words", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refusals(in_folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    here("analyse", "transfers", *words, code=2)
    assert sentence in capsys.readouterr().err.replace("\n", " ")
    assert not list(in_folder.iterdir())


@pytest.mark.usefixtures("blank")
def test_a_run_that_fails_is_a_row(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here("analyse", "transfers", "--transfers", "apic:most_substeps=1,pic", *SMALL[:4], "--steps", 50, "--step", 0.02)
    out = capsys.readouterr().out
    assert "failed" in out
    assert "substeps" in out


@pytest.mark.usefixtures("blank")
def test_losses_are_those_of_the_ledger() -> None:
    """With AVF on the nodes only transfers lose energy; the bar has the vibration that losses are relative to."""
    bar = FreeBar((5, 1, 1))
    methods: dict[str, Mpm | PointBudget] = {"apic": Mpm(AVF(), cell=0.1), "kept": PointBudget(Mpm(AVF(), cell=0.1))}
    (lost, course), (kept, _) = transfer_losses(methods, bar, steps=12)
    assert lost.energy_lost > 0.01
    assert abs(kept.energy_lost) < 1e-13
    assert max(kept.momentum_lost, kept.angular_momentum_lost) < 1e-13
    assert math.isnan(lost.amplitude)  # less than two periods
    assert course is not None
    assert len(course.time) == 13
    system, state = bar.placed()
    v, C = bar.vibration(state.x)
    for transfer in (APIC(), FLIP(), PIC()):  # rigid motion and vibration share no energy
        D = Mpm(cell=0.1).spline(system).D
        whole = transfer.kinetic(system.mass, state.v, system.clouds[0].spin, D)
        rigid = transfer.kinetic(system.mass, state.v - v, system.clouds[0].spin - C, D)
        assert abs(whole - rigid - transfer.kinetic(system.mass, v, C, D)) < 1e-12 * whole


def test_frequencies() -> None:
    t = np.linspace(0.0, 2.0, 401)
    assert abs(frequency_of(t, 3.0 + np.sin(2.0 * np.pi * 5.0 * t)) - 5.0) < 1e-2
    assert math.isnan(frequency_of(t, t))
    bar = FreeBar()
    assert abs(bar.frequency() - 4.953) < 1e-3
    assert abs(bar.frequency() / (0.5 * math.sqrt(bar.young / bar.density)) - 1.0) < 0.02  # sqrt(E/rho)/(2 l), slender
