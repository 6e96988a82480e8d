"""`supple analyse`: studies of methods and bodies; the commands are in the files beside this one."""

from __future__ import annotations

import typer

from supple.cli.analyse.damping import damping_curves
from supple.cli.analyse.material import material
from supple.cli.analyse.modes import modes
from supple.cli.analyse.order import order
from supple.cli.analyse.own import own
from supple.cli.analyse.reversibility import reversibility
from supple.cli.analyse.sensitivity import sensitivity
from supple.cli.analyse.spectrum import spectrum
from supple.cli.analyse.transfers import transfers
from supple.cli.analyse.work import work_precision

analyse = typer.Typer(
    name="analyse",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Study methods and bodies: damping curves, orders, cost against accuracy, time reversal, vibration modes, "
    "spectra of motion, transfers of material points, sensitivities of sweeps, materials.",
)
for command in (
    damping_curves,
    order,
    work_precision,
    reversibility,
    modes,
    spectrum,
    transfers,
    sensitivity,
    material,
    own,
):
    analyse.command()(command)
