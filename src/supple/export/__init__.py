"""A recorded run in the formats of other programs, one format per file; `FORMATS.load()` lists all by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from supple.registry import Registry

if TYPE_CHECKING:
    from supple.export.format import Format

FORMATS: Registry[Format] = Registry("format", "supple.export.formats")
