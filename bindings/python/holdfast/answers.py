"""Answers of domains: documents, tables, arrays, schedules."""

from __future__ import annotations

import os
import sys
import warnings as python_warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from .comparison import Comparison, without_lists
from .errors import HoldfastWarning, UnknownName, said_in_python
from .rules import result_name
from .tables import frame_of, numpy_array

if TYPE_CHECKING:
    import networkx
    import numpy
    import pandas

_PACKAGE = str(Path(__file__).parent)


def warn(texts: list[str]) -> None:
    """Emit the library's warnings about an input, at the line outside this package that made the call."""
    if not texts:
        return
    depth = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        depth += 1
    for text in texts:
        python_warnings.warn(said_in_python(text), HoldfastWarning, stacklevel=depth + 1)


class Timeline:
    """A schedule: one row for each thing that was done, in order of start."""

    def __init__(self, found: Any) -> None:
        self._found = found

    def __reduce__(self) -> tuple[object, ...]:
        return _restored_timeline, (self._found.state(),)

    @property
    def name(self) -> str:
        """The name of the strategy or the verb that made it."""
        return str(self._found.name)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one."""
        return dict(self._found.units())

    @property
    def roles(self) -> dict[str, str]:
        """The column for each role in a picture: lane, start, end, state and others."""
        return dict(self._found.roles())

    def columns(self) -> dict[str, Any]:
        """The columns as arrays: float64 in SI base units, texts as objects.

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> list(line.columns())
        ['job', 'attempt', 'start', 'end', 'processors', 'failed']
        """
        return {name: numpy_array(cells) for name, cells in self._found.columns().items()}

    def frame(self) -> pandas.DataFrame:
        """The columns as a frame; ``frame.attrs["units"]`` has the units.

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> line.frame().attrs["units"]
        {'start': 's', 'end': 's'}
        """
        return frame_of(self._found.columns(), self.units)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as `frame`.

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> len(line.to_pandas()) == len(line)
        True
        """
        return self.frame()

    def svg(self) -> str:
        """A picture of it, as ``--schedule FILE.svg`` draws it.

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> line.svg()[:4]
        '<svg'
        """
        return str(self._found.svg())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file in the format of the name's ending: .svg, .csv, .json (trace events), .paje.

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> line.write("schedule.svg")
        """
        self._found.write(os.fspath(path))

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw it with matplotlib, a lane for each processor, machine or job.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> import holdfast as hf
        >>> line = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines["min-time"]
        >>> ax = line.plot()
        """
        from .plots import plot_timeline
        return plot_timeline(self, ax, style)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        columns = self._found.columns()
        return len(next(iter(columns.values()))) if columns else 0

    def __repr__(self) -> str:
        return f"<Timeline of {self.name}, {len(self)} rows>"


def _restored_timeline(state: Any) -> Timeline:
    return Timeline(_core.restored_schedule(state))


def _restored(kind: type[Answer], state: Any, members: dict[str, Any]) -> Answer:
    """An answer that was pickled."""
    out = kind.__new__(kind)
    out.__dict__.update(members)
    out._found = _core.restored(state)
    return out


