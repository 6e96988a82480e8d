"""The errata of the sources as a page beside the gallery."""

from __future__ import annotations

from supple.escaping import markup as escape
from supple.gallery.errata.erratum import Erratum, Source
from supple.gallery.errata.table import SOURCES
from supple.render.report.markup import paragraph, section
from supple.render.report.plots import resource

NAME = "errata.html"
WORDS = (
    "Formulas and claims that do not hold as printed, or only under a condition that is not stated. "
    "Each row names a test of supple that fails if the correction is wrong."
)


def errata_page() -> str:
    """All errata, one table per source, as a page that works offline."""
    title = "supple: errata of the sources"
    head = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{resource('page.css')}</style>\n</head>\n<body>"
    )
    top = (
        f'<header><h1>Errata of the sources</h1>{paragraph(WORDS)}<p><a href="index.html">The gallery</a></p></header>'
    )
    tables = "\n".join(section(source.letter, f"{source.letter}: {source.title}", _table(source)) for source in SOURCES)
    return f"{head}\n{top}\n<main>\n{tables}\n</main>\n</body>\n</html>\n"


def _table(source: Source) -> str:
    heads = "".join(f'<th scope="col">{text}</th>' for text in ("where", "printed", "correction", "proof"))
    rows = "\n".join(map(_row, source.errata))
    return (
        f'<div class="wide" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'
    )


def _row(erratum: Erratum) -> str:
    cells = "".join(f"<td>{escape(text)}</td>" for text in (erratum.printed, erratum.works))
    return f'<tr><th scope="row">{escape(erratum.where)}</th>{cells}<td><code>{escape(erratum.proof)}</code></td></tr>'
