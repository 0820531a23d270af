"""Times in words and in seconds."""

from __future__ import annotations

from typing import Any

from . import _core
from .values import plain


def seconds(quantity: Any) -> float:
    """A time in seconds.

    Parameters
    ----------
    quantity : str, float, datetime.timedelta, numpy.timedelta64
        A text with a unit (``"48h"``, ``"10min"``), or a number in seconds.

    Returns
    -------
    float
        Seconds. A year has 365 days.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.seconds("1h")
    3600.0
    """
    if isinstance(quantity, str):
        return float(_core.seconds(quantity))
    return float(quantity if isinstance(quantity, (int, float)) else plain(quantity))


def duration(quantity: Any) -> str:
    """A time in words, with at most two units.

    Parameters
    ----------
    quantity : str, float, datetime.timedelta, numpy.timedelta64
        As in `seconds`.

    Returns
    -------
    str

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.duration(4080.0)
    '1 h 8 min'
    """
    return str(_core.duration(seconds(quantity)))
