"""Columns as arrays and frames. NumPy and pandas are imported here, only when they are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import pandas


def numpy_array(cells: Sequence[Any]) -> numpy.ndarray[Any, Any]:
    """Cells as an array: bool or int64 if all are, float64 if all are numbers or missing (NaN), otherwise objects."""
    import numpy
    present = [cell for cell in cells if cell is not None]
    if present and all(isinstance(cell, bool) for cell in present) and len(present) == len(cells):
        return numpy.array(cells, dtype=bool)
    if present and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in present):
        if len(present) == len(cells) and all(isinstance(cell, int) for cell in cells):
            return numpy.array(cells, dtype=numpy.int64)
        return numpy.array([numpy.nan if cell is None else cell for cell in cells], dtype=numpy.float64)
    out = numpy.empty(len(cells), dtype=object)
    out[:] = cells
    return out


def frame_of(columns: Mapping[str, Any], units: Mapping[str, str]) -> pandas.DataFrame:
    """A frame of columns; its ``attrs["units"]`` has the units of those that have one."""
    import pandas
    made = {name: numpy_array(cells) if isinstance(cells, list) else cells for name, cells in columns.items()}
    frame = pandas.DataFrame(made, copy=False)
    frame.attrs["units"] = dict(units)
    return frame
