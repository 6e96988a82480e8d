"""Cost per frame of the hanging cloth (6,400 vertices, 31,361 StVK springs) with position-based dynamics.

Steps of 1/30 s in 10 substeps, medians and the fastest of whole steps, the ledger's energies apart; the same step of backward
Euler beside them. Kernels are warm. `first_s`: the first step, which loads kernels and makes colours.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from bars import STEP, arguments, show
from supple.dynamics.step import Integrator
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.position_based.plan import plan_for
from supple.integrators.position_based.xpbd import PBD, XPBD
from supple.linalg.threads import threads
from supple.progress import begin
from supple.scene.text.load import load_scene
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

FRAMES = 15
METHODS: dict[str, Integrator] = {
    "xpbd": XPBD(),
    "xpbd, 1 x 10": XPBD(substeps=1, iterations=10),
    "pbd": PBD(),
    "backward-euler": BackwardEuler(),
}


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(scene: str, name: str, backend: str) -> dict[str, object]:
    built, method = load_scene(scene).make().assemble(), METHODS[name]
    system, tools = built.system, StepTools(built.system, SolverOptions(backend=backend))
    progress = begin(system, method, built.state, tools)
    state, memory = progress.state, progress.memory
    steps, energies = [], []
    for _ in range(FRAMES + 1):
        began = time.perf_counter()
        state, memory, _ = method.advance(system, state, memory, STEP, tools)
        steps.append(time.perf_counter() - began)
        energies.append(seconds(lambda at=state: tools.energies(at)))
    tools.close()
    colours = [block.start.size - 1 for block in plan_for(system.potential).blocks]
    return {
        "scene": scene,
        "method": name,
        "threads": threads(),
        "vertices": system.n,
        "colours": "+".join(map(str, colours)),
        "frame_ms": 1e3 * statistics.median(steps[1:]),
        "fastest_ms": 1e3 * min(steps[1:]),
        "energies_ms": 1e3 * statistics.median(energies[1:]),
        "first_s": steps[0],
    }


def main() -> None:
    options = arguments(__doc__ or "", sizes=("hanging-cloth",))
    show([measure(scene, name, options.backend) for scene in options.sizes for name in METHODS], options.json)


if __name__ == "__main__":
    main()
