"""What Python gives is what the program prints, byte for byte."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import ROOT, all_vectors

import holdfast as hf


def words_of(vector: dict[str, Any]) -> list[str]:
    """The vector as a command line."""
    words = vector["command"].split()
    for name, value in vector.get("options", {}).items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        words += [f"--{name.replace('_', '-')}"] if value is True else [f"--{name.replace('_', '-')}", text]
    if "strategy" in vector:
        words += ["--strategy", vector["strategy"]]
    if "instance" in vector:
        words += ["--instance", "-"]
    return [*words, "--json"]


def ask(vector: dict[str, Any]) -> Any:
    """The vector as a call."""
    domain, verb, *positionals = vector["command"].split()
    # As texts, so that messages quote the same.
    options = {hf.errors.keyword_of(name): str(value) if type(value) in (int, float) else value
               for name, value in vector.get("options", {}).items()}
    if "strategy" in vector:
        options["strategies" if verb == "simulate" else "strategy"] = vector["strategy"]
    if "schedule" in options:
        options["schedule"] = options["schedule"] == "-"
    if "instance" in vector:
        options["instance"] = vector["instance"]
    for name in ("scenarios", "seed"):
        if name in options:
            options[name] = int(options[name])
    return getattr(hf.domains[domain], hf.errors.keyword_of(verb))(*positionals, **options)


VECTORS = all_vectors()


@pytest.mark.parametrize("domain", list(hf.domains))
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_every_check_vector(domain: str, scratch: Any) -> None:
    wrong = []
    mine = [vector for vector in VECTORS if vector["command"].split()[0] == domain]
    assert mine, "every domain has check vectors"
    for vector in mine:
        words = words_of(vector)
        done = hf.command(words, json.dumps(vector.get("instance", {})))
        try:
            answer = ask(vector)
        except hf.Error as error:
            if done.status != error.exit_code and not (done.status == 3 and error.exit_code == 2):
                wrong.append(f"{vector['id']}: {shlex.join(words)}: {error!r} against {done.status} {done.err}")
            elif error.message not in hf.errors.said_in_python(done.err):
                wrong.append(f"{vector['id']}: {error.message!r} against {done.err!r}")
            continue
        if answer.json() + "\n" != done.out or int(answer.is_no) != done.status:
            wrong.append(f"{vector['id']}: {shlex.join(words)}")
    assert not wrong, f"{len(wrong)} of {len(mine)}:\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    one = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=20, threads=1)
    more = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10_000, scenarios=20, threads=threads)
    assert one.json() == more.json()
    assert numpy.array_equal(one.values, more.values, equal_nan=True)  # submissions have a value under a time limit alone


def test_the_text_is_the_programs() -> None:
    words = ["checkpoint", "plan", "--work", "48h", "--checkpoint", "10min", "--mtbf", "10y", "--processors", "10000"]
    plan = hf.checkpoint.plan(work="48h", checkpoint="10min", mtbf="10y", processors=10_000)
    assert str(plan) + "\n" == hf.command(words).out


def test_an_instance_in_a_file_is_read_as_on_the_command_line(scratch: Any) -> None:
    made = hf.taskgraph.generate(tasks=5, processors=8)
    made.save("small.json")
    ours = hf.taskgraph.plan(Path("small.json"), seed=3)
    assert ours.json() + "\n" == hf.command(["taskgraph", "plan", "small.json", "--seed", "3", "--json"]).out
    # The same in memory: only a file could be placed in errors.
    assert hf.taskgraph.plan(made, seed=3).json() == ours.json()


def test_the_catalog() -> None:
    printed = json.loads(hf.command(["describe", "--json"]).out)
    assert {name: printed[name] for name in printed if name != "commands"} == \
        {name: value for name, value in hf.describe().items() if name != "commands"}
    assert [domain["name"] for domain in printed["domains"]] == list(hf.domains)
    assert (ROOT / "src/holdfast/domains").is_dir()


def test_the_version() -> None:
    assert hf.version() == json.loads(hf.command(["--version", "--json"]).out)
