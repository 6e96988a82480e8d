"""`supple analyse spectrum`, and budgets in `supple compare`: files, figures, refusals."""

import csv
from pathlib import Path

import numpy as np
import pytest
from command import here, last_json, write_scene

from supple.analysis.motion_spectrum import motion_spectrum
from supple.budget.energy_budget import EnergyBudget
from supple.cli.analyse.methods import methods


def test_a_wave_stands_at_its_frequency() -> None:
    """v = a sin(2 pi f t) of one vertex in two has the mean square a^2 / 4, all of it at f."""
    dt, count, f, a = 0.01, 500, 8.0, 3.0
    v = np.zeros((count, 2, 3))
    v[:, 0, 1] = a * np.sin(2 * np.pi * f * dt * np.arange(count))
    v += [1.0, 2.0, 3.0]  # a constant is no vibration
    found = motion_spectrum(v, dt)
    assert found.frequencies[found.power.argmax()] == pytest.approx(f)
    assert found.highest == pytest.approx(50.0)
    assert found.above(0.0) == pytest.approx(a * a / 4, rel=1e-9)
    assert found.above(f + 1.0) <= 1e-12
    assert found.above(f - 1.0) == pytest.approx(a * a / 4, rel=1e-9)


def test_the_integral_is_the_mean_square() -> None:
    v = np.random.default_rng(1).normal(size=(4001, 5, 3))
    assert motion_spectrum(v, 0.1).above(0.0) == pytest.approx((v**2).sum(axis=2).mean(), rel=0.05)


@pytest.mark.usefixtures("blank")
def test_compared_runs(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    words = "avf,backward-euler,backward-euler:budget=true,backward-euler:budget.restore=0.5"
    here("compare", "bar.toml", "--integrators", words, "--out", "all", "--json")
    table = last_json(capsys.readouterr().out)["runs"]
    names = ["avf", "backward-euler", "backward-euler + budget", "backward-euler:budget.restore=0.5"]
    assert [row["integrator"] for row in table] == names
    residuals = [row["relative_residual"] for row in table]
    assert residuals[0] < 1e-11
    assert residuals[1] > 1e-3
    assert residuals[2] < 1e-11
    assert 0.2 * residuals[1] < residuals[3] < 0.9 * residuals[1]
    here("analyse", "spectrum", "all", "--above", "10", "--json")
    found = last_json(capsys.readouterr().out)
    assert [row["run"] for row in found["runs"]] == sorted(name.replace(" ", "") for name in names)
    assert found["runs"][1]["above"] < 0.9 * found["runs"][0]["above"]
    with (in_folder / "spectrum.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == ["run", "frequency", "power"]
    assert {row["run"] for row in rows} == {row["run"] for row in found["runs"]}
    assert (in_folder / "spectrum.png").read_bytes().startswith(b"\x89PNG")


def test_refusals(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    here("run", "bar.toml", "--steps", 10, "--out", "short")
    here("analyse", "spectrum", "short", code=2)
    assert "has 11 frames; a spectrum requires at least 16" in capsys.readouterr().err
    here("run", "bar.toml", "--steps", 20, "--out", "long")
    here("analyse", "spectrum", "long", "--above", 40, code=2)
    assert (
        "--above: found 40 Hz; the frames of these runs resolve frequencies above 0 and below 28.57"
        in capsys.readouterr().err
    )
    here("analyse", "spectrum", "nowhere", code=2)


@pytest.mark.usefixtures("blank")
def test_impulses_have_no_exact_reference(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_scene(in_folder)
    words = ["order", "bar.toml", "--duration", 0.05, "--steps", "4,8", "--integrators", "verlet"]
    damping = 'damping=[{ name = "structure-preserving", tau = 1e-4 }]'
    here("analyse", *words, "--set", damping, code=2)
    assert "DOP853 supports forces only" in capsys.readouterr().err
    here("analyse", *words, "--set", damping, "--reference", "verlet:64")
    here("analyse", *words, "--set", damping.replace("1e-4", '1e-4, form = "integrable"'))


def test_methods_in_a_budget() -> None:
    found = methods("avf,backward-euler:budget=true,newmark:beta=0.3,budget.restore=0.5")
    assert [isinstance(method, EnergyBudget) for method in found.values()] == [False, True, True]
    assert list(found.values())[2].restore == 0.5
