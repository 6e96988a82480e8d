"""Unknowns: their text, their scaled variables, and keys that are refused."""

import math
from pathlib import Path

import pytest

import supple as sp
from fits.fit_bars import BAR, DENSITY, YOUNG, write
from supple.errors import SuppleError
from supple.fits.unknowns import as_unknowns, parse_unknown


def test_text_of_an_unknown() -> None:
    assert parse_unknown("a.b") == sp.Unknown("a.b")
    assert parse_unknown("a.b:log:1e4,1e8") == sp.Unknown("a.b", "log", (1e4, 1e8))
    assert parse_unknown("a[0].b:-1,") == sp.Unknown("a[0].b", bounds=(-1.0, math.inf))
    assert parse_unknown("a.b:log:each").each


@pytest.mark.parametrize("text", ["", ":log", "a:lg", "a:1,x", "a:2,1", "a:log:-2,-1", "a:nan,1"])
def test_text_that_is_refused(text: str) -> None:
    with pytest.raises(SuppleError):
        parse_unknown(text)


def test_no_unknowns_and_two_alike_are_refused() -> None:
    for given in ([], ["a.b", "a.b:log"]):
        with pytest.raises(SuppleError, match="give"):
            as_unknowns(given)


@pytest.mark.parametrize("unknown", [sp.Unknown("k", "log", (1.0, 1e9)), sp.Unknown("k", bounds=(-10.0, 1e7))])
def test_a_variable_goes_there_and_back(unknown: sp.Unknown) -> None:
    variable = unknown.at(2e5)
    assert variable.value(0.0) == 2e5
    assert variable.value(1.0) == pytest.approx(2.2e5, rel=6e-3)
    assert variable.z(variable.value(3.7)) == pytest.approx(3.7)
    e = 1e-6
    assert variable.slope(0.5) == pytest.approx((variable.value(0.5 + e) - variable.value(0.5 - e)) / (2 * e))
    assert variable.value(1e9) == unknown.bounds[1]


def test_a_start_outside_its_bounds_is_refused() -> None:
    for unknown in (sp.Unknown("k", bounds=(0.0, 1.0)), sp.Unknown("k", "log")):
        with pytest.raises(SuppleError, match="starts at -1"):
            unknown.at(-1.0)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("body[0].material.yung", "did you mean 'body[0].material.young'"),
        ("body[0].material.name", 'is not a number but "stvk"'),
        ("body[0].mesh.cells[0]", "whole number"),
        ("time.step", "belongs to the steps"),
        ("integrator.name", "belongs to the method"),
        ("solver.tolerance", "belongs to the solver"),
        ("body[3].density", "no value there"),
        ("body..density", "is not a key"),
        ("0.5", "'0.5': is not a key"),
        ("limits.recording", "limits.recording: limits the size of a run"),
        ("body[0].groups.end.sphere.radius", "selects vertices"),
        ("body[0].regions[0].plane.point", "selects vertices or elements"),
    ],
)
def test_keys_that_are_refused(tmp_path: Path, key: str, said: str) -> None:
    more = (
        "groups = { end = { sphere = { centre = [0.6, 0, 0], radius = 0.2 } } }\n"
        "[[body.regions]]\nplane = { point = [0.3, 0, 0], normal = [1, 0, 0] }\nmaterial = { young = 1e5, poisson = 0.3 }\n"
    )
    scene = write(tmp_path, BAR + more)
    with pytest.raises(SuppleError) as error:
        sp.gradient(scene, "total@0.1", [key])
    assert said in str(error.value)


def test_a_vector_stands_for_its_numbers(tmp_path: Path) -> None:
    fit = sp.Fit(write(tmp_path), ["body[0].initial.velocity", YOUNG, DENSITY], sp.hit("right", (0, 0, 0)))
    assert list(fit.starts.values()) == [0.1, 0.2, 0.5, 2e5, 1000.0]
