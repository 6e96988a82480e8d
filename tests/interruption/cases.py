"""Words for every command that work on a small bar, and the file or folder that each is to write."""

from dataclasses import dataclass

from supple.cli.app import built

SCENE = """
[time]
step = 0.01
duration = 0.2
[[body]]
name = "bar"
mesh = { shape = "bar", cells = [2, 1, 1], size = [0.5, 0.25, 0.25] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
density = 500.0
pin = "left"
"""


@dataclass(frozen=True)
class Case:
    """How a command is called, after its name."""

    words: str = ""
    out: str = ""
    """Its output under a given name; an older one already exists."""
    slow: bool = False
    """It compiles kernels for a while before it writes, by the same functions as others do."""
    loose: bool = False
    """Folders that keep parts of the work on purpose: their message explains how to continue."""


SEARCH = "--unknown body.0.material.young:log --loss hit(right,(0.5,-0.1,0.1),at=0.1)"
CASES = {
    "new": Case("out.toml --overwrite", "out.toml"),
    "run": Case("bar.toml --out out", loose=True),
    "compare": Case("bar.toml --integrators avf,bdf2 --out out", loose=True),
    "sweep": Case("bar.toml --vary body.0.material.young=2e4,2e5 --out out --workers 1", loose=True),
    "fit": Case(f"bar.toml {SEARCH} --out out", loose=True),
    "gradient": Case("bar.toml --of right.y@0.2 --by body.0.material.young"),
    "gallery": Case("R1 --out out --workers 1", loose=True),
    "live": Case("bar.toml --no-browser"),
    "view": Case("run --no-browser"),
    "export": Case("run --to npz --out out.npz --overwrite", "out.npz"),
    "render": Case("run --to out.png --time 0.1 --renderer plain --overwrite", "out.png"),
    "loop": Case("run --to out.gif --blend-only --renderer plain --overwrite", "out.gif"),
    "report": Case("run --out out.html --overwrite", "out.html", slow=True),
    "mesh": Case("bar --write out.obj", "out.obj"),
    "coarsen": Case("bar.toml --cells 1,1,1 --out out.npz", "out.npz", slow=True),
    "scenes": Case(),
    "presets": Case(),
    "schema": Case(),
    "warm": Case("--workers 1", loose=True),
    "info": Case(),
    "analyse damping-curves": Case("--integrators avf --at 0.1,1 --csv out.csv --plot out.png", "out.csv"),
    "analyse order": Case("bar.toml --integrators avf --steps 4,8 --csv out.csv --plot out.png", "out.csv"),
    "analyse work-precision": Case("bar.toml --integrators avf --steps 4,8 --csv out.csv --plot out.png", "out.csv"),
    "analyse reversibility": Case("bar.toml --csv out.csv --plot out.png", "out.csv", slow=True),
    "analyse modes": Case("bar.toml --csv out.csv --plot out.png", "out.csv"),
    "analyse spectrum": Case("run --csv out.csv --plot out.png", "out.csv"),
    "analyse transfers": Case("--transfers apic --steps 50 --csv out.csv --plot out.png", "out.csv", slow=True),
    "analyse sensitivity": Case("compared --plot out.png", "out.png"),
    "analyse material": Case("neo-hookean --csv out.csv --plot out.png", "out.csv", slow=True),
    "analyse own": Case("mine bar.toml --csv out.csv", "out.csv"),
}


def all_commands() -> list[str]:
    """Names of all commands, and of those within commands."""
    return sorted(_names(built(), ""))


def _names(command: object, before: str) -> list[str]:
    inner = getattr(command, "commands", None)
    if inner is None:
        return [before.strip()]
    return [name for word, each in inner.items() for name in _names(each, f"{before} {word}")]
