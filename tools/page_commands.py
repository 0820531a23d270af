"""Commands that pages show: how they are written, and where they are run. tests/cli/page.hpp reads them."""

import contextlib
import os
import tempfile
import textwrap
from pathlib import Path

# Folders that commands on pages name relative to the project's root.
SHOWN = ("examples", "reproduce", "src")


def shell(command):
    """The command as a page shows it, broken where it is long."""
    return " \\\n".join(textwrap.wrap(command, 92, subsequent_indent="    ", break_long_words=False,
                                       break_on_hyphens=False))


@contextlib.contextmanager
def folder_for_commands(root):
    """A folder to run a page's commands in, with the folders that they name; removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="holdfast-page-") as folder:
        for name in SHOWN:
            if (root / name).exists():
                os.symlink(root / name, Path(folder) / name)
        yield Path(folder)
