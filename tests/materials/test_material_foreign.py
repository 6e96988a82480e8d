"""Materials written outside supple must not spoil the kernel cache for programs that do not know them."""

import os
import subprocess
import sys
from pathlib import Path

MODULE = """
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from supple.materials.kernel import LANES, response_for
from supple.materials.material import Material


class DilationParameters(NamedTuple):
    k: object


@dataclass(frozen=True)
class Dilation(Material):
    k: float
    name: ClassVar[str] = "dilation"
    Parameters: ClassVar[type] = DilationParameters


@response_for(DilationParameters)
def response(p, elements, F, psi, P):
    for q in range(LANES):
        grow = F[q] + F[4 * LANES + q] + F[8 * LANES + q] - 3.0
        psi[q] = 0.5 * p.k[elements[q]] * grow * grow
        for ij in range(9):
            P[ij * LANES + q] = p.k[elements[q]] * grow if ij % 4 == 0 else 0.0
"""

FOREIGN = """
import numpy as np
from dilation import Dilation
print(Dilation(2.0).density(2 * np.eye(3)[None])[0])
"""

OURS = """
import numpy as np
from supple.materials.linear import Linear
print(Linear(1.0, 1.0).density(2 * np.eye(3)[None])[0])
"""

COUNTED = """
import supple.linalg
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
{}
print(len(compiled))
"""


def run(code: str, folder: Path, *, knows_module: bool) -> list[str]:
    path = {"PYTHONPATH": str(folder)} if knows_module else {}
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), **path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return done.stdout.split()


def test_a_foreign_material_works_is_cached_and_leaves_the_cache_readable(tmp_path: Path) -> None:
    (tmp_path / "dilation.py").write_text(MODULE)
    assert run(FOREIGN, tmp_path, knows_module=True) == ["9.0"]
    assert run(COUNTED.format(FOREIGN), tmp_path, knows_module=True) == ["9.0", "0"]
    assert run(OURS, tmp_path, knows_module=False) == ["7.5"]
