"""Errors: one class for each code, with the place and the message of the program."""

from __future__ import annotations

import copy
import pickle
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import ROOT

import holdfast as hf


@pytest.mark.parametrize(("kind", "call", "where"), [
    (hf.UsageError, lambda: hf.checkpoint.plan(work="-1"), "work="),
    (hf.UsageError, lambda: hf.checkpoint.plan(work="1h", checkpoint="1min", mtbf="1d", shape="x"), "shape="),
    (hf.UsageError, lambda: hf.checkpoint.expected(wrk="1h"), "wrk="),
    (hf.UsageError, lambda: hf.io.examples({}), "instance="),
    (hf.ValueRefused, lambda: hf.checkpoint.plan({"work": -1, "checkpoint": 60}), "/work"),
    (hf.UnknownName, lambda: hf.io.simulate({"lode": 1}), "/lode"),
    (hf.UnknownName, lambda: hf.io.simulate(lode=1), "lode="),
    (hf.UsageError, lambda: hf.checkpoint.simulate(work="1h", checkpoint="1min", mtbf="1d", strategies="yuong-daly"), "strateg"),
    (hf.FormatError, lambda: hf.checkpoint.plan(ROOT / "README.md"), str(ROOT / "README.md") + ":1"),
])
def test_a_refusal_has_its_class_and_its_place(kind: Any, call: Any, where: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert error.where.startswith(where), error
    assert error.message in str(error)
    assert error.exit_code in (2, 3)
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(again), str(again), again.where) == (kind, str(error), error.where)


def test_classes_are_also_pythons() -> None:
    assert issubclass(hf.UsageError, TypeError)
    assert issubclass(hf.ValueRefused, ValueError)
    assert issubclass(hf.FormatError, ValueError)
    assert issubclass(hf.UnknownName, LookupError)
    assert issubclass(hf.IOFailure, OSError)


def test_what_is_missing_says_how_to_give_it() -> None:
    with pytest.raises(hf.UsageError, match="^checkpoint=: is missing") as caught:
        hf.checkpoint.plan(work="10min", mtbf="1d")
    assert "as keywords" in caught.value.__notes__[0]


def test_warnings_are_at_the_callers_line(scratch: Path) -> None:
    Path("log.csv").write_text("node,start,end\na,0,10\na,5,20\n")
    with pytest.warns(hf.HoldfastWarning) as caught:
        hf.answers.warn(["something"])
    assert caught[0].filename == __file__


class Refused(NamedTuple):
    """A command of a session that is refused."""

    command: str
    said: str
    status: int


