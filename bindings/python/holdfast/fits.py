"""Laws fitted to observations."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from . import _core
from .answers import Answer, warn
from .errors import UnknownName, UsageError, ValueRefused
from .laws import Law
from .tables import frame_of
from .units import seconds
from .values import whole

if TYPE_CHECKING:
    import numpy
    import pandas

_SURVIVAL = ("age", "at_risk", "failures", "survival", "low", "high", "from")


class Fitted(Answer):
    """The answer of a fit to a log of failures, jobs, availability or speedup."""

    def svg(self) -> str:
        """A picture of the observations and the fitted models, as ``trace fit --plot`` draws it.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.fit("examples/data/speedup.csv").svg()[:4]
        '<svg'
        """
        return str(self._found.svg())

    def _repr_svg_(self) -> str:
        return self.svg()


class Fit(Fitted):
    """Laws that were fitted to lifetimes, the recommended one first."""

    @property
    def law(self) -> Law:
        """The recommended law, which can be the argument ``failures=`` of other calls."""
        return Law(self.document["failures"])

    @property
    def laws(self) -> list[Law]:
        """All laws that could be fitted: the recommended one, then the others by AIC."""
        return [Law(_law_document(row)) for row in self.document["fits"]]

    @property
    def ages(self) -> Any:
        """The ages of the units at the end of the log, as ``ages=`` of other calls takes them; None if there are none."""
        return self.document.get("ages")

    @property
    def oddities(self) -> list[Any]:
        """Anything unusual about the log, and how it was treated."""
        return list(self.document.get("oddities", ()))

    def table(self) -> pandas.DataFrame:
        """One row for each law: its parameters, log-likelihood, AIC and goodness of fit.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.fit("examples/data/sample-failures.csv").table()["distribution"][0]
        'weibull'
        """
        rows = []
        for fit in self.document["fits"]:
            row = {name: value for name, value in fit.items() if not isinstance(value, (dict, list))}
            row.update({name: value["value"] for name, value in fit.get("parameters", {}).items()})
            rows.append(row)
        names = list(dict.fromkeys(name for row in rows for name in row))
        return frame_of({name: [row.get(name) for row in rows] for name in names}, {})

    def summary(self) -> pandas.DataFrame:
        """One row for each parameter of each law: ``value``, ``standard_error``, and the 95 % interval ``low``, ``high``.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.fit("examples/data/sample-failures.csv").summary().columns.tolist()
        ['distribution', 'parameter', 'value', 'standard_error', 'low', 'high']
        """
        names = ("value", "standard_error", "low", "high")
        rows = [[fit["distribution"], name, *(numbers.get(one) for one in names)]
                for fit in self.document["fits"] for name, numbers in fit.get("parameters", {}).items()]
        columns = ("distribution", "parameter", *names)
        return frame_of({name: [row[i] for row in rows] for i, name in enumerate(columns)}, {})

    def to_pandas(self) -> pandas.DataFrame:
        """The same as `table`.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.fit("examples/data/sample-failures.csv").to_pandas()["distribution"][0]
        'weibull'
        """
        return self.table()

    def parameters(self, law: str | None = None) -> dict[str, Any]:
        """The parameters of a law, each with ``value``, ``standard_error`` and the interval ``low``, ``high`` (95 %).

        Parameters
        ----------
        law : str, optional
            Distribution of the law; default: the recommended one.

        Examples
        --------
        >>> import holdfast as hf
        >>> shape = hf.fit("examples/data/sample-failures.csv").parameters("weibull")["shape"]
        >>> shape["low"] < shape["value"] < shape["high"]
        True
        """
        for fit in self.document["fits"]:
            if law in (None, fit["distribution"]):
                return dict(fit["parameters"])
        known = ", ".join(fit["distribution"] for fit in self.document["fits"])
        raise UnknownName(f"found {law!r}, expected one of {known}", "law=")

    @cached_property
    def survival(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """The observed survival, which assumes no law: arrays ``age`` (s), ``at_risk``, ``failures``, ``survival``, ``low``,
        ``high``, ``from``, with one entry for each age at which a unit failed (Kaplan-Meier). Failures between inspections
        give Turnbull's estimate: the survival is unknown between ``from`` and ``age``, and otherwise the two are the same.

        Examples
        --------
        >>> import holdfast as hf
        >>> fit = hf.fit([100.0, 200.0, 300.0, 400.0], observed=[True, True, False, True])
        >>> fit.survival["survival"].tolist()
        [0.75, 0.5, 0.0]
        """
        import numpy
        rows = numpy.asarray(self._found.survival())
        return {name: rows[:, i] for i, name in enumerate(_SURVIVAL)}

    def survival_of(self, age: Any) -> Any:
        """The observed survival just after an age, which is a quantity or an array of ages in seconds; NaN where it is unknown.

        Examples
        --------
        >>> import holdfast as hf
        >>> fit = hf.fit([100.0, 200.0, 300.0, 400.0], observed=[True, True, False, True])
        >>> fit.survival_of("250s"), fit.survival_of([50, 150]).tolist()
        (0.5, [1.0, 0.75])
        """
        import numpy
        seen = self.survival
        age = seconds(age) if isinstance(age, str) else age
        at = numpy.searchsorted(seen["age"], numpy.asarray(age, dtype=float), side="right")
        found = numpy.concatenate([[1.0], seen["survival"]])[at]
        found = numpy.where(numpy.concatenate([seen["from"], [numpy.inf]])[at] < numpy.asarray(age, dtype=float), numpy.nan, found)
        return found if found.ndim else float(found)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the observed survival with its interval, and the survival of the laws, with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; default: new ones.
        **style
            Style of the laws' lines: ``alpha``, ``linestyle`` ...

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> import holdfast as hf
        >>> ax = hf.fit("examples/data/sample-failures.csv").plot()
        """
        from .plots import plot_fit
        return plot_fit(self, ax, style)


