"""Builds a wheel of the package (PEP 517 and 660), with the standard library, CMake and Ninja, and without a package index.

The module is built in build/python-<tag> for the interpreter that runs this. Times in the archive come from SOURCE_DATE_EPOCH, so
that two builds of the same source give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
EARLIEST = 315532800  # 1980, the earliest time in a zip archive


def _project() -> dict[str, object]:
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def _version() -> str:
    """The version in CMakeLists.txt."""
    found = re.search(r"project\(holdfast VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if found is None:
        raise RuntimeError("CMakeLists.txt: found no version, expected project(holdfast VERSION ...)")
    return found[1]


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata() -> str:
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}", f"Summary: {project['description']}",
             f"Requires-Python: {project['requires-python']}", f"License: {project['license']['text']}"]  # type: ignore[index]
    lines += [f"Requires-Dist: {one}" for one in project["dependencies"]]  # type: ignore[attr-defined]
    for extra, packages in project["optional-dependencies"].items():  # type: ignore[attr-defined]
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in packages]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", ""]) + "\n" + \
        (ROOT / "README.md").read_text(encoding="utf-8")


def _facts(folder: Path) -> str:
    """Writes NAME-VERSION.dist-info into a folder, and returns its name."""
    name = f"holdfast-{_version()}.dist-info"
    made = folder / name
    made.mkdir(parents=True)
    (made / "METADATA").write_text(_metadata(), encoding="utf-8")
    (made / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: holdfast\nRoot-Is-Purelib: false\nTag: {_tag()}\n")
    scripts = _project()["scripts"].items()  # type: ignore[attr-defined]
    (made / "entry_points.txt").write_text("[console_scripts]\n" + "".join(f"{key} = {value}\n" for key, value in scripts))
    shutil.copy(ROOT / "LICENSE", made / "LICENSE")
    return name


def _run(*words: object) -> None:
    subprocess.run([str(word) for word in words], cwd=ROOT, check=True)


def _build(installed_only: bool) -> Path:
    """Builds the module, and returns the folder of the build."""
    folder = ROOT / "build" / f"python-{_tag()}"
    # Where pip has brought a pybind11 (get_requires_for_build_wheel), that one; else the system's.
    told = subprocess.run([sys.executable, "-m", "pybind11", "--cmakedir"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    pybind11 = [f"-Dpybind11_DIR={told.stdout.strip()}"] if told.returncode == 0 else []
    _run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHOLDFAST_TESTS=OFF",
         "-DHOLDFAST_BATCHES=ON", "-DHOLDFAST_PYTHON=ON", f"-DHOLDFAST_PYTHON_EXECUTABLE={sys.executable}",
         f"-DHOLDFAST_INSTALLED_ONLY={'ON' if installed_only else 'OFF'}", *pybind11)
    _run("cmake", "--build", folder, "--target", "holdfast_python")
    return folder


def _archive(folder: Path, wheel: Path) -> None:
    """Zips a folder, with a RECORD of its files. The same files give the same bytes."""
    when = time.gmtime(max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST))))[:6]
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def put(name: str, data: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        for path in sorted(files, key=lambda one: (".dist-info" in one.as_posix(), one.as_posix())):
            name, data = path.relative_to(folder).as_posix(), path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            put(name, data, 0o755 if path.suffix == ".so" else 0o644)
        place = f"holdfast-{_version()}.dist-info/RECORD"
        put(place, ("\n".join([*record, f"{place},,"]) + "\n").encode(), 0o644)


def _wheel(directory: str, fill: object) -> str:
    name = f"holdfast-{_version()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        fill(Path(scratch))  # type: ignore[operator]
        _facts(Path(scratch))
        _archive(Path(scratch), Path(directory) / name)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    """Builds the wheel: the package with its module and its data files."""
    return wheel_of(_build(installed_only=True), wheel_directory)


def wheel_of(folder: Path | str, directory: str) -> str:
    """Writes the wheel of what has been built in a folder for the interpreter that runs this, and returns its name."""
    return _wheel(directory, lambda scratch: _run("cmake", "--install", folder, "--component", "python", "--strip", "--prefix", scratch))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    """Builds a wheel with a path to the build's folder, in which the package consists of links to the sources."""
    folder = _build(installed_only=False)
    return _wheel(wheel_directory, lambda scratch: (scratch / "holdfast.pth").write_text(f"{folder / 'python'}\n"))


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):  # type: ignore[no-untyped-def]
    """Writes the metadata of the wheel."""
    return _facts(Path(metadata_directory))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def get_requires_for_build_wheel(config_settings=None):  # type: ignore[no-untyped-def]
    """Returns what pip brings for the build. For the system's Python that is nothing, so that no package index is needed; another Python
    has headers of its own, and newer ones than the system's pybind11 knows."""
    if Path(sys.base_prefix) == Path("/usr"):
        return []
    return ["pybind11>=2.13", *(f"{program}>={version}" for program, version in (("cmake", "3.25"), ("ninja", "1.10"))
                                if shutil.which(program) is None)]


get_requires_for_build_editable = get_requires_for_build_wheel
