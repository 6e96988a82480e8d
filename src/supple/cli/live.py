"""`supple live`: simulate a scene interactively in the browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from viser import ViserServer

Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port of the page.", show_default="a free one")]
Host = Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 lets other machines in.")]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A host name of this machine under which the page may be opened; repeatable.",
    ),
]
MaxClients = Annotated[
    int | None, typer.Option("--max-clients", min=1, max=10_000, help="Largest number of open tabs.", show_default="64")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the page's address.")]


def live(
    scene: Annotated[str, typer.Argument(help="Name of a shipped scene, or a path to a .toml file.")] = "jelly",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
    ] = None,
    ghost: Annotated[str, typer.Option(metavar="INTEGRATOR", help="Integrator of a second, translucent run.")] = "",
    out: Annotated[Path, typer.Option(help="Folder for scenes and runs saved from the page.")] = Path("runs"),
    port: Port = None,
    host: Host = "127.0.0.1",
    allow_host: AllowHost = None,
    max_clients: MaxClients = None,
    no_browser: NoBrowser = False,
) -> None:
    """Simulate a scene in the browser: play, pull bodies and change settings during the run; Ctrl-C stops it."""
    from supple.cli.output import new_console, stop_requests
    from supple.integrators import INTEGRATORS
    from supple.scene.text.load import load_scene
    from supple.viewer.live import LivePage, run_live

    console = new_console(False)
    loaded = load_scene(scene, settings or [])
    if ghost:
        INTEGRATORS.find(ghost)

    def serve(server: ViserServer) -> None:
        with stop_requests() as asked:
            page = LivePage(server, loaded, ghost, out=out)
            try:
                announce(server, console, no_browser)
                run_live(page, asked)
            finally:
                page.close()

    with_server(Place(host, port, tuple(allow_host or ()), max_clients), loaded.title or scene, serve)


@dataclass(frozen=True)
class Place:
    """Address, allowed host names and client limit of a page."""

    host: str
    port: int | None
    names: tuple[str, ...] = ()
    clients: int | None = None


def with_server(place: Place, label: str, serve: Callable[[ViserServer], None]) -> None:
    """Open a page, yield it, and close it in any case."""
    from supple.viewer.page.server import close_server, open_server

    server = open_server(place.host, place.port, label, place.names, place.clients)
    try:
        serve(server)
    finally:
        close_server(server)


def announce(server: ViserServer, console: Console, no_browser: bool) -> None:
    """Print the address of the page and open a browser, unless that is disabled or there is none."""
    import webbrowser

    from supple.viewer.page.server import address, open_to_others

    console.print(f"the page is at {address(server)}  (Ctrl-C stops it)", markup=False, soft_wrap=True)
    if open_to_others(server):
        console.print(
            f"warning: listening at {server.get_host()} lets other machines in; anyone with the address can control the page",
            markup=False,
            soft_wrap=True,
        )
    if not no_browser and not webbrowser.open(address(server)):
        console.print("no browser was found; open the address above in one", markup=False)