class Answer(Mapping[str, Any]):
    """An answer: a mapping over its document, which can also be printed and shown.

    ``answer["efficiency"]`` is a member, ``answer["/by_count/0"]`` the value at a pointer. ``print(answer)`` shows what the
    program prints.
    """

    def __init__(self, found: Any, domain: str = "", verb: str = "") -> None:
        self._found = found
        self.domain = domain
        self.verb = verb

    @cached_property
    def document(self) -> Any:
        """The document as dicts, lists, texts and numbers."""
        return self._found.document()

    def json(self) -> str:
        """The bytes that the program prints under ``--json``, without the last newline.

        Examples
        --------
        >>> import holdfast as hf
        >>> plan = hf.checkpoint.plan(work="48h", checkpoint="10min", mtbf="10y", processors=10_000)
        >>> plan.json()[:1]
        '{'
        """
        return str(self._found.json())

    def __getitem__(self, name: str) -> Any:
        return self._found.at(name) if name.startswith("/") else self.document[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def __len__(self) -> int:
        return len(self.document)

    def array(self, pointer: str) -> numpy.ndarray[Any, Any]:
        """The numbers at a pointer as a float64 array, with two dimensions if they are lists of equal length.

        Examples
        --------
        >>> import holdfast as hf
        >>> plan = hf.io.plan(instance="examples/data/io-live.json")
        >>> plan.array("/rates").tolist()
        [120000000000.0, 80000000000.0, 0.0, 0.0]
        """
        import numpy
        return numpy.asarray(self._found.numbers(pointer if pointer.startswith("/") else "/" + pointer))

    @property
    def tables(self) -> list[str]:
        """The titles of its tables."""
        return [self._found.table_title(i) for i in range(self._found.table_count)]

    def frame(self, index: int = 0) -> pandas.DataFrame:
        """One of its tables, in SI base units; ``frame.attrs["units"]`` has the units.

        Examples
        --------
        >>> import holdfast as hf
        >>> plan = hf.checkpoint.plan(work="48h", checkpoint="10min", mtbf="10y", processors=10_000)
        >>> plan.frame().shape
        (30, 3)
        """
        return frame_of(self._found.table_columns(index), self._found.table_units(index))

    def to_pandas(self) -> pandas.DataFrame:
        """The same as `frame`: its first table.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.checkpoint.plan(work="48h", checkpoint="10min", mtbf="10y", processors=10_000).to_pandas().shape
        (30, 3)
        """
        return self.frame()

    @property
    def lines(self) -> list[str]:
        """The lines of text below its tables."""
        return list(self._found.lines())

    @property
    def warnings(self) -> list[str]:
        """The warnings about the input."""
        return [said_in_python(text) for text in self._found.warnings()]

    @property
    def is_no(self) -> bool:
        """Whether the question was answered with "no" (exit status 1 of the program)."""
        return bool(self._found.is_no)

    @property
    def schedule(self) -> Timeline | None:
        """The schedule; None if the verb has none."""
        found = self._found.schedules
        return Timeline(found[0]) if found else None

    @cached_property
    def instance(self) -> dict[str, Any]:
        """The parameters as they were given. They can be the instance of another call."""
        return dict(self._found.instance())

    def _as_instance(self) -> Answer:
        """The answer as an `Instance`, if its document is one."""
        return Instance(self._found, self.domain, self.verb) if isinstance(self.document, dict) else self

    if not TYPE_CHECKING:  # type checkers know the attributes
        def __getattr__(self, name):
            hint = "" if name.startswith("_") or name not in self.document else f"; its document has it: answer[{name!r}]"
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self._found.state(), dict(self.__dict__, _found=None))

    def __str__(self) -> str:
        return str(self._found.text()).rstrip("\n")

    def __repr__(self) -> str:
        said = self.document if isinstance(self.document, dict) else {}
        lines = [said.get("problem", ""), *said.get("verdict", ())]
        return said_in_python("\n".join(lines).strip()) or f"<{type(self).__name__} of {self.domain} {self.verb}>".replace("  ", " ")

    def _repr_html_(self) -> str:
        return said_in_python(str(self._found.html()))


