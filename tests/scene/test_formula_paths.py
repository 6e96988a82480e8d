"""A formula without a value at the start is refused at the path of its key."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.runs.run import start_run
from supple.scene.text.load import read_scene

BODY: dict[str, Any] = {
    "mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.1, 0.1]},
    "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
}
FORMULA = {"name": "formula", "energy": "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2", "mu": 1e4, "lam": 1e4}
WOVEN = {"name": "orthotropic", **dict.fromkeys(("E2", "E3", "G12", "G13", "G23"), 1e4)}
WOVEN |= dict.fromkeys(("nu12", "nu13", "nu23"), 0.1)
LAWS: tuple[tuple[dict[str, Any], str], ...] = (
    ({**BODY["material"], "poisson": "1"}, "poisson: input should be above -1 and below 0.5"),
    ({**BODY["material"], "young": "1/(X - X)"}, "young: '1/(X - X)' is inf in 10 of 10 elements"),
    ({"name": "yeoh", "young": 1e4, "poisson": "1"}, "poisson: input should be above -1 and below 0.5"),
    ({**WOVEN, "E1": "-1e4"}, "E1: input should be greater than 0"),
    ({**FORMULA, "mu": "1e4/(X - X)"}, "mu: '1e4/(X - X)' is inf in 10 of 10 elements"),
    ({"name": "mooney-rivlin", "c1": "1/(X - X)", "c2": 1e3, "bulk": 1e4}, "c1: '1/(X - X)' is inf"),
)


def refusal(folder: Path, **tables: Any) -> str:
    """What is said of a scene, at the latest in its first step."""
    data = {"time": {"step": 0.01, "duration": 0.01}, "body": [BODY], **tables}
    with pytest.raises(SuppleError) as caught, np.errstate(all="ignore"):
        for _ in start_run(read_scene(data, folder), folder / "out").frames():
            pass
    return str(caught.value)


@pytest.mark.parametrize(("law", "message"), LAWS)
def test_constants_of_materials(tmp_path: Path, law: dict[str, Any], message: str) -> None:
    assert refusal(tmp_path, body=[{**BODY, "material": law}]).startswith(f"body[0].material.{message}")


def test_velocities_and_forces(tmp_path: Path) -> None:
    moving = {**BODY, "initial": {"velocity": [0.0, "1/X", 0.0]}}
    assert refusal(tmp_path, body=[moving]).startswith(
        "body[0].initial.velocity[1]: expression '1/X' is inf at 4 of 12"
    )
    force = {"name": "force", "force": ["1/(x - x)", 0, 0]}
    assert refusal(tmp_path, field=[force]).startswith(
        "field[0].force: expression '1/(x - x)' is inf at 12 of 12 vertices"
    )


def test_options_checked_by_their_object(tmp_path: Path) -> None:
    floor = {"shape": "implicit", "equation": "y +"}
    assert refusal(tmp_path, obstacle=[floor]) == "obstacle[0].equation: 'y +' is not an expression (invalid syntax)"
    damping = {"name": "formula", "dissipation": "eta*D11^", "eta": 1.0}
    said = refusal(tmp_path, damping=[damping])
    assert said == "damping[0].dissipation: 'eta*D11^' is not an expression (invalid syntax)"
