"""Mixtures: sensible scenes, whatever is drawn."""

from __future__ import annotations

from collections import Counter
from random import Random

from fuzz.campaign import Tally, reason
from fuzz.mixing import mild, mixture, near
from fuzz.mutations import at
from fuzz.sorting import Verdict

DRAWS = 300


def test_all_kinds_of_bodies_and_methods_meet() -> None:
    drawn = [mixture(Random(k)) for k in range(DRAWS)]
    methods = {tables["integrator"]["name"] for tables in drawn}
    materials = {body["material"]["name"] for tables in drawn for body in tables["body"]}
    extras = Counter(word for tables in drawn for word in tables)
    assert len(methods) > 30
    assert len(materials) > 15
    assert min(extras[word] for word in ("damping", "contact", "field", "world")) > DRAWS / 50
    assert any(tables["integrator"].get("budget") for tables in drawn)
    assert drawn == [mixture(Random(k)) for k in range(DRAWS)]


def test_a_mild_change_keeps_types() -> None:
    for k in range(DRAWS):
        random = Random(k)
        tables = mixture(random)
        change = mild(tables, random)
        found = at(tables, change.path)
        if isinstance(found, int | float):
            assert isinstance(change.value, type(found))


def test_numbers_stay_near() -> None:
    values = [near(2.0, Random(k)) for k in range(DRAWS)]
    assert max(map(abs, values)) <= 200.0
    assert all(value == 0.0 or abs(value) >= 0.02 for value in values)
    assert {near(3, Random(k)) for k in range(DRAWS)} == {2, 4, 5}
    assert near(True, Random(0)) is False


def test_reasons_are_counted_without_their_numbers() -> None:
    tally = Tally()
    for number in (1, 2.5, -3e7):
        tally.add("0:0", Verdict("refused", "", f"scene.toml: body[0].mesh.size[1]: must be above 0, found {number}\n"))
    assert list(tally.reasons.values()) == [3]
    assert reason("") == ""
