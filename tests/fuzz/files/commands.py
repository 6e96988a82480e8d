"""Cases of commands: calls that work on tiny files and runs, with odd options and words.

In addition to the rules for every case, no existing file may change or vanish without `--overwrite` or `--resume`, and a
refusal leaves no file behind.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.files.case import Case
from fuzz.files.command_words import CALLS, NEVER, VALUES
from fuzz.files.folder_samples import folders
from fuzz.nasty import STRINGS, number
from fuzz.worker import OWN, Limits

LIMITS = Limits(seconds=10.0, wall=120.0, memory=2.0)
PATHS = (
    "in/ball.obj",
    "in/solid.toml",
    "in",
    "solid",
    "half",
    "sheet",
    "sweep",
    "nothing",
    ".",
    "..",
    "/dev/null",
    "solid/run.json",
)
BALL = (
    "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
    "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n"
)
"""An octahedron."""
CSV = "stretch,stress,mode\n1.0,0,uniaxial\n1.2,2e4,uniaxial\n1.5,4e4,uniaxial\n2.0,7e4,uniaxial\n"


FOLDERS = ("in", "solid", "long", "half", "sheet", "sweep")
COUNTS = frozenset({"--steps", "--max-steps", "--repeats", "--sample", "--duration"})
"""Options for work: a middling number of steps or seconds is honest work that takes minutes."""
COUNTED = ("0", "1", "2", "3", "-1", "5", "1000000000000", "9223372036854775808", "nan", "inf")
RESULTS, ENDINGS = ("--csv", "--plot", "--shapes"), (".csv", ".png", ".svg", ".pdf")
"""Tables and pictures of studies, which replace earlier ones."""
REASONS = ("log.txt", "manifest.json")
"""Files that give the reason of a failure: of a run, and of the runs of a comparison or sweep."""


class ChangedFile(Exception):
    """A file that was there has changed, or a refused command left one."""


def command_case(random: Random, folder: Path) -> Case:
    """A call with odd words, in a folder with meshes, scenes, runs and a sweep."""
    words = shlex.split(random.choice(CALLS))
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3))):
        words = _changed(words, random)
    return call_case(words, folder)


def call_case(words: list[str], folder: Path, parts: Sequence[str] = FOLDERS) -> Case:
    """A call in a folder with meshes, scenes, runs and a sweep, or some of these."""
    for name in parts:
        shutil.copytree(folders() / name, folder / name)
    for file in folder.rglob("scene.toml"):  # meshes are named by whole paths
        file.write_text(file.read_text().replace(str(folders()), str(folder)))
    (folder / "in" / "ball.obj").write_text(BALL)
    (folder / "in" / "rubber.csv").write_text(CSV)
    if words and words[0] == "render" and "--renderer" not in words:
        words = [*words, "--renderer", "plain"]  # by VTK, each case would take a second
    label = " ".join(shlex.quote(word[:200]) for word in words)
    return Case(label, lambda: _carried_out(words, folder), "", LIMITS)


def _carried_out(words: list[str], folder: Path) -> None:
    from supple.cli import main

    before = _digests(folder)
    try:
        main(words)
    except SystemExit as left:
        _compare(words, before, _digests(folder), refused=left.code == 2)
        raise


def _compare(words: list[str], before: dict[str, str], after: dict[str, str], refused: bool) -> None:
    """Nothing is lost, and a refusal leaves nothing except failed runs with their reasons."""
    if not {"--overwrite", "--resume"} & set(words):
        results = {
            word for word, next in zip(words[1:], words, strict=False) if next in RESULTS and word.endswith(ENDINGS)
        }
        changed = sorted(name for name in before if after.get(name) != before[name] and name not in results)
        if changed:
            raise ChangedFile(f"{changed[0]} has changed")
    more = sorted(after.keys() - before.keys()) if refused else []
    # `new` writes a scene and reports why it does not run yet
    told = words[:1] == ["new"] or any(name.endswith(REASONS) for name in after.keys() - before.keys())
    if more and not told and "--resume" not in words:
        raise ChangedFile(f"refused, but left {more[0]}")


def _digests(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.name not in OWN)
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _changed(words: list[str], random: Random) -> list[str]:
    """One more option, another value, a word less or a word twice."""
    chance = random.random()
    known = options_of(tuple(words[:2]))
    if chance < 0.5 and known:
        option, flag = random.choice(known)
        return [*words, option] if flag else [*words, option, _value(option, random)]
    at = random.randrange(1, len(words)) if len(words) > 1 else 0
    if chance < 0.85 and at:
        before = words[at - 1]
        return [*words[:at], _value(before if before.startswith("--") else "", random), *words[at + 1 :]]
    if chance < 0.93:
        return [*words[:at], *words[at + 1 :]]
    return [*words[: at + 1], *words[at:]]


def _value(option: str, random: Random) -> str:
    plausible = VALUES.get(option, ())
    if plausible and random.random() < 0.6:
        return random.choice(plausible)
    kind = random.randrange(4)
    if kind == 0 and option in COUNTS:
        return random.choice(COUNTED)
    if kind == 0:
        return repr(number(random))
    if kind == 1:
        return random.choice(STRINGS).replace("\0", "")
    if kind == 2:
        return random.choice(PATHS)
    return random.choice(COUNTED if option in COUNTS else (*COUNTED, "100000", "1000000"))


@cache
def options_of(words: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Options of a command, and whether they are flags."""
    from supple.cli.app import built

    command: Any = built()
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    found = [(name, bool(p.is_flag)) for p in command.params for name in p.opts if name.startswith("--")]
    return sorted((name, flag) for name, flag in found if name not in NEVER)
