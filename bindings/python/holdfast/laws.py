"""Laws of the time between failures of one processor."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import Error, UsageError, keyword_of
from .values import plain, whole

if TYPE_CHECKING:
    import numpy


def _prepared(value: Any) -> Any:
    """A value for a field of a law: a text stays a text, and other objects become plain."""
    return value if isinstance(value, (str, int, float, list, tuple, Mapping)) else plain(value)


class Law:
    """The law of the time between two failures of one processor: immutable, equal by its description.

    Parameters
    ----------
    document : mapping
        The member "failures" of a document: ``distribution``, and the fields of that law.

    Notes
    -----
    Times are seconds since the processor's last renewal. Functions take a number, a text with a unit or an array of any shape,
    and return a float or a float64 array of that shape. Source: Perotin's thesis, chapter 5; the cumulative hazard is
    ``H(x) = -ln P(X >= x)``.
    """

    __slots__ = ("_law", "_document")

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._law = _core.Law({name: _prepared(value) for name, value in document.items()})
        self._document = self._law.document()

    @property
    def name(self) -> str:
        """The name of the distribution: "weibull"."""
        return str(self._document["distribution"])

    @property
    def document(self) -> dict[str, Any]:
        """The law as part of a document, in SI base units."""
        return dict(self._document)

    def __holdfast_document__(self) -> Any:
        return self._document

    def _apply(self, function: str, x: Any, out: Any) -> Any:
        """The values of a function of the law at one place, or at all places of an array."""
        if isinstance(x, (int, float)) and out is None:
            return getattr(self._law, function)(x)
        if isinstance(x, str):
            return getattr(self._law, function)(_core.seconds(x))
        import numpy
        if x.__class__ is not numpy.ndarray or x.dtype.kind == "m":
            x = _seconds_of(x)
        places = numpy.ascontiguousarray(x, numpy.float64)
        if out is None:
            result = numpy.empty_like(places)
            getattr(self._law, function + "_array")(places, result)
            return result if numpy.ndim(x) else float(result[0])
        if not (isinstance(out, numpy.ndarray) and out.dtype == numpy.float64 and out.flags.c_contiguous
                and out.shape == numpy.shape(x)):
            raise TypeError("out: expected a contiguous float64 array of the shape of x")
        getattr(self._law, function + "_array")(places, out)
        return out

    def hazard(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The hazard rate at an age.

        Parameters
        ----------
        x : float, str or array
            Ages in seconds, greater than 0.
        out : array, optional
            Array for the results. If an age is refused, the results of earlier ages may have been written.

        Returns
        -------
        float or array
            Hazard rates per second.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).hazard(5)
        0.01
        """
        if x.__class__ is float and out is None:
            return self._law.hazard(x)
        return self._apply("hazard", x, out)

    def cumulative_hazard(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The cumulative hazard H up to an age in seconds, at least 0. It has no unit.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).cumulative_hazard(50)
        0.5
        """
        return self._apply("cumulative_hazard", x, out)

    def survival(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The probability of living to an age in seconds, at least 0.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).survival(0)
        1.0
        """
        return self._apply("survival", x, out)

    def density(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The density at an age in seconds, greater than 0; per second.

        Examples
        --------
        >>> import holdfast as hf
        >>> round(hf.Exponential(mtbf=100).density(100), 6)
        0.003679
        """
        return self._apply("density", x, out)

    def quantile(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The age in seconds that is reached with probability 1 - x; x in [0, 1).

        Examples
        --------
        >>> import holdfast as hf
        >>> round(hf.Exponential(mtbf=100).quantile(0.5), 3)
        69.315
        """
        return self._apply("quantile", x, out)

    def inverse_cumulative_hazard(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The age in seconds at which the cumulative hazard is x, at least 0.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).inverse_cumulative_hazard(2.0)
        200.0
        """
        return self._apply("inverse_cumulative_hazard", x, out)

    def residual(self, age: Any, y: Any) -> float:
        """The time x in seconds from an age on until the cumulative hazard has grown by y.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).residual(1000, 2.0)
        200.0
        """
        return float(self._law.residual(_seconds_of(age), float(y)))

    @property
    def mean(self) -> float:
        """The mean in seconds, which is the MTBF."""
        return float(self._law.mean())

    @property
    def median(self) -> float:
        """The age in seconds that half of the processors reach."""
        return float(self.quantile(0.5))

    def mean_residual_life(self, x: Any, *, out: numpy.ndarray[Any, Any] | None = None) -> Any:
        """The mean time in seconds until the failure of a processor that has reached an age in seconds, at least 0.

        Examples
        --------
        >>> import holdfast as hf
        >>> round(hf.Exponential(mtbf=100).mean_residual_life(1000), 9)
        100.0
        """
        return self._apply("mean_residual_life", x, out)

    def mean_of_minimum(self, n: int) -> float:
        """The mean in seconds of the smallest of n independent lifetimes: the MTBF of n processors that are all renewed at each
        failure (Perotin's thesis, section 5.3.6).

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Exponential(mtbf=100).mean_of_minimum(4)
        25.0
        """
        return float(self._law.mean_of_minimum(whole(n, "n=", 1, 2**63 - 1)))

    def sample(self, size: int, seed: int = 1, scenario: int = 0) -> numpy.ndarray[Any, Any]:
        """Independent lifetimes in seconds, by inversion of the library's own stream of random numbers.

        Parameters
        ----------
        size : int
            Number of lifetimes.
        seed, scenario : int
            Names of the stream; the same names give the same lifetimes on every machine.

        Examples
        --------
        >>> import holdfast as hf
        >>> law = hf.Weibull(shape=0.7, mtbf="10y")
        >>> bool((law.sample(3) == law.sample(5)[:3]).all())
        True
        """
        import numpy
        return numpy.asarray(self._law.sample(whole(size, "size=", 0, 2**62), whole(seed, "seed="), whole(scenario, "scenario=")))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self._document == other._document

    def __hash__(self) -> int:
        return hash(_core.to_json(self._document))

    def __reduce__(self) -> tuple[object, ...]:
        return Law, (self._document,)

    def __repr__(self) -> str:
        return f"<law: {self._law.text()}>"


def _seconds_of(x: Any) -> Any:
    """Texts, times and series as numbers of seconds."""
    if isinstance(x, str):
        return _core.seconds(x)
    if isinstance(x, (list, tuple)):
        return [_seconds_of(one) for one in x]
    if hasattr(x, "dtype") or isinstance(x, (int, float)):
        return plain(x) if getattr(getattr(x, "dtype", None), "kind", "") == "m" else x
    made = plain(x)
    if made is NotImplemented:
        raise UsageError(f"found an object of type {type(x).__name__}, expected a number, a text with a unit or an array", "x")
    return made


def law(name: str, /, **fields: Any) -> Law:
    """A law by the name of its distribution.

    Parameters
    ----------
    name : str
        Name of a row of ``hf.describe()["laws"]``: "exponential", "weibull", "gamma", "lognormal", "empirical",
        "hyperexponential".
    **fields
        Fields of the law; times as texts with units, or in seconds.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.law("weibull", shape=0.7, mtbf="10y") == hf.Weibull(shape=0.7, mtbf="10y")
    True
    """
    try:
        return Law({"distribution": name, **fields})
    except Error as error:
        if not error.where.startswith("/") or "/" in error.where[1:]:
            raise
        place = "name=" if error.where == "/distribution" else keyword_of(error.where[1:]) + "="
        raise type(error)(error.message, place) from None


def named() -> dict[str, Any]:
    """A function for each row of the table of laws, by its name with a capital: Weibull(shape=0.7, mtbf="10y")."""
    return {name.capitalize(): _maker(name, summary, fields) for name, summary, fields in _core.law_rows()}


# The arguments of an example for each law, and the mean that it prints.
_EXAMPLES = {"exponential": ('mtbf="10y"', "315360000.0"), "weibull": ('shape=0.7, mtbf="10y"', "315360000.0"),
             "gamma": ('shape=2, mtbf="1d"', "86400.0"), "lognormal": ('mtbf="1d", log_sd=1.2', "86400.0"),
             "empirical": ("breakpoints=[0, 10], hazards=[0.1, 0.2]", "8.161"),
             "hyperexponential": ('parts="0.4:1h,0.6:10d"', "519840.0")}


def _maker(name: str, summary: str, fields: str) -> Any:
    def make(*values: Any, **given: Any) -> Law:
        if values:
            raise UsageError(f"found {values[0]!r} without a name, expected keywords: {fields}")
        return law(name, **given)
    make.__name__ = make.__qualname__ = name.capitalize()
    make.__signature__ = inspect.Signature([inspect.Parameter("given", inspect.Parameter.VAR_KEYWORD)])  # type: ignore[attr-defined]
    make.__doc__ = f"""{summary[:1].upper()}{summary[1:]}.

    Parameters
    ----------
    **given
        Fields: {fields}; times as texts with units, or in seconds.

    Returns
    -------
    Law
"""
    if name in _EXAMPLES:
        given, mean = _EXAMPLES[name]
        make.__doc__ += f"""
    Examples
    --------
    >>> import holdfast as hf
    >>> round(hf.{make.__name__}({given}).mean, 3)
    {mean}
"""
    return make
