"""Folders of runs without a simulation, and parts of pages."""

import base64
import json
from html.parser import HTMLParser

import numpy as np

from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import COLUMNS, COUNTS, HistoryWriter

SCENE = """
title = "{title}"
description = "{description}"
[world]
up = "y"
gravity = 9.81
[time]
step = {step}
duration = {duration}
[integrator]
name = "{method}"
[[body]]
name = "bar"
[body.material]
name = "stvk"
young = 2e4
"""


def make_run(
    path,
    rows=21,
    method="avf",
    status=RunStatus.FINISHED,
    title="bar",
    description="",
    step=0.05,
    rate=0.0,
    log="begins\nfinished after step 20\n",
    frames=8,
):
    """A swing whose energy grows at `rate` [1/s], as a run would have left it."""
    folder = RunFolder.create(path)
    text = SCENE.format(title=title, description=description, step=step, duration=step * (rows - 1 or 1), method=method)
    folder.scene.write_text(text)
    folder.log.write_text(log)
    writer = HistoryWriter.create(folder.history)
    for k in range(rows):
        writer.append(_row(k, step, rate))
    writer.close()
    cells = Cells.join([np.array([[0, 1, 2, 3]])])
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    animation = AnimationWriter.create(folder.animation, cells, 4, 50, {"up": "y", "integrator": method})
    for k in range(frames):
        x = corners + 0.1 * k
        animation.record(k / 8, x, np.zeros((4, 3)), np.arange(4.0))
    animation.close()
    if status is not RunStatus.RUNNING:
        folder.mark(status)
    folder.close()
    return path


def _row(k, step, rate):
    t = k * step
    with np.errstate(over="ignore"):
        energy = 10.0 * np.exp(rate * t)
    row = dict.fromkeys(COLUMNS, 0.0) | dict.fromkeys(COUNTS, 0)
    return row | {
        "step": k,
        "time": t,
        "h": step if k else 0.0,
        "kinetic": energy * np.sin(t) ** 2,
        "elastic": energy * np.cos(t) ** 2,
        "total": energy,
        "residual": energy - 10.0 + 1e-13 * k,
        "px": np.sin(t),
        "lz": 0.5,
        "newton_iterations": 3 + k % 4 if k else 0,
        "factorisations": 2 if k else 0,
        "wall_seconds": 0.01 + 0.001 * k if k else 0.0,
    }


class Page(HTMLParser):
    """Tags that open and close in order, addresses, panels and columns of a report."""

    VOID = frozenset({"meta", "img", "br", "input", "link", "hr"})

    def __init__(self, html):
        super().__init__()
        self.open, self.addresses, self.ids, self.scripts, self.text = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.addresses += [values[key] for key in ("src", "href", "poster", "action", "data") if key in values]
        self.ids += [values["id"]] if "id" in values else []
        if tag == "script":
            self.scripts.append((values, ""))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            values, text = self.scripts[-1]
            self.scripts[-1] = values, text + data
        elif self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())

    @property
    def columns(self):
        stored = next(json.loads(text) for values, text in self.scripts if values.get("id") == "columns")
        return {k: np.frombuffer(base64.b64decode(v[3:]), dtype=f"<{v[:2]}") for k, v in stored.items()}

    @property
    def panels(self):
        """Title -> label -> x and y."""
        columns, found = self.columns, {}
        for values, text in self.scripts:
            if values.get("type") == "application/json" and "id" not in values:
                panel = json.loads(text)
                curves = {c["label"]: (columns[c["x"]], columns[c["y"]]) for c in panel["curves"]}
                found[panel["title"]] = curves
        return found
