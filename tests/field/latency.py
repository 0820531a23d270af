#!/usr/bin/env python3
"""What a guard costs and how soon it acts: latency.py PROGRAM FOLDER [--idle SECONDS]. Prints the share of a core and the memory of a guard
whose program does nothing, the time from the death of a program to its line in the journal, and from the date when a checkpoint is due to
the request."""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

WORKER = Path(__file__).resolve().parent / "worker.py"


def entries(folder):
    return [json.loads(line) for line in (folder / "guard/journal.ndjson").read_text().splitlines()[1:]]


def start(program, folder, options, command):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return subprocess.Popen([program, "guard", *options, "--checkpoint-file", "state.ckpt", "--output", "guard", "--quiet", "--", *command],
                            cwd=folder, stdout=subprocess.DEVNULL)


def idle(program, folder, seconds):
    guard = start(program, folder, ["--trigger", "none"], ["sleep", str(seconds + 5)])
    time.sleep(seconds)
    words = Path(f"/proc/{guard.pid}/stat").read_text().rsplit(")", 1)[1].split()
    used = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    memory = next(line for line in Path(f"/proc/{guard.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    guard.terminate()
    guard.wait()
    print(f"idle for {seconds} s: {100 * used / seconds:.3f} % of a core, {int(memory.split()[1]) / 1024:.1f} MB")


def deaths(program, folder, count):
    late = []
    guard = start(program, folder, ["--trigger", "none", "--quick", "0s", "--backoff", "0s"], ["sleep", "1000"])
    for number in range(1, count + 1):
        launch = None
        while launch is None:
            time.sleep(0.05)
            journal = folder / "guard/journal.ndjson"
            launches = [one for one in entries(folder) if one["kind"] == "launch"] if journal.exists() else []
            launch = launches[number - 1] if len(launches) >= number else None
        at = time.time()
        os.kill(launch["pid"], signal.SIGKILL)
        time.sleep(0.3)
        late.append(next(one["time"] for one in entries(folder) if one["kind"] == "failure" and one["run"] == number) - at)
    guard.terminate()
    guard.wait()
    print(f"death noticed after {1000 * statistics.median(late):.1f} ms (median of {count}), at most {1000 * max(late):.1f} ms")


def triggers(program, folder):
    guard = start(program, folder, ["--trigger", "signal:USR1", "--mtbf", "1s", "--checkpoint", "0.05s", "--settle", "0.05s"],
                  [sys.executable, str(WORKER), "--steps", "1500"])
    guard.wait()
    planned, late = None, []
    for one in entries(folder):
        if one["kind"] == "due" and planned is not None:
            late.append(one["clock"] - planned)
        if "due" in one:
            planned = one["clock"] + one["due"]
    print(f"asked {1000 * statistics.median(late):.1f} ms after it was due (median of {len(late)}), at most {1000 * max(late):.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--idle", type=int, default=60, metavar="SECONDS")
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    deaths(program, given.folder.resolve() / "deaths", 20)
    triggers(program, given.folder.resolve() / "triggers")
    idle(program, given.folder.resolve() / "idle", given.idle)


if __name__ == "__main__":
    main()
