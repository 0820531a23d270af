"""Errors: one class for each code, with the place and the message of the program."""

from __future__ import annotations

import copy
import pickle
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def _refusals(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Sessions of tests/cli that end with status 2 or 3: the file, the command, and what it says. Writes their files."""
    for session in sorted((ROOT / "tests/cli").glob("*/*.txt")):
        command, said, target = "", "", None
        for line in session.read_text().splitlines():
            if line.startswith("file "):
                target = folder / line[5:]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("")
            elif line.startswith("| ") and target is not None:
                target.write_text(target.read_text() + line[2:] + "\n")
            elif line.startswith("$ "):
                command, said = line[2:].removeprefix("holdfast "), ""
            elif line.startswith("! holdfast: ") and not said:
                said = line[2:]
            elif line in ("exit 2", "exit 3"):
                yield session.relative_to(ROOT).as_posix(), command, said


def _call_of(command: str) -> Any:
    """The call that means a command, where it is a question to a domain that Python can put; else None."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if len(words) < 2 or words[0] not in hf.domains or any(letter in command for letter in "|<>$"):
        return None
    domain, verb, rest = words[0], words[1], words[2:]
    if verb != "simulate" and verb not in [one.name for one in hf.domains[domain].verbs]:
        return None
    keywords, positionals = {}, []
    names = {row.name.replace("-", "_") for one in [*hf.domains[domain].verbs] for row in one.options or ()}
    names |= {row.name.replace("-", "_") for row in hf.domains[domain].fields}
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            positionals.append(word)
            continue
        name = word[2:].replace("-", "_")
        if name == "strategy" and rest:
            keywords["strategies" if verb == "simulate" else "strategy"] = rest.pop(0)
            continue
        if name not in names or not rest or rest[0].startswith("--"):
            return None  # formats, files, flags: not of the question
        keywords[hf.errors.keyword_of(name)] = rest.pop(0)
    if len(positionals) == 1 and Path(positionals[0]).suffix in (".json", ".toml"):
        positionals = [Path(positionals[0])]
    elif positionals and verb == "simulate":
        return None
    return lambda: getattr(hf.domains[domain], hf.errors.keyword_of(verb))(*positionals, **keywords)


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_refusals_of_the_command_line_have_the_same_words(scratch: Path) -> None:
    asked, wrong = 0, []
    for file, command, said in _refusals(scratch):
        call = _call_of(command)
        if call is None:
            continue
        asked += 1
        try:
            call()
            wrong.append(f"{file}: {command}: no exception")
        except hf.Error as error:
            if error.message not in said:
                wrong.append(f"{file}: {command}: {error.message!r} against {said!r}")
    assert asked >= 20, f"only {asked} sessions could be asked"
    assert not wrong, f"{len(wrong)} of {asked}\n" + "\n".join(wrong)
