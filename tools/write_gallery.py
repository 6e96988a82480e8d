"""Write docs/gallery from the folder of a gallery: `supple gallery --out FOLDER`, then `python tools/write_gallery.py FOLDER`."""

import sys
from pathlib import Path

from supple.gallery.choice import choose
from supple.gallery.page.markdown import document, write_pictures
from supple.gallery.tour import Tour

DOCS = Path(__file__).parents[1] / "docs/gallery"


def main(folder: Path) -> None:
    tour = Tour.of(choose([]), folder, full=False)
    if tour.left:
        missing = ", ".join(panel.name for panel in tour.left)
        raise SystemExit(f"{folder}: panels are not done: {missing}; run `supple gallery --out {folder}`")
    write_pictures(tour, DOCS / "images")
    (DOCS / "index.md").write_text(document(tour), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("give the folder of a finished gallery")
    main(Path(sys.argv[1]))
