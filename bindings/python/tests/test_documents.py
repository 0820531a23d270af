"""Docstrings, the page and the notebook say what happens."""

from __future__ import annotations

import doctest
import functools
import importlib.util
import inspect
import pkgutil
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, ROOT

import holdfast as hf

MODULES = [name for _, name, _ in pkgutil.iter_modules(hf.__path__) if name not in ("_core", "__main__")]


# The package that an example needs, by a word of it.
_NEEDS = {".plot(": "matplotlib", "to_xarray": "xarray", "graph": "networkx"}


@pytest.fixture
def beside_examples(scratch: Path) -> Path:
    """An empty folder with the project's examples."""
    for name in ("examples", "src"):
        (scratch / name).symlink_to(ROOT / name)
    return scratch


@pytest.mark.parametrize("name", [*MODULES, "__init__"])
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_examples_in_docstrings(name: str, beside_examples: Path) -> None:
    module = hf if name == "__init__" else importlib.import_module("holdfast." + name)
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(module):
        source = "".join(example.source for example in test.examples)
        missing = [package for word, package in _NEEDS.items() if word in source and importlib.util.find_spec(package) is None]
        if missing:
            print(f"skipped: {test.name}, no {missing[0]}")
        elif test.examples:
            runner.run(test)
    assert runner.summarize().failed == 0


def _functions() -> list[tuple[str, Any]]:
    return [(name, value) for name, value in _public()
            if inspect.isroutine(value) and not isinstance(value, (property, functools.cached_property))] + [
        (f"trace.{name}", getattr(hf.trace, name)) for name in ("info", "read", "convert", "slice")]


def test_every_public_function_has_an_example() -> None:
    without = [name for name, value in _functions() if ">>> " not in (inspect.getdoc(value) or "")]
    assert not without


def _methods() -> list[Any]:
    return [method for domain in hf.domains.values()
            for method in [domain.simulate, *(getattr(domain, hf.errors.keyword_of(verb.name)) for verb in domain.verbs)]]


@pytest.mark.parametrize("method", _methods(), ids=lambda method: str(method.__qualname__))
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_examples_of_domains_say_what_the_program_says(method: Any, beside_examples: Path) -> None:
    text = inspect.getdoc(method)
    assert text is not None
    (test,) = doctest.DocTestFinder().find(method, method.__qualname__, globs={})
    assert len(test.examples) == 2
    found: dict[str, Any] = {}
    exec(test.examples[0].source + test.examples[1].source, found)
    command = text.split("On the command line: ``holdfast ")[1].split("``")[0].split()
    if "--output" in command:
        del command[command.index("--output"):]
    if isinstance(found["answer"].document, str):  # of another format
        assert str(found["answer"]) == hf.command(command).out.rstrip("\n")
    else:
        assert found["answer"].json() + "\n" == hf.command([*command, "--json"]).out


@pytest.mark.parametrize(("page", "least"), [("docs/python.md", 30), ("docs/tutorials/python.md", 20),
                                             ("docs/how-to/notebook-tips.md", 8)])
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_pages(page: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("matplotlib", "networkx"):
        pytest.importorskip(package)
    monkeypatch.chdir(ROOT / "examples")  # the page leaves it
    done = doctest.testfile(str(ROOT / page), module_relative=False)
    assert done.failed == 0 and done.attempted >= least


def _public() -> list[tuple[str, Any]]:
    """Functions and methods that a user meets, by name."""
    out = []
    for name in hf.__all__:
        value = getattr(hf, name)
        out.append((name, value))
        if inspect.isclass(value) and value.__module__.startswith("holdfast"):
            out += [(f"{name}.{key}", member) for key, member in vars(value).items() if not key.startswith("_")]
    return out


@pytest.mark.parametrize(("name", "value"), _public(), ids=[name for name, _ in _public()])
def test_everything_public_is_documented(name: str, value: Any) -> None:
    assert inspect.getdoc(value), name


@pytest.mark.parametrize("name", list(hf.domains))
def test_domains_are_documented_by_the_catalog(name: str) -> None:
    domain = hf.domains[name]
    assert domain.question and domain.fields and domain.strategies and domain.metrics and domain.verbs
    for verb in [*domain.verbs, None]:
        method = domain.simulate if verb is None else getattr(domain, hf.errors.keyword_of(verb.name))
        parameters = inspect.signature(method).parameters
        text = inspect.getdoc(method) or ""
        assert "Returns\n-------" in text
        missing = [one for one in parameters if one not in ("instance", "document", "positionals", "seed", "strategy", "schedule")
                   and f"{one} : " not in text]
        assert not missing


def test_no_option_hides_a_keyword_of_python() -> None:
    """What a call itself takes is no field, option or parameter of a domain."""
    for domain in hf.domains.values():
        rows = {row.name for row in domain.fields} | {row.name for entry in domain.strategies for row in entry.parameters or ()}
        assert not rows & {"instance", "strategies", "baseline", "scenarios", "seed", "threads", "check", "schedule", "timelines",
                           "progress", "stop", "strategy"}, domain.name


@pytest.mark.parametrize("log", ["made up", "LANL"])
def test_the_notebook(log: str, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("matplotlib")
    pytest.importorskip("ipykernel")
    if log == "LANL" and not (DATA / "failures/lanl-1996-2005.csv.gz").exists():
        pytest.skip("no log of LANL (HOLDFAST_DATA)")
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the notebook has its own
    if log == "LANL":
        monkeypatch.setenv("HOLDFAST_DATA", str(DATA.resolve()))
    else:
        monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    shutil.copytree(ROOT / "examples/logs", "logs")
    notebook = nbformat.read(ROOT / "examples/first-look.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in code), "notebooks are committed without what they print"
    assert sum(1 for cell in code for line in cell.source.splitlines() if line.strip()) < 60
    # By files, not by ports: another process may take a port between its choice and its use.
    kernel = manager.AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{tempfile.mkdtemp(dir='/tmp')}/kernel")
    nbclient.NotebookClient(notebook, km=kernel, timeout=300).execute(cleanup_kc=True)
    pictures = [output for cell in code for output in cell.outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 3
    said = "".join(output.get("text", "") for output in code[0].outputs)
    assert ("skipped: the log of LANL" in said) == (log != "LANL")
