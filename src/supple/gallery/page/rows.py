"""A row of the gallery's page: claim, pictures, figures, verdict, command."""

from __future__ import annotations

from supple.escaping import markup as escape
from supple.gallery.desk import Picture
from supple.gallery.outcome import Outcome
from supple.gallery.panel import Panel
from supple.gallery.verdicts import Figure, Verdict


def row(panel: type[Panel], outcome: Outcome) -> str:
    """A panel as HTML."""
    ids = escape(", ".join((panel.name, *panel.also)))
    kind = css_class(outcome.verdict)
    badge = f'<span class="verdict {kind}">{escape(outcome.verdict)}</span>'
    return "\n".join([
        f'<article id="{escape(panel.name)}" data-verdict="{kind}">',
        f"<h3><span class=\"id\">{ids}</span> {escape(panel.title)} {badge}</h3>",
        f"<p><b>Claim.</b> {escape(panel.claim)}</p>",
        _because(panel, outcome),
        f'<p class="error">{escape(outcome.error)}</p>' if outcome.error else "",
        f'<div class="pictures">{"".join(_picture(panel.name, picture) for picture in outcome.pictures)}</div>',
        _figures(outcome.figures),
        f'<p class="quiet">{escape(panel.setup)}. Computed in {outcome.seconds:.1f} s.</p>',
        f"<p class=\"quiet\"><code>supple gallery {escape(panel.name)}{' --full' if outcome.full else ''}</code>"
        + (f" · <code>{escape(panel.command)}</code>" if panel.command else "")
        + "</p>",
        "</article>",
    ])  # fmt: skip


def css_class(verdict: Verdict) -> str:
    """The name used by styles and scripts."""
    return verdict.name.lower().replace("_", "-")


def _because(panel: type[Panel], outcome: Outcome) -> str:
    if not panel.because or outcome.verdict is Verdict.FAILED:
        return ""
    head = "Correction." if panel.expects is Verdict.CORRECTED else "Reason."
    head = "Remark." if panel.expects is Verdict.REPRODUCED else head
    return f"<p><b>{head}</b> {escape(panel.because)}</p>"


def _figures(figures: tuple[Figure, ...]) -> str:
    if not figures:
        return ""
    printed = any(figure.printed for figure in figures)
    head = "<tr><th>measured</th><th>figure</th><th>bound</th>" + ("<th>printed</th>" if printed else "") + "</tr>"
    lines = "".join(
        f'<tr class="{"" if f.holds else "missed"}"><td>{escape(f.what)}</td><td class="figure">{number(f.value)}'
        f"{escape(' ' + f.unit if f.unit else '')}</td><td>{escape(str(f.bound)) if f.bound else ''}</td>"
        + (f"<td>{escape(f.printed)}</td>" if printed else "")
        + "</tr>"
        for f in figures
    )
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{lines}</tbody></table></div>'


def number(value: float) -> str:
    """Four digits, with an exponent instead of many zeros."""
    return f"{value:,.0f}" if 1 <= abs(value) < 1e7 and value == round(value) else f"{value:.4g}"


def _picture(panel: str, picture: Picture) -> str:
    files = [f"panels/{escape(panel)}/{escape(file)}" for file in picture.files]
    alt = escape(picture.caption)
    if picture.kind == "plot":
        light, dark, _ = files
        shown = (
            f'<picture><source srcset="{dark}" media="(prefers-color-scheme: dark)">'
            f'<img src="{light}" alt="{alt}" loading="lazy"></picture>'
        )
    elif picture.kind == "film":
        film, poster = files
        playing = 'controls loop muted playsinline preload="none"'
        shown = f'<video src="{film}" poster="{poster}" {playing} aria-label="{alt}"></video>'
    else:
        shown = f'<img src="{files[0]}" alt="{alt}" loading="lazy">'
    wide = ' class="whole"' if picture.wide else ""
    return f"<figure{wide}>{shown}<figcaption>{alt}</figcaption></figure>"
