"""Laws fitted to what was seen."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .answers import Answer, warn
from .errors import UnknownName, UsageError
from .laws import Law
from .tables import frame_of

if TYPE_CHECKING:
    import numpy
    import pandas

_KAPLAN_MEIER = ("age", "at_risk", "failures", "survival", "low", "high")


class Fit(Answer):
    """Laws that were fitted to lifetimes, the one to use first."""

    @property
    def law(self) -> Law:
        """The law to use, ready for ``failures=`` of other questions."""
        return Law(self.document["failures"])

    @property
    def laws(self) -> list[Law]:
        """All laws that could be fitted, the one to use first, then by AIC."""
        return [Law(_law_document(row)) for row in self.document["fits"]]

    @property
    def ages(self) -> Any:
        """The ages of the units at the end of the log, as ``ages=`` of other questions takes them; None where it has none."""
        return self.document.get("ages")

    @property
    def oddities(self) -> list[Any]:
        """What was strange in the log, and what was done about it."""
        return list(self.document.get("oddities", ()))

    def table(self) -> pandas.DataFrame:
        """One row for each law: its parameters, log-likelihood, AIC and how far it is from what was seen."""
        rows = []
        for fit in self.document["fits"]:
            row = {name: value for name, value in fit.items() if not isinstance(value, (dict, list))}
            row.update({name: value["value"] for name, value in fit.get("parameters", {}).items()})
            rows.append(row)
        names = list(dict.fromkeys(name for row in rows for name in row))
        return frame_of({name: [row.get(name) for row in rows] for name in names}, {})

    def parameters(self, law: str | None = None) -> dict[str, Any]:
        """The parameters of a law, each with ``value``, ``standard_error`` and the interval ``low``, ``high`` (95 %).

        Parameters
        ----------
        law : str, optional
            Its distribution; default: the law to use.
        """
        for fit in self.document["fits"]:
            if law in (None, fit["distribution"]):
                return dict(fit["parameters"])
        known = ", ".join(fit["distribution"] for fit in self.document["fits"])
        raise UnknownName(f"found {law!r}, expected one of {known}", "law=")

    def svg(self) -> str:
        """A picture: what was seen beside the laws, as ``trace fit --plot`` draws it."""
        return str(self._found.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the survival of the laws, and what was seen where it was given as arrays, with matplotlib.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from .plots import plot_fit
        return plot_fit(self, ax, style)

    def __repr__(self) -> str:
        return f"<Fit: {self.law!r} before {len(self.laws) - 1} others>"


class LifetimeFit(Fit):
    """A fit of arrays, which knows the survival that was seen."""

    def __init__(self, found: Any, columns: tuple[Any, Any, Any], confidence: float) -> None:
        super().__init__(found, "trace", "fit")
        self._columns = columns
        self._confidence = confidence

    @property
    def survival(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Kaplan-Meier: arrays ``age`` (s), ``at_risk``, ``failures``, ``survival``, ``low``, ``high``."""
        import numpy
        rows = numpy.asarray(_core.kaplan_meier(*self._columns, self._confidence))
        return {name: rows[:, i] for i, name in enumerate(_KAPLAN_MEIER)}

    def survival_of(self, age: Any) -> Any:
        """The observed survival just after ages in seconds."""
        import numpy
        seen = self.survival
        at = numpy.searchsorted(seen["age"], numpy.asarray(age, dtype=float), side="right")
        return numpy.concatenate([[1.0], seen["survival"]])[at]


def _law_document(fit: dict[str, Any]) -> dict[str, Any]:
    """A row of "fits" as documents say the law."""
    return {"distribution": fit["distribution"],
            **{name: value["value"] for name, value in fit["parameters"].items() if name != "mtbf" or len(fit["parameters"]) == 1}}


def fit(source: Any, /, *, observed: Any = None, entry: Any = None, upper: Any = None, laws: Any = None,
        confidence: float = 0.95, seed: int = 1, **options: Any) -> Answer:
    """Fit laws of failures to a log or to arrays.

    Parameters
    ----------
    source : path, str or array
        A file, as ``trace fit`` takes it; or **the age at the end of each observation**, in seconds, which is not the length
        that was watched.
    observed : array of bool, optional
        False: alive at that age.
    entry : array, optional
        The age from which on each was watched (left truncation), in seconds.
    upper : array, optional
        The failure came between ``source`` and this age, in seconds.
    laws : str or list of str, optional
        Which distributions; default: all.
    confidence : float
        Of the intervals.
    seed : int
        Of what is drawn (tests of goodness).
    **options
        Of ``trace fit`` for files: ``system="20"``, ``merge="10min"``.

    Returns
    -------
    Fit
        For failures; an `Answer` for logs with other contents (jobs, availability, speedup).

    Examples
    --------
    >>> import holdfast as hf
    >>> found = hf.fit(hf.Weibull(shape=0.7, scale="1d").sample(2000))
    >>> found.law.name, round(found.parameters("weibull")["shape"]["value"], 1)
    ('weibull', 0.7)
    """
    names = [laws] if isinstance(laws, str) else list(laws or ())
    if isinstance(source, (str, os.PathLike)):
        if observed is not None or entry is not None or upper is not None:
            raise UsageError("found it beside a file, expected it beside an array of ages", "observed=")
        if names:
            options["law"] = ",".join(names)
        return _fit_file(os.fspath(source), seed, options)
    if options:
        raise UsageError("found it beside an array of ages, expected it beside a file", next(iter(options)) + "=")
    columns = _columns(source, observed, entry, upper)
    found = _core.fit(*columns, names, confidence, seed)
    warn(found.warnings())
    return LifetimeFit(found, columns, confidence)


def _fit_file(path: str, seed: int, options: dict[str, Any]) -> Answer:
    found = _core.trace("fit", {"file": path, **options}, seed)
    warn(found.warnings())
    is_failures = "failures" in found.document()
    return Fit(found, "trace", "fit") if is_failures else Answer(found, "trace", "fit")


def _columns(source: Any, observed: Any, entry: Any, upper: Any) -> tuple[Any, Any, Any]:
    """Ages, upper ends and entries as contiguous float64 arrays of one length."""
    import numpy
    if isinstance(source, Iterable) and not hasattr(source, "__array__"):
        source = list(source)
    low = numpy.ascontiguousarray(source, dtype=numpy.float64)
    if low.ndim != 1:
        raise UsageError(f"found an array of shape {low.shape}, expected one of one dimension", "source")
    given = {}
    for name, values in (("observed", observed), ("entry", entry), ("upper", upper)):
        if values is None:
            continue
        given[name] = numpy.ascontiguousarray(values, dtype=bool if name == "observed" else numpy.float64)
        if given[name].shape != low.shape:
            raise UsageError(f"found shape {given[name].shape}, expected {low.shape} as of the ages", f"{name}=")
    high = given.get("upper")
    if "observed" in given:
        high = numpy.where(given["observed"], low if high is None else high, numpy.inf)
    return low, high, given.get("entry")
