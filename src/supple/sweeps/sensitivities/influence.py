"""Results of a sensitivity analysis: the influence of each key on each measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from supple.errors import SuppleError
from supple.render.plots.influences import Bars, influences_figure
from supple.render.style import save
from supple.sweeps.plan import short_keys

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Kind = Literal["sobol", "grid", "regression"]
SOBOL: Kind = "sobol"
GRID: Kind = "grid"
REGRESSION: Kind = "regression"
CONFIDENCE = 0.95
SENTENCES = {
    SOBOL: "Sobol's indices of {runs} runs. first: the share of a measure's variance explained by a key alone; total: "
    "with all its interactions; +- half of the 95 % interval by resampling.",
    GRID: "Shares of variance over the complete grid of {runs} runs, exact for these values. first: explained by a key "
    "alone; total: with all its interactions.",
    REGRESSION: "Linear regression over {runs} runs. first: change of a measure per standard deviation of a key, in standard "
    "deviations; total: the same for ranks, which captures any monotone change; +- half of the 95 % interval.",
}
"""Method, and how to read the table."""
LABELS = {
    SOBOL: ("first order", "total"),
    GRID: ("alone", "with interactions"),
    REGRESSION: ("coefficient", "of ranks"),
}
"""Labels of the bars."""


@dataclass(frozen=True)
class Influence:
    """Influence of one key on one measure."""

    measure: str
    key: str
    first: float
    """First-order index; for a regression the standardised coefficient [-]."""
    total: float
    """Total index; for a regression the coefficient of the ranks [-]."""
    error: float = 0.0
    """Half-width of the interval of `total` [-]."""
    first_error: float = 0.0
    """Half-width of the interval of `first` [-]."""


@dataclass(frozen=True)
class Sensitivity:
    """Sensitivity of all measures to all keys."""

    kind: Kind
    runs: int
    influences: tuple[Influence, ...]
    explained: Mapping[str, float]
    """By measure: the sum of the first-order indices, or R^2 of the regression [-]."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Why a measure or a key has no influences, by its name."""

    @property
    def sentence(self) -> str:
        """Method, and how to read the result."""
        return SENTENCES[self.kind].format(runs=self.runs)

    def of(self, measure: str) -> list[Influence]:
        """Influences on one measure; most influential key first."""
        found = [one for one in self.influences if one.measure == measure]
        return sorted(found, key=lambda one: -abs(one.total))

    @property
    def measures(self) -> list[str]:
        """Keys with influences."""
        return list(dict.fromkeys(one.measure for one in self.influences))

    @property
    def keys(self) -> list[str]:
        """Measures with influences."""
        return list(dict.fromkeys(one.key for one in self.influences))

    def plot(self, title: str = "Sensitivity") -> Figure:
        """Bars with intervals, a panel for each measure."""
        short = dict(zip(self.keys, short_keys(self.keys), strict=True))
        panels = {
            measure: [Bars(short[i.key], i.first, i.total, i.first_error, i.error) for i in self.of(measure)]
            for measure in self.measures
        }
        if not panels:
            raise SuppleError("sensitivity: no measure changes, so there is nothing to draw")
        return influences_figure(panels, LABELS[self.kind], title)

    def draw(self, title: str, path: Path) -> None:
        """The same as a file."""
        save(self.plot(title), path)
