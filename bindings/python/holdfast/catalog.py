"""Domains and their verbs, made from the library's catalog: they have what its tables contain."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

from . import _core
from .answers import Answer, Simulation, warn
from .errors import UnknownName, UsageError, keyword_of
from .progress import watch
from .rules import gathered
from .values import plain, whole


def describe() -> dict[str, Any]:
    """The library's catalog, as ``holdfast describe --json`` prints it, without the commands of the program.

    Returns
    -------
    dict
        A document of kind "catalog": domains with their fields, strategies, metrics and verbs; laws, formats.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.describe()["holdfast"]["kind"]
    'catalog'
    """
    return dict(_core.describe())


def version() -> dict[str, Any]:
    """The version of this library and how it was built, as ``holdfast --version --json`` prints it.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.version()["holdfast"]["kind"]
    'version'
    """
    return dict(_core.version())


def strategy(name: str, /, **parameters: Any) -> str:
    """The text of a strategy with parameters.

    Parameters
    ----------
    name : str
        Name of the strategy in its domain's table.
    **parameters
        Parameters of the strategy; quantities as texts with units, or as numbers in SI base units.

    Examples
    --------
    >>> import holdfast as hf
    >>> hf.strategy("fixed", period="1h")
    'fixed:period=1h'
    """
    parts = [name]
    for key, value in parameters.items():
        if not isinstance(value, (str, int, float)):
            value = plain(value)
        parts.append(f"{key}={value}")
    return ":".join(parts)


class Record(SimpleNamespace):
    """A row of a table of the catalog; members that a row does not have are None."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary or self.when}>"


def _frozen(row: Mapping[str, Any]) -> Record:
    """A row as a `Record`, and the rows in it too."""
    members = {}
    for name, value in row.items():
        if isinstance(value, list):
            value = tuple(_frozen(item) if isinstance(item, dict) else item for item in value)
        elif isinstance(value, dict):
            value = _frozen(value)
        members[name] = value
    return Record(**members)


class Domain:
    """A domain of the library: the question that it answers, its tables, and each of its verbs as a method.

    Attributes
    ----------
    name, question, example, recommended, baseline : str
        Its name, the question that it answers, an example of a command, its default strategy, and the strategy with which that
        one is compared.
    fields, strategies, metrics, schedule, verbs : tuple
        Rows of its tables, with members ``name``, ``summary``, ``unit``, ``default`` and so on.
    decision : object or None
        The decision that a rule of your own takes (`holdfast.rule`).
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        row = _frozen(document)
        self.name: str = row.name
        self.question: str = row.question
        self.example: str = row.example or ""
        self.recommended: str = row.recommended
        self.baseline: str = row.baseline
        self.fields: tuple[Any, ...] = row.fields or ()
        self.strategies: tuple[Any, ...] = row.strategies or ()
        self.metrics: tuple[Any, ...] = row.metrics or ()
        self.schedule: tuple[Any, ...] = row.schedule or ()
        self.verbs: tuple[Any, ...] = row.verbs or ()
        self.decision: Any = row.decision
        self.__doc__ = f"{self.question}\n\nVerbs: simulate, {', '.join(verb.name for verb in self.verbs)}."
        for verb in self.verbs:
            setattr(self, keyword_of(verb.name), _verb_method(self, verb))
        self.simulate: Callable[..., Simulation] = _simulate_method(self)

    def __repr__(self) -> str:
        return f"<holdfast.{self.name}: {self.question}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _domain_named, (self.name,)

    def __deepcopy__(self, memo: object) -> Domain:
        return self


def _domain_named(name: str) -> Domain:
    return domains[name]


class Domains(Mapping[str, Domain]):
    """All domains by name."""

    def __init__(self) -> None:
        self._known: dict[str, Domain] | None = None

    def _all(self) -> dict[str, Domain]:
        if self._known is None:
            self._known = {row["name"]: Domain(row) for row in _core.describe()["domains"]}
        return self._known

    def __getitem__(self, name: str) -> Domain:
        if name not in self:
            raise UnknownName(f"found {name!r}, expected one of {', '.join(self)}", "domain=")
        return self._all()[name]

    def __contains__(self, name: object) -> bool:
        return name in _core.domain_names()

    def get(self, name: str, default: Any = None) -> Any:
        """The domain of that name, or `default`."""
        return self[name] if name in self else default

    def __iter__(self) -> Iterator[str]:
        return iter(_core.domain_names())

    def __len__(self) -> int:
        return len(_core.domain_names())

    def __repr__(self) -> str:
        return f"<domains: {', '.join(self)}>"


domains = Domains()


def _sorted_out(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The instance, and the verb's positional arguments. A text as first argument is one of the latter."""
    instance = keywords.pop("instance", None)
    if arguments and not isinstance(arguments[0], str):
        if instance is not None:
            raise UsageError("found it twice, in first place and as a keyword; expected one", "instance=")
        instance, arguments = arguments[0], arguments[1:]
    if isinstance(instance, str):
        from pathlib import Path
        instance = Path(instance)
    return instance, arguments


