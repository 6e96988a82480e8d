"""`python -m supple` is the `supple` command."""

from supple.cli import script

script()
