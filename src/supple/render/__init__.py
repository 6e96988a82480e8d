"""Pictures of recorded runs."""

from supple.surroundings import import_matplotlib

import_matplotlib()  # before any module of this folder does
