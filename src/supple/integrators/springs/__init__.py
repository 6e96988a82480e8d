"""Methods for bodies made of springs."""
