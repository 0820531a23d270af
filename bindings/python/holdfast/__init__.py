"""Decisions for work that must survive failures: when to checkpoint, how to schedule, and what it is worth.

>>> import holdfast as hf
>>> plan = hf.checkpoint.plan(work="48h", checkpoint="10min", processors=10_000,
...                           failures=hf.Weibull(shape=0.7, mtbf="10y"), platform_age="100d")
>>> plan["checkpoints"], round(plan["efficiency"], 3)
(49, 0.695)

Nothing is loaded before it is used, neither the compiled module nor NumPy.
"""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False  # type checkers take it for True; importing typing would cost milliseconds
if TYPE_CHECKING:
    from typing import Any

# Public names, and the module of this package that defines each.
_HOMES = {
    **dict.fromkeys(("Error", "FormatError", "HoldfastWarning", "IOFailure", "Infeasible", "UnknownName", "UsageError",
                     "ValueRefused"), "errors"),
    **dict.fromkeys(("Answer", "Instance", "Simulation", "Timeline"), "answers"),
    **dict.fromkeys(("Domain", "describe", "domains", "strategy", "version"), "catalog"),
    **dict.fromkeys(("duration", "seconds"), "units"),
    **dict.fromkeys(("command", "guard", "reproduce", "verify"), "commands"),
    **dict.fromkeys(("Campaign", "run"), "campaigns"),
    **dict.fromkeys(("Fit", "fit"), "fits"),
    **dict.fromkeys(("tasks_of",), "graphs"),
    **dict.fromkeys(("Law", "law"), "laws"),
    **dict.fromkeys(("Results",), "results"),
    **dict.fromkeys(("rule",), "rules"),
}


def _domain_names() -> list[str]:
    return list(importlib.import_module(".catalog", __name__).domains)


def _law_makers() -> dict[str, Any]:
    return dict(importlib.import_module(".laws", __name__).named())


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value = importlib.import_module(".catalog", __name__).version()["version"]
    elif name == "trace":
        value = importlib.import_module(".traces", __name__)
    elif name in _HOMES:
        value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
    elif name == "__all__":
        value = sorted([*_HOMES, "trace", *_domain_names(), *_law_makers()])
    elif name[:1].isupper() and name in _law_makers():
        value = _law_makers()[name]
    elif not name.startswith("_") and name in _domain_names():
        value = importlib.import_module(".catalog", __name__).domains[name]
    else:
        # With name= and obj=, Python itself suggests similar names.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
