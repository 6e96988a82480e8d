"""`supple view`: replay a recorded run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supple.cli.live import AllowHost, Host, MaxClients, NoBrowser, Place, Port, announce, with_server

if TYPE_CHECKING:
    from viser import ViserServer


def view(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    other: Annotated[
        Path | None, typer.Option("--with", metavar="FOLDER", help="Another run beside it, translucent.")
    ] = None,
    coarse: Annotated[
        bool,
        typer.Option(
            "--coarse",
            "--cage",
            help="Show the simulated meshes instead of embedded or replaced fine surfaces.",
        ),
    ] = False,
    port: Port = None,
    host: Host = "127.0.0.1",
    allow_host: AllowHost = None,
    max_clients: MaxClients = None,
    no_browser: NoBrowser = False,
) -> None:
    """Replay a recorded run in the browser, with a time scrubber and its energy curves; Ctrl-C stops it."""
    from contextlib import ExitStack

    from supple.cli.output import new_console, stop_requests
    from supple.recording.folder import RunFolder
    from supple.viewer.replay import ReplayPage, Take, run_replay

    console = new_console(False)
    with ExitStack() as open_films:
        takes = [Take(RunFolder.open(path), coarse) for path in (folder, other) if path is not None]
        for take in takes:
            open_films.callback(take.close)

        def serve(server: ViserServer) -> None:
            with stop_requests() as asked:
                page = ReplayPage(server, *takes)
                announce(server, console, no_browser)
                run_replay(page, asked)

        with_server(Place(host, port, tuple(allow_host or ()), max_clients), takes[0].name, serve)
