"""Child processes that import helpers of the tests."""

import os
from pathlib import Path

TESTS = Path(__file__).parent


def environment(folder: Path = TESTS) -> dict[str, str]:
    """The environment of this process, with a folder of helpers first among those of modules."""
    folders = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
