"""Writes docs/theory/errata.md from the table of corrections in the package.

python tools/write_errata.py
"""

from __future__ import annotations

from pathlib import Path

from supple.gallery.errata.page import page

PAGE = Path(__file__).parent.parent / "docs" / "theory" / "errata.md"

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
