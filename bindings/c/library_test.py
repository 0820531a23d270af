#!/usr/bin/env python3
"""The library shows the functions that holdfast.h declares, and nothing else."""

import re
import subprocess
import sys
from pathlib import Path


def main():
    library = sys.argv[1]
    declared = set(re.findall(r"^HF_API [\w* ]*?\b(hf_\w+)\(", (Path(__file__).parent / "holdfast.h").read_text(), re.MULTILINE))
    listed = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1].split("@")[0] for line in listed.splitlines()} - {"HOLDFAST_1"}
    dynamic = subprocess.run(["readelf", "--dynamic", library], capture_output=True, text=True, check=True).stdout
    problems = []
    if shown != declared:
        problems.append(f"shown, but not declared: {sorted(shown - declared)}; declared, but not shown: {sorted(declared - shown)}")
    if "[libholdfast.so.1]" not in dynamic:
        problems.append("its name is not libholdfast.so.1")
    print("\n".join(problems) or f"{library}: {len(shown)} functions, as declared")
    return 1 if problems or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
