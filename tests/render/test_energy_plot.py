"""Plots are written, whatever the energies do, and colours belong to methods."""

import re
import sys
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest

from supple.errors import RecordError
from supple.recording.history import COLUMNS, COUNTS
from supple.render.plots.axis import Scale
from supple.render.plots.energy import energy_figure, energy_scale, plot_comparison
from supple.render.plots.svg import plot_energy
from supple.render.style import (
    ENERGY_COLOURS,
    INTEGRATORS,
    TRANSFERS,
    integrator_stroke,
    new_figure,
    save,
    scene_strokes,
)

SVG = "{http://www.w3.org/2000/svg}"
PNG = b"\x89PNG\r\n\x1a\n"
NAMES = (
    "forward-euler symplectic-euler explicit-midpoint rk4 verlet semi-implicit-newmark "
    "backward-euler bdf2 midpoint trapezoid newmark "
    "sdirk3 sdirk4 gauss4 "
    "generalized-alpha bathe tr-bdf2 sdirk avf quasi-static yoshida simo-tarnow gonzalez si sbdf2 str-sbdf2 s-sdirk "
    "adaptive-reversible adaptive-symplectic adaptive-naive adaptive-explicit "
    "conserving-springs variational corotational-reversible xpbd pbd "
    "ere siere beere bdf2-ere sbdf2-ere tr-bdf2-ere str-sbdf2-ere mpm"
)


def history(rate=0.0, steps=50, start=100.0, gravity=0.0):
    """A swing whose energy grows at a rate (1/s); `gravity` shifts the height's zero."""
    t = np.linspace(0.0, 2.0, steps + 1)
    ledger = {c: np.zeros(steps + 1, dtype=np.int64 if c in COUNTS else np.float64) for c in COLUMNS}
    ledger["time"] = t
    with np.errstate(over="ignore"):
        energy = start * np.exp(rate * t)
    ledger["elastic"] = energy * np.cos(3 * t) ** 2
    ledger["kinetic"] = energy * np.sin(3 * t) ** 2
    ledger["gravity"] += gravity
    ledger["total"] = energy + gravity
    ledger["residual"] = energy - start
    return ledger


