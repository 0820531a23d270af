"""``python -m holdfast ARGS``: the program."""

from __future__ import annotations

import sys

from .commands import command
from .errors import Error


def main() -> int:
    """Run the command in this process's arguments, and print its output."""
    words = sys.argv[1:]
    needs_input = "-" in words
    try:
        done = command(words, sys.stdin.read() if needs_input else "")
    except Error as error:
        print(f"holdfast: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    sys.stderr.write(done.err)
    sys.stdout.write(done.out)
    return done.status


if __name__ == "__main__":
    sys.exit(main())
