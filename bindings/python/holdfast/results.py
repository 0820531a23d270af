"""The results of a campaign in its directory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from .answers import Answer
from .errors import Error, UnknownName, UsageError
from .rules import result_name
from .tables import frame_of

if TYPE_CHECKING:
    import numpy
    import pandas
    import xarray


class Results:
    """The results of a campaign, finished or still running.

    Parameters
    ----------
    directory : path
        Directory that contains ``results.sqlite``.

    Attributes
    ----------
    labels : dict
        The values of each swept parameter that is not a plain quantity; a code is a position in this list.
    submitted : list of str
        Where missing cells run, after ``executor="slurm"``.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self._found = _core.Results(os.fspath(directory))
        self._facts = self._found.facts()
        self.labels: dict[str, list[Any]] = {}
        self.submitted: list[str] = []
        self._axes = self._axis_columns()

    @property
    def campaign(self) -> str:
        """The name of the campaign."""
        return str(self._facts["name"])

    @property
    def domain(self) -> str:
        """The domain's name."""
        return str(self._facts["domain"])

    @property
    def axes(self) -> dict[str, list[Any]]:
        """The swept parameters, with their values as they were written."""
        return dict(self._facts["axes"])

    @property
    def strategies(self) -> list[str]:
        """Strategies in canonical form; a code in the column ``strategy`` is a position in this list."""
        return list(self._facts["strategies"])

    @property
    def shown(self) -> list[str]:
        """The strategies as the campaign writes them: ``fixed:1h`` for ``fixed:period=3600``."""
        return list(self._facts["shown"])

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return [name for name, _, _ in self._facts["metrics"]]

    @property
    def units(self) -> dict[str, str]:
        """The units of columns that have one."""
        return {name: unit for name, unit, _ in self._facts["metrics"] if unit} | self._axis_units

    def status(self) -> dict[str, Any]:
        """The progress: ``cells_done``, ``cells_total``, ``points_done``, ``points_total``, ``is_running``.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> results.status()["points_done"]
        4
        """
        return dict(self._found.status())

    def __len__(self) -> int:
        return int(self.status()["cells_done"])

    @cached_property
    def _axis_units(self) -> dict[str, str]:
        return {}

    def _axis_columns(self) -> dict[str, Any]:
        """A value for each point, for each swept parameter: numbers in SI units, or codes into `labels`."""
        out: dict[str, Any] = {}
        names = list(self._facts["axes"])
        for place, name in enumerate(names):
            values = [point[place] for point in self._facts["points"]]
            if any(isinstance(value, dict) for value in values):
                members = list(dict.fromkeys(key for value in values for key in value))
                prefix = "" if name == "points" else name + "/"
                for member in members:
                    out[prefix + member] = self._axis(prefix + member, [value.get(member) for value in values])
            else:
                out[name] = self._axis(name, values)
        return out

    def _axis(self, name: str, values: list[Any]) -> Any:
        row = self._field(name)
        if row is not None and row.kind in ("number", "integer") and all(value is not None for value in values):
            try:
                numbers = [float(_core.quantity(value, row.unit or "")) for value in values]
            except (Error, TypeError):
                pass
            else:
                if row.unit:
                    self._axis_units[name] = row.unit
                return numbers
        known: list[Any] = []
        for value in values:
            if value not in known:
                known.append(value)
        self.labels[name] = known
        return [known.index(value) for value in values]

    def _field(self, name: str) -> Any:
        from .catalog import domains
        if self.domain not in domains:
            return None
        pointer = "/" + name
        for row in domains[self.domain].fields:
            if row.name == name or row.pointer == pointer:
                return row
        return None

    def columns(self, metrics: str | Sequence[str] | None = None) -> dict[str, numpy.ndarray[Any, Any]]:
        """All cells as columns, in the order of the design.

        Parameters
        ----------
        metrics : str or list of str, optional
            Names of the metrics; default: all.

        Returns
        -------
        dict
            An array for each swept parameter (float64 in SI units, or int32 codes into ``labels``), then ``instance`` and
            ``scenario`` (int32), ``strategy`` (int16 codes into ``strategies``), ``completed`` and ``in_statistics`` (bool), and
            one float64 column for each metric, NaN if a run does not have the metric.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> columns = results.columns("makespan")
        >>> list(columns), columns["platform_age"].max()
        (['platform_age', 'instance', 'scenario', 'strategy', 'completed', 'in_statistics', 'makespan'], 8640000.0)
        """
        import numpy
        names = self._metrics(metrics)
        found = self._found.columns([self.metrics.index(name) for name in names])
        position = numpy.asarray(found["position"])
        out: dict[str, numpy.ndarray[Any, Any]] = {}
        for name, values in self._axes.items():
            kind = numpy.int32 if name in self.labels else numpy.float64
            out[name] = numpy.asarray(values, dtype=kind)[position]
        for name in ("instance", "scenario", "strategy", "completed", "in_statistics"):
            out[name] = numpy.asarray(found[name])
        block = numpy.asarray(found["values"])
        out.update((name, block[:, i]) for i, name in enumerate(names))
        return out

    def _metrics(self, metrics: str | Sequence[str] | None) -> list[str]:
        names = self.metrics if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
        for name in names:
            if name not in self.metrics:
                raise UnknownName(f"found {name!r}, expected one of {', '.join(self.metrics)}", "metrics=")
        return names

    def frame(self, metrics: str | Sequence[str] | None = None) -> pandas.DataFrame:
        """The columns as a frame on the same memory, with codes as categories; ``frame.attrs["units"]`` has the units.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> means = results.frame("makespan").groupby("strategy", observed=True)["makespan"].mean()
        >>> bool(means["next-step"] < means["young-daly"])
        True
        """
        import pandas
        columns: dict[str, Any] = dict(self.columns(metrics))
        for name, labels in self.labels.items():
            texts = [label if isinstance(label, str) else str(label) for label in labels]
            columns[name] = pandas.Categorical.from_codes(columns[name], texts)
        columns["strategy"] = pandas.Categorical.from_codes(columns["strategy"], self.strategies)
        return frame_of(columns, {name: unit for name, unit in self.units.items() if name in columns})

    def to_pandas(self) -> pandas.DataFrame:
        """The same as `frame`.

        Examples
        --------
        >>> import holdfast as hf
        >>> len(hf.run("examples/first-look.toml", scale=0.02).to_pandas())
        48
        """
        return self.frame()

    @cached_property
    def answer(self) -> Answer:
        """The answer that ``holdfast run`` prints."""
        return Answer(self._found.answer(), self.domain, "run")

    def summary(self, metric: str | None = None) -> pandas.DataFrame:
        """One row for each point, strategy and metric: mean, standard deviation, minimum, median, maximum, and the number of
        runs in the statistics.

        Parameters
        ----------
        metric : str, optional
            Name of the metric; default: all.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> results.summary("makespan")["count"].unique().tolist()
        [4]
        """
        names = self._metrics(metric)
        frame = self.frame(names)
        frame = frame[frame["in_statistics"]]
        keys = [*self._axes, "strategy"]
        groups = frame.melt(keys, names, "metric").groupby([*keys, "metric"], observed=True, sort=False)["value"]
        out = groups.agg(["mean", "std", "min", "median", "max", "count"]).reset_index()
        return out.rename(columns={"std": "standard_deviation", "min": "minimum", "max": "maximum"})

    def compare(self, metric: str | None = None, numerator: Any = None, denominator: Any = None,
                by: str | Iterable[str] = ()) -> pandas.DataFrame:
        """Paired ratios of strategies over all points, or by swept parameters.

        Parameters
        ----------
        metric : str, optional
            Name of the metric; default: the domain's first.
        numerator, denominator : str or rule, optional
            Strategies; default: every strategy over the baseline.
        by : str or list of str
            Swept parameters: one group for each combination of their values.

        Returns
        -------
        DataFrame
            ``numerator``, ``denominator``, the parameters, ``count`` of pairs, ``geometric_mean`` and its 95 % interval ``low``,
            ``high``.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> results.compare("makespan", by="platform_age")["count"].tolist()
        [4, 4, 4, 4, 4, 4, 4, 4]
        """
        metric = metric or self.metrics[0]
        axes = [by] if isinstance(by, str) else list(by)
        numerator, denominator = result_name(numerator), result_name(denominator)
        denominator = denominator or self._facts["baseline"] or self.strategies[-1]
        rows = []
        for one in [numerator] if numerator else [name for name in self.strategies if name != denominator]:
            for values, count, mean, low, high in self._found.ratios(metric, one, denominator, axes):
                rows.append([one, denominator, *values, count, mean, low, high])
        names = ["numerator", "denominator", *axes, "count", "geometric_mean", "low", "high"]
        return frame_of({name: [row[i] for row in rows] for i, name in enumerate(names)}, {})

    def to_xarray(self) -> xarray.Dataset:
        """All cells as a dataset, whose dimensions are the swept parameters, ``instance``, ``scenario`` and ``strategy``. It has
        a variable for each metric, with NaN for missing values.

        Examples
        --------
        >>> import holdfast as hf
        >>> data = hf.run("examples/first-look.toml", scale=0.02).to_xarray()
        >>> dict(data.sizes)
        {'platform_age': 4, 'instance': 1, 'scenario': 4, 'strategy': 3}
        """
        if "points" in self._facts["axes"]:
            raise UsageError("found a list of points, expected a product of swept parameters", "points")
        import numpy
        import xarray
        columns = self.columns()
        dimensions = [*self._facts["axes"], "instance", "scenario", "strategy"]
        if any("/" in name for name in self._axes):
            raise UsageError("found a swept table, expected plain values", next(name for name in self._axes if "/" in name))
        coordinates: dict[str, Any] = {}
        places = []
        for name in dimensions:
            values, place = numpy.unique(columns[name], return_inverse=True)
            labels = self.labels.get(name, self.strategies if name == "strategy" else None)
            coordinates[name] = [str(labels[int(value)]) for value in values] if labels else values
            places.append(place)
        shape = [len(coordinates[name]) for name in dimensions]
        made = {}
        for name in self.metrics:
            block = numpy.full(shape, numpy.nan)
            block[tuple(places)] = columns[name]
            made[name] = (dimensions, block, {"units": self.units[name]} if name in self.units else {})
        return xarray.Dataset(made, coordinates)

    def export(self, format: str = "csv") -> Path:
        """Write a file into the directory: ``results.csv`` or ``results.json``, with a row for each cell and metric, or (``"sqlite"``)
        ``cells.sqlite``, whose table ``results`` has a row for each cell and a column for each metric.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> results.export("csv").name
        'results.csv'
        """
        return Path(self._found.export(format))

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the page of the campaign to a file; default: ``report.html`` in the directory.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run("examples/first-look.toml", scale=0.02)
        >>> results.report("page.html").name
        'page.html'
        """
        return Path(self._found.report("" if path is None else os.fspath(path)))

    def charts(self) -> dict[str, str]:
        """The charts of its page as SVG, each by its name, in the order of the page.

        Returns
        -------
        dict of str
            Empty while no cell is finished.

        Examples
        --------
        >>> import holdfast as hf
        >>> charts = hf.run("examples/first-look.toml", scale=0.02).charts()
        >>> charts["ratios"][:4]
        '<svg'
        """
        return dict(self._found.charts())

    def plot(self, x: str | None = None, series: str = "strategy", metric: str | None = None, ax: Any = None,
             **style: Any) -> Any:
        """Draw the mean of a metric over a swept parameter, a line for each of `series`, with matplotlib.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> import holdfast as hf
        >>> ax = hf.run("examples/first-look.toml", scale=0.02).plot(x="platform_age", metric="makespan")
        """
        from .plots import plot_results
        return plot_results(self, x, series, metric, ax, style)

    def show(self) -> Any:
        """The page of the campaign in a frame of the notebook; it needs no network.

        Examples
        --------
        >>> import holdfast as hf
        >>> page = hf.run("examples/first-look.toml", scale=0.02).show()
        """
        from .show import framed
        return framed(self.report().read_text(encoding="utf-8"))

    def __reduce__(self) -> tuple[object, ...]:
        return Results, (str(self.directory.resolve()),)

    def __str__(self) -> str:
        return str(self.answer)

    def _repr_html_(self) -> str:
        return self.answer._repr_html_() + next(iter(self.charts().values()), "")

    def __repr__(self) -> str:
        now = self.status()
        return f"<Results of {self.campaign!r}: {now['cells_done']} of {now['cells_total']} cells>"
