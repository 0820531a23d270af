"""Pictures by matplotlib, which only this module imports. Its global style is not changed."""

from __future__ import annotations

from typing import Any

from .errors import UnknownName

# Those of Okabe and Ito, as in the program's own pictures, and the states that have the same colour in each of them.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B58900", "#56B4E9", "#000000", "#8C6D31")
_STATES = {"kept": "#0072B2", "work": "#0072B2", "checkpoint": "#E69F00", "recovery": "#F0E442", "lost": "#D55E00",
           "failure": "#000000", "downtime": "#000000", "idle": "#BBBBBB", "wait": "#BBBBBB"}
_HATCH = {"lost": "///", "failed": "xxx"}


def _axes(ax: Any) -> Any:
    """The axes that were given, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot
    ax = matplotlib.pyplot.subplots()[1]
    ax.set_prop_cycle(color=_COLORS)
    return ax


# Units of time, each with the least largest value that is shown in it.
_TIMES = ((3 * 86400.0, 86400.0, "d"), (3 * 3600.0, 3600.0, "h"), (3 * 60.0, 60.0, "min"), (0.0, 1.0, "s"))


def _scale(largest: float, unit: str) -> tuple[float, str]:
    """The number by which values are divided, and the unit that they have then: days, hours or minutes in place of seconds."""
    if unit != "s":
        return 1.0, unit
    return next((size, name) for least, size, name in _TIMES if not largest < least)


def _titled(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


def plot_fit(fit: Any, ax: Any, style: dict[str, Any]) -> Any:
    """The survival of the fitted laws over the logarithm of age, and the observed survival."""
    import numpy
    ax = _axes(ax)
    seen = fit.survival
    size, unit = _scale(float(numpy.max(seen["age"])), "s")
    ax.step(seen["age"] / size, seen["survival"], where="post", color="black", label="observed")
    ax.fill_between(seen["age"] / size, seen["low"], seen["high"], step="post", color="black", alpha=0.15, linewidth=0,
                    label="95 % interval")
    for position, law in enumerate(fit.laws):
        ages = numpy.geomspace(law.quantile(0.001), law.quantile(0.999), 200)
        ax.plot(ages / size, law.survival(ages), linewidth=2.5 if position == 0 else 1, label=law.name, **style)
    ax.set_xscale("log")
    ax.set(xlabel=_titled("age", unit), ylabel="survival", ylim=(0, 1))
    ax.legend()
    return ax


def plot_timeline(timeline: Any, ax: Any, style: dict[str, Any]) -> Any:
    """Bars of a schedule: a lane for each value of its lane column, coloured by state. Work that was lost is hatched."""
    ax = _axes(ax)
    columns = timeline.columns()
    roles = timeline.roles
    starts, ends = columns[roles["start"]], columns[roles["end"]]
    lanes = columns[roles["lane"]] if "lane" in roles else [timeline.name] * len(starts)
    states = [str(state) for state in columns[roles["state"]]] if "state" in roles else [""] * len(starts)
    if "lost" in roles:
        states = ["lost" if lost else state for state, lost in zip(states, columns[roles["lost"]], strict=True)]
    size, unit = _scale(float(max(ends, default=0)), timeline.units.get(roles["end"], ""))
    order = list(dict.fromkeys(lanes))
    for number, state in enumerate(dict.fromkeys(states)):
        rows = [i for i, one in enumerate(states) if one == state]
        if all(ends[i] == starts[i] for i in rows):  # instants, such as failures
            ax.plot([starts[i] / size for i in rows], [order.index(lanes[i]) + 0.45 for i in rows], "v", markersize=5,
                    color=_STATES.get(state, _COLORS[number % len(_COLORS)]), label=state or None)
            continue
        ax.barh([order.index(lanes[i]) for i in rows], [(ends[i] - starts[i]) / size for i in rows],
                left=[starts[i] / size for i in rows], height=0.8, color=_STATES.get(state, _COLORS[number % len(_COLORS)]),
                hatch=_HATCH.get(state), label=state or None, **style)
    ax.set_yticks(range(len(order)), [str(lane) for lane in order])
    ax.set_xlabel(_titled(roles["start"] if unit in ("", "slots") else "time", unit))
    if any(states):  # above the lanes, where it hides no bar
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=4, frameon=False)
    return ax


def plot_simulation(simulation: Any, metric: str | None, ax: Any, style: dict[str, Any]) -> Any:
    """The distribution of a metric: for each strategy, a curve of the share of runs up to a value."""
    import numpy
    ax = _axes(ax)
    metric = metric or simulation.metrics[0]
    if metric not in simulation.metrics:
        raise UnknownName(f"found {metric!r}, expected one of {', '.join(simulation.metrics)}", "metric=")
    block = simulation.values[:, :, simulation.metrics.index(metric)]
    known = block[~numpy.isnan(block)]
    size, unit = _scale(float(known.max()) if known.size else 0.0, simulation.units.get(metric, ""))
    for number, strategy in enumerate(simulation.shown):
        values = block[:, number]
        values = numpy.sort(values[~numpy.isnan(values)]) / size
        ax.step(values, numpy.arange(1, len(values) + 1) / max(len(values), 1), where="post", label=strategy, **style)
    ax.set(xlabel=_titled(metric, unit), ylabel="share of runs", ylim=(0, 1))
    ax.legend()
    return ax


def plot_results(results: Any, x: str | None, series: str, metric: str | None, ax: Any, style: dict[str, Any]) -> Any:
    """The mean of a metric over a swept parameter with its 95 % interval, a line for each value of `series`."""
    ax = _axes(ax)
    metric = metric or results.metrics[0]
    x = x or str(next(iter(results.axes), "strategy"))
    frame = results.frame(metric)
    for keyword, name in (("x=", x), ("series=", series)):
        if name not in frame.columns:
            raise UnknownName(f"found {name!r}, expected one of {', '.join(map(str, frame.columns))}", keyword)
    frame = frame[frame["in_statistics"]]
    groups = [(name, part.groupby(x, observed=True)[metric].agg(["mean", "sem"]))
              for name, part in frame.groupby(series, observed=True, sort=False)]
    units = frame.attrs.get("units", results.units)
    size, unit = _scale(max((float(found["mean"].max()) for _, found in groups), default=0.0), units.get(metric, ""))
    is_number = groups and groups[0][1].index.dtype.kind in "fi"
    wide, wide_unit = _scale(float(frame[x].max()) if is_number else 0.0, units.get(x, ""))
    shown = dict(zip(results.strategies, results.shown, strict=True)) if series == "strategy" else {}
    for name, found in groups:
        places = found.index.to_numpy() / wide if is_number else found.index
        ax.errorbar(places, found["mean"].to_numpy() / size, yerr=1.96 * found["sem"].to_numpy() / size, marker="o", capsize=3,
                    label=shown.get(name, str(name)), **style)
    ax.set(xlabel=_titled(x, wide_unit), ylabel=_titled(f"mean {metric}", unit))
    ax.legend()
    return ax
