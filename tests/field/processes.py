"""What runs under a guard."""

import re
from pathlib import Path


def processes_of(folder):
    """Processes of the guard whose folder is FOLDER/guard, found by their environment, as (pid, name); the guards themselves too."""
    line = f"HOLDFAST_GUARD={folder / 'guard'}".encode()
    out = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if line in (entry / "environ").read_bytes().split(b"\0"):
                name, state = re.fullmatch(r"\d+ \((.*)\) (\S) .*", (entry / "stat").read_text().strip()).groups()
                if state not in "ZX":
                    out.append((int(entry.name), name))
        except OSError:
            pass
    return out
