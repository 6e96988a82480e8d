"""Output of `supple coarsen`: figures, a comparison with the fine body, harmonic displacements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.coarsening.coarse_body import CoarseBody
    from supple.coarsening.coarsen import Pair
    from supple.coarsening.fine_body import FineBody
    from supple.types import Ints


def summary_of(file: Path, made: CoarseBody, seconds: float) -> dict[str, Any]:
    """Figures of a coarse body."""
    import resource

    return {
        "file": str(file),
        **made.facts,
        "coarse_vertices": len(made.vertices),
        "least_coverage": float(made.coverage.min()),
        "seconds": seconds,
        "peak_memory_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def show_summary(console: Console, summary: dict[str, Any]) -> None:
    """Two lines about it."""
    console.print(
        f"{summary['fine_tets']} tets reduced to {summary['coarse_tets']}, {summary['mass']:.6g} kg; the emptiest is filled to "
        f"{summary['least_coverage']:.1%}; {summary['seconds']:.1f} s, {summary['peak_memory_gib']:.2f} GiB",
        markup=False,
    )
    if summary["fallback_tets"]:
        console.print(
            f"{summary['fallback_tets']} tets have indistinguishable strains and use the mean of the fine tensors",
            markup=False,
        )


def validated(console: Console, pair: Pair, made: CoarseBody, steps: int, picture: Path, title: str) -> dict[str, Any]:
    """Compare with the fine body, draw and print; returns the figures."""
    from supple.analysis.coarsening_check import CHECKS, METHODS, check, skins, tracked
    from supple.cli.analyse.output import progress, show_table
    from supple.render.plots.coarsening import plot_check

    method: Any = made.facts["method"]
    with progress(console, "validate", CHECKS) as show:
        done = iter(range(CHECKS))
        found = check(pair, method, steps, lambda what: show(next(done), what))
        show(CHECKS, "")
    places = skins(pair, made, found.swings)
    plot_check(found.static, places, made.skin_triangles, tracked(pair, found.swings), picture, title)
    rows = [[load, *(f"{errors[m]:.3f}" for m in METHODS)] for load, errors in found.static.items()]
    ratios = zip(*(found.frequencies[m] for m in METHODS), strict=True)
    rows += [[f"frequency {k}, over fine", *(f"{r:.3f}" for r in row)] for k, row in enumerate(ratios, 1)]
    rows.append(["swing", *(f"{found.swing_error[m]:.3f}" if m in found.swing_error else "" for m in METHODS)])
    show_table(console, "errors against the fine body", ("", *METHODS), rows)
    console.print(
        f"one material: {found.homogeneous_error:.1e}; a step takes {found.seconds['fine']:.3g} s, a coarse one "
        f"{found.seconds[method]:.3g} s: {found.speedup:.0f} times faster",
        markup=False,
    )
    return found.summary()


def drawn_harmonics(fine: FineBody, pinned: Ints | None, picture: Path, title: str, up: str) -> None:
    """Draw the six harmonic displacements of the body, and those of the same shape in one material."""
    from supple.analysis.coarsening_check import POISSON
    from supple.coarsening.fine_body import isotropic_moduli
    from supple.coarsening.harmonic import harmonic_displacements, uniform_displacements
    from supple.render.plots.harmonics import plot_harmonics

    young = isotropic_moduli(fine.stiffness)[0]
    rows = {
        "one material": uniform_displacements(fine.vertices, POISSON),
        "this body": harmonic_displacements(fine, pinned),
    }
    plot_harmonics(fine.vertices, fine.tets, young, rows, picture, title, up)
