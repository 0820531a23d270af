"""Traces: logs of failures, jobs, availability, workflows."""

from __future__ import annotations

import csv
import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _core
from .answers import Answer, warn
from .errors import UsageError
from .tables import frame_of, numpy_array
from .values import whole

if TYPE_CHECKING:
    import pandas

_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")
__all__ = ["Records", "convert", "info", "read", "slice"]


def __dir__() -> list[str]:
    return __all__


class Records:
    """The records of a trace, in the plain form of its kind.

    Attributes
    ----------
    kind : str
        Kind of the trace: "failures", "jobs", "availability", "workflow" ...
    text : str
        The plain file, as ``holdfast trace convert --to csv`` writes it.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text

    @cached_property
    def document(self) -> Any:
        """The document of WfFormat, for a workflow, which is not a table."""
        if not self.text.startswith("{"):
            raise UsageError(f"found {self.kind}, which are a table: .columns() or .frame()", "document")
        return _core.from_json(self.text)

    def columns(self) -> dict[str, Any]:
        """The columns as arrays: float64 in SI base units, with NaN for an empty cell; dates as datetime64; texts as objects.

        Examples
        --------
        >>> import holdfast as hf
        >>> log = hf.trace.read("examples/data/sample-failures.csv")
        >>> log.kind, list(log.columns())
        ('failures', ['node', 'down', 'up', 'in_service'])
        """
        return {name: _array(cells) for name, cells in self._cells().items()}

    def frame(self) -> pandas.DataFrame:
        """The columns as a frame.

        Examples
        --------
        >>> import holdfast as hf
        >>> frame = hf.trace.read("examples/data/sample-failures.csv").frame()
        >>> frame["down"].max()
        Timestamp('2025-12-29 20:57:00')
        """
        return frame_of(self.columns(), {})

    def _cells(self) -> dict[str, list[Any]]:
        if self.text.startswith("{"):
            raise UsageError(f"found a {self.kind}, which is no table: .document has it", "columns")
        lines = [line for line in self.text.splitlines() if not line.startswith("#")]
        names, *rows = csv.reader(lines)
        return {name: _numbers([row[i] for row in rows]) for i, name in enumerate(names)}

    def __len__(self) -> int:
        cells = self._cells()
        return len(next(iter(cells.values())))

    def __repr__(self) -> str:
        return f"<{self.kind}>" if self.text.startswith("{") else f"<{self.kind}, {len(self)} rows>"


def _array(cells: list[Any]) -> Any:
    """Cells as an array; dates in the format of plain files become datetime64."""
    is_date = [isinstance(cell, str) and _DATE.fullmatch(cell) is not None for cell in cells if cell is not None]
    if not is_date or not all(is_date):
        return numpy_array(cells)
    import numpy
    return numpy.array([numpy.datetime64("NaT") if cell is None else cell for cell in cells], dtype="datetime64[s]")


def _numbers(cells: list[str]) -> list[Any]:
    """Cells as numbers if all of them are numbers or empty; an empty cell becomes None."""
    try:
        return [float(cell) if cell else None for cell in cells]
    except ValueError:
        return [cell or None for cell in cells]


def read(file: str | os.PathLike[str], /, **options: Any) -> Records:
    """Read a trace of any format as records of its kind.

    Parameters
    ----------
    file : path
        File to read, compressed or not.
    **options
        Options of ``trace convert``: ``read_as``, ``columns`` (a text, or a dict of fields and columns), ``where``, ``system`` ...

    Returns
    -------
    Records

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.trace.read("examples/data/sample-failures.csv")
    <failures, 408 rows>
    """
    kind, text, warnings = _core.plain_trace({"file": os.fspath(file), **options})
    warn(warnings)
    return Records(kind, text)


def _ask(verb: str, file: Any, keywords: dict[str, Any], *, seed: int = 1, output: Any = "", force: bool = False) -> Answer:
    found = _core.trace(verb, {"file": os.fspath(file), **keywords}, whole(seed, "seed="), os.fspath(output), force)
    warn(found.warnings())
    return Answer(found, "trace", verb)


def info(file: str | os.PathLike[str], /, **options: Any) -> Answer:
    """The format of a trace, and a summary of its contents.

    Parameters
    ----------
    file : path
        File to read, compressed or not.
    **options
        Options of ``trace info``: ``read_as``, ``columns`` (a text, or a dict of fields and columns), ``where``, ``system`` ...

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.trace.info("examples/data/sample-failures.csv")["nodes"]
    128
    """
    return _ask("info", file, options)


def convert(file: str | os.PathLike[str], output: str | os.PathLike[str], /, *, force: bool = False, **options: Any) -> Answer:
    """Write a trace in another format. A warning names the information that is lost.

    Parameters
    ----------
    file, output : path
        File to read, and file to write.
    force : bool
        Replace a file that exists.
    **options
        Options of ``trace convert``: ``to="..."``, ``read_as``, ``columns`` ...

    Examples
    --------
    >>> import holdfast as hf
    >>> answer = hf.trace.convert("examples/data/sample-failures.csv", "sample.avt", to="avt", force=True)
    """
    return _ask("convert", file, options, output=output, force=force)


def slice(file: str | os.PathLike[str], output: str | os.PathLike[str], /, *, force: bool = False, seed: int = 1,
          **options: Any) -> Answer:
    """Write a part of a trace.

    Parameters
    ----------
    file, output : path
        File to read, and file to write.
    force : bool
        Replace a file that exists.
    seed : int
        Seed of the sample.
    **options
        Options of ``trace slice``: ``from_``, ``to`` ...

    Examples
    --------
    >>> import holdfast as hf
    >>> part = hf.trace.slice("examples/data/sample-failures.csv", "january.csv", to="2025-02-01", force=True)
    """
    return _ask("slice", file, options, seed=seed, output=output, force=force)
