"""`supple gradient`: derivatives of a quantity of a run with respect to scene parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.cli.options import fit as options

if TYPE_CHECKING:
    from rich.console import Console

    from supple.fits.gradient import Gradient


def gradient(
    scene: options.Scene,
    of: options.Of,
    by: options.By,
    settings: options.Settings = None,
    keep: options.Keep = None,
    check: options.Check = False,
    as_json: options.AsJson = False,
) -> None:
    """Differentiate a quantity of a run with respect to parameters of its scene, exact to round-off."""
    from supple.cli.output import new_console, print_json
    from supple.fits.gradient import gradient as found_gradient

    console = new_console(as_json)
    keys = [word.strip() for words in by for word in words.split(",") if word.strip()]
    found = found_gradient(scene, of, keys, settings=settings or [], keep=keep or "all", check=check)
    _show(found, console)
    if as_json:
        document = {
            "quantity": found.quantity, "unit": found.unit, "value": found.value, "keys": found.keys,
            "derivatives": found.derivatives, "elasticities": found.elasticities, "notes": list(found.notes),
        }  # fmt: skip
        print_json(document | ({"differences": found.differences, "errors": found.errors} if check else {}))


def _show(found: Gradient, console: Console) -> None:
    console.print(f"{found.quantity} = {found.value:.9g} {found.unit}", markup=False)
    width = max(len(name) for name in found.derivatives)
    head = f"{'key':{width}s} {'value':>12s} {'derivative':>17s} {'elasticity':>11s}"
    console.print(head + (f" {'difference':>17s} {'error':>8s}" if found.differences else ""), markup=False)
    for name, derivative in found.derivatives.items():
        ratio = found.elasticities[name]
        line = f"{name:{width}s} {found.keys[name]:12.6g} {derivative:17.9g} "
        line += f"{'-' if ratio is None else f'{ratio:.5g}':>11s}"
        if found.differences:
            line += f" {found.differences[name]:17.9g} {found.errors[name]:8.1e}"
        console.print(line, markup=False)
    for note in found.notes:
        console.print(note, markup=False)
