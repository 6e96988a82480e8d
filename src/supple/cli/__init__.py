"""The command line: one file a command; `main` is what the `supple` script calls."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from supple.errors import SuppleError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command: 0 if all went well, 2 for an error of the user, 130 for Ctrl-C; always leaves by SystemExit."""
    from supple.cli.app import app

    try:
        app(args=arguments, prog_name="supple")
    except SuppleError as error:
        # plain text: square brackets of a path are not markup
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
