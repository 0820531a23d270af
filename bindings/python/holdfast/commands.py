"""The whole program in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import _core
from .answers import Answer, warn
from .errors import UsageError
from .progress import watch
from .values import whole

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
            raise UsageError("found 'mpi', which needs the program: mpirun -n 4 holdfast " + " ".join(words), "executor=")


def verify(*files: str | os.PathLike[str], stop: Any = None) -> Answer:
    """Run check vectors: questions with what they must be answered.

    Parameters
    ----------
    *files : path
        Documents of kind "vectors"; without one, all that Holdfast brings along.
    stop : threading.Event, optional
        Ends the run.

    Returns
    -------
    Answer
        ``passed``, ``failed``, and the ``failures`` one by one; ``is_no`` where one failed.

    Examples
    --------
    >>> import holdfast as hf
    >>> print(hf.verify("src/holdfast/domains/io/vectors/examples.json"))
    87 passed, 0 failed
    """
    return Answer(_core.verify([os.fspath(file) for file in files], places(), stop), "", "verify")


def reproduce(*ids: str, all: bool = False, scale: float = 1.0, threads: int = 0, folder: str | os.PathLike[str] = "",
              results: str | os.PathLike[str] = "reproduce-results", plot: str | os.PathLike[str] = "", report: bool = False,
              force: bool = False, progress: Any = None, stop: Any = None) -> Answer:
    """Measure published tables and figures again, side by side with what was published.

    Parameters
    ----------
    *ids : str
        Which; without one, the answer is the list of what there is.
    all : bool
        Everything; takes hours.
    scale : float
        Multiplies the numbers of instances and scenarios.
    threads : int
        0: all cores; changes no byte of the results.
    folder : path
        Holds a folder for each; default: those that Holdfast brings along.
    results : path
        Where the campaigns' results go; what is there already is not run again.
    plot : path
        Where figures are drawn, an SVG for each panel; default: nowhere.
    report : bool
        Write ``report.html`` beside the results.
    force : bool
        Replace pictures that exist.
    progress : bool, callable or None
        As of ``simulate``.
    stop : threading.Event, optional
        Ends the run; what was finished is kept.

    Returns
    -------
    Answer
        Number by number with a verdict; ``is_no`` where something is out of tolerance or could not be run.

    Examples
    --------
    >>> import holdfast as hf
    >>> found = hf.reproduce("table-3.3")
    >>> found["within"], found["out"]
    (16, 0)
    """
    if not ids and not all:
        return Answer(_core.reproductions(os.fspath(folder), places()), "", "reproduce")
    options = {"all": all, "scale": scale, "threads": whole(threads, "threads=", 0, 2**32 - 1), "folder": os.fspath(folder), "directory": os.fspath(results),
               "plot": os.fspath(plot), "report": report, "force": force,
               "command": f"holdfast.reproduce({', '.join(map(repr, ids)) or 'all=True'})"}
    with watch(progress) as seen:
        answer = Answer(_core.reproduce(list(ids), options, places(), seen, stop), "", "reproduce")
    warn(answer.warnings)
    return answer
