"""A recorded run in the formats of other programs, one format a file; `FORMATS.load()` knows them all by name."""

from supple.registry import Registry

FORMATS = Registry("format", "supple.export.formats")
