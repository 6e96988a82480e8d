"""Which tests a mutant meets: a short list for its package, and those that import its module."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = {
    "energies": (
        "energies/test_term_derivatives.py",
        "energies/test_term_assembly.py",
        "energies/test_mean_gradients.py",
    ),
    "dynamics": ("dynamics", "integrators/test_conserves.py", "changing/test_ledgers.py"),
    "integrators": (
        "integrators/test_identities.py",
        "integrators/test_heavier_bodies.py",
        "integrators/test_orders.py",
        "integrators/test_conserves.py",
    ),
    "solvers": ("solvers", "constraints/test_constraint_kkt.py"),
    "damping": ("damping/test_damping_terms.py", "damping/test_damping_laws.py", "damping/test_damping_momentum.py"),
    "constraints": ("constraints", "scene/test_constraint_tables.py"),
    "contact": ("contact/test_contact_laws.py", "contact/test_friction.py", "contact/test_shape_contact.py"),
    "budget": ("budget",),
    "adaptive": ("adaptive", "dynamics/test_needs.py", "integrators/test_heavier_bodies.py"),
    "points": ("points/test_spline.py", "points/test_mpm.py", "points/test_transfers.py", "points/test_flow.py"),
    "materials": ("materials",),
    "energies/points": ("points/test_point_terms.py",),
    "integrators/position_based": ("integrators/test_xpbd.py",),
}
"""Below the folder of tests, quick ones first. A file meets the tests of all its folders."""


def tests_for(checkout: Path, file: str) -> list[str]:
    """Test files for a mutant of this file: those that import its module first, for they are the likeliest to see it."""
    module = "supple." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    at = checkout / "tests"
    near = [str(path.relative_to(checkout)) for path in sorted(at.rglob("test_*.py")) if _imports(path, module)]
    folders = [package for package in TESTS if file.startswith(f"{package}/")]
    own = [f"tests/{name}" for package in sorted(folders, key=len, reverse=True) for name in TESTS[package]]
    return list(dict.fromkeys([*near[:6], *own]))


def _imports(path: Path, module: str) -> bool:
    return re.search(rf"^from {re.escape(module)} import", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def callers(root: Path, file: str) -> list[Path]:
    """Files whose compiled kernels may contain code of this one: all files that import it, directly or indirectly.

    Materials reach the loops over elements as arguments, not by an import, so all energies count as their callers.
    """
    text = {path: path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    found, fresh = {root / file}, [root / file]
    while fresh:
        target = fresh.pop()
        dotted = "supple." + target.relative_to(root).as_posix().removesuffix(".py").removesuffix("/__init__").replace(
            "/", "."
        )
        pattern = re.compile(
            rf"^\s*(from {re.escape(dotted)} import|from {re.escape(dotted.rpartition('.')[0])} import .*\b{target.stem}\b)",
            re.M,
        )
        more = [path for path in text if path not in found and "njit" in text[path] and pattern.search(text[path])]
        found.update(more)
        fresh += more
    if file.startswith("materials/"):
        found.update(path for path in text if "njit" in text[path] and path.is_relative_to(root / "energies"))
    return sorted(found)
