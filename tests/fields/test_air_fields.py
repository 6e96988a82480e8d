"""Air fields: divergence, statistics and seeds of turbulence, the profile of a vortex, gusts, and limits of a field."""

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.formulas.curves import Curve
from supple.model.fields.air import Air
from supple.model.fields.air_field import AirField
from supple.model.fields.region import FieldRegion
from supple.model.fields.turbulence import Turbulence
from supple.model.fields.vortex import Vortex
from supple.model.fields.wind import Wind
from supple.model.selection import Beyond, Within
from supple.types import Array

PLACES = np.random.default_rng(1).uniform(-30.0, 30.0, (6000, 3))
EYE = np.eye(3)


def slopes(field: AirField, x: Array, t: float, e: float = 1e-4) -> Array:
    """(3, n, 3) derivatives of the velocity along x, y, z, by differences of fourth order."""
    w = field.velocity
    return np.stack(
        [
            (8 * (w(x + e * d, t) - w(x - e * d, t)) - (w(x + 2 * e * d, t) - w(x - 2 * e * d, t))) / (12 * e)
            for d in EYE
        ]
    )


@pytest.mark.parametrize("seed", range(4))
def test_turbulence_has_no_divergence(seed: int) -> None:
    field = Turbulence(strength=3.0, size=0.7, seed=seed, octaves=4, drift=(4.0, 0.0, 1.0))
    found = slopes(field, PLACES[:300], 0.8)
    size = np.sqrt((found**2).sum(axis=(0, 2)).mean())
    assert size > 10.0
    assert np.abs(np.einsum("ini->n", found)).max() <= 1e-8 * size


@pytest.mark.parametrize("seed", range(4))
def test_statistics_of_turbulence(seed: int) -> None:
    """Its strength is the root mean square of the velocity; no direction stands out; no mean wind; nearly normal."""
    w = Turbulence(strength=3.0, size=1.5, seed=seed).velocity(PLACES, 0.4)
    assert np.sqrt((w**2).sum(axis=1).mean()) == pytest.approx(3.0, rel=0.05)
    np.testing.assert_allclose(w.std(axis=0), 3.0 / np.sqrt(3.0), rtol=0.15)
    assert np.abs(w.mean(axis=0)).max() < 0.1
    kurtosis = ((w / w.std(axis=0)) ** 4).mean(axis=0)
    assert np.all((kurtosis > 2.6) & (kurtosis < 3.4))


def test_rms_over_time_too() -> None:
    field = Turbulence(strength=2.0, size=1.0, seed=3)
    w = np.concatenate([field.velocity(PLACES[:20], t) for t in np.linspace(0.0, 300.0, 500)])
    assert np.sqrt((w**2).sum(axis=1).mean()) == pytest.approx(2.0, rel=0.05)


def test_spectrum_of_turbulence() -> None:
    """Structure function |w(x + d) - w(x)|^2 grows as d^(2/3) within the octaves (Kolmogorov)."""
    field, x = Turbulence(strength=1.0, size=8.0, octaves=8, waves=64, seed=2), PLACES[:2000]
    lags = np.array([0.25, 0.5, 1.0])
    square = [((field.velocity(x + d * EYE[0], 0.0) - field.velocity(x, 0.0)) ** 2).sum(axis=1).mean() for d in lags]
    slope = np.polyfit(np.log(lags), np.log(square), 1)[0]
    assert slope == pytest.approx(2 / 3, abs=0.2)


def test_a_seed_means_the_same_everywhere() -> None:
    """Figures written down once: other machines and versions must give the same motion."""
    x = np.array([[0.1, 0.2, 0.3], [-1.0, 2.0, 0.5]])
    found = Turbulence(strength=2.0, size=0.8, seed=7).velocity(x, 1.25)
    np.testing.assert_allclose(found, WRITTEN_DOWN, rtol=0, atol=1e-12)
    assert np.abs(Turbulence(strength=2.0, size=0.8, seed=8).velocity(x, 1.25) - found).max() > 0.5
    gust = [Wind(gusts=0.5, seed=7).velocity(x, t)[0, 0] for t in (0.0, 1.0, 2.0)]
    np.testing.assert_allclose(gust, GUST, rtol=0, atol=1e-12)


