"""What tests of pictures share."""

import pytest

from supple.render import gl


@pytest.fixture(params=["plain", "vtk"])
def renderer(request) -> str:
    """Both renderers; VTK only where it can draw."""
    if request.param == "vtk":
        found = gl.probe()
        if not found.works:
            pytest.skip(found.reason)
        found.prepare()
    return str(request.param)
