"""Where the package, the sources and the data are."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("HOLDFAST_DATA", ROOT.parent / "shared" / "data"))

os.environ.setdefault("MPLBACKEND", "Agg")  # no window

# For processes that tests start elsewhere.
os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)


def all_vectors() -> list[dict[str, Any]]:
    """Every check vector of every domain, with the file that has it."""
    out = []
    for file in sorted(ROOT.glob("src/holdfast/domains/*/vectors/*.json")):
        for number, vector in enumerate(json.loads(file.read_text())["vectors"]):
            out.append({**vector, "id": f"{file.parent.parent.name}-{file.stem}-{number}"})
    return out


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
