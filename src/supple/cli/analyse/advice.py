"""Recommend a method from the runs of a study: a ranking for each kind of error, and its winner."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.ranking import Place, Point
    from supple.cli.analyse.study import Study

KINDS = {
    "error_x": "positions, relative to the size of body and motion",
    "error_energy": "energy, relative to the energy in play",
    "error_modes": "lowest modes, relative to the size of body and motion",
}


@dataclass(frozen=True)
class Advice:
    """Rankings of the methods and their criteria."""

    budget: float | None
    """CPU seconds per simulated second."""
    accuracy: float | None
    """Largest relative error."""
    rankings: dict[str, list[Place]]

    def winner(self, kind: str) -> str | None:
        """The first method, if any could be ranked."""
        first = self.rankings[kind][0]
        return None if first.reason else first.integrator

    @property
    def question(self) -> str:
        within = f"within {self.budget:.3g} CPU s per simulated second" if self.budget is not None else ""
        if self.accuracy is None:
            return f"least error {within}"
        return f"least CPU time for an error of {self.accuracy:g} {within}".strip()

    def show(self, console: Console) -> None:
        """One ranking below the other."""
        from supple.cli.analyse.output import show_table

        for kind, places in self.rankings.items():
            rows = [_row(place, k) for k, place in enumerate(places, start=1)]
            show_table(
                console, f"{KINDS[kind]}: {self.question}", ("integrator", "place", "error", "cpu s / s", ""), rows
            )
        for kind in self.rankings:
            console.print(f"winner for {KINDS[kind].partition(',')[0]}: {self.winner(kind) or 'none'}", markup=False)

    def document(self) -> dict[str, Any]:
        """The ranking for JSON output."""
        rankings = {kind: [asdict(place) for place in places] for kind, places in self.rankings.items()}
        winners = {kind: self.winner(kind) for kind in self.rankings}
        return {"budget": self.budget, "accuracy": self.accuracy, "rankings": rankings, "winners": winners}


def advise(study: Study, budget: float | None, accuracy: float | None) -> Advice:
    """Rank by CPU time for an accuracy, or by error within a budget; by default, the smallest one that all meet."""
    from supple.analysis.ranking import common_budget, rank_by_cost, rank_by_error

    if budget is None and accuracy is None:
        budget = common_budget(_curves(study, "error_x"))
    rankings: dict[str, list[Place]] = {}
    for kind in KINDS:
        curves = _curves(study, kind)
        if kind == "error_modes" and not any(curves.values()):
            continue
        if accuracy is None:
            places = rank_by_error(curves, budget or 0.0)
        else:
            places = rank_by_cost(curves, accuracy, float("inf") if budget is None else budget)
        rankings[kind] = [place if curves[place.integrator] else _excused(place, study) for place in places]
    return Advice(budget, accuracy, rankings)


def _excused(place: Place, study: Study) -> Place:
    """Why a method has no usable run: the outcome of its finest one."""
    failure = study.of(place.integrator)[-1].failure.partition(":")[0]
    return replace(place, reason=failure or place.reason)


def _curves(study: Study, kind: str) -> dict[str, list[Point]]:
    """Integrator -> cost and relative error of its usable runs."""
    scale = 1.0 if kind == "error_energy" else study.size
    curves: dict[str, list[Point]] = {}
    for name in study.integrators:
        usable = [run for run in study.of(name) if not run.failure and getattr(run, kind) == getattr(run, kind)]
        curves[name] = [(run.cpu_seconds / study.duration, getattr(run, kind) / scale) for run in usable]
    return curves


def _row(place: Place, k: int) -> list[str]:
    if place.reason:
        return [place.integrator, "-", "", "", place.reason]
    return [place.integrator, str(k), f"{place.error:.2e}", f"{place.cost:.3g}", ""]
