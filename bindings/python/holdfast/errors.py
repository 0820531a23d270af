"""Errors of the library as exceptions, each with the place of the error."""

from __future__ import annotations

import keyword
import re


class Error(Exception):
    """An error of the library.

    Attributes
    ----------
    code : str
        Kind of the error: "usage", "bad_value", "bad_format", "unknown_name", "infeasible", "io_failure".
    where : str
        The place: a keyword (``work=``), a pointer into the document (``/tasks/3/length``), ``FILE:LINE``; may be empty.
    message : str
        What was found, what was expected, and what to do.
    exit_code : int
        The exit status of the program for the same error.
    """

    code = ""
    exit_code = 3

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.where)


class UsageError(Error, TypeError):
    """The call is wrong: a keyword, or its value."""

    code = "usage"
    exit_code = 2


class ValueRefused(Error, ValueError):
    """A field of an input has an impossible value."""

    code = "bad_value"


class FormatError(Error, ValueError):
    """An input cannot be read at all."""

    code = "bad_format"


class UnknownName(Error, LookupError):
    """A name is unknown: that of a field, a strategy, a metric."""

    code = "unknown_name"


class Infeasible(Error):
    """The question is valid, and the answer is "no"."""

    code = "infeasible"
    exit_code = 1


class IOFailure(Error, OSError):
    """Writing an output failed, or a program that is used for it."""

    code = "io_failure"
    exit_code = 4

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class HoldfastWarning(UserWarning):
    """A warning about an input."""


# In the order of ErrorCode in base/error.hpp; the seventh is an interrupt.
KINDS: tuple[type[Error], ...] = (UsageError, ValueRefused, FormatError, UnknownName, Infeasible, IOFailure)


def keyword_of(name: str) -> str:
    """The keyword for a name of a table: ``checkpoint_cost``, ``from_``."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def in_python(where: str) -> str:
    """A place in terms of Python: ``work=`` for ``--work``."""
    return re.sub(r"^--([\w-]+)", lambda found: keyword_of(found[1]) + "=", where)


def said_in_python(message: str) -> str:
    """What an error says, with keywords for options: ``name another directory with output=``, ``try columns='node=Knoten'``."""
    message = re.sub(r"; try --([\w-]+) (.*)$", lambda found: f"; try {keyword_of(found[1])}={found[2]!r}", message)
    message = message.replace("--json lists all", "its document lists all")
    # A command stays one.
    parts: list[str] = re.split(r"('holdfast [^']*')", message)
    return "".join(part if part.startswith("'holdfast ") else _options_in_python(part) for part in parts)


def _options_in_python(said: str) -> str:
    return re.sub(r"(?<![\w'-])--([a-z][a-z-]*)", lambda found: keyword_of(found[1]) + "=", said)


def make(code: int, where: str, message: str, remedy: str = "") -> BaseException:
    """The exception for an error of the library; `remedy` becomes a note.

    Parameters
    ----------
    code : int
        Value of ``ErrorCode``, from 0.
    where, message, remedy : str
        Parts of the error; `where` as the program writes it.
    """
    exception: BaseException
    if code >= len(KINDS):
        exception = KeyboardInterrupt(message)
    else:
        exception = KINDS[code](said_in_python(message), in_python(where))
    if remedy:
        exception.add_note(remedy)
    return exception
