"""The wheel: built by pip without an index, installed into an environment of its own, and asked from another folder.

Label `package`: it builds the library again, for installed files alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PLAN = "import holdfast as hf; print(hf.__file__); print(hf.checkpoint.plan(work='48h', checkpoint='10min', mtbf='10y')['efficiency'])"


def run(*words: object, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, folder=folder)
    return next(folder.glob("*.whl"))


def test_it_holds_what_the_program_brings_along(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("holdfast/__init__.py", "holdfast/py.typed", "holdfast/_domains.pyi", "holdfast/share/examples/first-look.toml",
                 "holdfast/share/domains/checkpoint/vectors/"):
        assert any(name.startswith(part) for name in names), part
    assert not any("/src/" in name or "__pycache__" in name for name in names)


def test_it_works_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--system-site-packages", "env", folder=tmp_path)
    python = tmp_path / "env/bin/python"
    run(python, "-m", "pip", "install", "--no-index", wheel, folder=tmp_path)
    where, efficiency = run(python, "-c", PLAN, folder=tmp_path).splitlines()
    assert where.startswith(str(tmp_path)) and 0 < float(efficiency) < 1
    assert " 0 failed" in run(tmp_path / "env/bin/holdfast", "verify", folder=tmp_path)


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT,
        folder=tmp_path)
    assert next(tmp_path.glob("*.whl")).read_bytes() == wheel.read_bytes()
