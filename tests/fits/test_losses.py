"""Losses: values, derivatives, sums, and their text."""

from pathlib import Path

import numpy as np
import pytest

import supple as sp
from fits.fit_bars import BAR, DENSITY, YOUNG, motion, write
from supple.errors import SuppleError
from supple.fits.losses.losses import Loss
from supple.fits.losses.targets import Target
from supple.fits.losses.text import parse_loss


def losses(scene: Path) -> dict[str, Loss]:
    t, x = motion(scene, [f"{YOUNG}=3e5"])

    def own(index: int, state: sp.State) -> sp.Share | None:
        return sp.Share(float((state.x**2).sum()), 2.0 * state.x) if index % 3 == 0 else None

    return {
        "mean": sp.follow("right", (t, x[:, -4:].mean(axis=1))),
        "between steps": sp.follow("right", (t[1:] - 0.003, x[1:, -4:].mean(axis=1))),
        "each": sp.follow("all", (t, x)),
        "each of a group": sp.follow("right", (t, x), each=True),
        "hit": sp.hit("right", (0.7, 0.1, 0.1), at=0.1),
        "hit at rest": sp.hit("right", (0.7, 0.1, 0.1), velocity=(0, 0, 0)),
        "pose": sp.pose(x[-1] + 0.01),
        "energy": sp.energy_at("elastic", 2.0, at=0.2),
        "energy itself": sp.energy_at("total"),
        "highest": sp.highest("right", 0.3),
        "highest itself": -1 * sp.highest("right"),
        "sum": 2.0 * sp.hit("right", (0.7, 0.1, 0.1)) + sp.energy_at("kinetic", 1.0, at=0.1) * 0.1,
        "own": Loss(()) + own,
    }  # fmt: skip


NAMES = [
    "mean", "between steps", "each", "each of a group", "hit", "hit at rest", "pose", "energy", "energy itself", "highest",
    "highest itself", "sum", "own",
]  # fmt: skip


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Loss]]:
    """A scene and losses of it, made once."""
    scene = write(tmp_path_factory.mktemp("losses"))
    return scene, losses(scene)


WHOLE = ("each", "sum", "own")
"""Losses that are derived by all kinds of unknowns; how a run depends on these is the same for all losses."""
VELOCITY = "body[0].initial.velocity[2]"


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        *((name, (YOUNG, DENSITY, VELOCITY)) for name in WHOLE),
        *((name, (DENSITY,)) for name in NAMES if name not in WHOLE),
        *(pytest.param(name, (YOUNG, VELOCITY), marks=pytest.mark.study) for name in NAMES if name not in WHOLE),
    ],
)
def test_gradients_of_losses(known: tuple[Path, dict[str, Loss]], name: str, keys: tuple[str, ...]) -> None:
    """Backwards, against differences of runs."""
    scene, of = known
    fit = sp.Fit(scene, list(keys), of[name])
    value, gradient = fit.value_and_gradient()
    for key, start in fit.starts.items():
        e = 1e-4 * start
        sides = [fit.problem.trial(fit.problem.z(fit.starts | {key: start + sign * e})).value for sign in (1.0, -1.0)]
        difference = (sides[0] - sides[1]) / (2.0 * e)
        assert gradient[key] == pytest.approx(difference, rel=2e-6, abs=1e-9 * abs(value) / abs(start))
        assert difference != 0.0 or key == YOUNG


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("own", "energy itself", "highest itself")])
def test_tangents_agree_with_adjoints(known: tuple[Path, dict[str, Loss]], name: str) -> None:
    scene, of = known
    fit = sp.Fit(scene, [YOUNG, DENSITY] if name in WHOLE else [DENSITY], of[name])
    trial = fit.problem.trial(fit.problem.start)
    assert trial.residuals is not None
    assert trial.residuals @ trial.residuals == pytest.approx(trial.value)
    forwards = 2.0 * fit.problem.jacobian(trial).T @ trial.residuals
    np.testing.assert_allclose(forwards, fit.problem.gradient(trial), rtol=1e-8)


def test_a_motion_follows_itself(tmp_path: Path) -> None:
    scene = write(tmp_path)
    t, x = motion(scene)
    for loss in (sp.follow("all", (t, x)), sp.follow("right", (t, x)), sp.pose(x[-1]), sp.pose(x[5], at=float(t[5]))):
        assert sp.Fit(scene, [YOUNG], loss).value_and_gradient()[0] < 1e-20


def test_losses_in_words(tmp_path: Path) -> None:
    target = Target(np.array([0.1]), np.zeros((1, 3)))
    found = parse_loss("follow(bar.right, target) + 0.1*hit(right, (1, 2, 3), at=0.1) - 2*highest(right)", target)
    assert [one.weight for one in found.parts] == [1.0, 0.1, -2.0]
    assert parse_loss('follow("right", target)', target).target is target
    assert parse_loss("1e-6*roughness(body[0].material.young)").parts[0].part.keys == (YOUNG,)


NO_LOSSES = [
    "3", "hit(right)", "hit(right, (1, 2))", "hti(right, (1, 2, 3))", "1 + hit(right, (1, 2, 3))",
    "follow(right, target)", "hit(right, (1, 2, 3)) / 2", "energy_at(elstic)", "__import__('os')", "(lambda: 3)()", "hit(",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_LOSSES)
def test_words_that_are_no_loss(text: str) -> None:
    with pytest.raises(SuppleError):
        parse_loss(text)


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (lambda t, x: sp.follow("all", (t, x[:, :5])), "another mesh"),
        (lambda t, x: sp.follow("tip", (t, x)), "unknown vertex group"),
        (lambda t, x: sp.follow("all", (t + 0.1, x)), "the run covers 0 to 0.25 s"),
        (lambda t, x: sp.follow("all", (t, x[:, 0])), "its own"),
        (lambda t, x: sp.hit("right", (0, 0, 0), at=3.0), "outside the run"),
        (lambda t, x: sp.pose(x[0][:7]), "another mesh"),
        (lambda t, x: 3.0, "give follow"),
        (lambda t, x: lambda index, state: 3.0, "Share"),
        (lambda t, x: sp.hit("right", (0, 0, 0)) + sp.roughness(YOUNG, DENSITY), "is not an unknown"),
    ],
)
def test_losses_that_do_not_belong_to_the_scene(tmp_path: Path, loss: object, said: str) -> None:
    scene = write(tmp_path, BAR)
    t, x = motion(scene)
    with pytest.raises(SuppleError, match=said):
        sp.Fit(scene, [YOUNG], loss(t, x)).value_and_gradient()  # type: ignore[operator]
