"""Words of a director: stiffer, heavier, bouncier, settled after so many seconds; what they make of bodies and methods."""
