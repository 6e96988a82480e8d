"""Cost of clients of the live page: steps per second with fifty that read everything, and with one that stalls.

The simulation runs as fast as possible on one thread in a separate process, as on the page. Another process contains the
clients and only reads. Ratios are medians over neighbouring intervals: without, with, without. The output also has frames per
second of one client, and the number of packed frames per sent frame.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from streaming import RATE, SHEET, cpu_seconds
from supple.scene.text.load import read_scene
from supple.viewer.figures import INDEX
from supple.viewer.live import LivePage
from supple.viewer.messages import Play
from supple.viewer.page.server import address, close_server, guard, open_server

WANTED = {"reading": 0.9, "stalled": 0.98}


async def join(url: str, reads: bool, ready: Any, received: Any) -> None:
    """One client: takes all messages, or none."""
    import viser
    import websockets

    protocol = websockets.Subprotocol(f"viser-v{viser.__version__}")
    where = url.rstrip("/").replace("http:", "ws:")
    async with websockets.connect(where, subprotocols=[protocol], max_size=None, max_queue=1) as socket:
        with ready.get_lock():
            ready.value += 1
        while True:
            if not reads:
                await asyncio.sleep(0.05)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await socket.recv()
                    received.value += 1


async def crowd(url: str, count: int, *rest: Any) -> None:
    await asyncio.gather(*(join(url, *rest) for _ in range(count)))


def be_crowd(*arguments: Any) -> None:
    asyncio.run(crowd(*arguments))


@contextmanager
def clients(url: str, count: int, reads: bool) -> Iterator[Any]:
    """Clients in a separate process; yields the messages that they have received."""
    context = multiprocessing.get_context("spawn")
    ready, received = context.Value("i", 0), context.Value("q", 0)
    process = context.Process(target=be_crowd, args=(url, count, reads, ready, received), daemon=True)
    process.start()
    end = time.monotonic() + 30
    while ready.value < count:
        if time.monotonic() > end:
            raise SystemExit("the clients could not connect to the page")
        time.sleep(0.05)
    try:
        yield received
    finally:
        process.kill()  # at once: a stalled client does not close its connection either
        process.join()


def stretch(page: LivePage, seconds: float) -> float:
    """Steps per second while the page is kept up to date."""

    def steps() -> float:
        shown: Any = page.simulation.latest()
        return float(shown.figures[INDEX["step"]])

    first, began = steps(), time.perf_counter()
    while time.perf_counter() - began < seconds:
        now = time.perf_counter()
        page.refresh()
        time.sleep(max(0.001, 1 / RATE - (time.perf_counter() - now)))
    return (steps() - first) / (time.perf_counter() - began)


def measure(page: LivePage, server: Any, count: int, reads: bool, seconds: float, rounds: int) -> dict[str, float]:
    """The ratio of speeds with these clients and without any."""
    ratios, frames, packed, sent, cpu = [], [], guard(server).packets.made, 0, []
    for _ in range(rounds):
        before = stretch(page, seconds)
        with clients(address(server), count, reads) as received:
            stretch(page, 1.5)  # until all have the whole scene, and the pauses suit them
            seen, spent = received.value, time.process_time()
            during = stretch(page, seconds)
            frames.append((received.value - seen) / count / seconds)
            cpu.append((time.process_time() - spent) / seconds)
            sent += received.value
        ratios.append(2 * during / (before + stretch(page, seconds)))
    return {
        "clients": count,
        "speed": statistics.median(ratios),
        "frames_per_second": statistics.median(frames),
        "page_cores": statistics.median(cpu),
        "sent_per_packed": sent / max(1, guard(server).packets.made - packed),
    }


def run(cells: int, count: int, seconds: float, rounds: int) -> dict[str, Any]:
    scene = read_scene(tomllib.loads(SHEET.format(cells=cells)), Path())
    server = open_server("127.0.0.1", None, "benchmark")
    page = LivePage(server, scene, real_time=False)
    try:
        page.simulation.send(Play(True))
        while (shown := page.simulation.latest()) is None or shown.figures[INDEX["step"]] < 10:
            time.sleep(0.05)
        stretch(page, 0.5)
        found = {
            "vertices": len(shown.x),
            "steps_per_second": stretch(page, seconds),
            "reading": measure(page, server, count, True, seconds, rounds),
            "stalled": measure(page, server, 1, False, seconds, rounds),
            "simulation_cpu": cpu_seconds(page.simulation.pid or 0),
        }
    finally:
        page.close()
        close_server(server)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--cells", type=int, default=44)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    options = parser.parse_args()
    found = run(options.cells, options.clients, options.seconds, options.rounds)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['vertices']} vertices shown, {found['steps_per_second']:.0f} steps per second without clients")
    for name, wanted in WANTED.items():
        row = found[name]
        print(
            f"{row['clients']:3d} {name}: {row['speed']:.3f} of that (expected >= {wanted:g}), "
            f"{row['frames_per_second']:.1f} messages per second each, page {row['page_cores']:.2f} cores, "
            f"{row['sent_per_packed']:.1f} sent for each packed"
        )


if __name__ == "__main__":
    main()