class Instance(Answer):
    """An instance document, which `generate` returns. It can be the first argument of other verbs."""

    def __holdfast_document__(self) -> Any:
        return self.document

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as a JSON document, as the program reads it.

        Examples
        --------
        >>> import holdfast as hf
        >>> made = hf.taskgraph.generate(tasks=5, processors=8)
        >>> made.save("small.json")
        >>> hf.taskgraph.plan(instance="small.json").json() == hf.taskgraph.plan(made).json()
        True
        """
        Path(path).write_text(self.json() + "\n", encoding="utf-8")

    def graph(self) -> networkx.DiGraph:
        """Its tasks as a graph, whose edges come from their members ``parents``; the other members are attributes of the nodes.

        Examples
        --------
        >>> import holdfast as hf
        >>> graph = hf.taskgraph.generate(tasks=5, processors=8).graph()
        >>> graph.number_of_nodes()
        5
        """
        from .graphs import graph_of
        return graph_of(self.document)

    def __repr__(self) -> str:
        return f"<Instance of {self.domain}>"

    def _repr_html_(self) -> str:
        from html import escape
        text = self.json()
        shown = text if len(text) < 4000 else text[:4000] + "\n..."
        return f"<pre>{escape(shown)}</pre>"


class Simulation(Answer):
    """The answer of `simulate`, with all runs as arrays."""

    def __init__(self, found: Any, domain: str = "", *, keeps_timelines: bool = True) -> None:
        super().__init__(found, domain, "simulate")
        self._keeps_timelines = keeps_timelines

    @property
    def schedule(self) -> None:
        """None: `timelines` has a schedule for each strategy."""

    @property
    def strategies(self) -> list[str]:
        """The strategies in canonical form."""
        return list(self._found.strategies())

    @property
    def shown(self) -> list[str]:
        """The strategies as they were written: ``fixed:1h`` for ``fixed:period=3600``."""
        return list(self._found.shown())

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return [name for name, _, _ in self._found.metrics()]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each metric that has one."""
        return {name: unit for name, unit, _ in self._found.metrics() if unit}

    @cached_property
    def values(self) -> numpy.ndarray[Any, Any]:  # type: ignore[override]
        """All metrics as a read-only float64 array of shape (scenarios, strategies, metrics), in SI base units.

        NaN if a run does not have the metric or does not count in the statistics.
        """
        import numpy
        return numpy.asarray(self._found.values())

    @cached_property
    def completed(self) -> numpy.ndarray[Any, Any]:
        """Which runs completed, as a bool array of shape (scenarios, strategies)."""
        import numpy
        return numpy.asarray(self._found.completed())

    def frame(self, index: int | None = None) -> pandas.DataFrame:
        """One row for each scenario and strategy, a column for each metric; with an index, that table of the answer instead.

        Examples
        --------
        >>> import holdfast as hf
        >>> sim = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=10)
        >>> frame = sim.frame()
        >>> len(frame), frame.attrs["units"]["makespan"]
        (20, 's')
        """
        if index is not None:
            return super().frame(index)
        import numpy
        import pandas
        scenarios, strategies, metrics = self.values.shape
        columns: dict[str, Any] = {
            "scenario": numpy.repeat(numpy.arange(scenarios, dtype=numpy.int32), strategies),
            "strategy": pandas.Categorical.from_codes(numpy.tile(numpy.arange(strategies), scenarios), self.strategies),
            "completed": self.completed.ravel()}
        flat = self.values.reshape(-1, metrics)
        columns.update((name, flat[:, i]) for i, name in enumerate(self.metrics))
        return frame_of(columns, self.units)

    def summary(self) -> pandas.DataFrame:
        """One row for each strategy and metric: mean, standard error, quantiles, count.

        Examples
        --------
        >>> import holdfast as hf
        >>> sim = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=10)
        >>> list(sim.summary().columns)[:4]
        ['strategy', 'metric', 'mean', 'standard_error']
        """
        rows = [{"strategy": result["strategy"], "metric": metric, **numbers}
                for result in self.document["results"] for metric, numbers in result["metrics"].items()]
        names = ["strategy", "metric", "mean", "standard_error", "minimum", "p10", "p25", "median", "p75", "p90", "maximum",
                 "count"]
        columns = {name: [row.get(name) for row in rows] for name in names}
        return frame_of(columns, {})

    def comparisons(self) -> pandas.DataFrame:
        """One row for each pair of strategies and metric: paired ratios with 95 % intervals.

        Examples
        --------
        >>> import holdfast as hf
        >>> sim = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=10)
        >>> list(sim.comparisons().columns)[:3]
        ['numerator', 'denominator', 'metric']
        """
        rows = [without_lists(row) for row in self.document["comparisons"]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return frame_of({name: [row.get(name) for row in rows] for name in names}, {})

    def comparison(self, metric: str, numerator: Any = None, denominator: Any = None) -> Comparison:
        """The paired ratios of two strategies in a metric.

        Parameters
        ----------
        metric : str
            Name of the metric.
        numerator, denominator : str or rule, optional
            Strategies; default: the first comparison of that metric.

        Examples
        --------
        >>> import holdfast as hf
        >>> sim = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=10)
        >>> found = sim.comparison("makespan")
        >>> found.interval[0] <= found.geometric_mean <= found.interval[1]
        True
        """
        numerator, denominator = result_name(numerator), result_name(denominator)
        if metric not in self.metrics:
            raise UnknownName(f"found {metric!r}, expected one of {', '.join(self.metrics)}", "metric=")
        for row in self.document["comparisons"]:
            if row["metric"] == metric and numerator in (None, row["numerator"]) and \
                    denominator in (None, row["denominator"]):
                return Comparison(row)
        known = sorted({f"{row['numerator']} / {row['denominator']}" for row in self.document["comparisons"]})
        raise UnknownName(f"no comparison of {metric!r} between {numerator!r} and {denominator!r}; there are: "
                          + ", ".join(known), "metric=")

    @property
    def timelines(self) -> dict[str, Timeline]:
        """The schedules of the first scenario, by strategy."""
        if not self._keeps_timelines:
            return {}
        return {found.name: Timeline(found) for found in self._found.schedules}

    def plot(self, metric: str | None = None, ax: Any = None, **style: Any) -> Any:
        """Draw the distribution of a metric with matplotlib, a curve for each strategy.

        Parameters
        ----------
        metric : str, optional
            Name of the metric; default: the first one.

        Returns
        -------
        matplotlib.axes.Axes

        Examples
        --------
        >>> import holdfast as hf
        >>> sim = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=10)
        >>> ax = sim.plot("makespan")
        """
        from .plots import plot_simulation
        return plot_simulation(self, metric, ax, style)