def _law_document(fit: dict[str, Any]) -> dict[str, Any]:
    """The law of a row of "fits", in the form for documents."""
    return {"distribution": fit["distribution"],
            **{name: value["value"] for name, value in fit["parameters"].items() if name != "mtbf" or len(fit["parameters"]) == 1}}


def fit(source: Any, /, *, observed: Any = None, entry: Any = None, upper: Any = None, units: Any = None, laws: Any = None,
        confidence: float = 0.95, bootstrap: int = 0, seed: int = 1, resolution: Any = None, at: Any = None, **options: Any) -> Fit:
    """Fit laws of failures to a log or to arrays.

    Parameters
    ----------
    source : path, str, array or DataFrame
        A file, as ``trace fit`` takes it; or **the age at the end of each observation**, in seconds, which is not the length
        of the observation; or a frame with these ages as the column ``age``, and any of the four below as columns of their
        names.
    observed : array of bool, optional
        Whether the unit failed at that age; False: it was still alive. It may also be called ``event_observed``, as in lifelines.
    entry : array, optional
        The age from which on each unit was observed (left truncation), in seconds.
    upper : array, optional
        The failure came between ``source`` and this age, in seconds.
    units : array, optional
        The unit (node, disk) of each observation. A bootstrap draws whole units. Default: each observation has its own unit.
    laws : str or list of str, optional
        Distributions to fit; default: all.
    confidence : float
        Confidence of the intervals; for files it is 0.95.
    bootstrap : int
        Number of resampled sets of units, for bootstrap intervals; 0: no bootstrap.
    seed : int
        Seed of the draws of the bootstrap.
    resolution : float or str, optional
        The step to which ages were rounded ("1d"): each is taken as plus or minus half of it. Default: ages are exact.
    at : str, float or list, optional
        Ages at which the survival by each law, with its interval, and the mean residual life are wanted: ``survival_at`` in
        each member of ``document["fits"]``.
    **options
        Options of ``trace fit``, for files: ``system="20"``, ``merge="10min"``.

    Returns
    -------
    Fit
        For failures; for logs with other contents (jobs, availability, speedup) an `Answer` with a picture, ``svg()``.

    Raises
    ------
    UsageError, ValueRefused
        For arrays of different shapes, and for impossible ages, with the first wrong index.

    Examples
    --------
    >>> import holdfast as hf
    >>> found = hf.fit(hf.Weibull(shape=0.7, scale="1d").sample(2000), bootstrap=20, laws="weibull")
    >>> found.law.name, round(found.parameters("weibull")["shape"]["value"], 1)
    ('weibull', 0.7)
    >>> sorted(found.parameters("weibull")["shape"]["bootstrap"])
    ['high', 'low', 'standard_error']
    """
    observed = _as_in_lifelines(observed, options)
    names = [laws] if isinstance(laws, str) else list(laws or ())
    seed = whole(seed, "seed=")
    columns = {"observed": observed, "entry": entry, "upper": upper, "units": units}
    several: Any = at.split(",") if isinstance(at, str) else at
    wanted: list[Any] = [several] if isinstance(several, (int, float)) else list(several or ())
    given = [name for name, column in columns.items() if column is not None]
    if isinstance(source, (str, os.PathLike)):
        if given:
            raise UsageError("found it together with a file, expected it together with an array of ages", f"{given[0]}=")
        if confidence != 0.95:
            raise UsageError(f"found {confidence} beside a file, expected 0.95 or an array of ages", "confidence=")
        if names:
            options["law"] = ",".join(names)
        if bootstrap:
            options["bootstrap"] = bootstrap
        if resolution is not None:
            options["resolution"] = resolution
        if wanted:
            options["at"] = ",".join(age if isinstance(age, str) else f"{float(seconds(age))!r}s" for age in wanted)
        return cast(Fit, _fit_file(os.fspath(source), seed, options))  # for a log with other contents it is a Fitted
    if options:
        raise UsageError("found it together with an array of ages, expected it together with a file", next(iter(options)) + "=")
    if not 0 < confidence < 1:
        raise ValueRefused(f"found {confidence}, expected a number between 0 and 1", "confidence=")
    if bootstrap != 0:
        bootstrap = whole(bootstrap, "bootstrap=", 2, 1_000_000)
    step = 0.0 if resolution is None else float(seconds(resolution))
    if resolution is not None and not 0 < step < float("inf"):
        raise ValueRefused(f"found {resolution}, expected a duration greater than 0", "resolution=")
    ages = [float(seconds(age)) for age in wanted]
    if not all(0 < age < float("inf") for age in ages):
        raise ValueRefused(f"found {at}, expected durations greater than 0", "at=")
    source = _of_frame(source, columns)
    found = _core.fit(*_arrays(source, columns), names, float(confidence), bootstrap, seed, step, _doubles(ages, "at="))
    warn(found.warnings())
    return Fit(found, "trace", "fit")