WRITTEN_DOWN = [
    [1.1882654064579512, -0.4363212936418014, -0.22825176181500278],
    [-1.0716655631339116, 1.1118299339267537, 0.43120001883752224],
]
GUST = [9.17731486960758, 7.439817651782988, 1.3664737046166864]


@pytest.mark.parametrize(
    "field",
    [
        Turbulence(size=0.5, seed=1),
        Vortex(updraft=2.0, inflow=1.0),
        Wind(gusts=0.5, region=FieldRegion(sphere=Within((0.0, 0.0, 0.0), 1.0), edge=0.4), stop=2.0, fade=0.7),
    ],
    ids=lambda field: field.name,
)
def test_velocities_and_their_slopes_are_continuous(field: AirField) -> None:
    """Along a line through space and time, differences of slopes fall in proportion to the step."""

    def jumps(n: int) -> tuple[float, float]:
        s = np.linspace(0.0, 1.0, n)
        x = np.outer(s, [1.7, 1.2, -0.9]) + np.array([-0.8, -0.6, 0.4])
        w = np.stack([field.velocity(x[k : k + 1], 2.5 * s[k])[0] for k in range(n)])
        slope = np.diff(w, axis=0) * (n - 1)
        return np.abs(np.diff(w, axis=0)).max(), np.abs(np.diff(slope, axis=0)).max()

    coarse, fine = jumps(501), jumps(2001)
    assert fine[0] < 0.3 * coarse[0]
    assert fine[1] < 0.3 * coarse[1]


def test_eddies_are_carried_along() -> None:
    still, carried = (Turbulence(seed=5, time=1e9, drift=u) for u in ((0.0, 0.0, 0.0), (3.0, 0.0, -1.0)))
    x = PLACES[:50]
    np.testing.assert_allclose(carried.velocity(x + np.array([6.0, 0.0, -2.0]), 2.0), still.velocity(x, 0.0), atol=1e-5)


def test_profile_of_a_vortex() -> None:
    field = Vortex(strength=4.0, centre=(1.0, 0.0, 2.0), axis=(0.0, 3.0, 0.0), core=0.5, updraft=1.5, inflow=0.6)
    r = np.array([1e-3, 0.25, 0.5, 1.0, 50.0])
    x = np.stack([1.0 + r, 7.0 + 0 * r, 2.0 + 0 * r], axis=1)
    s = r / 0.5
    w = field.velocity(x, 0.0)
    np.testing.assert_allclose(w[:, 2], -4.0 * 2 * s / (1 + s * s), rtol=1e-12)  # e_y x e_x = -e_z
    np.testing.assert_allclose(w[:, 0], -0.6 * 2 * s / (1 + s * s), rtol=1e-12)
    np.testing.assert_allclose(w[:, 1], 1.5 / (1 + s * s) ** 2, rtol=1e-12)
    assert w[2, 2] == pytest.approx(-4.0)
    assert w[-1, 2] * r[-1] == pytest.approx(-4.0 * 2 * 0.5, rel=1e-3)  # circulation stays far outside
    turning = Vortex(updraft=1.5)
    assert np.abs(np.einsum("ini->n", slopes(turning, PLACES[:100] / 10, 0.0))).max() < 1e-9


def test_gusts() -> None:
    field = Wind(strength=4.0, direction=(0.0, 0.0, -2.0), gusts=0.25, gust_time=1.0, seed=3)
    x = PLACES[:2]
    speeds = np.array([field.velocity(x, t)[:, 2] for t in np.linspace(0.0, 400.0, 8000)])
    assert np.ptp(speeds, axis=1).max() == 0.0
    assert speeds.mean() == pytest.approx(-4.0, rel=0.01)
    assert speeds.std() == pytest.approx(1.0, rel=0.05)
    assert np.abs(field.velocity(x, 3.0)[:, :2]).max() == 0.0


