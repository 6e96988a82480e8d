"""A USD stage with deformable bodies is a scene; a run of it can be written back as such a stage.

The stage is in centimetres with z up. Its curtain hangs on a rail by an attachment, a ball with an animated transform comes
near, and a jelly falls. The exported stage gives the same world again.
"""

import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

import supple as sp
from supple.cli import main as supple

STAGE = Path(__file__).parent / "data" / "curtain-and-jelly.usda"


def main() -> None:
    setup = sp.load(STAGE, ["time.duration=0.0625"])
    print("\n".join(setup.notes))
    jelly, curtain = setup.world.bodies
    assert jelly.density == 1000.0
    assert curtain.thickness == 1e-3
    with tempfile.TemporaryDirectory() as folder:
        run = sp.run(setup, out=f"{folder}/run", progress=False)
        hooks = run.setup.assemble().placed[1].pinned
        held = run.positions[:, 64 + hooks]
        print(f"{len(hooks)} hooks moved by {np.abs(held - held[0]).max():.1e} m")
        assert np.abs(held - held[0]).max() < 1e-7
        print(f"energy residual {run.summary['relative_residual']:.1e} of the energy in play")
        assert run.summary["relative_residual"] < 1e-10
        with suppress(SystemExit):  # as every command ends
            supple(["export", f"{folder}/run", "--to", "usd", "--physics", "--out", f"{folder}/back.usda"])
        back = sp.load(f"{folder}/back.usda")
        one, two = setup.assemble(), back.assemble()
        away = np.abs(one.state.x - two.state.x).max()
        print(f"the stage that comes back has the same {two.mesh.n} vertices to {away:.1e} m")
        assert away < 1e-6
        assert np.allclose(one.system.mass, two.system.mass, rtol=1e-5)


if __name__ == "__main__":
    main()
