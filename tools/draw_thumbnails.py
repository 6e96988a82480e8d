"""Cuts the thumbnails of docs/guide/index.md out of pictures of the guide, into docs/images/thumbnails.

python tools/draw_thumbnails.py
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

IMAGES = Path(__file__).parent.parent / "docs" / "images"
SIZE = (240, 180)
CUTS = {
    "presets": ("jelly-foam-steak", (205, 45), 195),
    "contact": ("draped-cloth", (120, 45), 255),
    "sewing": ("sewn-bag", (748, 36), 252),
    "motion": ("curtain", (130, 25), 240),
    "motion-files": ("caped-walker", (612, 38), 222),
    "fields": ("flag-in-a-storm", (40, 26), 150),
    "attachments": ("rope-bridge", (110, 46), 255),
    "embedded-surfaces": ("embedded-plant", (0, 72), 180),
    "points": ("points/dam-break", (374, 38), 156),
}
"""Picture of each page, with the upper left corner and the height of the part [px]."""


def main() -> None:
    (IMAGES / "thumbnails").mkdir(exist_ok=True)
    for page, (name, (x, y), height) in CUTS.items():
        with Image.open(IMAGES / f"{name}.png") as picture:
            part = picture.convert("RGB").crop((x, y, x + height * 4 // 3, y + height))
        part.resize(SIZE, Image.Resampling.LANCZOS).save(IMAGES / "thumbnails" / f"{page}.png", optimize=True)


if __name__ == "__main__":
    main()
