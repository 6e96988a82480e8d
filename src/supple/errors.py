"""Exception types. A message states the place, the value found, the allowed values and the remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supple.solvers.report import SolveReport


MOST_PROBLEMS = 20
"""Problems of a scene that its message lists: a list of 3,000 equal tables gave as many lines."""
_LONG_WORD = re.compile(r"(\S{200})\S{400,}(?=\S{100})")
"""A word longer than a path or a formula that a person writes: a name of 5,000 characters from a file."""


class SuppleError(Exception):
    """Base of all errors that supple raises deliberately; the command line prints the message and exits with code 2."""

    def __str__(self) -> str:
        return _LONG_WORD.sub(r"\1...", super().__str__())


class SuppleWarning(UserWarning):
    """Something was repaired or chosen automatically, and the user should be aware of it."""


class WrongOption(SuppleError):
    """An option of an object is invalid; a scene reports it with the path of its key."""

    def __init__(self, label: str, key: str, sentence: str) -> None:
        super().__init__(f"{label}.{key}: {sentence}")
        self.key, self.sentence = key, sentence


class SceneError(SuppleError):
    """A scene that cannot be built; each problem is one line that starts with its path in the file."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems = [problems] if isinstance(problems, str) else list(problems)
        shown = self.problems
        if len(shown) > MOST_PROBLEMS:
            # the last one may be the remedy
            left = len(shown) - MOST_PROBLEMS
            shown = [*shown[: MOST_PROBLEMS - 1], f"... {left:,} more problems ...", shown[-1]]
        super().__init__("\n".join(shown))


class FormulaError(SuppleError, ValueError):
    """A text or a curve that does not describe a number; validators of scenes and of Python turn it into a message."""


class MeshError(SuppleError):
    """A mesh that cannot be simulated."""


class RecordError(SuppleError):
    """A run folder that cannot be written, read or continued."""


class BackendMissing(SuppleError):
    """A required library is not installed."""


class NotPositiveDefinite(SuppleError):
    """Cholesky met a pivot that is not positive."""


class StepRejected(SuppleError):
    """A step did not succeed with this h; the loop retries with half of it."""


class QuadratureTooCoarse(StepRejected):
    """No quadrature rule within the limit conserves the energy of this step to the required accuracy."""


class StageNotConverged(StepRejected):
    """A stage was not minimised; `report` holds the progress made."""

    def __init__(self, message: str, report: SolveReport) -> None:
        self.report = report
        super().__init__(message)


class StepFailed(SuppleError):
    """A step failed even in small substeps, or produced NaN."""


class LimitReached(SuppleError):
    """A run has reached its limit on time or memory; its folder can be resumed. The command line exits with code 3."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known name, or `;` before a list of known names; ignores case and - versus _."""
    plain = {k.lower().replace("_", "-"): k for k in known}
    near = difflib.get_close_matches(word.lower().replace("_", "-"), plain, n=1, cutoff=0.6)
    return f"; did you mean '{plain[near[0]]}'?" if near else ";"
