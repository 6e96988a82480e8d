"""What can go wrong, as types. A message says where, what was found, what is allowed and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supple.solvers.report import SolveReport


class SuppleError(Exception):
    """Any error that supple raises on purpose; the command line shows its text and exits with 2."""


class SuppleWarning(UserWarning):
    """Something was repaired or chosen for the user, who should know."""


class WrongOption(SuppleError):
    """One option of an object is wrong; a scene reports it with the path of its key."""

    def __init__(self, label: str, key: str, sentence: str) -> None:
        super().__init__(f"{label}.{key}: {sentence}")
        self.key, self.sentence = key, sentence


class SceneError(SuppleError):
    """A scene that cannot be built; each problem is a line that starts with its path in the file."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems = [problems] if isinstance(problems, str) else list(problems)
        super().__init__("\n".join(self.problems))


class MeshError(SuppleError):
    """A mesh that cannot be simulated."""


class RecordError(SuppleError):
    """A run folder that cannot be written, read or continued."""


class BackendMissing(SuppleError):
    """A library that was asked for is not installed."""


class NotPositiveDefinite(SuppleError):
    """Cholesky met a pivot that is not positive."""


class StepRejected(SuppleError):
    """A step did not succeed with this h; the loop tries again with half of it."""


class QuadratureTooCoarse(StepRejected):
    """No quadrature rule within the limit keeps the energy of this step well enough."""


class StageNotConverged(StepRejected):
    """A stage was not minimised; `report` tells how far it came."""

    def __init__(self, message: str, report: SolveReport) -> None:
        self.report = report
        super().__init__(message)


class StepFailed(SuppleError):
    """A step could not be taken, not even in small pieces, or it gave NaN."""


class LimitReached(SuppleError):
    """A run has come to its limit on time or memory; its folder can be resumed. The command line exits with 3."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known word, or `;`: a list of known words follows. Case and - or _ do not count."""
    plain = {k.lower().replace("_", "-"): k for k in known}
    near = difflib.get_close_matches(word.lower().replace("_", "-"), plain, n=1, cutoff=0.6)
    return f"; did you mean '{plain[near[0]]}'?" if near else ";"
