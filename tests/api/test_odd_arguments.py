"""Arguments of functions: odd values are refused with a sentence, and numbers of NumPy are plain numbers."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.checks import checked_call
from supple.errors import MeshError, RecordError
from supple.values import Count, Positive


@cache
def model() -> sp.Model:
    bar = sp.Body(sp.Bar(cells=(1, 1, 1)), sp.StVK.from_young(1e5, 0.3), density=500.0, pin="left")
    return sp.assemble(sp.World([bar]))


def frames(**options: Any) -> list[sp.Frame]:
    return list(sp.simulate(**{"model": model(), "method": sp.AVF(), "h": 0.01, "steps": 2, **options}))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"h": 0}, "simulate.h: input should be greater than 0, found 0"),
        ({"h": -0.01}, "simulate.h: input should be greater than 0, found -0.01"),
        ({"h": math.nan}, "simulate.h: input should be a finite number, found nan"),
        ({"h": "0.01"}, 'simulate.h: input should be a valid number, found "0.01"'),
        ({"steps": -1}, "simulate.steps: input should be greater than or equal to 0, found -1"),
        ({"steps": 2.5}, "simulate.steps: input should be a whole number, found 2.5"),
        ({"steps": math.inf}, "simulate.steps: input should be a whole number, found inf"),
        (
            {"method": sp.AVF},
            "simulate.method: input should be of the kind Method, found the class AVF; give an instance, such as AVF()",
        ),
        ({"method": "avf"}, 'simulate.method: input should be of the kind Method, found "avf"'),
        ({"model": 3}, "simulate.model: input should be of the kind Model, found 3"),
        ({"solver": {"x": 1}}, "simulate.solver: input should be of the kind SolverOptions, found { x = 1 }"),
        ({"start": 3}, "simulate.start: input should be of the kind State, found 3"),
        ({"progress": "no"}, 'simulate.progress: input should be true or false, found "no"'),
    ],
)
def test_arguments_of_simulate(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sp.SuppleError) as caught:
        frames(**options)
    assert str(caught.value) == sentence


def test_several_problems_are_reported_together() -> None:
    with pytest.raises(sp.SuppleError) as caught:
        frames(h=-1, steps=-1)
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"t": math.nan}, "start.t: found nan"),
        ({"t": "0"}, "start.t: found '0'"),
        ({"t": 1e20}, "steps of 0.01 s do not advance a time of 1e+20 s"),
        ({"x": lambda x: x[:3]}, "start.x: found shape (3, 3)"),
        ({"x": lambda x: x.ravel()}, "start.x: found shape (24,)"),
        ({"x": lambda x: x + 0j}, "start.x: found shape (8, 3) of complex128"),
        ({"x": lambda x: [[0.0], [0.0, 1.0]]}, "start.x: found shape (0,) of object"),
        ({"v": lambda v: v.astype(str)}, "start.v: found shape (8, 3) of <U32"),
        ({"v": lambda v: np.ma.masked_equal(v, 0.0)}, "start.v: "),
    ],
)
def test_initial_states(changed: dict[str, Any], found: str) -> None:
    at = model().state
    given: dict[str, Any] = {"t": 0.0, "x": at.x, "v": at.v}
    for key, value in changed.items():
        given[key] = value(given[key]) if callable(value) else value
    with pytest.raises(sp.SuppleError, match="give") as caught:
        frames(start=sp.State(**given))
    assert found in str(caught.value)


def test_odd_layouts_of_an_initial_state_change_nothing() -> None:
    at = model().state
    plain = frames()[-1].state.x
    for made in (
        np.asfortranarray,
        lambda a: np.repeat(a, 2, axis=0)[::2],
        lambda a: a.tolist(),
        lambda a: a.astype(">f8"),
    ):
        start = sp.State(0, made(at.x), made(at.v))
        assert np.array_equal(frames(start=start)[-1].state.x, plain)


def test_numbers_of_numpy_do_not_lower_the_precision() -> None:
    """A step of float32 was computed in single precision: the time, and the energy by 1e-10."""
    single = frames(h=np.float32(0.01), steps=np.int8(3))
    double = frames(h=float(np.float32(0.01)), steps=3)
    assert [frame.state.t for frame in single] == [frame.state.t for frame in double]
    assert np.array_equal(single[-1].state.x, double[-1].state.x)
    assert type(single[-1].state.t) is float
    body = sp.Body(sp.Bar(), sp.StVK(mu=np.float32(1e4), lam=Fraction(1, 3)), density=np.int8(100))
    assert [type(value) for value in (body.material.mu, body.material.lam, body.density)] == [float, float, int]
    assert sp.World([body], gravity=np.float32(2)).acceleration == (0.0, -2.0, 0.0)
    far = sp.Body(sp.Bar(), sp.StVK(1e4, 1e4), initial=sp.Initial(translate=(10**30, 0, 0)))
    with pytest.raises(sp.SuppleError, match=r"body sizes|times its size|from the origin"):  # NumPy has no such integer
        sp.assemble(sp.World([far]))


def test_frames_belong_to_their_reader() -> None:
    """Changing them, to centre a body for example, changed the run."""
    plain = frames(steps=4)[-1].state.x
    for frame in (run := sp.simulate(model(), sp.AVF(), h=0.01, steps=4)):
        last = frame.state.x.copy()
        frame.state.x[:] -= 5.0
        frame.state.v[:] = np.nan
    assert np.array_equal(last, plain)
    run.close()


def test_arguments_of_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    world, out = model().world, tmp_path / "out"

    def said(**options: Any) -> str:
        with pytest.raises(sp.SuppleError) as caught:
            sp.run(world, **{"h": 0.01, "steps": 1, "out": out, "progress": False, **options})
        return str(caught.value)

    assert said(h="1/60") == 'run.h: input should be a valid number, found "1/60"'
    assert said(steps=2.5) == "run.steps: input should be a whole number, found 2.5"
    assert said(out=5) == "run.out: input should be a valid string or input should be a path, found 5"
    assert said(title="x" * 2000).startswith("title: string should have at most 1000")
    assert said(title="a\x00b").startswith("title: character 1 of 'a\\x00b' is '\\x00', which is not allowed")
    assert said(speed="x").startswith("time.speed: unknown name 'x'")
    assert said(fps=0) == "record.fps: input should be greater than 0, found 0"
    assert said(fps=1e12).startswith("record: about 1e+10 frames in this time.duration, but limits.frames allows")
    assert said(limits=3) == "run.limits: input should be of the kind Limits, found 3"
    assert not out.exists()
    for call in (sp.resume, sp.open_run, sp.read_history, sp.open_animation, sp.load_mesh, sp.load):
        with pytest.raises(
            sp.SuppleError, match="input should be a valid string or input should be a path, found None"
        ):
            call(None)
    with pytest.raises(sp.SuppleError, match=r'overrides: input should be a list, found "time.step=1"'):
        sp.load("jelly", "time.step=1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("x" * 300, "longer than the file system allows"), ("a\x00b", "null byte"), ("a\ud800b", "surrogates")],
)
def test_names_that_no_folder_can_have(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        sp.run(model().world, h=0.01, steps=1, out=tmp_path / name, progress=False)
    assert reason in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_root_is_no_folder_for_a_run() -> None:
    with pytest.raises(RecordError, match=r"^/: contains \d+ files that do not belong to a run"):
        sp.run(model().world, h=0.01, steps=1, out="/", progress=False)


def test_paths_may_be_texts(tmp_path: Path) -> None:
    run = sp.run(model().world, h=0.01, steps=1, out=tmp_path / "out", progress=False)
    folder = str(run.path)
    assert len(sp.read_history(f"{folder}/history.csv")["time"]) == 2
    with sp.open_animation(f"{folder}/animation.vtkhdf") as film:
        assert len(film) == 2


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: sp.Field("1/0"), "divides by zero"),
        (lambda: sp.Field(5), "input should be an expression"),
        (lambda: sp.Curve(((0, 0), (1, 1))), "give pairs of a time and a value as keys"),
        (lambda: sp.Curve(keys=((0, 0), (0, 1))), "times must increase"),
        (lambda: sp.Curve(keys=((0, 10**400),)), "both finite numbers"),
        (
            lambda: sp.Field(sp.Curve(keys=tuple((float(t), 1e5) for t in range(300_000)))),
            "keys: found 300000 keys, linear; here a curve becomes an expression of at most 1000 characters, which holds",
        ),
        (lambda: sp.Body(sp.Bar(), "rubber", groups=5), "body.groups: found 5; give a dictionary"),
        (lambda: sp.Body(sp.Bar(), "rubber", groups={3: [0]}), "groups: a name is a text, found 3"),
        (
            lambda: sp.Body(sp.Bar(cells=(1, 1, 1)).mesh(), "rubber", groups={"tip": np.array([True])}),
            "body.groups.tip: found a mask of 1 entries; the mesh has 8 vertices, give one for each",
        ),
        (lambda: sp.gradient("cantilever", "elastic@nan", ["body.0.material.young"]), "'nan' is not a time [s]"),
        (lambda: sp.StVK(mu=np.ma.masked_all(3), lam=1.0), "stvk.mu: 3 entries are masked"),
    ],
)
def test_curves_groups_and_masks(make: Callable[[], object], found: str) -> None:
    with pytest.raises(sp.SuppleError) as caught:
        make()
    assert found in str(caught.value)


def test_keys_of_curves_may_be_arrays() -> None:
    keys = np.array([[0, 1], [2, 3]], dtype=np.int16)
    plain = sp.Curve(keys=((0.0, 1.0), (2.0, 3.0)))
    assert (
        sp.Curve(keys=keys)
        == sp.Curve(keys=tuple(keys))
        == sp.Curve(keys=((np.int64(0), np.float32(1)), (2, 3)))
        == plain
    )


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"groups": 5}, "groups: found int; give a dictionary"),
        ({"tags": [1]}, "tags: found list; give a dictionary"),
        ({"groups": {3: [0]}}, "groups: found the name 3; give a text"),
        ({"vertices": np.ma.masked_less(np.eye(3), 0.5)}, "vertices: 6 entries are masked"),
    ],
)
def test_meshes_of_odd_things(options: dict[str, Any], found: str) -> None:
    with pytest.raises(MeshError) as caught:
        sp.Mesh(**{"vertices": np.eye(3), **options})
    assert str(caught.value).startswith(found)


def test_options_as_a_mapping() -> None:
    with pytest.raises(
        sp.SuppleError, match=r"within\.radius|sphere\.colour: unknown key; known: centre, radius"
    ) as caught:
        sp.Selection(sphere={"centre": (0, 0, 0), "colour": 1})
    assert "selection.sphere.radius: missing, but required" in str(caught.value)


def test_a_checked_function_keeps_its_signature() -> None:
    @checked_call
    def thrown(
        height: Positive, *, times: Count = 1, label: str | None = None, given: Any = None
    ) -> tuple[object, ...]:
        """A ball."""
        return height, times, label, given

    assert thrown(2, given=[]) == (2, 1, None, [])
    assert type(thrown(np.float32(2))[0]) is float
    assert thrown.__doc__ == "A ball."
    with pytest.raises(TypeError, match="missing a required argument: 'height'"):
        thrown(hight=1)
    with pytest.raises(sp.SuppleError, match=r"^thrown\.label: input should be a valid string, found 3$"):
        thrown(1.0, label=3)


def test_any_member_of_a_union_will_do() -> None:
    own = model()
    for keep in ("all", 2):
        assert sp.record(own, sp.AVF(), h=0.01, steps=2, keep=keep).steps == 2
    with pytest.raises(
        sp.SuppleError, match=r'^record\.keep: input should be a whole number or one of: all, found "some"$'
    ):
        sp.record(own, sp.AVF(), h=0.01, steps=2, keep="some")  # type: ignore[arg-type]
