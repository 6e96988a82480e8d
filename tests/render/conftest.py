"""Fixtures of tests of pictures."""

from io import StringIO

import pytest
from rich.console import Console

from supple.cli.results.render import choose_renderer
from supple.errors import BackendMissing
from supple.render import gl


@pytest.fixture(params=["plain", "vtk"])
def renderer(request) -> str:
    """Both renderers. Where VTK cannot draw, it must be refused with a reason, and the automatic choice draws instead."""
    if request.param == "plain":
        return "plain"
    found = gl.probe()
    if not found.works:
        with pytest.raises(BackendMissing, match="--renderer plain"):
            choose_renderer("vtk", Console(file=StringIO()))
    chosen, _ = choose_renderer("auto", Console(file=StringIO()))
    assert chosen == ("vtk" if found.works else "plain")
    found.prepare()
    return chosen


@pytest.fixture
def no_still_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the plots for browsers without scripts, which take most of the time of a page."""
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")
