"""Numbers that double precision does not carry for a body are refused, with the key that they stand at."""

import warnings

import numpy as np
import pytest

import supple as sp
from supple.errors import SceneError, SuppleError

RUBBER = sp.StVK.from_young(1e6, 0.3)


def bar(**options: object) -> sp.Body:
    shape = sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1))
    return sp.Body(**{"mesh": shape, "material": RUBBER, **options})


def refusal(body: sp.Body, **options: object) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SceneError) as caught:
            sp.assemble(sp.World([body], **options))
    return str(caught.value)


def test_spins_that_leave_no_digit_of_the_shape_are_refused() -> None:
    assert "body[0].initial: at" in refusal(bar(initial=sp.Initial(spin=(1e24, 0, 0))))
    sp.assemble(sp.World([bar(initial=sp.Initial(spin=(1e4, 0, 0), velocity=(1e4, 0, 0)))]))


def test_bodies_too_far_away_for_their_size_are_refused() -> None:
    assert "from the origin" in refusal(bar(initial=sp.Initial(translate=(6.7e18, 0, 0))))
    assert "from the origin" in refusal(bar(mesh=sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1), origin=(1e15, 0, 0))))
    # all vertices round to the same point there
    lost = refusal(bar(mesh=sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1), origin=(1e30, 1e30, 1e30))))
    assert "no edge is longer than 0 m at 1e+30 m from the origin" in lost
    assert "move the body closer to the origin" in lost
    sp.assemble(sp.World([bar(initial=sp.Initial(translate=(1e6, 0, 0)))]))


def test_flat_elements_are_refused() -> None:
    flat = refusal(bar(mesh=sp.Bar(cells=(1, 1, 1), size=(1.0, 1e-20, 1.0))))
    assert "body[0].mesh: tet" in flat
    assert "is flat" in flat
    sheet = sp.Body(sp.Cloth(cells=(2, 2), size=(1.0, 1e-30)), sp.Preset("cotton"))
    assert "triangle 0 is flat" in refusal(sheet)


def test_sheets_thicker_than_wide_are_refused() -> None:
    sheet = sp.Body(sp.Cloth(cells=(2, 2), size=(1.0, 0.5)), sp.Preset("cotton"), thickness=1e5)
    assert "body[0].thickness: found 100000 m, but the body is only 1 m across" in refusal(sheet)
    rope = sp.Body(sp.Rope(segments=4, length=2.0), sp.HookeSpring(young=1e6), density=1000.0, thickness=2.1)
    assert "body[0].thickness: found 2.1 m" in refusal(rope)


@pytest.mark.parametrize("value", [1e300, -1e61])
def test_numbers_beyond_any_quantity_are_refused_at_once(value: float) -> None:
    with pytest.raises(SuppleError, match=r"input should be at most 1e\+60 in size|greater than 0"):
        bar(density=value)


@pytest.mark.parametrize("value", [1e-224, 5e-324])
def test_numbers_below_any_quantity_are_refused_where_they_weigh(value: float) -> None:
    with pytest.raises(SuppleError, match=r"would have (a|no) mass"):
        sp.assemble(sp.World([bar(density=value)]))


def test_masses_that_no_double_carries_are_refused() -> None:
    tiny = sp.Bar(cells=(1, 1, 1), size=(1e-9, 1e-9, 1e-9))
    assert "body[0].density: a vertex would have a mass of" in refusal(bar(mesh=tiny, density=1e-50))
    light, heavy = bar(mass=1e-12), bar(mass=1e12, initial=sp.Initial(translate=(0, 1, 0)))
    with pytest.raises(SceneError, match="masses must be within a factor of"):
        sp.assemble(sp.World([light, heavy]))


def test_gravity_by_which_a_body_falls_too_far_is_refused() -> None:
    assert "world.gravity: 1e+50" in refusal(bar(), gravity=1e50)


def test_positions_that_are_no_numbers_are_refused() -> None:
    assert "must be finite" in refusal(bar(initial=sp.Initial(position=("X", "Y / (X - X)", "Z"))))


def test_whole_numbers_beyond_64_bits_are_refused() -> None:
    with pytest.raises(SuppleError, match="at most 64 bits"):
        sp.Bar(cells=(10**30, 1, 1))
    with pytest.raises(SuppleError, match="finite number"):
        sp.Bar(size=(10**400, 1, 1))


def test_arrays_are_held_against_the_same_sizes() -> None:
    with pytest.raises(SuppleError, match=r"\[1\]: input should be at most 1e\+60"):
        sp.StVK(mu=np.array([1e5, 1e300]), lam=1e5)


@pytest.mark.parametrize("name", ["a\x00b", "a/b", "..", " a", "a\ud800", "a\nb", "x" * 101])
def test_names_that_no_file_can_have_are_refused(name: str) -> None:
    with pytest.raises(SuppleError, match="a name has"):
        bar(name=name)
    with pytest.raises(SuppleError, match="a name has"):
        bar(groups={name: [0]})


def test_clouds_that_start_flat_are_refused() -> None:
    cloud = sp.Body(
        sp.Cube(cells=1),
        sp.StableNeoHookean.from_young(1e4, 0.3),
        points=sp.Points(per_cell=1, cell=0.5),
        initial=sp.Initial(position=("X", "Y", "0 * Z")),
    )
    assert "body[0].initial: particle 0 starts flat" in refusal(cloud)


def test_elements_without_any_size_are_refused() -> None:
    mesh = sp.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], triangles=[[0, 1, 2], [0, 1, 3]])
    assert "triangle 0 is flat" in refusal(sp.Body(mesh, sp.Preset("cotton")))