def _verb_method(domain: Domain, verb: Record) -> Callable[..., Answer]:
    domain_name, verb_name, writes_instance = domain.name, verb.name, bool(verb.writes_instance)
    takes_several = any(option.name == "strategies" for option in verb.options or ())

    def ask(*arguments: Any, strategy: Any = None, seed: int = 1, schedule: bool = False, **keywords: Any) -> Answer:
        instance, positionals = _sorted_out(arguments, keywords)
        if "strategies" in keywords and not takes_several:
            raise UsageError("found several, expected one: a verb other than simulate takes strategy=", "strategies=")
        names, rules = gathered(domain, strategy)
        if seed.__class__ is not int or not 0 <= seed < 2**64:
            seed = whole(seed, "seed=")
        found = _core.ask(domain_name, verb_name, instance, positionals, keywords, names, seed, schedule, rules)
        if found.has_warnings:
            warn(found.warnings())
        answer = Answer(found, domain_name, verb_name)
        return answer._as_instance() if writes_instance else answer

    ask.__name__ = keyword_of(verb.name)
    ask.__qualname__ = f"{domain.name}.{ask.__name__}"
    ask.__doc__ = _documentation(verb, _rows_of(domain, verb), "Answer")
    ask.__signature__ = _signature(_rows_of(domain, verb), _verb_parameters(verb))  # type: ignore[attr-defined]
    return ask


_SIMULATE: tuple[tuple[str, Any, str], ...] = (
    ("strategies", None, "names, texts with parameters, rules; default: the recommended one against the baseline"),
    ("baseline", None, "the strategy with which the others are compared"),
    ("scenarios", 50, "number of independent draws of everything random"),
    ("seed", 1, "seed of all draws"),
    ("threads", 0, "number of threads, 0: all cores; it changes no byte of the results"),
    ("check", False, "check every run with the domain's validator"),
    ("schedule", False, "put the schedules into the document, as ``--schedule -`` does"),
    ("timelines", True, "keep the schedules of the first scenario"),
    ("progress", None, "True, False, or a function of a Progress; None: a bar after 2 s in a terminal or notebook"),
    ("stop", None, "a threading.Event that ends the run"),
)


def _simulate_method(domain: Domain) -> Callable[..., Simulation]:
    def simulate(*arguments: Any, strategies: Any = None, baseline: Any = None, scenarios: int = 50, seed: int = 1,
                 threads: int = 0, check: bool = False, schedule: bool = False, timelines: bool = True, progress: Any = None,
                 stop: Any = None, **keywords: Any) -> Simulation:
        instance, positionals = _sorted_out(arguments, keywords)
        if positionals:
            instance = _path_of(positionals)
        if "strategy" in keywords:
            raise UsageError("found one, expected strategies=: simulate compares several under the same draws", "strategy=")
        names, rules = gathered(domain, strategies)
        base, more = gathered(domain, baseline, rules)
        scenarios, seed = whole(scenarios, "scenarios=", 1, 2**63 - 1), whole(seed, "seed=")
        threads = whole(threads, "threads=", 0, 2**32 - 1)
        with watch(progress) as seen:
            found = _core.simulate(domain.name, instance, keywords, names, base, scenarios, seed, threads, check,
                                   schedule, more, seen, stop)
        simulation = Simulation(found, domain.name, keeps_timelines=timelines)
        warn(simulation.warnings)
        return simulation

    rows = list(domain.fields) + _strategy_rows(domain)
    simulate.__qualname__ = f"{domain.name}.simulate"
    verb = Record(name="simulate", summary="run strategies on an instance, all of them under the same failures",
                  example=domain.example if domain.example.startswith(f"holdfast {domain.name} simulate ") else "")
    simulate.__doc__ = _documentation(verb, rows, "Simulation", _SIMULATE)
    simulate.__signature__ = _signature(rows, [  # type: ignore[attr-defined]
        inspect.Parameter("instance", inspect.Parameter.POSITIONAL_ONLY, default=None),
        *(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value, _ in _SIMULATE)])
    return simulate


