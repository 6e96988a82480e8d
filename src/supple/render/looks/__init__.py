"""Looks of pictures: the scientific one, and shaded ones in which bodies seem to be made of something."""
