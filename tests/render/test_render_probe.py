"""Whether VTK can draw: every answer of the child, and its consequence."""

import os
import subprocess
from collections.abc import Callable, Iterator

import pytest

from supple.cli.results.render import choose_renderer
from supple.errors import BackendMissing
from supple.render import gl


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """The answer is kept for the life of a process; each test asks anew."""
    gl.probe.cache_clear()
    yield
    gl.probe.cache_clear()


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str | None]]:
    """Let the child return these codes (None: it hangs); gives the list of windows that it was asked to take."""
    monkeypatch.delenv(gl.WINDOW, raising=False)

    def set_answers(*codes: int | None) -> list[str | None]:
        left, asked = list(codes), []

        def run(command: list[str], *, env: dict[str, str], timeout: float, **_: object) -> object:
            asked.append(env.get(gl.WINDOW))
            code = left.pop(0)
            if code is None:
                raise subprocess.TimeoutExpired(command, timeout)
            return subprocess.CompletedProcess(command, code)

        monkeypatch.setattr(subprocess, "run", run)
        return asked

    return set_answers


def test_egl_comes_first_and_the_answer_is_kept(answers):
    asked = answers(0)
    assert gl.probe() == gl.Drawing(True, "vtkEGLRenderWindow")
    assert gl.probe().works
    assert asked == ["vtkEGLRenderWindow"]


def test_then_what_vtk_takes_itself(answers):
    asked = answers(-11, 0)
    assert gl.probe() == gl.Drawing(True, None)
    assert asked == ["vtkEGLRenderWindow", None]


@pytest.mark.parametrize(
    ("code", "said"), [(3, "is empty"), (-11, "signal 11"), (None, "after 60 s"), (1, "exit code 1")]
)
def test_why_it_does_not_work(answers, code, said):
    answers(code, code)
    found = gl.probe()
    assert not found.works
    assert said in found.reason
    assert "libegl1" in found.reason


def test_without_pyvista_there_is_one_question_and_the_command(answers):
    asked = answers(4)
    assert "pip install 'supple[render]'" in gl.probe().reason
    assert len(asked) == 1


def test_the_users_window_is_the_only_one(answers, monkeypatch):
    asked = answers(-11)
    monkeypatch.setenv(gl.WINDOW, "vtkXOpenGLRenderWindow")
    assert not gl.probe().works
    assert asked == ["vtkXOpenGLRenderWindow"]


def test_the_window_that_works_is_set(monkeypatch):
    monkeypatch.setenv(gl.WINDOW, "other")
    gl.Drawing(True, None).prepare()
    assert os.environ[gl.WINDOW] == "other"
    gl.Drawing(True, "vtkEGLRenderWindow").prepare()
    assert os.environ[gl.WINDOW] == "vtkEGLRenderWindow"


class Lines:
    """A console that remembers."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def print(self, text: str, **_: object) -> None:
        self.said.append(text)


def test_the_plain_renderer_steps_in_and_says_so_in_a_line(answers):
    answers(-11, -11)
    console = Lines()
    assert choose_renderer("auto", console)[0] == "plain"
    assert len(console.said) == 1
    assert "plain renderer" in console.said[0]
    assert "apt install" in console.said[0]


def test_who_insists_on_vtk_is_told(answers):
    answers(3, 3)
    with pytest.raises(BackendMissing, match="--renderer plain"):
        choose_renderer("vtk", Lines())


def test_plain_asks_nobody(answers):
    asked = answers()
    assert choose_renderer("plain", Lines())[0] == "plain"
    assert asked == []
