"""The stage in the documentation, and its figures."""

import re
from pathlib import Path

import numpy as np
import pytest

import supple as sp

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "usd.md"


def test_the_stage_of_the_page_is_a_scene(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    [stage] = re.findall(r"```usda\n(.*?)```", text, re.DOTALL)
    (tmp_path / "drop.usda").write_text(stage)
    setup = sp.load(tmp_path / "drop.usda")
    model = setup.assemble()
    assert "a mass of 0.167 kg" in text
    assert model.system.mass.sum() == pytest.approx(1000 * 0.1**3 / 6, rel=1e-6)
    assert setup.world.bodies[0].material.moduli == (1e5, 0.4)  # type: ignore[union-attr]
    assert setup.duration == 0.5
    run = sp.run(setup, out=tmp_path / "run", progress=False)
    low = run.positions[:, :, 2].min(axis=1)
    fall = np.sqrt(2 * 0.1 / 9.81)
    assert "after 0.143 s" in text
    assert fall == pytest.approx(0.143, abs=5e-4)
    before = run.times < fall - 0.01
    np.testing.assert_allclose(low[before], 0.1 - 0.5 * 9.81 * run.times[before] ** 2, atol=1e-6)
    assert low.min() > 0.0


def test_every_attribute_of_the_table_is_read() -> None:
    from supple.scene.stages.remarks import READ_ATTRIBUTES

    table = (
        PAGE.read_text(encoding="utf-8").split("## Supported prims and attributes")[1].split("## Unsupported data")[0]
    )
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in re.findall(r"`([a-z][A-Za-z]+)`", row)}
    attributes = {
        word for word in named if re.search(r"[A-Z]", word) or word in ("masses", "mass", "density", "thicknesses")
    }
    known = {"startTimeCode", "endTimeCode", "framesPerSecond", "timeCodesPerSecond", "timeStepsPerSecond"}
    assert attributes - known <= READ_ATTRIBUTES
