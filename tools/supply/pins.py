"""The locks: exact versions with the hashes of their files, as `make lock` writes them below requirements/."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "requirements"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class Pin:
    """One version of one package."""

    name: str
    version: Version
    marker: str
    """Where it is installed; empty for everywhere."""
    hashes: tuple[str, ...]
    """SHA-256 of each file that the index offers for this version."""

    @property
    def here(self) -> bool:
        """Whether this computer installs it."""
        marker = Requirement(f"{self.name}; {self.marker}").marker if self.marker else None
        return marker is None or marker.evaluate()


def pins(lock: str, folder: Path = LOCKS) -> dict[str, Pin]:
    """The pins of a lock by their names."""
    text = (folder / f"{lock}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    found = (_pin(line) for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return {pin.name: pin for pin in found}


def _pin(line: str) -> Pin:
    requirement = Requirement(line.split("--hash")[0].strip())
    (exact,) = requirement.specifier
    if exact.operator != "==":
        raise ValueError(f"not a pin: {line}")
    name, marker = canonicalize_name(requirement.name), str(requirement.marker or "")
    return Pin(name, Version(exact.version), marker, tuple(HASH.findall(line)))


def project(root: Path = ROOT) -> dict[str, Any]:
    """The table of the project in pyproject.toml."""
    return dict(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def direct(extras: tuple[str, ...] = (), root: Path = ROOT) -> Iterator[Requirement]:
    """Direct requirements of pyproject.toml, with these extras and the extras that they include."""
    table = project(root)
    texts = [*table["dependencies"]]
    for extra in extras:
        texts += table["optional-dependencies"][extra]
    for requirement in map(Requirement, texts):
        if requirement.name == table["name"]:
            yield from list(direct(tuple(sorted(requirement.extras)), root))[len(table["dependencies"]) :]
        else:
            yield requirement


def disagreements(lock: str, extras: tuple[str, ...], folder: Path = LOCKS, root: Path = ROOT) -> list[str]:
    """Sentences on requirements that a lock does not meet; empty if lock and pyproject.toml agree."""
    locked, said = pins(lock, folder), []
    for requirement in direct(extras, root):
        pin = locked.get(canonicalize_name(requirement.name))
        if pin is None:
            said.append(f"{lock}.txt has no {requirement.name}: run `make lock`")
        elif not requirement.specifier.contains(pin.version, prereleases=True):
            said.append(
                f"{lock}.txt pins {pin.name} {pin.version}, pyproject.toml requires {requirement.specifier}: run `make lock`"
            )
    return said
