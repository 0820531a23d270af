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
    """The result of a command: its exit status and its output."""

    status: int
    out: str
    err: str


def places() -> dict[str, Any]:
    """The folders of check vectors, reproductions, examples and data, and the command that starts Holdfast elsewhere."""
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
        The command line without the program's name: ``["checkpoint", "plan", "--work", "48h"]``.
    input : str
        Standard input of the command.

    Returns
    -------
    Done
        ``status`` (0: success, 1: the answer is "no", 2 and 3: refused, 4: a failure), ``out`` and ``err``.

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
    """Refuse --executor mpi: mpirun has to start the processes, but this one runs already."""
    for first, second in zip(words, (*words[1:], ""), strict=True):
        if first == "--executor=mpi" or (first, second) == ("--executor", "mpi"):
            raise UsageError("found 'mpi', which needs the program: mpirun -n 4 holdfast " + " ".join(words), "executor=")


def guard(command: Sequence[str], /, *, output: str | os.PathLike[str] | None = None, **options: Any) -> Answer:
    """Run a program under a guard, which asks it for checkpoints and starts it again when it fails, until it ends.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments: ``["python3", "train.py"]``.
    output : path, optional
        The guard's directory; default: the program's name with ``-guard`` in the current folder.
    **options
        Options of ``holdfast guard`` with underscores for hyphens: ``trigger="signal:USR1"``, ``checkpoint_file="state"``.

    Returns
    -------
    Answer
        The report: ``outcome``, ``checkpoints``, ``failures``, ``seconds``.

    Raises
    ------
    UsageError
        If the program was not started.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.guard(["sh", "-c", "date > state"], trigger="none", checkpoint_file="state", mtbf="30d", output="watched")["outcome"]
    'finish'
    """
    words = [os.fspath(word) for word in command]
    if not words:
        raise UsageError("found no program, expected one with its arguments", "command=")
    directory = os.fspath(output) if output is not None else Path(words[0]).name + "-guard"
    asked = ["guard", "--output", directory]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            asked.append(flag)
        elif value is not None and value is not False:
            asked += [flag, str(value)]
    done = _core.command([*asked, "--", *words], "", places())
    if not (Path(directory) / "journal.ndjson").exists():
        raise UsageError(done[2].decode().removeprefix("holdfast: ").strip(), "")
    return Answer(_core.program("report", {"results": directory}, places()), "", "guard")


def verify(*files: str | os.PathLike[str], stop: Any = None) -> Answer:
    """Run check vectors: questions with their expected answers.

    Parameters
    ----------
    *files : path
        Documents of kind "vectors"; without one, all those that are part of Holdfast.
    stop : threading.Event, optional
        Ends the run when it is set.

    Returns
    -------
    Answer
        ``passed``, ``failed``, and the ``failures`` one by one; ``is_no`` if one failed.

    Examples
    --------
    >>> import holdfast as hf
    >>> print(hf.verify("src/holdfast/domains/io/vectors/examples.json"))
    87 passed, 0 failed
    """
    return Answer(_core.program("verify", {"file": [os.fspath(file) for file in files]}, places(), stop=stop), "", "verify")


def reproduce(*ids: str, all: bool = False, scale: float = 1.0, threads: int = 0, folder: str | os.PathLike[str] = "",
              results: str | os.PathLike[str] = "reproduce-results", plot: str | os.PathLike[str] = "", report: bool = False,
              force: bool = False, progress: Any = None, stop: Any = None) -> Answer:
    """Measure published tables and figures again, and compare the numbers with the published ones.

    Parameters
    ----------
    *ids : str
        Tables and figures to measure; without one, the answer lists them all.
    all : bool
        Measure all of them, which takes hours.
    scale : float
        Factor for the numbers of instances and scenarios.
    threads : int
        Number of threads; 0: all cores. It changes no byte of the results.
    folder : path
        Folder with a folder for each table and figure; default: those that are part of Holdfast.
    results : path
        Folder for the campaigns' results; finished cells in it are not run again.
    plot : path
        Folder for figures, an SVG for each panel; default: none are drawn.
    report : bool
        Write ``report.html`` beside the results.
    force : bool
        Replace pictures that exist.
    progress : bool, callable or None
        As in ``simulate``.
    stop : threading.Event, optional
        Ends the run when it is set; finished cells are kept.

    Returns
    -------
    Answer
        Each number with a verdict; ``is_no`` if a number is out of tolerance or something could not be run.

    Examples
    --------
    >>> import holdfast as hf
    >>> found = hf.reproduce("table-3.3")
    >>> found["within"], found["out"]
    (16, 0)
    """
    options = {"id": list(ids), "list": not ids and not all, "all": all, "scale": scale,
               "threads": whole(threads, "threads=", 0, 2**32 - 1) or None, "from": os.fspath(folder), "output": os.fspath(results),
               "plot": os.fspath(plot), "report": report, "force": force}
    with watch(progress) as seen:
        asked = f"holdfast.reproduce({', '.join(map(repr, ids)) or 'all=True'})"
        answer = Answer(_core.program("reproduce", options, places(), asked, seen, stop), "", "reproduce")
    warn(answer.warnings)
    return answer
