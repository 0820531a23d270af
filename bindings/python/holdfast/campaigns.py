"""Campaigns: parameters x instances x scenarios x strategies."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from .answers import warn
from .commands import places
from .catalog import Domain, domains
from .errors import IOFailure, UsageError
from .progress import watch
from .results import Results
from .rules import OwnRule, add
from .values import whole


def _toml(value: Any) -> str:
    """A value of a document in TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings have the escapes of JSON
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(item)}" for name, item in value.items() if item is not None) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    raise UsageError(f"found an object of type {type(value).__name__}, expected what a document holds")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _table(name: str, rows: Mapping[str, Any]) -> str:
    return f"[{name}]\n" + "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in rows.items() if value is not None)


class Campaign:
    """A campaign, with the contents of a campaign file.

    Parameters
    ----------
    name : str
        Name of the campaign; results go to ``NAME-results``.
    domain : str or Domain
        Domain of the campaign.
    parameters : mapping
        Fields of the instance or of its generator. A scalar or a mapping is fixed, a list is swept; several lists give their
        full product. ``points`` lists mappings if that would be too large.
    strategies : list of str or rule, optional
        Strategies to run; default: the recommended one and its baseline.
    seed, instances, scenarios : int
        The seed of all draws, random instances per point, and draws per instance.
    baseline : str, optional
        The strategy with which the others are compared.
    report : mapping, optional
        Contents of the report page: ``x``, ``series`` ...
    directory : path
        Folder to which relative paths in parameters refer.

    Examples
    --------
    >>> import holdfast as hf
    >>> sweep = hf.Campaign("ages", "checkpoint", {"work": "48h", "checkpoint": "10min", "processors": 1000,
    ...                     "failures": hf.Weibull(shape=0.7, mtbf="10y"), "platform_age": ["0d", "30d"]}, scenarios=5)
    >>> sweep.axes
    {'platform_age': ['0d', '30d']}
    """

    def __init__(self, name: str, domain: str | Domain, parameters: Mapping[str, Any], strategies: Any = None, *, seed: int = 1,
                 instances: int = 1, scenarios: int = 50, baseline: Any = None, report: Mapping[str, Any] | None = None,
                 directory: str | os.PathLike[str] = ".") -> None:
        self.domain = domains[domain] if isinstance(domain, str) else domain
        named = [strategies] if isinstance(strategies, (str, OwnRule)) else list(strategies or ())
        self.rules = tuple(one for one in named if isinstance(one, OwnRule))
        head = {"name": name, "domain": self.domain.name, "seed": seed, "instances": instances, "scenarios": scenarios,
                "strategies": [_text(one) for one in named] or None,
                "baseline": None if baseline is None else _text(baseline)}
        document = json.loads(_core.to_json(dict(parameters), "parameters="))
        self.text = _table("campaign", head) + "\n" + _table("parameters", document)
        if report:
            self.text += "\n" + _table("report", report)
        self.directory = Path(directory).resolve()
        self.scale = 1.0
        self._read()

    def _read(self) -> None:
        """Let the library read the text, so that there is only one reader of campaigns."""
        self._facts = _core.read_campaign(self.text, self.file, places()["data"], gather(self.domain, self.rules))

    @property
    def file(self) -> str:
        """The name of the file in messages."""
        return str(self.directory / "campaign.toml")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Campaign:
        """Read a campaign file, or the campaign of a directory of results.

        Examples
        --------
        >>> import holdfast as hf
        >>> hf.Campaign.read("examples/first-look.toml").scenarios
        200
        """
        facts = _core.read_campaign("", os.fspath(path), places()["data"], _core.Rules())
        out = cls.__new__(cls)
        out.domain = domains[facts["domain"]]
        out.rules = ()
        out.text = facts["text"]
        out.directory = Path(path).resolve().parent
        out.scale = 1.0
        out._facts = facts
        return out

    def __getattr__(self, name: str) -> Any:
        facts = self.__dict__.get("_facts", {})
        if name in ("name", "seed", "instances", "scenarios", "axes", "fixed", "strategies") and name in facts:
            return facts[name]
        raise AttributeError(name)

    def scaled(self, factor: float) -> Campaign:
        """The same campaign, whose instances and scenarios are multiplied when it runs, to at least 1 each.

        Examples
        --------
        >>> import holdfast as hf
        >>> results = hf.run(hf.Campaign.read("examples/first-look.toml").scaled(0.02))
        >>> len(results)
        48
        """
        out = self.__class__.__new__(self.__class__)
        out.__dict__.update(self.__dict__)
        out.scale = self.scale * factor
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as a campaign file, which the program can run.

        Examples
        --------
        >>> import holdfast as hf
        >>> sweep = hf.Campaign("ages", "checkpoint", {"work": "48h", "checkpoint": "10min", "mtbf": "10y", "processors": [100, 1000]})
        >>> sweep.save("ages.toml")
        >>> hf.Campaign.read("ages.toml").axes
        {'processors': [100, 1000]}
        """
        Path(path).write_text(self.text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Campaign {self.name!r} of {self.domain.name}, swept: {', '.join(self.axes) or 'nothing'}>"


def _text(strategy: Any) -> str:
    return strategy.text if isinstance(strategy, OwnRule) else str(strategy)


def gather(domain: Domain, rules: Sequence[OwnRule]) -> Any:
    """The rules of a campaign, in the form for the compiled module."""
    known = _core.Rules()
    for own in rules:
        add(known, domain, own)
    return known


def run(source: Any, results: str | os.PathLike[str] | None = None, *, threads: int = 0, executor: str = "local",
        scale: float = 1.0, rules: Sequence[OwnRule] = (), progress: Any = None, stop: Any = None,
        force: bool = False) -> Results:
    """Run a campaign, or continue it: cells that are finished are not run again.

    Parameters
    ----------
    source : path or Campaign
        A campaign file, a directory of results to continue, or a campaign.
    results : path, optional
        Directory for the results; default: ``NAME-results`` in the current folder.
    threads : int
        Number of threads; 0: all cores. It changes no byte of the results.
    executor : {"local", "slurm"}
        Where cells run. With "slurm" the call returns at once, and ``results.submitted`` says where the cells are.
    scale : float
        Factor for the numbers of instances and scenarios, which are at least 1.
    rules : list of rule
        Rules to which ``custom:NAME`` in a file refers.
    progress : bool, callable or None
        As in ``simulate``.
    stop : threading.Event, optional
        Ends the run when it is set; finished cells are kept.
    force : bool
        Write into a directory that holds other files.

    Returns
    -------
    Results

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C, with a note that says how many cells are kept, and which call continues.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.run("examples/first-look.toml", scale=0.02)
    <Results of 'first look: checkpoints on a machine that is new': 48 of 48 cells>
    """
    if executor == "mpi":
        raise UsageError("found 'mpi', which needs the program: mpirun -n 4 holdfast run FILE --executor mpi", "executor=")
    rules = [*rules, *(source.rules if isinstance(source, Campaign) else ())]
    if rules and executor != "local":
        raise UsageError(f"found {executor!r} with rules, which only this process knows; expected 'local'", "executor=")
    text, file, scale = _source_of(source, scale)
    domain = source.domain if isinstance(source, Campaign) else _domain_of(file)
    where = os.fspath(results) if results is not None else _results_of(source, file)
    place = places()
    threads = whole(threads, "threads=", 0, 2**32 - 1)
    options = {"scale": scale, "executor": executor, "force": force, "threads": threads, "data": place["data"],
               "program": place["program"], "command": f"holdfast.run({file!r})"}
    with watch(progress) as seen:
        try:
            done = _core.run_campaign(text, file, where, options, gather(domain, rules) if rules else _core.Rules(), seen, stop)
        except KeyboardInterrupt as interrupt:
            _tell_kept(interrupt, where)
            raise
    warn(done["warnings"])
    out = Results(where)
    out.submitted = list(done["submitted"])
    return out


def _source_of(source: Any, scale: float) -> tuple[str, str, float]:
    """The campaign's text (empty if it is in a file), its file, and its scale."""
    if isinstance(source, Campaign):
        return source.text, source.file, scale * source.scale
    if isinstance(source, Results):
        return "", str(source.directory), scale
    return "", os.fspath(source), scale


def _domain_of(file: str) -> Domain:
    return domains[_core.read_campaign("", file, places()["data"], _core.Rules())["domain"]]


def _results_of(source: Any, file: str) -> str:
    if isinstance(source, Campaign):
        return re.sub(r"[\s/]+", "-", source.name) + "-results"
    return file if _core.holds_results(file) else Path(file).stem + "-results"


def _tell_kept(interrupt: KeyboardInterrupt, where: str) -> None:
    """Add a note to the interrupt: how many cells are kept, and how to continue."""
    try:
        status = Results(where).status()
    except IOFailure:
        return
    interrupt.add_note(f"{status['cells_done']} of {status['cells_total']} cells are kept; holdfast.run({where!r}) continues")
