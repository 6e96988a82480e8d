"""`python -m supple` is the `supple` command."""

from supple.cli import main

main()
