"""Commands that pages show: which they are, and what they print. See tools/check_pages for how a page writes them."""

import contextlib
import os
import re
import shlex
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

COMMAND = re.compile(r"^\$ (holdfast|\./run)( |$)")
# Folders that commands on pages name relative to the project's root.
SHOWN = ("examples", "reproduce", "src")


@dataclass
class Example:
    """One command of a page: lines[begin:end] are its output."""

    page: Path
    line: int  # of the command, from 1
    command: str
    begin: int
    end: int


def examples(page, lines):
    found = []
    fenced = False
    index = 0
    while index < len(lines):
        if lines[index].startswith("```"):
            fenced = not fenced
        if not fenced or not COMMAND.match(lines[index]):
            index += 1
            continue
        start = index
        command = lines[index][2:]
        while command.endswith("\\"):
            index += 1
            command = command[:-1] + lines[index].strip()
        begin = end = index + 1
        while end < len(lines) and not lines[end].startswith(("```", "$ ")):
            end += 1
        found.append(Example(page, start + 1, command, begin, end))
        index = end
    return found


def trimmed(lines):
    """The lines, without blanks at their ends and without empty lines before and after them."""
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


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


def folder_of_data(root):
    return (root / os.environ.get("HOLDFAST_DATA", "../shared/data")).resolve()


def run(program, data, command, folder):
    """Lines of standard output, or None and a reason why the command cannot be run here."""
    words = shlex.split(command)
    needs_data = any("$HOLDFAST_DATA" in word for word in words)
    if needs_data and not data.is_dir():
        return None, f"no {data} (HOLDFAST_DATA names the folder)"
    words = [word.replace("$HOLDFAST_DATA", str(data)) for word in words]
    done = subprocess.run([program, *words[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = done.stdout.replace(str(data), "$HOLDFAST_DATA").splitlines()
    if done.returncode not in (0, 1):
        lines += [f"[exit {done.returncode}]", *done.stderr.splitlines()]
    return trimmed(lines), None
