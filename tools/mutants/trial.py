"""One mutant in a copy of the checkout, with separate compiled kernels."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from choice import callers, tests_for
from sample import Mutant

COPIED = ("src", "tests", "scenes", "docs", "examples", "benchmarks", "tools", "pyproject.toml", "README.md")


@dataclass(frozen=True)
class Outcome:
    """Output of the tests."""

    mutant: Mutant
    verdict: str
    """`killed`, `survived`, or `late`: the tests did not end in time, which a stopped simulation would not either."""
    seconds: float
    last: str
    """The failing test, if any."""


class Bench:
    """A copy of the checkout, kept for all mutants, so that the kernels of untouched files stay compiled."""

    def __init__(self, checkout: Path, where: Path, python: Path, limit: float) -> None:
        self.checkout, self.where, self.python, self.limit = checkout, where, python, limit
        self.tree, self.cache = where / "tree", where / "cache"
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for name in COPIED:  # with their times, which Numba compares
            origin = checkout / name
            if origin.is_dir():
                shutil.copytree(origin, self.tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(origin, self.tree / name)
        self.root = self.tree / "src" / "supple"

    def warm(self, kernels: Path | None) -> int:
        """Take over the kernels that the checkout has compiled; Numba names their folders by a hash of the source's."""
        moved = 0
        for folder in [self.root, *(f for f in self.root.rglob("*") if f.is_dir())]:
            origin = self.checkout / folder.relative_to(self.tree)
            there = kernels and kernels / folder_name(origin)
            if there and there.is_dir():
                shutil.copytree(there, self.cache / folder_name(folder), dirs_exist_ok=True)
                moved += 1
        return moved

    def run(self, files: list[str], cache: Path) -> tuple[str, float, str]:
        """Verdict, seconds and last line of the tests in these files."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.tree / "src"),
            "NUMBA_CACHE_DIR": str(cache),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [
            str(self.python),
            "-m",
            "pytest",
            "-x",
            "-q",
            "--no-header",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
        ]
        command += ["-m", "not study and not browser and not blender and not bridges", *files]
        began = time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=self.tree, env=environment, capture_output=True, text=True, timeout=self.limit, check=False
            )
        except subprocess.TimeoutExpired:
            return "late", time.monotonic() - began, ""
        said = [
            line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))
        ] or done.stdout.splitlines()[-1:]
        return (
            "survived" if done.returncode == 0 else "killed",
            time.monotonic() - began,
            said[0][:160] if said else done.stderr[-160:],
        )

    def meet(self, mutant: Mutant) -> Outcome:
        """Make the edit, run its tests, undo it."""
        target, original = self.root / mutant.file, self.checkout / "src" / "supple" / mutant.file
        with_kernels = "njit" in original.read_text(encoding="utf-8") or mutant.file.startswith("materials/")
        cache = self._fresh(mutant) if with_kernels else self.cache
        target.write_text(mutant.source(self.checkout / "src" / "supple"), encoding="utf-8")
        try:
            return Outcome(mutant, *self.run(tests_for(self.checkout, mutant.file), cache))
        finally:
            shutil.copy2(original, target)

    def _fresh(self, mutant: Mutant) -> Path:
        """Links to all kernels but those that may contain the edited code. Numba replaces its files whole, so links are safe."""
        cache = self.where / "edited"
        shutil.rmtree(cache, ignore_errors=True)
        if self.cache.is_dir():
            shutil.copytree(self.cache, cache, copy_function=os.link)
        for path in callers(self.root, mutant.file):
            for kernel in (cache / folder_name(path.parent)).glob(f"{path.stem}.*"):
                kernel.unlink()
        return cache


def folder_name(folder: Path) -> str:
    """Numba's name for the cache of a folder of sources."""
    return f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"
