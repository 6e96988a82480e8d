"""Licences of installed packages by their metadata, and the reason for which each package is installed."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterable

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pins import direct, project

READ = {
    "ipctk": "MIT",
    "numba": "BSD-2-Clause",
    "kiwisolver": "BSD-3-Clause",
    "cycler": "BSD-3-Clause",
    "contourpy": "BSD-3-Clause",
    "mergedeep": "MIT",
    "meshio": "MIT",
    "scipy": "BSD-3-Clause",
    "matplotlib": "PSF-based",
    "cvxopt": "GPL-3.0-or-later",
    "usd-core": "TOST-1.0",
    "intel-openmp": "Intel EULA for Developer Tools",
    "intel-cmplr-lib-ur": "Intel EULA for Developer Tools",
}
"""Read in the licence files of the wheels, where the metadata hold a whole text or nothing."""
COPYLEFT = re.compile(r"(?<![A-Z])A?GPL|General Public", re.IGNORECASE)
WEAK = re.compile(r"LGPL|Lesser", re.IGNORECASE)
UNKNOWN = "unknown"
SHORT = 60


def licence(name: str) -> str:
    """The licence of an installed package; `unknown` if its metadata have none."""
    try:
        told = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN
    if expression := told.get("License-Expression"):
        return str(expression)
    if canonicalize_name(name) in READ:
        return READ[canonicalize_name(name)]
    text = (told.get("License") or "").strip()
    if text and text.lower() != UNKNOWN and len(text) < SHORT and "\n" not in text:
        return text
    kinds = [
        line.rpartition("::")[2].strip() for line in told.get_all("Classifier") or [] if line.startswith("License ::")
    ]
    return ", ".join(kinds) or UNKNOWN


def refusal(name: str, said: str) -> str:
    """Why a package may not be required; empty if it may."""
    if said == UNKNOWN:
        return f"{name} has no licence that its metadata name"
    if COPYLEFT.search(said) and not WEAK.search(said):
        return f"{name} is under {said}, which only an extra may be"
    return ""


def closure(roots: Iterable[Requirement]) -> set[str]:
    """Names of all packages that these requirements install here."""
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    fresh = [(root, extra) for root in roots for extra in ("", *root.extras)]
    while fresh:
        requirement, extra = fresh.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen or not _applies(requirement, ""):
            continue
        seen.add((name, extra))
        found.add(name)
        try:
            texts = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for more in map(Requirement, texts):
            if _applies(more, extra):
                bare = Requirement(f"{more.name}[{','.join(more.extras)}]" if more.extras else more.name)
                fresh += [(bare, further) for further in ("", *more.extras)]
    return found


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def groups() -> dict[str, set[str]]:
    """Packages by the first reason to install them: `required`, then each extra."""
    required = list(direct())
    found = {"required": closure(required)}
    known = set(found["required"])
    for extra in project()["optional-dependencies"]:
        if extra not in (
            "dev",
            "torch",
            "jax",
        ):  # dev has no packages besides other extras; the bridges have separate environments
            found[extra] = closure(list(direct((extra,)))[len(required) :]) - known
            known |= found[extra]
    return found
