"""The whole program in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import _core

_PACKAGE = Path(__file__).resolve().parent


class Done(NamedTuple):
    """How a command ended: its exit status, and what it said."""

    status: int
    out: str
    err: str


def places() -> dict[str, Any]:
    """Where vectors, reproductions and examples lie, and the words that start Holdfast elsewhere."""
    source = _PACKAGE.parents[2]
    is_source = (source / "CMakePresets.json").exists()
    data = os.environ.get("HOLDFAST_DATA", "")
    if not data and is_source and (source.parent / "shared" / "data").is_dir():
        data = str(source.parent / "shared" / "data")
    return {"share": str(_PACKAGE / "share"), "source": str(source) if is_source else "", "data": data,
            "program": [sys.executable, "-m", "holdfast"]}


def command(words: Sequence[str], input: str = "") -> Done:
    """Run a command of the program, as on a command line.

    Parameters
    ----------
    words : sequence of str
        Without the program's name: ``["checkpoint", "plan", "--work", "48h"]``.
    input : str
        Standard input.

    Returns
    -------
    Done
        ``status`` (0: done, 1: the answer is "no", 2 and 3: refused, 4: a failure), ``out`` and ``err``.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.command(["checkpoint", "expected", "--work", "1h"]).status
    2
    """
    words = [str(word) for word in words]
    _refuse_mpi(words)
    status, out, err = _core.command(words, input, places())
    return Done(status, out.decode(), err.decode())


def _refuse_mpi(words: Sequence[str]) -> None:
    """Ranks are processes that mpirun starts, and Python is one of them already."""
    for first, second in zip(words, (*words[1:], ""), strict=True):
        if first == "--executor=mpi" or (first, second) == ("--executor", "mpi"):
            from .errors import UsageError
            raise UsageError("found 'mpi', which needs the program: mpirun -n 4 holdfast " + " ".join(words), "executor=")