HISTORIES = {
    "steady": history(),
    "decaying": history(-3.0),
    "exploding": history(400.0),
    "at rest": history(start=0.0),
    "one row": history(steps=0),
    "below zero": history(-1.0, gravity=-500.0),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.study if name in ("steady", "decaying") else []) for name in HISTORIES],
)
def test_every_kind_of_run_is_drawn(tmp_path, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(energy_figure(HISTORIES[name], name), tmp_path / "energy.png")
        plot_energy(HISTORIES[name], tmp_path / "energy.svg", f"{name} <1 & 2>")
    assert (tmp_path / "energy.png").read_bytes().startswith(PNG)
    text = (tmp_path / "energy.svg").read_text()
    words = [element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert {f"{name} <1 & 2>", "energy  [J]", "|residual| / energy  [-]", "time  [s]", "total"} <= set(words)
    assert "nan" not in text
    assert "inf" not in text


def test_curves_are_where_their_ticks_are(tmp_path):
    plot_energy(history(), tmp_path / "energy.svg", "steady")
    root = ElementTree.fromstring((tmp_path / "energy.svg").read_text())
    (height,) = {float(e.get("y")) - 4 for e in root.iter(f"{SVG}text") if e.text == "100"}
    lines = [
        e.get("d") for e in root.iter(f"{SVG}path") if e.get("stroke") == ENERGY_COLOURS["total"] and "L" in e.get("d")
    ]
    (total,) = lines
    heights = [float(point.split()[1]) for point in re.split("[ML]", total) if point]
    assert heights == pytest.approx([height] * len(heights), abs=0.11)


def test_ticks():
    assert [tick.text for tick in Scale().ticks(-0.2, 1.0, 6)] == ["\u22120.2", "0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert [tick.text for tick in Scale().ticks(0.0, 2e6, 4)] == ["0", "5.0e5", "1.0e6", "1.5e6", "2.0e6"]
    assert [tick.text for tick in Scale("log").ticks(-13.0, -10.5, 6)] == ["10⁻¹³", "10⁻¹²", "10⁻¹¹"]
    assert [tick.text for tick in Scale("symlog", 10.0).ticks(-1.0, 2.0, 6)] == ["0", "10¹", "\u221210¹", "10²"]


def test_other_suffixes(tmp_path):
    save(energy_figure(history(), "steady"), tmp_path / "energy.pdf")
    with pytest.raises(RecordError, match=r"cannot draw a '\.docx' file; known: .*png"):
        save(energy_figure(history(), "steady"), tmp_path / "energy.docx")


def test_comparison(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot_comparison(HISTORIES, tmp_path / "all.png", "all kinds")
        plot_comparison({"avf": history(), "bdf2": history(-2.0)}, tmp_path / "two.png", "two")
    assert (tmp_path / "all.png").read_bytes().startswith(PNG)
    assert (tmp_path / "two.png").read_bytes().startswith(PNG)


def test_nothing_to_draw_is_explained(tmp_path):
    empty = {c: np.zeros(0) for c in COLUMNS}
    with pytest.raises(RecordError, match="no rows"):
        plot_energy(empty, tmp_path / "e.svg", "")
    with pytest.raises(RecordError, match="no runs to compare"):
        plot_comparison({}, tmp_path / "e.png", "")


def test_an_unwritable_place_is_explained(tmp_path):
    with pytest.raises(RecordError, match="cannot write the plot"):
        save(new_figure(2.0, 2.0, ""), tmp_path / "nowhere" / "e.png")
    with pytest.raises(RecordError, match="cannot write"):
        plot_energy(history(), tmp_path / "nowhere" / "e.svg", "")


def test_scale_does_not_depend_on_the_zero_of_height():
    assert energy_scale(history()) == pytest.approx(100.0)
    assert energy_scale(history(gravity=1e4)) == pytest.approx(100.0)
    assert energy_scale(history(start=0.0)) == 1.0
    falling = history(start=0.0)
    falling["gravity"] = -20.0 * falling["time"]
    assert energy_scale(falling) == pytest.approx(40.0)


def test_every_method_has_its_own_stroke():
    assert set(INTEGRATORS) == set(NAMES.split())
    assert len(set(INTEGRATORS.values())) == len(INTEGRATORS)
    assert integrator_stroke("avf, h = 0.01 s") == INTEGRATORS["avf"]
    assert integrator_stroke("tr_bdf2") == INTEGRATORS["tr-bdf2"]
    assert integrator_stroke("my method") == integrator_stroke("my method")
    assert integrator_stroke("mpm:courant=0.2,transfer=flip + budget") == TRANSFERS["flip"]
    assert integrator_stroke("mpm:transfer=own") == INTEGRATORS["mpm"]


def test_scenes_have_strokes_by_their_order():
    many = [f"scene-{k}" for k in range(12)]
    assert len(set(scene_strokes(many).values())) == 12
    assert not any(stroke.dashes for stroke in list(scene_strokes(many).values())[:8])


def test_different_bodies_are_relative_to_their_own_energies(tmp_path, monkeypatch):
    from matplotlib.axes import Axes

    drawn, plain = [], Axes.plot
    monkeypatch.setattr(Axes, "plot", lambda axes, t, y, **look: drawn.append(y) or plain(axes, t, y, **look))
    both = {"one": history(-1.0), "two": history(-1.0, start=300.0)}
    for shared in (True, False):
        plot_comparison(both, tmp_path / "both.png", "both", shared)
    assert not np.allclose(drawn[0], drawn[2])
    assert np.allclose(drawn[4], drawn[6])


def test_pyplot_is_not_needed(tmp_path):
    sys.modules.pop("matplotlib.pyplot", None)
    save(energy_figure(history(), ""), tmp_path / "e.png")
    assert "matplotlib.pyplot" not in sys.modules
