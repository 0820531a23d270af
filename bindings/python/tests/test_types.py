"""Types: what checkers are told is what is there."""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import holdfast as hf

PACKAGE = ROOT / "bindings/python"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MYPYPATH": os.pathsep.join(
    path for path in sys.path if Path(path, "holdfast", "__init__.py").exists())}


def run(*words: object, folder: Path) -> None:
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]


def test_stubs_say_what_the_catalog_says() -> None:
    program = os.environ.get("HOLDFAST_PROGRAM", ROOT / "build/release/bin/holdfast")
    if not Path(program).exists():
        pytest.skip("no program was built")
    run(sys.executable, ROOT / "tools/make_stubs", "--check", "--program", program, folder=ROOT)


def test_the_package_its_tests_and_examples_are_typed_strictly(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    notebook = json.loads((ROOT / "examples/first-look.ipynb").read_text())
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    (tmp_path / "notebook.py").write_text("\n".join(code) + "\n")
    tests = sorted(path for path in (PACKAGE / "tests").glob("*.py") if path.name != "test_advisor.py")  # of unittest, untyped
    run(sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", tmp_path / "cache", "holdfast", "bench.py", *tests,
        tmp_path / "notebook.py", folder=PACKAGE)


def test_stubs_are_what_is_there(tmp_path: Path) -> None:
    """By stubtest, which imports the package and compares it with its stubs."""
    pytest.importorskip("mypy")
    domains = "".join(f"holdfast\\.{name}\n" for name in hf.domains)  # of a class each for checkers, and all of Domain
    allowed = tmp_path / "allowed.txt"
    allowed.write_text((PACKAGE / "tests/stubtest.txt").read_text() + domains)
    run(sys.executable, "-m", "mypy.stubtest", "holdfast", "--concise", "--mypy-config-file", PACKAGE / "mypy.ini",
        "--allowlist", allowed, "--ignore-unused-allowlist", folder=tmp_path)


def test_stubs_agree_with_the_methods() -> None:
    """What checkers are told of a method is what `?` says of it."""
    tree = ast.parse((PACKAGE / "holdfast/_domains.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert set(classes) == {name.capitalize() for name in hf.domains}
    for name, domain in hf.domains.items():
        methods = {node.name: node for node in classes[name.capitalize()].body if isinstance(node, ast.FunctionDef)}
        assert set(methods) == {"simulate", *(hf.errors.keyword_of(verb.name) for verb in domain.verbs)}
        for method, node in methods.items():
            told = {argument.arg for argument in node.args.kwonlyargs}
            there = {one.name for one in inspect.signature(getattr(domain, method)).parameters.values()
                     if one.kind is one.KEYWORD_ONLY}
            assert told == there, f"{name}.{method}"


def test_the_public_names_are_those_of_the_stub() -> None:
    tree = ast.parse((PACKAGE / "holdfast/__init__.pyi").read_text())
    declared = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    declared |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    declared |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    assert set(hf.__all__) <= declared
    for name in hf.__all__:
        assert getattr(hf, name) is not None
