"""Draws mutants of the physics: small wrong edits, by the operators of cosmic-ray, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

PACKAGES = (
    "energies",
    "dynamics",
    "integrators",
    "solvers",
    "damping",
    "constraints",
    "contact",
    "budget",
    "adaptive",
    "points",
    "materials",
)
BINARY = ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "Mul_Add", "Pow_Mul", "Mod_FloorDiv", "FloorDiv_Mul")
COMPARED = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "Gt_Lt", "Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")
OTHERS = (
    "NumberReplacer",
    "AddNot",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceBreakWithContinue",
    "ReplaceUnaryOperator_USub_UAdd",
    "ReplaceUnaryOperator_Delete_Not",
    "ZeroIterationForLoop",
)
"""Edits that a slip of the hand makes. The rest of cosmic-ray's, such as `+` for `<<`, end in a TypeError that any test sees."""


@dataclass(frozen=True)
class Mutant:
    """One edit of one file."""

    file: str
    """Below the package's folder."""
    operator: str
    occurrence: int
    line: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}:{self.operator}:{self.occurrence}"

    def source(self, root: Path) -> str:
        """The whole file with the edit."""
        return str(mutate_code((root / self.file).read_text(encoding="utf-8"), made(self.operator), self.occurrence))


def names() -> list[str]:
    """Operators of cosmic-ray that are used here."""
    pairs = [f"ReplaceBinaryOperator_{pair}" for pair in BINARY] + [
        f"ReplaceComparisonOperator_{pair}" for pair in COMPARED
    ]
    return [*pairs, *OTHERS]


@cache
def made(operator: str) -> Any:
    return get_operator(f"core/{operator}")()


def places(file: Path) -> list[tuple[str, int, int]]:
    """Operator, occurrence and line of each edit that the file allows inside a function; defaults of fields count as well."""
    nodes = list(ast_nodes(get_ast_from_path(file)))
    found = []
    for operator in names():
        spots = (start for node in nodes for start, _ in made(operator).mutation_positions(node))
        found += [(operator, occurrence, start[0]) for occurrence, start in enumerate(spots)]
    return found


def draw(root: Path, seed: int) -> Iterator[Mutant]:
    """Mutants without end: a package at random, a file by its length, then any edit of it."""
    chance = random.Random(seed)
    files = {package: sorted((root / package).rglob("*.py")) for package in PACKAGES}
    known: set[str] = set()
    while True:
        choice = files[chance.choice(PACKAGES)]
        file = chance.choices(choice, weights=[len(f.read_bytes()) for f in choice])[0]
        spots = places(file)
        if not spots:
            continue
        operator, occurrence, line = chance.choice(spots)
        mutant = told(root, file.relative_to(root).as_posix(), operator, occurrence, line)
        # compiler options change the speed of kernels, not their results
        of_the_compiler = mutant.before.startswith("@njit")
        if mutant.before != mutant.after and not of_the_compiler and mutant.name not in known:
            known.add(mutant.name)
            yield mutant


def told(root: Path, file: str, operator: str, occurrence: int, line: int) -> Mutant:
    """The mutant with its line before and after."""
    bare = Mutant(file, operator, occurrence, line, "", "")
    before = (root / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()
    after = bare.source(root).splitlines()[line - 1].strip()
    return Mutant(file, operator, occurrence, line, before, after)


def named(root: Path, name: str) -> Mutant:
    """The mutant of a name that an earlier run printed."""
    file, line, operator, occurrence = name.split(":")
    return told(root, file, operator, int(occurrence), int(line))
