"""Strategies of your own, in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import _core
from .errors import UsageError


class OwnRule:
    """A rule with the name by which strategies refer to it; made by `rule`."""

    def __init__(self, name: str, decide: Any, version: int) -> None:
        self.name = name
        self.decide = decide
        self.version = version

    @property
    def text(self) -> str:
        """Its text in a campaign file: ``custom:NAME``."""
        return f"custom:{self.name}"

    @property
    def canonical(self) -> str:
        """Its name in results: ``custom:name=NAME:version=N``."""
        return f"custom:name={self.name}:version={self.version}"

    def __repr__(self) -> str:
        return f"<rule {self.name}, version {self.version}>"


def rule(name: str, decide: Any, *, version: int = 1) -> OwnRule:
    """A strategy of your own, which can be used wherever the name of a strategy is allowed.

    Parameters
    ----------
    name : str
        Name of the rule in answers, without blanks, colons and commas.
    decide : callable, or object with ``start(draw)``
        A function of a situation, whose attributes are the fields of the domain's decision table (``hf.io.decision``). It
        returns an array with a number for each item, in SI base units. If it is an object, its ``start`` is called for each
        run with ``draw = (seed, instance, scenario)``, and returns such a function, which may have its own state and random
        numbers.
    version : int
        Version of the rule. Raise it when the rule changes: stored cells of another version are not reused.

    Returns
    -------
    OwnRule

    Notes
    -----
    The returned numbers are checked as strictly as a document. After the call, arrays of a situation have the values of later
    decisions: copy what you want to keep. Python runs one thread at a time, so with a rule the default is one thread.

    Examples
    --------
    >>> import holdfast as hf
    >>> def fair(s):
    ...     return s.bandwidth * min(1.0, s.bandwidth_total / s.bandwidth.sum())
    >>> sim = hf.io.simulate(load=1.1, length="2000s", strategies=["fair-share", hf.rule("mine", fair)], scenarios=2)
    >>> round(sim.comparison("efficiency").geometric_mean, 6)
    1.0
    """
    if not name or any(letter in " :,\t\n" for letter in name):
        raise UsageError(f"found {name!r}, expected a name without blanks, ':' and ','", "name=")
    if not callable(decide) and not hasattr(decide, "start"):
        raise UsageError(f"found an object of type {type(decide).__name__}, expected a function or an object with start(draw)",
                         "decide=")
    return OwnRule(name, decide, version)


_NO_RULES = _core.Rules()  # always empty


def result_name(strategy: Any) -> Any:
    """The name in results of a strategy that is given as a name or as a rule; None stays None."""
    return strategy.canonical if isinstance(strategy, OwnRule) else strategy


def gathered(domain: Any, strategies: Any, rules: Any = None) -> tuple[str | None, Any]:
    """Strategies as one text, and the rules that they name.

    Parameters
    ----------
    domain : Domain
        Domain for which the rules decide.
    strategies : str, OwnRule, iterable of these, or None
        The strategies as they were given.
    rules : optional
        Rules that are already known.
    """
    if strategies is None:
        return None, _NO_RULES if rules is None else rules
    known = _core.Rules() if rules is None else rules
    if isinstance(strategies, (str, OwnRule)):
        strategies = [strategies]
    if not isinstance(strategies, Iterable):
        raise UsageError(f"found an object of type {type(strategies).__name__}, expected names of strategies", "strategies=")
    names = []
    for one in strategies:
        if isinstance(one, OwnRule):
            if rules is None:
                add(known, domain, one)
            names.append(one.text)
        else:
            names.append(str(one))
    return ",".join(names), known


def add(rules: Any, domain: Any, own: OwnRule) -> None:
    """Add a rule for decisions of a domain."""
    if domain.decision is None:
        raise UsageError(f"'{domain.name}' takes no rules; a schedule that is known before is its strategy as-given",
                         "strategies=")
    rules.add(own.name, own.version, own.decide, situation_of(domain))


_situations: dict[str, type] = {}  # by the domain's name


def situation_of(domain: Any) -> type:
    """The class of a domain's situations, with an attribute for each field that a rule is told, and a method for each curve."""
    if domain.name not in _situations:
        _situations[domain.name] = _situation_class(domain.name, domain.decision)
    return _situations[domain.name]


def _situation_class(domain: str, table: Any) -> type:
    members: dict[str, Any] = {"__doc__": f"What a rule for {domain} is told, {table.when}."}
    scalars = columns = 0
    for field in table.told or ():
        if field.per_item:
            members[field.name] = property(_column(columns), doc=field.summary)
            columns += 1
        else:
            members[field.name] = property(_scalar(scalars), doc=field.summary)
            scalars += 1
    for index, curve in enumerate(table.curves or ()):
        members[curve.name] = _item_curve(index) if curve.per_item else _curve(index)
    return type("Situation", (_core.Situation,), members)


def _scalar(index: int) -> Callable[[Any], Any]:
    return lambda self: self._scalar(index)


def _column(index: int) -> Callable[[Any], Any]:
    return lambda self: self._column(index)


def _curve(index: int) -> Callable[[Any, Any], Any]:
    def evaluate(self: Any, x: Any) -> Any:
        import numpy
        places = numpy.asarray(x, dtype=numpy.float64)
        return self._curve(index, numpy.empty(0, dtype=numpy.uint32), places.ravel()).reshape(places.shape)[()]
    return evaluate


def _item_curve(index: int) -> Callable[[Any, Any, Any], Any]:
    def evaluate(self: Any, item: Any, x: Any) -> Any:
        import numpy
        items, places = numpy.broadcast_arrays(numpy.asarray(item, dtype=numpy.uint32), numpy.asarray(x, dtype=numpy.float64))
        return self._curve(index, items.ravel(), places.ravel()).reshape(places.shape)[()]
    return evaluate
