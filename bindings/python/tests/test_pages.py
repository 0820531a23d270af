"""What pages show beside commands of the program (tests/cli) and sessions of Python (test_documents.py): programs in other languages
with what they print, and what readers of the tutorials type. The C++ of the tutorial for researchers is built by tests/install."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests/support"))
import blocks  # type: ignore[import]  # noqa: E402

RESULTS = "docs/how-to/results-in-pandas-r-duckdb.md"
SIMPY = "docs/how-to/plan-inside-simpy.md"
TUTORIALS = ("docs/tutorials/application-developer.md", "docs/tutorials/operator.md", "docs/tutorials/researcher.md")
PROGRAM = Path(os.environ.get("HOLDFAST_PROGRAM", ROOT / "build/release/bin/holdfast"))


def ran(*command: str | Path) -> str:
    """What a command prints."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def programs(page: str, language: str) -> list[tuple[str, str | None]]:
    """The programs of a page in a language, each with what the page says that it prints."""
    found = [(text, output) for name, text, output in blocks.fenced(page) if name == language]
    assert found, f"no block of {language}"
    return found


@pytest.mark.parametrize(("language", "command"), [
    ("python", (sys.executable, "-c")), ("r", ("Rscript", "--vanilla", "-e")),
    ("sql", ("duckdb", "-noheader", "-list", "-separator", " ", "-c"))])
def test_an_export_is_read_as_the_page_says(language: str, command: tuple[str, ...], scratch: Path) -> None:
    if language == "python":
        pytest.importorskip("pandas")
    elif not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}")
    ran(PROGRAM, "run", ROOT / "examples/constant-periods.toml", "--export", "csv", "--quiet")
    ran(PROGRAM, "run", "constant-periods-results", "--export", "sqlite", "--quiet")
    lines = Path("constant-periods-results/results.csv").read_text().splitlines()
    assert lines[0] == "platform_age_s,instance,scenario,strategy,metric,unit,value,completed"
    assert {line.split(",")[0] for line in lines[1:]} == {"0", "864000", "2592000", "8640000"}
    said = [(ran(*command, text), output) for text, output in programs(RESULTS, language)]
    assert any(output is not None for _, output in said)
    for printed, output in said:
        assert printed.split() == output.split() if output is not None else printed


def test_a_model_in_simpy_prints_what_the_page_says() -> None:
    pytest.importorskip("simpy")
    ((program, output),) = programs(SIMPY, "python")
    assert output is not None
    assert ran(sys.executable, "-W", "error::UserWarning", "-c", program) == output
    # Alone it ends when the simulator says.
    script = program.split("def hours")[0] + """
for seed in range(1, 6):
    instance = hf.checkpoint.generate(work=48 * 3600.0, platform_age=0, seed=seed, **JOB)
    print(round(hf.checkpoint.simulate(instance, strategies=["next-step"]).values[0, 0, 0] / 3600, 1))
"""
    alone = output.splitlines()[0].split("[")[1].rstrip("]").split(", ")
    assert ran(sys.executable, "-c", script).split() == alone
    assert sum(1 for line in program.splitlines() if line.strip()) < 40


@pytest.fixture
def clone(scratch: Path) -> Path:
    """What a reader of a tutorial has, as the current folder."""
    Path("build/release").mkdir(parents=True)
    Path("build/release/bin").symlink_to(PROGRAM.resolve().parent)
    Path("examples").symlink_to(ROOT / "examples")
    return scratch


def shell(*scripts: str) -> str:
    """What the scripts print, one after the other in one shell."""
    return ran("bash", "-euc", "\n".join(scripts))


@pytest.mark.parametrize("page", TUTORIALS)
def test_the_program_is_on_the_path_after_the_first_command(page: str, clone: Path) -> None:
    first = next(blocks.indented(page))
    assert shell(first, "command -v holdfast").strip() == str(clone / "build/release/bin/holdfast")


def test_a_job_script_asks_for_its_next_checkpoint(clone: Path) -> None:
    path, script = blocks.indented(TUTORIALS[0])
    shutil.copy(ROOT / "examples/logs/cluster-failures.csv", "failures.csv")
    seconds = int(shell(path, "left=48h", script, 'echo "$next"'))
    assert (seconds // 3600, seconds % 3600 // 60) == (4, 10)  # the plan of section 3: 4 h 11 min, rounded


def test_the_segments_that_the_researcher_computes_are_those_of_the_document() -> None:
    ((program, _),) = programs(TUTORIALS[2], "python")
    document = json.loads((ROOT / "examples/data/growing-segments.json").read_text())
    assert json.loads(ran(sys.executable, "-c", program)) == document["segments"]


def test_the_researcher_writes_figures_without_a_browser(clone: Path) -> None:
    command = "holdfast report constant-periods-results --plot figures"
    assert f"`{command}`" in (ROOT / TUTORIALS[2]).read_text()
    path = next(blocks.indented(TUTORIALS[2]))
    shell(path, "holdfast run examples/constant-periods.toml --scale 0.05 --quiet", command)
    assert list(Path("figures").glob("*.svg"))


def test_everything_indented_in_a_tutorial_is_known_here_or_in_the_test_of_installations() -> None:
    """So that a command that is added to a tutorial does not stay unrun."""
    assert [len(list(blocks.indented(page))) for page in TUTORIALS] == [2, 1, 2]