def test_strength_over_time() -> None:
    rising = Wind(strength=Curve(keys=((0.0, 0.0), (2.0, 6.0))))
    assert rising.velocity(PLACES[:1], 1.0)[0, 0] == pytest.approx(3.0)
    assert Vortex(strength=Curve("2*t"), core=1.0).velocity(np.array([[1.0, 0, 0]]), 2.0)[0, 2] == pytest.approx(-4.0)


REGIONS = {
    "box": FieldRegion(box=((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)), edge=0.5),
    "sphere": FieldRegion(sphere=Within((0.0, 0.0, 0.0), 1.0), edge=0.5),
    "plane": FieldRegion(plane=Beyond((1.0, 0.0, 0.0), (-2.0, 0.0, 0.0)), edge=0.5),
    "weight": FieldRegion(weight="1 - 2*(x - 0.5)"),
    "condition": FieldRegion(condition="x <= 0.75 and t < 9"),
}


@pytest.mark.parametrize("name", REGIONS)
def test_regions(name: str) -> None:
    x = np.array([[0.0, 0.0, 0.0], [0.75, 0.0, 0.0], [1.01, 0.0, 0.0]])
    half = 1.0 if name == "condition" else 0.5
    np.testing.assert_allclose(REGIONS[name].weights(x, 1.0), [1.0, half, 0.0], atol=1e-12)
    w = Air((0.0, 2.0, 0.0), region=REGIONS[name]).velocity(x, 1.0)
    np.testing.assert_allclose(w[:, 1], [2.0, 2.0 * half, 0.0], atol=1e-12)
    if name == "condition":
        assert not REGIONS[name].weights(x, 9.0).any()


def test_hard_edges() -> None:
    box = FieldRegion(box=((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))
    np.testing.assert_array_equal(box.weights(np.array([[0.5, 0.5, 0.5], [0.5, 1.1, 0.5]]), 0.0), [1.0, 0.0])


def test_time_limits() -> None:
    field = Wind(strength=1.0, start=1.0, stop=3.0, fade=0.5)
    speeds = [field.velocity(PLACES[:1], t)[0, 0] for t in (0.9, 1.0, 1.25, 1.5, 2.0, 2.75, 3.0, 3.1)]
    np.testing.assert_allclose(speeds, [0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Wind(start=2.0, stop=1.0), r"wind: stop must be after start, found 1 s and 2 s"),
        (lambda: Wind(stop=1.0, fade=0.6), "fade must fit twice between start and stop"),
        (lambda: Wind(direction=(0.0, 0.0, 0.0)), "a direction must not be zero"),
        (lambda: Turbulence(size=0.0), r"turbulence\.size: input should be greater than 0"),
        (lambda: Turbulence(seed=-1), r"turbulence\.seed: input should be greater than or equal to 0"),
        (lambda: Wind(strength="q"), r"wind\.strength: unknown name 'q'"),
        (lambda: Air((1.0, 2.0)), "three numbers or expressions"),
        (lambda: Air((1.0, 2.0, "q")), "unknown name 'q'"),
        (lambda: FieldRegion(), "a region needs exactly one of box, sphere, plane, condition, weight, found none"),
        (lambda: FieldRegion(weight="x", condition="x < 1"), "found condition, weight"),
        (lambda: FieldRegion(weight="x", edge=0.1), "a soft edge needs a box, sphere or plane"),
        (lambda: FieldRegion(weight="x < 1"), "is a condition; a number is needed here"),
        (lambda: FieldRegion(box=((0.0, 0.0, 0.0), (1.0, 0.0, 1.0))), "from its lower to its upper corner"),
    ],
)
def test_what_is_refused(make, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        make()
