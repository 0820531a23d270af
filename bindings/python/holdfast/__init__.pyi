"""The package's public names. Written by tools/make_stubs: a change by hand is lost."""

from typing import Any

from .answers import Answer as Answer, Instance as Instance, Simulation as Simulation, Timeline as Timeline
from .campaigns import Campaign as Campaign, run as run
from .catalog import Domain as Domain, describe as describe, domains as domains, strategy as strategy, version as version
from .commands import command as command, guard as guard, reproduce as reproduce, verify as verify
from .errors import Error as Error, FormatError as FormatError, HoldfastWarning as HoldfastWarning, IOFailure as IOFailure, Infeasible as Infeasible, UnknownName as UnknownName, UsageError as UsageError, ValueRefused as ValueRefused
from .fits import Fit as Fit, fit as fit
from .graphs import tasks_of as tasks_of
from .laws import Law as Law, law as law
from .results import Results as Results
from .rules import rule as rule
from .units import duration as duration, seconds as seconds
from . import traces as trace
from ._domains import Capacity, Checkpoint, Cosched, Io, Machine, Moldable, Taskgraph, Volatile, Workflow

capacity: Capacity
checkpoint: Checkpoint
cosched: Cosched
io: Io
machine: Machine
moldable: Moldable
taskgraph: Taskgraph
volatile: Volatile
workflow: Workflow

def Exponential(**given: Any) -> Law: ...
def Weibull(**given: Any) -> Law: ...
def Gamma(**given: Any) -> Law: ...
def Lognormal(**given: Any) -> Law: ...
def Empirical(**given: Any) -> Law: ...
def Hyperexponential(**given: Any) -> Law: ...

__version__: str
__all__ = ["Answer", "Campaign", "Domain", "Empirical", "Error", "Exponential", "Fit", "FormatError", "Gamma", "HoldfastWarning", "Hyperexponential", "IOFailure", "Infeasible", "Instance", "Law", "Lognormal", "Results", "Simulation", "Timeline", "UnknownName", "UsageError", "ValueRefused", "Weibull", "capacity", "checkpoint", "command", "cosched", "describe", "domains", "duration", "fit", "guard", "io", "law", "machine", "moldable", "reproduce", "rule", "run", "seconds", "strategy", "taskgraph", "tasks_of", "trace", "verify", "version", "volatile", "workflow"]