def _steps(session: Path) -> Iterator[Refused | str]:
    """A session in order: commands that are refused, and others that write files. Writes its own files here."""
    command, said, target = "", "", None
    for line in [*session.read_text().splitlines(), "$ end"]:
        if line.startswith("file "):
            target = Path(line[5:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("")
        elif line.startswith("| ") and target is not None:
            with target.open("a") as out:
                out.write(line[2:] + "\n")
        elif line.startswith("$ "):
            if any(word in command.split() for word in ("-o", "--output", "convert", "slice")) and not said:
                yield command
            command, said = line[2:].removeprefix("holdfast "), ""
        elif line.startswith("! holdfast: ") and not line.startswith("! holdfast: warning: ") and not said:
            said = line[2:].removeprefix("holdfast: ")
        elif line in ("exit 2", "exit 3"):
            yield Refused(command, said, int(line[-1]))


# What has no meaning in Python, by the word that shows it: how an answer is printed or where it is written.
_OF_THE_PROGRAM = ("--json", "--format", "--schedule", "--output", "-o", "--quiet", "--verbose", "--plot", "-", "cite", "complete",
                   "completion", "help", "--help", "--dot", "describe", "browse", "guard", "init", "--force", "--threads", "--shell")


def _call_of(command: str) -> Callable[[], Any] | None:
    """The call that means a command; None where Python has none."""
    words = shlex.split(command)
    if any(word.split("=")[0] in _OF_THE_PROGRAM for word in words) and words[:2] not in (["trace", "convert"], ["trace", "slice"]):
        return None
    return _trace_call(words[1:]) if words[0] == "trace" else _domain_call(words)


def _sorted_out(words: list[str], rows: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Positionals and keywords; flags are true."""
    positionals, keywords = [], {}
    words = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            positionals.append(word)
            continue
        name = word.lstrip("-").replace("-", "_")
        row = rows.get(name)
        is_flag = not words or (row is not None and row.kind == "flag") or words[0].startswith("--")
        keywords[hf.errors.keyword_of(name)] = True if is_flag else words.pop(0)
    return positionals, keywords


def _trace_call(words: list[str]) -> Callable[[], Any] | None:
    verb, (positionals, keywords) = (words or [""])[0], _sorted_out([word for word in words[1:] if word != "--verbose"], {})
    output = keywords.pop("o", keywords.pop("output", "made"))
    if verb not in ("fit", "info", "convert", "slice") or len(positionals) != 1 or "plot" in keywords:
        return None
    seed = keywords.pop("seed", 1)
    if verb == "fit":
        return lambda: hf.fit(positionals[0], seed=seed, **keywords)
    if verb == "info":
        return lambda: hf.trace.info(*positionals, **keywords)
    if verb == "convert":
        return lambda: hf.trace.convert(positionals[0], output, **keywords)
    return lambda: hf.trace.slice(positionals[0], output, seed=seed, **keywords)


def _domain_call(words: list[str]) -> Callable[[], Any] | None:
    if len(words) < 2 or words[0] not in hf.domains:
        return None
    domain, verb = hf.domains[words[0]], words[1]
    if verb != "simulate" and verb not in [one.name for one in domain.verbs]:
        return None
    rows = {row.name.replace("-", "_"): row for one in domain.verbs for row in one.options or ()}
    rows |= {row.name.replace("-", "_"): row for row in domain.fields}
    positionals, keywords = _sorted_out(words[2:], {**rows, "check": hf.catalog.Record(kind="flag")})
    if verb == "simulate" and "strategy" in keywords:
        keywords["strategies"] = keywords.pop("strategy")
    for name in ("scenarios", "seed"):
        if name in keywords and str(keywords[name]).isdigit():
            keywords[name] = int(keywords[name])
    if len(positionals) == 1 and Path(positionals[0]).suffix in (".json", ".toml"):
        keywords["instance"] = positionals.pop()
    return lambda: getattr(domain, hf.errors.keyword_of(verb))(*positionals, **keywords)


def _in_python(said: str) -> str:
    """What the program says of an option, as Python says it of a keyword."""
    said = re.sub(r"^unknown option '(--\w+)'; did you mean '--(\w+)'", r"\1: unknown keyword; did you mean '\2'", said)
    said = re.sub(r"^unknown option '(--\w+)': ", r"\1: unknown keyword: ", said)
    said = hf.errors.said_in_python(re.sub("^(--to) is required$", r"\1: is missing", said))
    where, colon, message = said.partition(": ")
    return hf.errors.in_python(where) + colon + message if where.startswith("--") else said


def _plainly(said: str) -> str:
    """A number as a number, however it was typed; and strategies by the one name that the program has for them."""
    said = re.sub(r"""found (the string "|')(-?\d+)["'], expected a whole""", r"found \2, expected a whole", said)
    return said.replace("strategies=", "strategy=")


_SESSIONS = sorted((ROOT / "tests/cli").glob("*/*.txt"))  # those beside them are of a domain that is made for tests


@pytest.mark.parametrize("session", _SESSIONS, ids=[f"{one.parent.name}-{one.stem}" for one in _SESSIONS])
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_refusals_of_the_command_line_are_exceptions_with_the_same_words(session: Path, scratch: Path) -> None:
    wrong, asked = [], 0
    for step in _steps(session):
        if isinstance(step, str):
            hf.command(shlex.split(step))
            continue
        call = _call_of(step.command)
        if call is None:
            continue
        asked += 1
        try:
            call()
            wrong.append(f"{step.command}: no exception, expected {step.said}")
        except hf.Error as error:
            if _plainly(str(error)) != _plainly(_in_python(step.said)) or error.exit_code != step.status:
                wrong.append(f"{step.command}:\n  {type(error).__name__} {error}\n  {step.status} {_in_python(step.said)}")
    assert not wrong, f"{len(wrong)} of {asked}\n" + "\n".join(wrong)


def test_few_refusals_of_questions_are_of_the_program_alone(scratch: Path) -> None:
    """Others are of commands that Python does not have: of hosts and jobs, of papers, of the shell, of an arbiter that runs."""
    refused = [step.command for session in _SESSIONS for step in _steps(session) if isinstance(step, Refused)]
    of_servers = ["capacity serve", *(f"io {verb}" for verb in ("serve", "run", "top", "calibrate"))]
    questions = [command for command in refused
                 if command.split()[0] in {"trace", *hf.domains} and " ".join(command.split()[:2]) not in of_servers]
    left = [command for command in questions if _call_of(command) is None]
    assert len(questions) > 130 and 8 * len(left) < len(questions), left


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"ckpt": "10min"}, "ckpt=: unknown keyword; did you mean 'checkpoint'?"),
        ({"checkpoint": "10min", "walltime": "3d"}, "walltime=: unknown keyword; did you mean 'work'?"),
        ({"checkpoint": "10min", "processors": 8, "gpus": 8}, "gpus=: unknown keyword: GPUs of a node fail with it"),
    ],
)
def test_words_of_others_are_met_with_ours(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(hf.UsageError) as refused:
        hf.checkpoint.plan(mtbf="1d", **keywords)
    assert said in str(refused.value)
