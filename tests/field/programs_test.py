#!/usr/bin/env python3
"""Real programs under `holdfast guard`, which are killed: programs_test.py PROGRAM LIBRARY FOLDER [NAME...] [--kills N] [--aimed N]
[--venv FOLDER]. Each ends like an undisturbed run. Without names, all that are installed; --list names them; --table prints the rows of
docs/field-measured.md. What was done is in FOLDER/NAME/state.json, and the same command goes on from there.

A kill is SIGKILL to one process of the program, to the guard, or to the guard and all processes below it, in turn; then the same command
again if the guard died. Random ones fall at any moment of the run, from its first on. Aimed ones fall when a file of a checkpoint
has just changed, for the first to fifth time since the last kill."""

import argparse
import dataclasses
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from programs import ABSENT, RECIPES, version_of
from watch import Watch

VICTIMS = ("program", "guard", "both")
PER_TRIAL = 6  # kills
GUARD = ["--mtbf", "20s", "--backoff", "0.2s", "--first", "1s", "--quick-limit", "30", "--kill-leftovers"]


def children():
    """The children of each process that lives."""
    out = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state not in "ZX":
                out.setdefault(int(parent), []).append(int(entry.name))
    return out


def below(pid):
    """The processes below one, without helpers of the guard, which run its program."""
    tree, out, todo = children(), [], [pid]
    while todo:
        for child in tree.get(todo.pop(), []):
            todo.append(child)
            try:
                if Path(f"/proc/{child}/exe").resolve() != Path(f"/proc/{pid}/exe").resolve():
                    out.append(child)
            except OSError:
                pass
    return out


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@dataclasses.dataclass
class State:
    """What was done with a program so far."""

    path: Path
    version: str = ""
    expected: str = ""
    seconds: float = 0  # of the undisturbed run, from its start or from where it begins to work
    random: list = dataclasses.field(default_factory=lambda: [0, 0, 0])  # kills of each victim
    aimed: list = dataclasses.field(default_factory=lambda: [0, 0, 0])
    trials: list = dataclasses.field(default_factory=list)

    @classmethod
    def read(cls, path):
        known = json.loads(path.read_text()) if path.exists() else {}
        return cls(path, **known)

    def write(self):
        known = {name: value for name, value in dataclasses.asdict(self).items() if name != "path"}
        self.path.write_text(json.dumps(known, indent=1) + "\n")

    def wrong(self):
        return [trial for trial in self.trials if not trial["right"]]


