"""Traces: logs of failures, jobs, availability, workflows."""

from __future__ import annotations

import os
from typing import Any

from . import _core
from .answers import Answer, warn


def _ask(verb: str, file: Any, keywords: dict[str, Any], *, seed: int = 1, output: Any = "", force: bool = False) -> Answer:
    found = _core.trace(verb, {"file": os.fspath(file), **keywords}, seed, os.fspath(output), force)
    warn(found.warnings())
    return Answer(found, "trace", verb)


def info(file: str | os.PathLike[str], /, **options: Any) -> Answer:
    """What a trace is, and what is in it.

    Parameters
    ----------
    file : path
        Compressed or not.
    **options
        Of ``trace info``: ``format``, ``system`` ...
    """
    return _ask("info", file, options)


def convert(file: str | os.PathLike[str], output: str | os.PathLike[str], /, *, force: bool = False, **options: Any) -> Answer:
    """Write a trace in another format; what is lost is warned of.

    Parameters
    ----------
    file, output : path
        What is read, and what is written.
    force : bool
        Replace a file that exists.
    **options
        Of ``trace convert``: ``to="..."``, ``format`` ...
    """
    return _ask("convert", file, options, output=output, force=force)


def slice(file: str | os.PathLike[str], output: str | os.PathLike[str], /, *, force: bool = False, seed: int = 1,
          **options: Any) -> Answer:
    """Write a part of a trace.

    Parameters
    ----------
    file, output : path
        What is read, and what is written.
    force : bool
        Replace a file that exists.
    seed : int
        Of what is drawn.
    **options
        Of ``trace slice``: ``from_``, ``to`` ...
    """
    return _ask("slice", file, options, seed=seed, output=output, force=force)
