"""`tools/prose` reads the texts that users see, wherever a source keeps them, and no code."""

from pathlib import Path

import pytest
from prose.habits import HABITS
from prose.passages import Passage, passages

SOURCE = '''
"""A module."""
NAMES = re.compile(r"the words (?:of|in) a pattern")
SCENE = "[body.material]\\nname = 'stvk'\\nyoung = 1e5"
TITLE = "energy of the bodies"
def show(console, axes, progress, folder, n):
    """Show the results.

        code in a docstring

    End.
    """
    console.print(f"{n:,} frames in {folder}: [bold]resume with[/bold] supple resume")
    notes.append("no body" if n else f"no step of {n} was solved")
    progress.add_task("steps of the run", total=n)
    axes.set_title("damped motion")
    axes.set(xlabel="time in seconds")
    axes.plot([], label=f"energy over {n} steps")
    raise ValueError(f"{folder}: has no frames" + ", and no history")
'''


def read(tmp_path: Path, source: str) -> list[Passage]:
    file = tmp_path / "source.py"
    file.write_text(source, encoding="utf-8")
    return list(passages(file))


def test_texts_are_found_wherever_they_are_shown(tmp_path: Path) -> None:
    assert {(passage.line, passage.text) for passage in read(tmp_path, SOURCE)} == {
        (2, "A module."),
        (5, "energy of the bodies"),
        (7, "Show the results."),
        (11, "End."),
        (13, "CODE frames in CODE: [bold]resume with[/bold] supple resume"),
        (14, "no body"),
        (14, "no step of CODE was solved"),
        (15, "steps of the run"),
        (16, "damped motion"),
        (17, "time in seconds"),
        (18, "energy over CODE steps"),
        (19, "CODE: has no frames"),
        (19, ", and no history"),
    }


def test_sentences_may_begin_with_symbols(tmp_path: Path) -> None:
    (passage,) = read(tmp_path, '"""Step of a run. h: its length [s]. x_0 is the start. All is well, cf. the docs."""')
    assert passage.sentences() == [
        "Step of a run.",
        "h: its length [s].",
        "x_0 is the start.",
        "All is well, cf. the docs.",
    ]


def habits(sentence: str) -> list[str]:
    return [habit.name for habit in HABITS if habit.pattern.search(sentence)]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("It costs one solve a step.", "a for per"),
        ("It runs in a thread of its own.", "of its own"),
        ("It is read in a process of its own first.", "of its own"),
        ("It loses what the dampers took.", "clause as noun"),
        ("what damping took, over the energy", "clause as subject"),
        ("The run goes on.", "comes to"),
        ("An error comes to the user.", "comes to"),
        ("Runs that nobody reads are removed.", "whoever"),
        ("Clear it for who reads it.", "whoever"),
    ],
)
def test_a_habit_is_found(sentence: str, name: str) -> None:
    assert habits(sentence) == [name]


@pytest.mark.parametrize(
    "sentence",
    [
        "In 2 s a body would fall by 20 m.",
        "Heights are at least a line apart.",
        "A particle keeps a fraction of its own velocity.",
        "Why is a step a minimisation, and what are its limits?",
        "What happens in a step?",
        "A damped body comes to rest.",
        "Anyone who has the address can steer the run, so that anyone who lost it cannot.",
    ],
)
def test_plain_english_is_no_habit(sentence: str) -> None:
    assert habits(sentence) == []
