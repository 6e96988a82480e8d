"""The whole page: one file, nothing from the network, the same from disk and from a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from supple import __version__
from supple.errors import RecordError
from supple.escaping import markup as escape
from supple.recording.files import replace_bytes
from supple.render.plots.energy import History
from supple.render.report import sections
from supple.render.report.account import Account, labels
from supple.render.report.expected import expectations
from supple.render.report.figures import figures
from supple.render.report.film_strip import films
from supple.render.report.ledger import ledger
from supple.render.report.markup import paragraph, section
from supple.render.report.panels import comparison_panels, energy_panels, momentum_panels, thinning
from supple.render.report.plots import Columns, plots, resource, script
from supple.render.report.work_panels import work_panels

HELP = "Hover to read values, drag to zoom, double-click to reset; click a name to hide its curve."

POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; media-src data:; '
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">"
)
"""The page forbids the browser to load any external resource."""


def write_report(accounts: Sequence[Account], out: Path, film: bool = False) -> None:
    """Write the page of one run, or of several side by side, into the file `out`."""
    if not accounts:
        raise RecordError(f"{out}: no runs to report on; give at least one folder")
    replace_bytes(out, page(accounts, film).encode())


def page(accounts: Sequence[Account], film: bool = False) -> str:
    """The page as HTML; `film` shows moving pictures instead of stills."""
    names = labels(accounts)
    title = " and ".join(dict.fromkeys(account.title for account in accounts))
    heading = title if len(accounts) == 1 else f"{title}: {len(accounts)} runs compared"
    css = "<style>\n" + resource("page.css") + "</style>"
    return "\n".join([
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        POLICY,
        f"<title>{escape(heading)}, a supple report</title>\n{css}\n</head>\n<body>",
        _body(accounts, names, heading, film),
        "</body>\n</html>\n",
    ])  # fmt: skip


def _body(accounts: Sequence[Account], names: Sequence[str], heading: str, film: bool) -> str:
    runs = [figures(account) for account in accounts]
    histories = {name: a.history for name, a in zip(names, accounts, strict=True) if len(a.history["time"])}
    columns = Columns()
    alone = len(accounts) == 1
    described = dict.fromkeys(account.description for account in accounts if account.description)
    overview = sections.cards(accounts[0], runs[0]) if alone else sections.comparison(accounts, names, runs)
    first = paragraph(sections.standing(accounts[0], runs[0]), "quiet") if alone else ""
    energy = momentum = work = ""
    if histories:
        energies = energy_panels(accounts[0].history) if alone else comparison_panels(histories)
        energy = _drawn(histories, accounts) + plots(energies, columns)
        momentum = plots(momentum_panels(histories), columns)
        work = plots(work_panels(histories), columns)
    return "\n".join([
        f"<header><h1>{escape(heading)}</h1>", *map(paragraph, described), first,
        sections.warnings(accounts, names, runs), "</header>\n<main>",
        overview if alone else section("comparison", "Comparison", overview),
        section("expected", "Expectations", expectations(accounts, names)),
        section("film", "Film", *films(accounts, names, film)),
        section("energy", "Energy", energy),
        section("ledger", "Ledger", ledger(names, runs) if histories else ""),
        section("momentum", "Momentum", momentum),
        section("work", "Work of the solver", work, sections.timings(accounts, names, runs)),
        section("method", "Integrator" if alone else "Integrators", sections.method(accounts, names)),
        section("scene", "Scene", sections.scene(accounts, names)),
        section("notes", "Notes", sections.notes(accounts, names)),
        f"</main>\n<footer><p>Written by supple {escape(__version__)} from {_sources(accounts)}.</p></footer>",
        columns.markup(), script(),
    ])  # fmt: skip


def _drawn(histories: Mapping[str, History], accounts: Sequence[Account]) -> str:
    most = max(map(thinning, histories.values()))
    missing = len(accounts) - len(histories)
    text = ""
    if most > 1:
        text += f"Long runs show one step in {most}; tables count all steps. "
    if missing:
        text += f"Not drawn because they have no row yet: {missing} of {len(accounts)} runs."
    return paragraph(HELP, "quiet help") + (paragraph(text, "quiet") if text else "")


def _sources(accounts: Sequence[Account]) -> str:
    return ", ".join(f"<code>{escape(account.folder.path.name)}</code>" for account in accounts)
