"""The columns of a history: name, unit and meaning of each, in their order."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One column of `history.csv`."""

    name: str
    unit: str
    """SI, or `-` for counts, ratios and flags."""
    meaning: str


_SUM = "running sum since the start"
_GRID = f"{_SUM}; zero without material points"

COLUMNS = (
    Column("step", "-", "accepted steps so far; 0 is the initial state"),
    Column("time", "s", "simulated time reached"),
    Column("h", "s", "length of this step"),
    Column("kinetic", "J", "kinetic energy"),
    Column("elastic", "J", "elastic energy"),
    Column("gravity", "J", "potential energy of gravity"),
    Column("other", "J", "energy of all other terms, such as contact"),
    Column("total", "J", "sum of kinetic, elastic, gravity and other energy"),
    Column("dissipated", "J", f"energy dissipated by damping, friction and plastic flow; {_SUM}"),
    Column("external_work", "J", f"work of prescribed motion, wind, force fields and numbers that change with time; {_SUM}"),
    Column("residual", "J", "energy created (positive) or lost (negative) by the numerics; running sum since the start"),
    Column("px", "kg m/s", "linear momentum of the free vertices, x"),
    Column("py", "kg m/s", "linear momentum of the free vertices, y"),
    Column("pz", "kg m/s", "linear momentum of the free vertices, z"),
    Column("lx", "kg m^2/s", "angular momentum of the free vertices, x"),
    Column("ly", "kg m^2/s", "angular momentum of the free vertices, y"),
    Column("lz", "kg m^2/s", "angular momentum of the free vertices, z"),
    Column("newton_iterations", "-", "Newton iterations in this step"),
    Column("factorisations", "-", "matrix factorisations in this step"),
    Column("line_search_steps", "-", "line search steps in this step"),
    Column("rejected_steps", "-", "attempts rejected before this step: not solved, or too inaccurate"),
    Column("gradient_norm", "-", "largest gradient entry left by the solver, relative to the largest single force"),
    Column("constraint_error", "m", "largest violation of a constraint; 0 without constraints"),
    Column("constraint_force", "N", "largest constraint force in this step"),
    Column("inverted_elements", "-", "inverted tets, det F <= 0"),
    Column("crushed_elements", "-", "tets with less than a tenth of their volume, 0 < det F < 0.1"),
    Column("exceptional", "-", "1 for a step without the properties that the method promises, else 0; `log.txt` has the reason"),
    Column("rescued", "J", f"energy lost in steps that backward Euler took in place of the method; {_SUM}"),
    Column("transfer", "J", f"kinetic energy changed by transfers between particles and grid; {_GRID}"),
    Column("force", "J", f"energy error of the forces on the grid; {_GRID}"),
    Column("collided", "J", f"energy changed by obstacles that stop grid nodes; {_GRID}"),
    Column("plastic", "J", f"energy dissipated by plastic flow, part of `dissipated`; {_GRID}"),
    Column("hardening", "J", f"energy changed by hardening at fixed deformation; {_GRID}"),
    Column("restored", "J", f"energy restored by the budget of material points; {_GRID}"),
    Column("springs", "J", "part of the residual: energy of temporary contact springs at creation less that at removal; "
           f"{_SUM}"),
    Column("held", "J", 'energy that a budget with `release = "rebound"` holds for the next rebound; not a sum'),
    Column("doubtful", "-", "1 for a step whose residual exceeds the bound of its method, else 0"),
    Column("wall_seconds", "s", "wall-clock time of this step"),
)  # fmt: skip
