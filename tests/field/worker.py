#!/usr/bin/env python3
"""A program that saves when it is asked to, as solvers do: it computes a number step by step, from its checkpoint on if there is
one, and writes it to RESULT at the end. How it is asked (--ask) and how it writes are options."""

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

MODULUS = (1 << 61) - 1


def result_of(steps):
    """What any run must come to, interrupted or not."""
    value = 1
    for step in range(steps):
        value = advance(value, step)
    return value


def advance(value, step):
    return (value * 6364136223846793005 + step) % MODULUS


class Worker:
    def __init__(self, given):
        self.given = given
        self.state = Path(given.state)
        self.is_asked = False
        self.must_end = False
        self.requests = None
        self.writing = threading.Thread()

    def listen(self):
        ask = self.given.ask
        if ask in ("signal", "stop"):
            signal.signal(signal.SIGTERM if ask == "stop" else signal.SIGUSR1, self.on_signal)
        if ask == "pipe":
            self.requests = os.open(os.environ["HOLDFAST_REQUESTS"], os.O_RDONLY | os.O_NONBLOCK)

    def on_signal(self, *_):
        self.is_asked = True
        self.must_end = self.given.ask == "stop"
        if self.given.fall_once and not Path("fallen").exists():
            # Like a program that removed its handler while the signal was on its way.
            Path("fallen").touch()
            signal.signal(signal.SIGUSR1, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGUSR1)

    def tell(self, line):
        if self.given.ask == "pipe":
            pipe = os.open(os.environ["HOLDFAST_PIPE"], os.O_WRONLY)
            os.write(pipe, (line + "\n").encode())
            os.close(pipe)

    def look(self):
        ask = self.given.ask
        if ask == "file" and Path(self.given.ask_file).exists():
            self.is_asked = True
        if ask == "pipe":
            try:
                self.is_asked |= b"checkpoint" in os.read(self.requests, 4096)
            except BlockingIOError:
                pass

    def save(self, step, value):
        if not self.given.asynchronous:
            self.tell("begin")
            self.write_checkpoint(step, value)
            self.tell("done")
            return
        if self.writing.ident:
            self.writing.join()
        self.tell("begin asynchronous")
        self.writing = threading.Thread(target=lambda: (self.write_checkpoint(step, value), self.tell("durable")))
        self.writing.start()
        self.tell("done")

    def write_checkpoint(self, step, value):
        way = self.given.way
        numbered = self.state.with_name(f"{self.state.name}-{step}")
        target = {"replaced": self.state.with_suffix(".tmp"), "numbered": numbered, "link": numbered,
                  "folder": numbered / "data", "moved-folder": self.state.with_name("new") / "data"}.get(way, self.state)
        if way == "backup" and self.state.exists():
            os.replace(self.state, self.state.with_suffix(".bak"))
        if way == "deleted":
            self.state.unlink(missing_ok=True)
        target.parent.mkdir(exist_ok=True)
        self.write(target, f"{step} {value} whole\n")
        if way == "replaced":
            os.replace(target, self.state)
        elif way == "link":
            self.state.with_suffix(".tmp").unlink(missing_ok=True)  # of a save that was killed
            self.state.with_suffix(".tmp").symlink_to(numbered.name)
            os.replace(self.state.with_suffix(".tmp"), self.state)
        elif way == "folder":
            (numbered / "done").write_text("done")
        elif way == "moved-folder":
            os.rename(target.parent, numbered)
        if self.given.ask == "file":
            Path(self.given.ask_file).unlink(missing_ok=True)

    def write(self, target, text):
        with open(target, "w", encoding="ascii") as file:
            file.write(text[: len(text) // 2])
            file.flush()
            time.sleep(self.given.save_seconds)
            file.write(text[len(text) // 2:])
            file.flush()
            os.fsync(file.fileno())

    def restore(self):
        state = Path(os.environ["HOLDFAST_CHECKPOINT"]) if self.given.from_environment else self.state
        if not state.is_file() and not (state / "data").exists():
            return 0, 1
        words = (state / "data" if state.is_dir() else state).read_text(encoding="ascii").split()
        if len(words) != 3 or words[2] != "whole":
            sys.exit("worker: the checkpoint is not whole")
        return int(words[0]), int(words[1])

    def run(self):
        given = self.given
        self.listen()
        if given.child:
            # In a group of its own, as OpenMPI's ranks are.
            subprocess.Popen(["sleep", "1000"], preexec_fn=os.setpgrp)
        step, value = self.restore()
        if given.crash_from is not None and step >= given.crash_from:
            sys.exit(3)
        print(f"from step {step}", flush=True)
        self.tell("ready")
        while step < given.steps:
            time.sleep(given.step_seconds)
            value = advance(value, step)
            step += 1
            if given.save_every and step % given.save_every == 0:
                self.is_asked = True
            self.look()
            if self.is_asked:
                self.is_asked = False
                self.save(step, value)
                print(f"saved at step {step}", flush=True)
                if self.must_end:
                    sys.exit(0)
        # A request that comes now comes too late, and must not end the program with a signal.
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        Path(given.result).write_text(f"{value}\n", encoding="ascii")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ask", choices=("signal", "file", "pipe", "stop", "none"), default="signal")
    parser.add_argument("--ask-file", default="SAVE")
    parser.add_argument("--state", default="state.ckpt")
    parser.add_argument("--result", default="result")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--step-seconds", type=float, default=0.01)
    parser.add_argument("--save-seconds", type=float, default=0.02)
    parser.add_argument("--save-every", type=int, default=0, help="saves by itself too, each so many steps")
    ways = ("replaced", "in-place", "backup", "deleted", "numbered", "link", "folder", "moved-folder")
    parser.add_argument("--way", choices=ways, default="replaced", help="how it writes its checkpoint")
    parser.add_argument("--in-place", dest="way", action="store_const", const="in-place", help="writes into the checkpoint that is there")
    parser.add_argument("--asynchronous", action="store_true", help="goes on while it writes")
    parser.add_argument("--from-environment", action="store_true", help="starts from $HOLDFAST_CHECKPOINT")
    parser.add_argument("--child", action="store_true", help="starts another process, in a group of its own")
    parser.add_argument("--fall-once", action="store_true", help="the first signal that asks ends it")
    parser.add_argument("--crash-from", type=int, help="ends with code 3 when it starts from this step or a later one")
    given = parser.parse_args()
    if given.ask == "pipe" and "HOLDFAST_PIPE" not in os.environ:
        given.ask = "none"  # no guard asks
    Worker(given).run()


if __name__ == "__main__":
    main()
