"""Cost of the live page: Python time per page update at 30 per second, and the speed of the simulation with a stalled client.

Page: the deforming surface of a sheet, plots and text as the live page sends them, with a client that reads everything.
CPU time of the whole page process, so that encoding and sending on the server's thread count too.
Stalled: steps a CPU second of the simulation process while a client that has stopped reading is connected to the page,
over the same with no client, in alternating short runs.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import statistics
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from supple.recording.scenery import Scenery
from supple.scene.text.load import read_scene
from supple.viewer.figures import FIGURES, INDEX, describe
from supple.viewer.live import PLOT_EVERY, TEXT_EVERY, LivePage
from supple.viewer.messages import Play
from supple.viewer.page.body_view import BodyView
from supple.viewer.page.patches import Look, cut_patches
from supple.viewer.page.plots import Plots
from supple.viewer.page.room import room_for
from supple.viewer.page.server import address, close_server, furnish, open_server
from supple.viewer.page.surface import PageSurface

RATE = 30.0
SHEET = """
[time]
step = 1e-4
[integrator]
name = "symplectic-euler"
[solver]
threads = 1
[[body]]
mesh = {{ shape = "cloth", cells = [{cells}, {cells}], size = [1.0, 1.0] }}
material = {{ name = "hooke-spring", stretch = 50.0 }}
mass = 1.0
pin = "corners"
"""


async def talk(url: str, reads: bool, done: Any, ready: Any, received: Any) -> None:
    """Take all messages until it is done, or none."""
    import viser
    import websockets

    protocol = websockets.Subprotocol(f"viser-v{viser.__version__}")
    address = url.rstrip("/").replace("http:", "ws:")
    async with websockets.connect(address, subprotocols=[protocol], max_size=None, max_queue=1) as socket:
        ready.set()
        while not done.is_set():
            if not reads:
                await asyncio.sleep(0.05)
                continue
            with suppress(TimeoutError):
                received.value += len(await asyncio.wait_for(socket.recv(), 0.1))
        socket.transport.abort()  # a stalled client would not answer a farewell either


def be_client(*arguments: Any) -> None:
    asyncio.run(talk(*arguments))


@contextmanager
def client(url: str, reads: bool) -> Iterator[Any]:
    """A client in a separate process; the bytes that it has received."""
    context = multiprocessing.get_context("spawn")
    done, ready, received = context.Event(), context.Event(), context.Value("q", 0)
    process = context.Process(target=be_client, args=(url, reads, done, ready, received), daemon=True)
    process.start()
    if not ready.wait(30):
        raise SystemExit("the client could not connect to the page")
    try:
        yield received
    finally:
        done.set()
        process.join(5)
        process.kill()


def sheet(side: int) -> tuple[PageSurface, np.ndarray]:
    u = np.linspace(0, 1, side, dtype=np.float32)
    x = np.stack([*np.meshgrid(u, u, indexing="ij"), np.zeros((side, side), np.float32)], axis=-1).reshape(-1, 3)
    i = np.arange(side * side, dtype=np.int32).reshape(side, side)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel(), i[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return PageSurface(np.arange(side * side, dtype=np.int32), faces, np.empty((0, 2), np.int32)), x


def page_cost(side: int, seconds: float) -> tuple[float, float, float]:
    """Median ms of the calls of one update, CPU ms of the process for each update, MB a second sent."""
    surface, x = sheet(side)
    server = open_server("127.0.0.1", None, "benchmark")
    furnish(server, room_for(x.astype(np.float64), np.empty((0, 3)), Scenery(), "z"))
    patches = cut_patches(surface, [len(x)], [Look("#0072b2")])
    body, plots = BodyView(server, "/body", surface, patches, x), Plots(server)
    text = server.gui.add_markdown("")
    figures, spent = np.ones(len(FIGURES)), []
    with client(address(server), reads=True) as count:
        time.sleep(1.0)
        received, cpu, began = count.value, time.process_time(), time.perf_counter()
        for k in range(int(RATE * seconds)):
            moved = x.copy()
            moved[:, 2] = 0.1 * np.sin(8 * x[:, 0] + 0.3 * k)
            figures[INDEX["time"]] = k / RATE
            start = time.perf_counter()
            with server.atomic():
                body.show(moved)
                plots.add(figures.copy())
                if k % TEXT_EVERY == 0:
                    text.content = describe(figures)
                if k % PLOT_EVERY == 0:
                    plots.send()
            spent.append(time.perf_counter() - start)
            time.sleep(max(0.0, began + (k + 1) / RATE - time.perf_counter()))
        cpu = time.process_time() - cpu
        received = count.value - received
    close_server(server)
    return 1e3 * statistics.median(spent), 1e3 * cpu / len(spent), received / seconds / 1e6


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_for(page: LivePage, seconds: float) -> tuple[float, float]:
    """Steps a second and steps a CPU second of the simulation, the page kept up to date meanwhile."""
    pid = page.simulation.pid or 0

    def steps() -> float:
        shown: Any = page.simulation.latest()
        return float(shown.figures[INDEX["step"]])

    first, cpu, began = steps(), cpu_seconds(pid), time.perf_counter()
    while time.perf_counter() - began < seconds:
        page.refresh()
        time.sleep(1 / RATE)
    taken = steps() - first
    return taken / (time.perf_counter() - began), taken / max(cpu_seconds(pid) - cpu, 1e-9)


def stalled_over_free(cells: int, seconds: float, rounds: int) -> tuple[float, float, int]:
    """Medians of the ratios of neighbouring runs, by wall and by CPU time; vertices shown."""
    scene = read_scene(tomllib.loads(SHEET.format(cells=cells)), Path())
    server = open_server("127.0.0.1", None, "benchmark")
    page = LivePage(server, scene, real_time=False)
    ratios = []
    try:
        page.simulation.send(Play(True))
        while (shown := page.simulation.latest()) is None or shown.figures[INDEX["step"]] < 10:
            time.sleep(0.05)
        for _ in range(rounds):
            before = run_for(page, seconds)
            with client(address(server), reads=False):
                stalled = run_for(page, seconds)
            after = run_for(page, seconds)
            ratios.append([2 * s / (b + a) for s, b, a in zip(stalled, before, after, strict=True)])
        wall, cpu = np.median(ratios, axis=0)
        return float(wall), float(cpu), len(shown.x)
    finally:
        page.close()
        close_server(server)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    for side, bound in ((45, 3.0), (141, 6.0)):
        call, whole, sent = page_cost(side, options.seconds)
        print(
            f"{side * side:6d} vertices at {RATE:.0f}/s: {call:.2f} ms of calls, {whole:.2f} ms CPU of the process "
            f"per update (expected < {bound:g}), {sent:.1f} MB/s to the client"
        )
    for cells in (44, 140):
        wall, cpu, shown = stalled_over_free(cells, options.seconds / 4, options.rounds)
        print(
            f"{shown:6d} vertices shown, steps with a stalled client over those without: "
            f"{cpu:.3f} per CPU second, {wall:.3f} per second (expected >= 0.95)"
        )


if __name__ == "__main__":
    main()
