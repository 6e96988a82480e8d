"""Derivatives of quantities of a run agree with central differences of whole runs."""

from pathlib import Path

import pytest

import supple as sp
from fits.fit_bars import BAR, DAMPED, DENSITY, SHEAR, YOUNG, write
from supple.errors import SuppleError
from supple.fits.gradient import gradient

KEYS = [YOUNG, "body[0].material.poisson", DENSITY, "world.gravity", "body[0].initial.velocity", "body[0].mesh.size[0]"]


@pytest.mark.parametrize(
    ("of", "keys"),
    [
        ("right.y@0.2", KEYS),
        *((of, KEYS[:1] + KEYS[3:4]) for of in ("bar.right.vz@0.2", "elastic@0.1", "kinetic", "total@0.25")),
        *((of, KEYS[2:4]) for of in ("potential@0.1", "lz@0.2")),
    ],
)
def test_quantities(tmp_path: Path, of: str, keys: list[str]) -> None:
    found = gradient(write(tmp_path), of, keys, check=True)
    assert len(found.derivatives) == (8 if keys == KEYS else 2)
    size = max(map(abs, found.differences.values()))
    assert size > 0.0
    for name, difference in found.differences.items():
        tiny = 1e-9 * size * found.keys[name] if found.keys[name] else 1e-9 * size
        assert abs(found.derivatives[name] - difference) < 1e-6 * abs(difference) + tiny


@pytest.mark.parametrize("method", ["avf", "backward-euler", "bdf2", "midpoint", "sdirk", "simo-tarnow"])
def test_methods_with_damping(tmp_path: Path, method: str) -> None:
    settings = [f"integrator.name={method}", "time.duration=0.1"]
    found = gradient(write(tmp_path, DAMPED), "right.y@0.1", [YOUNG, SHEAR], settings=settings, check=True)
    assert max(found.errors.values()) < 1e-6
    assert all(found.differences.values())


def test_times_between_steps_are_interpolated_and_reported(tmp_path: Path) -> None:
    scene = write(tmp_path)
    sides = [gradient(scene, f"right.y@{k / 60}", [YOUNG]) for k in (3, 4)]
    between = gradient(scene, f"right.y@{3.25 / 60}", [YOUNG])
    for of in ("value", "derivatives"):
        a, b, c = (getattr(one, of) for one in (*sides, between))
        a, b, c = (x[YOUNG] if isinstance(x, dict) else x for x in (a, b, c))
        assert c == pytest.approx(0.75 * a + 0.25 * b, rel=1e-9)
    assert "interpolated linearly" in between.notes[0]
    assert not sides[0].notes


def test_many_keys_go_backwards(tmp_path: Path) -> None:
    """Adjoints agree with tangents."""
    scene = write(tmp_path)
    many = [*KEYS, "body[0].initial.spin"]
    backwards = gradient(scene, "right.y@0.1", many)
    forwards = gradient(scene, "right.y@0.1", KEYS)
    assert len(backwards.derivatives) > 8 >= len(forwards.derivatives)
    for name, value in forwards.derivatives.items():
        assert backwards.derivatives[name] == pytest.approx(value, rel=1e-8, abs=1e-15)


def test_checkpoints_change_nothing(tmp_path: Path) -> None:
    scene = write(tmp_path)
    every, some = (gradient(scene, "right.y@0.25", [YOUNG], keep=keep) for keep in ("all", 4))
    assert some.derivatives[YOUNG] == pytest.approx(every.derivatives[YOUNG], rel=1e-7)


@pytest.mark.parametrize(
    "of", ["residual@0.1", "elstic@0.1", "right.w@0.1", "@0.1", "tip.y@0.1", "right.y@1.0", "right.y@-1", "total@x"]
)
def test_quantities_that_are_refused(tmp_path: Path, of: str) -> None:
    with pytest.raises(SuppleError):
        gradient(write(tmp_path), of, [YOUNG])


def test_a_method_without_derivatives_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match="no derivatives"):
        gradient(write(tmp_path, BAR), "total@0.1", [YOUNG], settings=["integrator.name=siere"])


def test_elasticity(tmp_path: Path) -> None:
    """The motion depends on stiffness over density alone."""
    found = sp.gradient(write(tmp_path), "right.y@0.25", [YOUNG, DENSITY])
    young, density = found.elasticities.values()
    assert young is not None
    assert density is not None
    assert young == pytest.approx(-density, rel=1e-7)
