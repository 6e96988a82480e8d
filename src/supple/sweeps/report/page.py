"""The page of a sweep: one file, nothing from the network, in the style of the report of a run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from supple import __version__
from supple.escaping import embedded
from supple.escaping import markup as escape
from supple.recording.files import replace_bytes
from supple.render.report.markup import paragraph, section
from supple.render.report.page import POLICY
from supple.render.report.plots import Columns, resource
from supple.sweeps.manifest import Manifest, State
from supple.sweeps.report.gather import Followed, Gathered, gather, unseen
from supple.sweeps.report.sheet import geometry, sheet
from supple.sweeps.report.tables import failures, run_table

HERE = "supple.sweeps.report"
SHARED = ("axis.js", "paint.js", "plot.js", "draw.js")
SCRIPTS = (
    "model.js", "colour.js", "sheet.js", "detail.js", "table.js", "chart.js", "scatter.js", "parallel.js", "curves.js",
    "start.js",
)  # fmt: skip


def write_sweep_report(manifest: Manifest, out: Path, followed: Followed = unseen) -> Gathered:
    """Write the page of a sweep, finished or not, into the file `out`; returns its contents."""
    found = gather(manifest, out, followed)
    replace_bytes(out, page(found).encode())
    return found


def page(found: Gathered) -> str:
    """The page as HTML."""
    plan = found.manifest.plan
    title = f"{Path(plan['source']).stem}: a sweep of {len(found.entries)} runs"
    css = "<style>\n" + resource("page.css") + resource("sweep.css", HERE) + "</style>"
    code = "\n".join([*map(resource, SHARED), *(resource(name, HERE) for name in SCRIPTS)])
    columns = Columns()
    data = _json(_data(found, columns), "sweep")
    return "\n".join([
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', POLICY,
        f"<title>{escape(title)}, a supple report</title>\n{css}\n</head>\n<body class=\"sweep\" style=\"{geometry(found)}\">",
        f"<header><h1>{escape(title)}</h1>", paragraph(_plan(plan), "quiet"), _standing(found), "</header>\n<main>",
        BAR, f"<noscript>{paragraph(PLAIN, 'quiet')}</noscript>",
        section("contact-sheet", "Contact sheet", ARRANGE, sheet(found)),
        section("table", "Runs", run_table(found)),
        section("failed", "Failed runs", failures(found)),
        section("measures", "Measures against values", _charts(found)),
        section("energy", "Energy of all runs", _energy(found)),
        f"</main>\n<footer><p>Written by supple {escape(__version__)} from <code>{_name(found)}</code>.</p></footer>",
        DETAIL, data, columns.markup(), f"<script>\n(() => {{\n{code}}})();\n</script>",
        "</body>\n</html>\n",
    ])  # fmt: skip


PLAIN = "Scripts are off: the pictures show the end of each run, and the table is in the order of the runs."

BAR = """<div id="bar" class="scripted">
<button type="button" id="play" aria-pressed="false">Play</button>
<label>Time <input type="range" id="time" min="0" max="0" step="1" value="0"></label><output id="clock"></output>
<label>Colour by <select id="colour"></select></label><span id="scale"></span>
<span id="count" role="status"></span>
<label><input type="checkbox" id="only"> kept only</label>
<button type="button" id="reset">Show all runs</button>
</div>
<p id="kept" class="quiet scripted" role="status"></p>"""

ARRANGE = """<p class="arrange scripted">
<label>Columns <select id="across"></select></label> <label>Rows <select id="down"></select></label>
<label>Size <input type="range" id="size" min="90" max="480" value="200"></label>
<span class="quiet">Click a picture for a larger film; keep runs with their checkboxes.</span></p>"""

DETAIL = """<dialog id="detail" aria-labelledby="detail-title">
<form method="dialog"><h2 id="detail-title"></h2><button aria-label="Close">\u00d7</button></form>
<div class="shot" role="img"></div>
<p class="turns"><button type="button" id="before">\u2190 previous run</button> <output></output>
<label><input type="checkbox" class="keep"> keep</label> <button type="button" id="after">next run \u2192</button></p>
<p class="warning" hidden></p><dl></dl>
</dialog>"""


def _charts(found: Gathered) -> str:
    if not any(entry.row.state is State.FINISHED for entry in found.entries):
        return ""
    return (
        '<div class="scripted charts"><figure class="chart" id="parallel"><figcaption>Parallel coordinates<span>A line for each '
        "run. Drag along an axis to keep the runs in that range, click an axis to reset it.</span></figcaption></figure>"
        '<figure class="chart" id="scatter"><figcaption><label>Horizontal <select id="scatter-x"></select></label> '
        '<label>Vertical <select id="scatter-y"></select></label></figcaption></figure></div>'
    )


def _energy(found: Gathered) -> str:
    if not found.curves.histories:
        return ""
    words = f" One step in {found.curves.every} is drawn." if found.curves.every > 1 else ""
    return (
        '<div class="scripted"><figure class="chart" id="curves"><figcaption><label>Energy <select id="curve"></select></label> '
        '<label><input type="checkbox" id="log"> logarithmic</label>'
        f"<span>Heights fit finished runs; diverged runs leave the plot.{words}</span></figcaption></figure></div>"
    )


def _data(found: Gathered, columns: Columns) -> dict[str, Any]:
    return {
        "columns": [column.plain() for column in found.columns],
        "runs": [entry.plain() for entry in found.entries],
        "times": found.times,
        "curves": found.curves.plain(columns),
        "grid": found.manifest.plan["design"]["kind"] == "grid",
    }


def _plan(plan: dict[str, Any]) -> str:
    kind = plan["design"]["kind"]
    words = {"grid": "every combination", "together": "values paired by position"}
    how = words.get(kind, f"{plan['design'].get('sampling', 'random')} samples")
    keys = ", ".join(axis["key"] for axis in plan["axes"])
    return f"Varies {keys}: {how}. {' '.join(['Set:', *plan['settings']]) if plan['settings'] else ''}".strip()


def _standing(found: Gathered) -> str:
    counts = Counter(entry.row.state for entry in found.entries)
    unfinished = counts[State.WAITING] + counts[State.RUNNING]
    said = []
    if unfinished:
        said.append(
            f"{unfinished} of {len(found.entries)} runs are not finished; the page shows the recorded data. Continue with: "
            f"supple sweep --resume {found.manifest.folder.name}"
        )
    if counts[State.FAILED]:
        said.append(f"{counts[State.FAILED]} of {len(found.entries)} runs failed; their messages are below the table.")
    return "\n".join(paragraph(text, "warning") for text in said)


def _name(found: Gathered) -> str:
    return escape(found.manifest.folder.resolve().name)


def _json(data: Any, name: str) -> str:
    # a name containing </script> must not end the script
    text = embedded(json.dumps(data, allow_nan=False, separators=(",", ":")))
    return f'<script type="application/json" id="{name}">{text}</script>'