def _as_in_lifelines(observed: Any, options: dict[str, Any]) -> Any:
    """The argument `observed`, also under the names that it has in other libraries."""
    for name in ("event_observed", "event"):
        if name in options and observed is None:
            observed = options.pop(name)
        elif name in options:
            raise UsageError("found it together with observed=, which means the same; expected one", f"{name}=")
    return observed


def _fit_file(path: str, seed: int, options: dict[str, Any]) -> Fitted:
    found = _core.trace("fit", {"file": path, **options}, seed)
    warn(found.warnings())
    kind = Fit if found.has("/failures") else Fitted
    return kind(found, "trace", "fit")


def _of_frame(source: Any, columns: dict[str, Any]) -> Any:
    """The ages of a frame; its other columns go to `columns`."""
    names = getattr(source, "columns", None)
    if names is None:
        return source
    known = ["age", *columns]
    for name in names:
        if name not in known:
            raise UnknownName(f"found a column {name!r}, expected {', '.join(known)}", "source")
    if "age" not in names:
        raise UnknownName(f"found the columns {', '.join(map(str, names))}, expected one called age", "source")
    for name in columns:
        if name in names and columns[name] is not None:
            raise UsageError("found it twice, as a keyword and as a column; expected one", f"{name}=")
        if name in names:
            columns[name] = source[name].to_numpy()
    return source["age"].to_numpy()


def _arrays(source: Any, columns: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Ages, upper ends, entries and numbers of units as contiguous float64 arrays of one length."""
    import numpy
    low = _doubles(source, "source")
    if low.ndim != 1:
        raise UsageError(f"found an array of shape {low.shape}, expected one of one dimension", "source")
    made: dict[str, Any] = {}
    for name, values in columns.items():
        if values is None:
            continue
        if name == "units":
            made[name] = numpy.unique(numpy.asarray(values), return_inverse=True)[1].astype(numpy.float64)
        else:
            made[name] = _doubles(values, f"{name}=")
        if made[name].shape != low.shape:
            raise UsageError(f"found shape {made[name].shape}, expected {low.shape} as of the ages", f"{name}=")
    high = made.get("upper")
    if "observed" in made:
        high = numpy.where(made["observed"] != 0, low if high is None else high, numpy.inf)
    return low, high, made.get("entry"), made.get("units")


def _doubles(values: Any, where: str) -> Any:
    """Numbers, times or flags as a contiguous array of doubles."""
    import numpy
    if isinstance(values, Iterable) and not hasattr(values, "__array__"):
        values = [seconds(one) if isinstance(one, str) else one for one in values]
    array = numpy.asarray(values)
    if array.dtype.kind == "m":
        array = array / numpy.timedelta64(1, "s")
    try:
        return numpy.ascontiguousarray(array, dtype=numpy.float64)
    except (TypeError, ValueError):
        raise UsageError(f"found an array of {array.dtype}, expected numbers", where) from None