def _path_of(positionals: tuple[Any, ...]) -> Any:
    raise UsageError(f"found {positionals[0]!r}, expected a mapping or a pathlib.Path in first place", "instance=")


def _rows_of(domain: Domain, verb: Record) -> list[Record]:
    """The keywords of a verb: its own options, then fields of the instance, then parameters of strategies."""
    rows = [*(verb.positionals or ()), *(verb.options or ())]
    if verb.takes_instance:
        rows += [row for row in domain.fields if row.name not in (verb.unused or ())]
    if verb.takes_strategy:
        rows += _strategy_rows(domain)
    return rows


def _strategy_rows(domain: Domain) -> list[Record]:
    return [row for entry in domain.strategies for row in entry.parameters or ()]


def _verb_parameters(verb: Record) -> list[inspect.Parameter]:
    kinds = inspect.Parameter
    out = []
    if verb.takes_instance:
        out.append(kinds("instance", kinds.POSITIONAL_ONLY, default=None))
    if verb.positionals:
        out.append(kinds("positionals", kinds.VAR_POSITIONAL))
    if verb.takes_strategy:
        out.append(kinds("strategy", kinds.KEYWORD_ONLY, default=None))
    if verb.has_schedule:
        out.append(kinds("schedule", kinds.KEYWORD_ONLY, default=False))
    if verb.takes_seed:
        out.append(kinds("seed", kinds.KEYWORD_ONLY, default=1))
    return out


def _signature(rows: list[Record], first: list[inspect.Parameter]) -> inspect.Signature:
    names = {parameter.name for parameter in first}
    out = list(first)
    for row in rows:
        name = keyword_of(row.name)
        if name in names:
            continue
        names.add(name)
        out.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=row.default))
    out.append(inspect.Parameter("document", inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(out)


_KINDS = MappingProxyType({"number": "quantity", "integer": "int", "flag": "bool", "text": "str", "numbers": "list", "texts": "list",
                           "file": "path"})


def _documentation(verb: Record, rows: list[Record], returns: str,
                   more: tuple[tuple[str, Any, str], ...] = ()) -> str:
    """A docstring in numpydoc's form."""
    lines = [_sentence(verb.summary), "", "Parameters", "----------"]
    for name, default, summary in more:
        lines += [f"{name} : default {default!r}", f"    {_sentence(summary)}"]
    seen = {name for name, _, _ in more}
    for row in rows:
        name = keyword_of(row.name)
        if name in seen:
            continue
        seen.add(name)
        lines += [f"{name} : {_type_of(row)}", f"    {_sentence(row.summary)}"]
    lines += ["", "Returns", "-------", returns]
    if verb.example:
        lines += ["", "Notes", "-----", f"On the command line: ``{verb.example}``.",
                  "", "Examples", "--------", ">>> import holdfast as hf", *_call_of(verb.example, rows)]
    return "\n".join(lines) + "\n"


def _call_of(command: str, rows: list[Record]) -> list[str]:
    """An example of the command line as a doctest. Its words have no blanks inside."""
    known = {keyword_of(row.name): row for row in rows}
    _, domain, verb, *words = command.split()
    parts: list[str] = []
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            parts.append(repr(word))
            continue
        row = known.get(keyword_of(word[2:]))
        is_flag = not words or words[0].startswith("--")
        value = "True" if is_flag else words.pop(0)
        if word in ("--instance", "--strategy", "--scenarios", "--seed"):
            name = "strategies" if word == "--strategy" and verb == "simulate" else word[2:]
            parts.append(f"{name}={value if value.isdigit() else repr(value)}")
        elif row is not None:  # other options concern the file to which the answer is written
            parts.append(f"{keyword_of(row.name)}={value if is_flag or row.kind == 'integer' else repr(value)}")
    lines, line = [], f">>> answer = hf.{domain}.{keyword_of(verb)}("
    for part in [f"{part}, " for part in parts[:-1]] + [f"{part})" for part in parts[-1:]] or [")"]:
        if len(line) + len(part) > 118:
            lines.append(line.rstrip())
            line = "...     "
        line += part
    return [*lines, line]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _type_of(row: Record) -> str:
    what = "{" + ", ".join(row.choices) + "}" if row.choices else _KINDS.get(row.kind, "value")
    if row.unit:
        what += f" in {row.unit}"
    return what + (f", default {row.default}" if row.default else "")
