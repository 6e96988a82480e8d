"""The explicit step of benchmarks/points.py in taichi: same formulas, dense grid, atomic additions.

Run by `points.py --taichi PYTHON` with a Python that has taichi. Prints one JSON line: CPU and wall seconds per step.
"""

import json
import sys
import time

import numpy as np
import taichi as ti

SIDE, SPACING, DX, H, THREADS, STEPS, REPEATS = (float(a) for a in sys.argv[1:8])
N = (
    int((SIDE * SPACING + 0.123) / DX) + 8
)  # nodes that the body reaches and a few more: a larger grid would only slow it down
ti.init(arch=ti.cpu, cpu_max_num_threads=int(THREADS), default_fp=ti.f64, default_ip=ti.i32, offline_cache=False)
COUNT = int(SIDE) ** 3
x, v = ti.Vector.field(3, ti.f64, COUNT), ti.Vector.field(3, ti.f64, COUNT)
C, F = ti.Matrix.field(3, 3, ti.f64, COUNT), ti.Matrix.field(3, 3, ti.f64, COUNT)
grid, mass = ti.Vector.field(3, ti.f64, (N, N, N)), ti.field(ti.f64, (N, N, N))
VOLUME, MASS, MU, LAM = SPACING**3, 1000.0 * SPACING**3, 1e5 / 2.6, 1e5 * 0.3 / (1.3 * 0.4)


@ti.kernel
def step(h: ti.f64):
    for node in ti.grouped(mass):
        grid[node] = ti.Vector.zero(ti.f64, 3)
        mass[node] = 0.0
    for p in x:
        base = (x[p] / DX - 0.5).cast(int)
        f = x[p] / DX - base
        w = [0.5 * (1.5 - f) ** 2, 0.75 - (f - 1.0) ** 2, 0.5 * (f - 0.5) ** 2]
        E = 0.5 * (F[p].transpose() @ F[p] - ti.Matrix.identity(ti.f64, 3))
        S = 2.0 * MU * E + LAM * E.trace() * ti.Matrix.identity(ti.f64, 3)
        A = MASS * C[p] - h * VOLUME * 4.0 / (DX * DX) * (F[p] @ S @ F[p].transpose())
        for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
            offset = ti.Vector([i, j, k])
            weight = w[i][0] * w[j][1] * w[k][2]
            grid[base + offset] += weight * (MASS * v[p] + A @ ((offset - f) * DX))
            mass[base + offset] += weight * MASS
    for node in ti.grouped(mass):
        if mass[node] > 0.0:
            grid[node] = grid[node] / mass[node] + h * ti.Vector([0.0, -9.81, 0.0])
    for p in x:
        base = (x[p] / DX - 0.5).cast(int)
        f = x[p] / DX - base
        w = [0.5 * (1.5 - f) ** 2, 0.75 - (f - 1.0) ** 2, 0.5 * (f - 0.5) ** 2]
        mean, B = ti.Vector.zero(ti.f64, 3), ti.Matrix.zero(ti.f64, 3, 3)
        for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
            offset = ti.Vector([i, j, k])
            weight = w[i][0] * w[j][1] * w[k][2]
            seen = grid[base + offset]
            mean += weight * seen
            B += weight * 4.0 / DX * seen.outer_product(offset - f)
        v[p], C[p] = mean, B
        x[p] += h * mean
        F[p] += h * B @ F[p]


line = (np.arange(int(SIDE)) + 0.5) * SPACING
start = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
rng = np.random.default_rng(0)
start += 0.5 * SPACING * (rng.random(start.shape) - 0.5) + 0.123
x.from_numpy(start)
v.from_numpy(0.05 * rng.standard_normal(start.shape))
C.from_numpy(np.zeros((COUNT, 3, 3)))
F.from_numpy(np.tile(np.eye(3), (COUNT, 1, 1)))
step(H)
ti.sync()
best = [np.inf, np.inf]
for _ in range(int(REPEATS)):
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(int(STEPS)):
        step(H)
    ti.sync()
    best = [min(best[0], time.process_time() - cpu), min(best[1], time.perf_counter() - wall)]
print(json.dumps({"cpu": best[0] / STEPS, "wall": best[1] / STEPS, "middle": x.to_numpy().mean(axis=0).tolist()}))
