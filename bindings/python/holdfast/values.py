"""Objects of which a document may be made, in addition to plain Python: paths, times, laws, frames."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Mapping
from typing import Any

from .errors import UsageError


def plain(value: Any) -> Any:
    """The same value as a plainer object, or NotImplemented. The compiled module calls it for objects that it does not know."""
    document = getattr(type(value), "__holdfast_document__", None)
    if document is not None:
        return document(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, datetime.timedelta):  # pandas.Timedelta is one too
        return value.total_seconds()
    made = _of_arrays(value)
    if made is NotImplemented and hasattr(value, "__index__") and not hasattr(value, "__array__"):
        return value.__index__()
    return made


def whole(value: Any, where: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number within bounds, from an int, an integer of NumPy or a text of digits."""
    number: int | None = None
    if isinstance(value, str):
        number = int(value) if value.isdecimal() else None
    elif not isinstance(value, bool) and hasattr(value, "__index__"):
        number = value.__index__()
    if number is not None and least <= number <= most:
        return number
    bounds = f"of at least {least}" if least == 1 else f"from {least} to {most}"
    raise UsageError(f"found {value!r}, expected a whole number {bounds}", where)


def _of_arrays(value: Any) -> Any:
    """The same for objects of NumPy and pandas, which are imported already if such objects exist."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None:
        if isinstance(value, pandas.DataFrame):
            return [_without_nan(row) for row in value.to_dict("records")]
        if isinstance(value, (pandas.Series, pandas.Index)):
            return value.to_numpy()
    if numpy is None:
        return NotImplemented
    if isinstance(value, numpy.timedelta64):
        return float(value / numpy.timedelta64(1, "s"))
    if isinstance(value, numpy.ma.MaskedArray):
        return NotImplemented if value.mask.any() else value.data
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind == "m":
            return value / numpy.timedelta64(1, "s")
        return value.tolist()
    if isinstance(value, numpy.generic):
        return value.item()
    return NotImplemented


def _without_nan(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a frame without its missing cells."""
    return {name: cell for name, cell in row.items() if not _is_missing(cell)}


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)
