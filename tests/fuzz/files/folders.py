"""Cases of run folders: each file cut, garbled, missing, of another version, or something else than a file."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fuzz.files.case import Case
from fuzz.files.folder_samples import folders
from fuzz.files.garbling import garbled
from fuzz.files.hdf import changed_animation, resealed
from fuzz.worker import Limits, command

LIMITS = Limits(seconds=20.0, wall=120.0, memory=1.5)
EXPORTS = ("npz", "obj", "usd", "abc", "pc2", "mdd", "glb", "vtkhdf", "pvd")


def folder_case(random: Random, folder: Path) -> Case:
    """A damaged copy of a run or a sweep, and something that is done with it."""
    name = random.choice(("solid", "solid", "half", "half", "sheet", "sweep"))
    run = folder / "run"
    shutil.copytree(folders() / name, run)
    shutil.copytree(folders() / "in", folder / "in")
    for part in ("scene.toml",):
        for file in run.rglob(part):  # meshes are named by whole paths
            file.write_text(file.read_text().replace(str(folders()), str(folder)))
    (folder / "secret.txt").write_text("secret")
    hurt: set[Path] = set()
    label = ", ".join(damage(run, folder, random, hurt, name) for _ in range(random.choice((1, 1, 1, 2))))
    words = _words(name, run, random)
    outside = folder / "written-outside"
    work = (lambda: replayed(run)) if words == ["view"] else command(words)
    return Case(f"{name}: {label}; {' '.join(words).replace(str(folder), '.')}", work, "", LIMITS, (outside,))


def _words(name: str, run: Path, random: Random) -> list[str]:
    """A command on the folder."""
    many: list[Callable[[], list[str]]] = [
        lambda: ["view"],
        lambda: ["report", str(run), "--overwrite"],
        lambda: ["export", str(run), "--to", random.choice(EXPORTS)],
        lambda: ["render", str(run), "--to", str(run.parent / "a.png"), "--size", "64x64", "--renderer", "plain"],
        lambda: ["run", "--resume", str(run), "--steps", "6"],
        lambda: ["run", "--resume", str(run)],
        lambda: ["loop", str(run), "--to", str(run.parent / "loop")],
    ]
    if name == "sweep":
        many = [many[1], many[3], lambda: ["sweep", "--resume", str(run)], lambda: ["compare", "--resume", str(run)]]
    if name == "half":
        many += [many[4], many[5]] * 2
    return random.choice(many)()


def damage(run: Path, folder: Path, random: Random, hurt: set[Path], name: str) -> str:
    """Do something to one file of a copy of the run `name` that is not hurt already; returns what."""
    files = sorted(path for path in run.rglob("*") if path.is_file() and not path.is_symlink() and path not in hurt)
    if not files:
        return "nothing"
    file = random.choice(files)
    hurt.add(file)
    chance = random.random()
    if file.name == "animation.vtkhdf" and chance < 0.7:
        return f"animation.vtkhdf {changed_animation(file, folder, random)}"
    if file.name.startswith("checkpoint") and chance < 0.6:
        file.write_bytes(resealed(file.read_bytes(), random))
        return f"{file.name} resealed"
    if file.suffix == ".json" and chance < 0.6:
        file.write_text(json.dumps(_odd(json.loads(file.read_text()), random)))
        return f"{file.name} with other values"
    if chance < 0.06 and (other := _of_another_run(file, name, random)) is not None:
        shutil.copy(other, file)
        return f"{file.name} of the run {other.parent.name}"
    if chance < 0.12:
        file.unlink()
        return f"{file.name} missing"
    if chance < 0.25:
        return f"{file.name} {_another_kind(file, folder, random)}"
    file.write_bytes(garbled(file.read_bytes(), random))
    return f"{file.name} garbled"


def _of_another_run(file: Path, name: str, random: Random) -> Path | None:
    """A file of the same name in another sample."""
    others = [folders() / other / file.name for other in ("solid", "half", "sheet") if other != name]
    found = [other for other in others if other.is_file()]
    return random.choice(found) if found else None


def _another_kind(file: Path, folder: Path, random: Random) -> str:
    file.unlink()
    kind = random.choice(("a folder", "a pipe", "a link out", "a link to nothing", "a device", "a link to itself"))
    if kind == "a folder":
        file.mkdir()
    elif kind == "a pipe":
        os.mkfifo(file)
    else:
        target = {
            "a link out": folder / "secret.txt",
            "a link to nothing": folder / "written-outside",
            "a device": "/dev/zero",
        }
        file.symlink_to(target.get(kind, file.name))
    return kind


def _odd(data: Any, random: Random) -> Any:
    """The same tables with an odd value somewhere."""
    odd = (None, -1, 10**30, "../../x", "\0", [], {}, True, 1e300, "\ud800", "<script>", "a" * 5000, 1.5)
    at = data
    while isinstance(at, dict | list) and at:
        key = random.choice(list(at)) if isinstance(at, dict) else random.randrange(len(at))
        if not isinstance(at[key], dict | list) or random.random() < 0.3:
            if isinstance(at, dict) and random.random() < 0.3:
                del at[key]
            else:
                at[key] = random.choice(odd)
            return data
        at = at[key]
    return random.choice(odd)


def replayed(run: Path) -> str:
    """Data read by the page of a recorded run and by Python users."""
    from supple.errors import SuppleError
    from supple.recording.folder import RunFolder
    from supple.runs.results import Run
    from supple.viewer.replay import Take

    with_page = Take(RunFolder.open(run))
    moment = with_page.at(0.02)
    with_page.close()
    found = Run(run)
    found.times, found.simulated_times, found.positions, found.history, found.summary, found.log  # noqa: B018
    repr(found)
    try:
        found.verdicts  # noqa: B018
    except SuppleError as error:
        return str(error)
    return str(moment.t)
