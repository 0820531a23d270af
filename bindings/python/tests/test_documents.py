"""Docstrings, the page and the notebook say what happens."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import holdfast as hf

MODULES = [name for _, name, _ in pkgutil.iter_modules(hf.__path__) if name not in ("_core", "__main__")]


@pytest.mark.parametrize("name", [*MODULES, "__init__"])
def test_examples_in_docstrings(name: str) -> None:
    module = hf if name == "__init__" else importlib.import_module("holdfast." + name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "docs/tutorials/python.md"])
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_pages(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")  # the page leaves it
    done = doctest.testfile(str(ROOT / page), module_relative=False)
    assert done.failed == 0 and done.attempted > 10


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


def test_the_notebook(scratch: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("matplotlib")
    pytest.importorskip("ipykernel")
    shutil.copytree(ROOT / "examples/logs", "logs")
    notebook = nbformat.read(ROOT / "examples/first-look.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in code), "notebooks are committed without what they print"
    assert sum(1 for cell in code for line in cell.source.splitlines() if line.strip()) < 60
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    pictures = [output for cell in code for output in cell.outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 3
