#!/usr/bin/env python3
"""Compiles the Fortran module and a program that uses it, and runs it. Exit code 77 (skipped) without gfortran."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    library = Path(sys.argv[1]).resolve()
    compiler = shutil.which("gfortran")
    if compiler is None:
        print("skipped: gfortran is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([compiler, "-std=f2008", "-Wall", "-Wextra", "-Werror", HERE / "holdfast.f90", HERE / "loop_test.f90", library,
                        f"-Wl,-rpath,{library.parent}", "-o", "loop"], cwd=folder, check=True)
        return subprocess.run([Path(folder) / "loop"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