class Program:
    """A recipe in its folder."""

    def __init__(self, recipe, given):
        self.recipe, self.given = recipe, given
        self.folder = given.folder / recipe.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.place = Path(recipe.place, f"holdfast-{os.getpid()}") if recipe.place else self.folder
        self.state = State.read(self.folder / "state.json")
        self.environment = {**os.environ, "HOLDFAST_LIBRARY": str(given.library),
                            "PYTHONPATH": str(given.root / "bindings/python")}
        self.words = [word.format(venv=given.venv, root=given.root, python=sys.executable, minutes="{minutes}") for word in recipe.command]

    def fresh(self, name):
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        self.place.mkdir(exist_ok=True)
        if (self.folder / "inputs").exists():
            shutil.copytree(self.folder / "inputs", folder)
        else:
            folder.mkdir()
        return folder

    def prepare(self):
        """Makes the inputs and the undisturbed run, once."""
        if self.state.expected:
            return
        if self.recipe.prepare:
            inputs = self.folder / "inputs"
            shutil.rmtree(inputs, ignore_errors=True)
            inputs.mkdir()
            self.recipe.prepare(inputs)
        folder = self.fresh("undisturbed")
        began = time.monotonic()
        end = began + self.given.limit
        with open(folder / "log", "wb") as log:
            running = subprocess.Popen([word.replace("{minutes}", "60") for word in self.words], cwd=folder, env=self.environment, stdout=log,
                                       stderr=log)
            while running.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
                if self.recipe.says_start and self.starts(folder) == 0:
                    began = time.monotonic()
        if running.poll() != 0:
            kill(running.pid)
            sys.exit(f"{self.recipe.name}: without a guard it ends with {running.wait()}: {(folder / 'log').read_text()[-2000:]}")
        self.state.seconds = time.monotonic() - began
        self.state.expected = self.recipe.result(folder)
        self.state.version = version_of(self.recipe, self.given)
        self.state.write()

    def kill_one(self, guard, victim, source):
        """Kills, and returns whether it hit a living process."""
        found = below(guard.pid)
        if victim == "program":
            return bool(found) and kill(source.choice(found))
        if victim == "guard":
            return kill(guard.pid)
        return kill(guard.pid) and all(kill(pid) or True for pid in found)

    def wait(self, guard, watch, is_aimed, source, left):
        """Waits for the moment of the next kill; returns False if the guard ends before, or the time is over."""
        end = time.monotonic() + left
        if not is_aimed:
            starts = self.starts(watch.folder)
            if source.random() < 0.75:  # else often before it works, where starts take long
                while self.recipe.says_start and self.starts(watch.folder) == starts and guard.poll() is None and time.monotonic() < end:
                    time.sleep(0.05)
            moment = time.monotonic() + source.uniform(0.1, max(0.8 * self.state.seconds, 2))
            while time.monotonic() < min(moment, end) and guard.poll() is None:
                time.sleep(0.02)
            return guard.poll() is None and time.monotonic() < end
        changes = source.randint(1, 5)
        watch.forget()
        while time.monotonic() < end and guard.poll() is None:
            for name in watch.changes(0.1):
                if re.search(self.recipe.saves, name):
                    changes -= 1
                    if changes == 0:
                        return guard.poll() is None
        return False

    def starts(self, folder):
        """How often the program has begun to work, where it says so."""
        return ("\n" + (folder / "log").read_text(errors="replace")).count("\nfrom ")

    def trial(self, number):
        folder = self.fresh(f"trial{number}")
        source = random.Random(f"{self.recipe.name} {number}")
        command = [str(self.given.program), "guard", "--output", "guard", *GUARD, *self.recipe.guard, "--", *self.words]
        end = time.monotonic() + self.given.limit
        hits, guards, code = 0, 0, None
        with open(folder / "log", "ab") as log, Watch(folder) as watch:
            while time.monotonic() < end:
                guard = subprocess.Popen(command, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                guards += 1
                while hits < PER_TRIAL and self.missing():
                    is_aimed = sum(self.state.random) >= self.given.kills or (hits % 3 == 2 and sum(self.state.aimed) < self.given.aimed)
                    counts = self.state.aimed if is_aimed else self.state.random
                    victim = VICTIMS[sum(counts) % 3]
                    if not self.wait(guard, watch, is_aimed, source, end - time.monotonic()):
                        break
                    if self.kill_one(guard, victim, source):
                        hits += 1
                        counts[VICTIMS.index(victim)] += 1
                        if victim != "program":
                            break
                try:
                    code = guard.wait(max(end - time.monotonic(), 0.1))
                except subprocess.TimeoutExpired:
                    for pid in [guard.pid, *below(guard.pid)]:
                        kill(pid)
                    guard.wait()
                    code = "the limit"
                if code != -signal.SIGKILL:
                    break
        try:
            found = self.recipe.result(folder) if code == 0 else f"exit {code}"
        except OSError as error:
            found = f"no result: {error}"
        is_right = code == 0 and self.recipe.is_right(found, self.state.expected)
        self.state.trials.append({"number": number, "kills": hits, "guards": guards, "right": is_right, "found": found[:80]})
        self.state.write()
        print(f"{self.recipe.name}, trial {number}: {hits} kills, {guards} guards, {'right' if is_right else 'WRONG: ' + found[:80]}", flush=True)
        if is_right:
            shutil.rmtree(folder)

    def missing(self):
        return sum(self.state.random) < self.given.kills or sum(self.state.aimed) < self.given.aimed

    def run(self):
        self.prepare()
        idle = 0
        while self.missing() and idle < 3:
            before = sum(self.state.random) + sum(self.state.aimed)
            self.trial(len(self.state.trials) + 1)
            idle = idle + 1 if sum(self.state.random) + sum(self.state.aimed) == before else 0
        if self.missing():
            print(f"{self.recipe.name}: three trials ended before a kill", flush=True)
        if self.recipe.place and not self.state.wrong():
            shutil.rmtree(self.place, ignore_errors=True)
        return not self.missing() and not self.state.wrong()

    def row(self):
        state = self.state
        kills = [f"{sum(counts)} ({', '.join(map(str, counts))})" for counts in (state.random, state.aimed)]
        right = len(state.trials) - len(state.wrong())
        return f"| {self.recipe.title} | {state.version} | {self.recipe.text} | {kills[0]} | {kills[1]} | {right} of {len(state.trials)} |"


def install(venv):
    """Makes the virtual environment with the frameworks, once. Without it they are skipped."""
    done = venv / "installed"
    if done.exists():
        return
    for words in ([sys.executable, "-m", "venv", venv], [venv / "bin/pip", "install", "-r", Path(__file__).with_name("frameworks.txt")]):
        said = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        if said.returncode != 0:
            print(f"skipped: the frameworks for training cannot be installed: {said.stderr.strip()[-300:]}")
            return
    done.touch()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--kills", type=int, default=20, help="at random moments (20)")
    parser.add_argument("--aimed", type=int, default=5, help="inside saves (5)")
    parser.add_argument("--limit", type=float, default=300, help="seconds of one trial (300)")
    parser.add_argument("--venv", type=Path, default=Path("build/field-venv"), help="with the frameworks for training")
    parser.add_argument("--install", action="store_true", help="make that environment if it is not there")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    for name in ("program", "library", "folder", "venv"):
        setattr(given, name, getattr(given, name).absolute())
    os.environ.update({"WM_PROJECT_DIR": "/usr/share/openfoam", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMP_NUM_THREADS": "1", "LC_ALL": "C"})
    given.root = Path(__file__).resolve().parents[2]
    known = {recipe.name: recipe for recipe in RECIPES}
    for name in given.names:
        if name not in known:
            parser.error(f"found '{name}', expected one of: {', '.join(known)}")
    chosen = [known[name] for name in given.names or known]
    if given.list:
        print("\n".join(f"{recipe.name:20}{ABSENT.get(version_of(recipe, given), version_of(recipe, given))}" for recipe in chosen))
        return 0
    if given.table:
        print("\n".join(Program(recipe, given).row() for recipe in chosen if (given.folder / recipe.name / "state.json").exists()))
        return 0
    if given.install:
        install(given.venv)
    there = [recipe for recipe in chosen if version_of(recipe, given)]
    for recipe in chosen:
        if recipe not in there:
            print(f"skipped: {recipe.name} is not installed (./setup field)")
    good = [Program(recipe, given).run() for recipe in there]
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 77 if not there else 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
