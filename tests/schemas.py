"""The JSON schema of scene files, made once for all tests that look something up in it."""

from functools import cache
from typing import Any

from supple.scene.tables.scene import json_schema


@cache
def scene_schema() -> dict[str, Any]:
    return json_schema()
