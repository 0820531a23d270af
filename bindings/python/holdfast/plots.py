"""Pictures by matplotlib, which only this module imports. Its global style is not changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import UnknownName

if TYPE_CHECKING:
    from .answers import Simulation, Timeline
    from .fits import Fit
    from .results import Results

# Those of Okabe and Ito, as in the program's own pictures, and the states that have the same colour in each of them.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B58900", "#56B4E9", "#000000", "#8C6D31")
_STATES = {"kept": "#0072B2", "work": "#0072B2", "checkpoint": "#E69F00", "recovery": "#F0E442", "lost": "#D55E00",
           "failure": "#D55E00", "downtime": "#000000", "idle": "#BBBBBB", "wait": "#BBBBBB"}
_HATCH = {"lost": "///", "failed": "xxx"}


def _axes(ax: Any) -> Any:
    """The axes that were given, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot
    ax = matplotlib.pyplot.subplots()[1]
    ax.set_prop_cycle(color=_COLORS)
    return ax


def _titled(name: str, units: dict[str, str]) -> str:
    return f"{name} ({units[name]})" if name in units else name


def plot_fit(fit: Fit, ax: Any, style: dict[str, Any]) -> Any:
    """The survival of the fitted laws over the logarithm of age, and the observed survival."""
    import numpy
    ax = _axes(ax)
    seen = fit.survival
    ax.step(seen["age"], seen["survival"], where="post", color="black", label="observed")
    ax.fill_between(seen["age"], seen["low"], seen["high"], step="post", color="black", alpha=0.15, linewidth=0)
    for position, law in enumerate(fit.laws):
        ages = numpy.geomspace(law.quantile(0.001), law.quantile(0.999), 200)
        ax.plot(ages, law.survival(ages), linewidth=2.5 if position == 0 else 1, label=law.name, **style)
    ax.set_xscale("log")
    ax.set(xlabel="age (s)", ylabel="survival", ylim=(0, 1))
    ax.legend()
    return ax


def plot_timeline(timeline: Timeline, ax: Any, style: dict[str, Any]) -> Any:
    """Bars of a schedule: a lane for each value of its lane column, coloured by state."""
    ax = _axes(ax)
    columns = timeline.columns()
    roles = timeline.roles
    starts, ends = columns[roles["start"]], columns[roles["end"]]
    lanes = columns[roles["lane"]] if "lane" in roles else [timeline.name] * len(starts)
    states = columns[roles["state"]] if "state" in roles else [""] * len(starts)
    order = list(dict.fromkeys(lanes))
    for number, state in enumerate(dict.fromkeys(states)):
        rows = [i for i, one in enumerate(states) if one == state]
        ax.barh([order.index(lanes[i]) for i in rows], [ends[i] - starts[i] for i in rows], left=[starts[i] for i in rows],
                height=0.8, color=_STATES.get(str(state), _COLORS[number % len(_COLORS)]), hatch=_HATCH.get(str(state)),
                label=str(state) or None, **style)
    ax.set_yticks(range(len(order)), [str(lane) for lane in order])
    ax.set_xlabel(_titled(roles["start"], timeline.units))
    if any(states):
        ax.legend()
    return ax


def plot_simulation(simulation: Simulation, metric: str | None, ax: Any, style: dict[str, Any]) -> Any:
    """The distribution of a metric: for each strategy, a curve of the share of runs up to a value."""
    import numpy
    ax = _axes(ax)
    metric = metric or simulation.metrics[0]
    if metric not in simulation.metrics:
        raise UnknownName(f"found {metric!r}, expected one of {', '.join(simulation.metrics)}", "metric=")
    place = simulation.metrics.index(metric)
    for number, strategy in enumerate(simulation.strategies):
        values = simulation.values[:, number, place]
        values = numpy.sort(values[~numpy.isnan(values)])
        ax.step(values, numpy.arange(1, len(values) + 1) / max(len(values), 1), where="post", label=strategy, **style)
    ax.set(xlabel=_titled(metric, simulation.units), ylabel="share of runs", ylim=(0, 1))
    ax.legend()
    return ax


def plot_results(results: Results, x: str | None, series: str, metric: str | None, ax: Any, style: dict[str, Any]) -> Any:
    """The mean of a metric over a swept parameter, a line for each value of `series`."""
    ax = _axes(ax)
    metric = metric or results.metrics[0]
    x = x or str(next(iter(results.axes), "strategy"))
    frame = results.frame(metric)
    for keyword, name in (("x=", x), ("series=", series)):
        if name not in frame.columns:
            raise UnknownName(f"found {name!r}, expected one of {', '.join(map(str, frame.columns))}", keyword)
    frame = frame[frame["in_statistics"]]
    for name, part in frame.groupby(series, observed=True, sort=False):
        means = part.groupby(x, observed=True)[metric].mean()
        ax.plot(means.index, means.to_numpy(), marker="o", label=str(name), **style)
    units = frame.attrs.get("units", results.units)
    ax.set(xlabel=_titled(x, units), ylabel=f"mean {_titled(metric, units)}")
    ax.legend()
    return ax
