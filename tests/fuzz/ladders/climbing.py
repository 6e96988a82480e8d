"""A ladder of a key: the scene as it is, then with each value in turn; how each ended, and whether it changed the result."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fuzz.cases import Case
from fuzz.ladders.hosts import hosts
from fuzz.ladders.places import Place
from fuzz.ladders.rungs import rungs
from fuzz.mutations import Put, at
from fuzz.sorting import Verdict, verdict
from fuzz.trying import COLD
from fuzz.worker import Limits, Outcome, command, limited

MEASURED = frozenset({"wall_seconds"})
"""Columns of the history that differ in every run."""
MOST_HOSTS = 4
"""Scenes that are tried until one runs."""
NAMELESS = "nameless"
"""A refusal that names neither the key nor its table."""


@dataclass(frozen=True)
class Try:
    """How a value ended."""

    ladder: str
    rung: str
    shown: str
    """Scene and command."""
    found: Verdict
    message: str = ""
    """What was said on the error stream."""
    result: str = ""
    """Digest of the results of a run."""


def climb(place: Place, limits: Limits) -> Iterator[Try]:
    """The scene as it is, then each value; only a verdict of the kind `no host` if no scene runs."""
    for candidate in hosts(place)[:MOST_HOSTS]:
        host = candidate.small()
        path = (*host.path, place.key)
        base = Case(f"{place.name} in {host.base.name}", host.base, options=(("--steps", "3"),))
        first = _tried(base, place.name, "as it is", limits)
        if first.found.kind in ("ran", "expectation"):
            yield first
            for rung in rungs(place.node, at(host.base.tables, path), place.repeated):
                changed = replace(base, changes=(Put(path, rung.value),))
                yield named(_tried(changed, place.name, rung.name, limits), path)
            return
    yield Try(place.name, "as it is", "", Verdict("no host", place.table))


def named(done: Try, path: tuple[str | int, ...]) -> Try:
    """Refusals must name the key, or at least its table."""
    words = [word for word in path if isinstance(word, str)][-2:]
    said = any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", done.message) for word in words)
    return (
        done
        if done.found.kind != "refused" or said
        else replace(done, found=Verdict(NAMELESS, done.ladder, done.message))
    )


def _tried(case: Case, ladder: str, rung: str, limits: Limits) -> Try:
    for cold in reversed(range(COLD)):
        done, outcome = _once(case, ladder, rung, limits)
        if not (cold and outcome.compiling):
            break
    if done.found.kind == "hang":
        done, _ = _once(case, ladder, rung, limits.longer())
        return replace(done, found=replace(done.found, slow=True))
    return done


def _once(case: Case, ladder: str, rung: str, limits: Limits) -> tuple[Try, Outcome]:
    folder = Path(tempfile.mkdtemp(prefix="supple-fuzz-"))
    try:
        case.write(folder)
        before = frozenset(entry.name for entry in folder.iterdir())
        outcome = limited(command(case.arguments()), folder, limits)
        found = verdict(outcome, folder, before)
        result = digest(folder / "out", outcome.stdout) if found.kind in ("ran", "expectation") else ""
        return Try(ladder, rung, case.shown(), found, outcome.stderr.strip(), result), outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def digest(run: Path, stdout: str = "") -> str:
    """What a run gave: its history, positions, the names of its files and, from its last line, its verdicts."""
    import h5py

    with (run / "history.csv").open(encoding="utf-8", newline="") as lines:
        rows = [{word: cell for word, cell in row.items() if word not in MEASURED} for row in csv.DictReader(lines)]
    parts = hashlib.sha256(repr(rows).encode())
    parts.update(repr(json.loads(stdout.splitlines()[-1]).get("expectations")).encode() if stdout else b"")
    parts.update(" ".join(sorted(str(file.relative_to(run)) for file in run.rglob("*"))).encode())
    if (run / "animation.vtkhdf").exists():
        with h5py.File(run / "animation.vtkhdf") as file:
            file.visititems(lambda name, node: parts.update(name.encode() + _bytes(node)))
    return parts.hexdigest()


def _bytes(node: object) -> bytes:
    import h5py

    return node[()].tobytes() if isinstance(node, h5py.Dataset) and node.dtype.kind in "fiu" else b""
