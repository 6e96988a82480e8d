"""From the text of a strain energy to machine code: seconds to differentiate and to compile, and time per evaluation.

Each density is differentiated by the nine entries of H = F - I: value and stress are one function, the packed tangent
(45 entries) another. Beside them the walk over the same graphs with NumPy, and the CPU time in which texts are refused that
were written to keep the machine busy.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.formulas.chain import Chained, chained
from supple.formulas.code.emit import LANES, Compiled, emit
from supple.formulas.graph import ZERO, Node, leaf, order
from supple.formulas.parse import parse
from supple.formulas.shift import shift
from supple.formulas.walk import evaluate
from supple.materials.formula_material import material

DENSITIES = {
    "stable-neo-hookean": "mu/2 * (I1 - 3) - mu * (J - 1) + lam/2 * (J - 1)^2",
    "neo-hookean": "mu/2 * (I1 - 3 - 2 * log(J)) + lam/2 * log(J)^2",
    "isochoric": "mu/2 * (J^(-2/3) * I1 - 3) + lam/2 * (J - 1)^2",
    "gent": "-mu/2 * 30 * log(1 - (I1 - 3) / 30) - mu * log(J) + lam/2 * (J - 1)^2",
}
HOSTILE = {
    "10,000 factors": "*".join(["I1"] * 10_000),
    "nested functions": "exp(sin(" * 20 + "I1*I2*J*E11*E12*F11" + "))" * 20,
    "nested brackets": "(" * 300 + "mu" + ")" * 300,
}
CONSTANTS = ("mu", "lam")
ENTRIES = [leaf(f"H{i}{j}") for i in range(3) for j in range(3)]
ELEMENTS = 20_000


def deviations() -> dict[str, Node]:
    """I1 - 3 = 2 tr H + |H|^2 and J - 1 = tr H + minors + det H."""
    h = [ENTRIES[3 * i : 3 * i + 3] for i in range(3)]

    def minor(i: int, j: int) -> Node:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return h[a][c] * h[b][d] - h[a][d] * h[b][c]

    trace = h[0][0] + h[1][1] + h[2][2]
    minors = minor(0, 0) + minor(1, 1) + minor(2, 2)
    determinant = sum((h[0][k] * minor(0, k) for k in range(3)), start=ZERO)
    squares = sum((entry * entry for entry in ENTRIES), start=ZERO)
    return {"i1": 2.0 * trace + squares, "j": trace + minors + determinant}


def differentiated(text: str) -> Chained:
    near = {"I1": (3.0, leaf("i1")), "J": (1.0, leaf("j"))}
    return chained(shift(parse(text, (*CONSTANTS, "I1", "J"), {}), near), deviations(), ENTRIES)


def code(*groups: list[Node]) -> Compiled:
    return emit(CONSTANTS, [entry.value for entry in ENTRIES], groups)


def timed(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """The shortest CPU time, and the result."""
    best, result = np.inf, None
    for _ in range(repeat):
        began = time.process_time()
        result = work()
        best = min(best, time.process_time() - began)
    return float(best), result


def nanoseconds(compiled: Compiled, repeat: int) -> float:
    """Time of an element, the call of each batch from Python included."""
    rng = np.random.default_rng(1)
    arrays = [np.ones((2, LANES)), 0.1 * rng.standard_normal((9, LANES))]
    arrays += [np.empty((count, LANES)) for count in compiled.counts]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))(compiled.address)
    places = [array.ctypes.data for array in arrays]
    return min(timeit.repeat(lambda: function(*places), number=2000, repeat=repeat)) / 2000 / LANES * 1e9


def measure(name: str, repeat: int) -> dict[str, Any]:
    deriving, law = timed(lambda: differentiated(DENSITIES[name]), repeat)
    response, tangent = [law.value, *law.gradient], law.hessian
    compiling, compiled = timed(lambda: (code(response[:1], response[1:]), code(tangent)), repeat)
    rng = np.random.default_rng(1)
    values = {entry.value: 0.1 * rng.standard_normal(ELEMENTS) for entry in ENTRIES} | dict.fromkeys(CONSTANTS, 1.0)
    walks = [timed(lambda n=nodes: evaluate(n, values, ELEMENTS), repeat)[0] for nodes in (response, tangent)]
    return {
        "density": name,
        "nodes": len(order([*response, *tangent])),
        "derive_s": deriving,
        "compile_s": compiling,
        "response_ns": nanoseconds(compiled[0], repeat),
        "tangent_ns": nanoseconds(compiled[1], repeat),
        "walk_response_ns": walks[0] / ELEMENTS * 1e9,
        "walk_tangent_ns": walks[1] / ELEMENTS * 1e9,
    }


def refused(text: str) -> float:
    """CPU seconds until a text is refused as a material."""
    began = time.process_time()
    try:
        material("own", text, mu=1.0)
    except SuppleError:
        return time.process_time() - began
    raise RuntimeError(f"{text[:40]} ... was not refused")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.process_time()
    code([ENTRIES[0] + 1.0])
    rows = [{"density": "first-use-of-llvm", "seconds": time.process_time() - began}]
    print(f"LLVM's first use: {rows[0]['seconds']:.3f} s")
    for name in DENSITIES:
        row = measure(name, options.repeat)
        rows.append(row)
        print(
            f"{name:<20}{row['nodes']:5} nodes; derived in {row['derive_s']:.3f} s, compiled in {row['compile_s']:.3f} s; "
            f"response {row['response_ns']:.0f} ns (walk {row['walk_response_ns']:.0f}), "
            f"tangent {row['tangent_ns']:.0f} ns (walk {row['walk_tangent_ns']:.0f})"
        )
    for name, text in HOSTILE.items():
        rows.append({"density": name, "refused_s": refused(text)})
        print(f"{name:<20}refused in {rows[-1]['refused_s']:.3f} s")
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
