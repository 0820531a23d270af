#!/usr/bin/env python3
"""Measures what strategies give to real processes that share a throttled file system, beside what the simulator says: example 5 of `io`,
six processes that write directly (O_DIRECT) to an ext4 file system on a loop device in a control group with a limit of bandwidth.

    tests/arbiter/yields.py --program build/release/bin/holdfast --library build/release/lib/libholdfast_io.so.1

Needs root and the v1 controller blkio; says so and ends with 77 where they are not there. Each run takes 23 units (46 s)."""

import argparse
import ctypes
import json
import mmap
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from client import Client

PIECE = 256 * 1024
FILE = 64 << 20
GROUP = Path("/sys/fs/cgroup/blkio/holdfast-yields")
SIZE = 6
TOLERANCE = 0.03
# Minimum yields of example 5 with six applications: thesis, section 7.5; exact.
EXPECTED = {"none": Fraction(425, 828), "fair-share": Fraction(425, 828), "fcfs": Fraction(18, 23), "greedy-yield": Fraction(18, 23),
            "look-ahead-greedy-yield": Fraction(18, 23)}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


class FileSystem:
    """ext4 on a loop device that the processes of one control group write to at so many bytes/s."""

    def __init__(self, bandwidth):
        if os.geteuid() != 0 or not GROUP.parent.is_dir():
            skip("needs root and the v1 controller blkio")
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-yields-"))
        self.device = None
        try:
            image = self.folder / "image"
            with open(image, "wb") as file:
                file.truncate(FILE * (SIZE + 2))
            self.run("mkfs.ext4", "-q", "-F", str(image))
            self.device = self.run("losetup", "--find", "--show", str(image)).strip()
            self.place = self.folder / "mounted"
            self.place.mkdir()
            self.run("mount", self.device, str(self.place))
            GROUP.mkdir(exist_ok=True)
            number = os.stat(self.device).st_rdev
            limit = f"{os.major(number)}:{os.minor(number)} {int(bandwidth)}"
            (GROUP / "blkio.throttle.write_bps_device").write_text(limit, encoding="ascii")
        except (OSError, subprocess.CalledProcessError) as problem:
            self.close()
            skip(f"no throttled file system can be made here: {problem}")

    @staticmethod
    def run(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def close(self):
        if self.device:
            subprocess.run(["umount", str(self.folder / "mounted")], check=False)
            subprocess.run(["losetup", "--detach", self.device], check=False)
        if GROUP.is_dir():
            GROUP.rmdir()
        shutil.rmtree(self.folder, ignore_errors=True)


def write(given):
    """One application: its phases from a date on, to another; prints what it did until then."""
    (GROUP / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    phases = json.loads(given.phases)
    client = Client(given.shared, given.socket or "", given.label, int(given.declared))
    file = os.open(given.file, os.O_WRONLY | os.O_DIRECT)
    data = mmap.mmap(-1, PIECE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(data))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.pwrite.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64]
    libc.pwrite.restype = ctypes.c_ssize_t
    print("ready", flush=True)
    begin = float(sys.stdin.readline())
    end = begin + given.window
    time.sleep(max(begin - time.monotonic(), 0))
    worked, moved, place = 0.0, 0, 0
    for phase in phases:
        if time.monotonic() >= end:
            break
        if "work" in phase:
            stop = min(time.monotonic() + phase["work"], end)
            worked += stop - time.monotonic()
            time.sleep(max(stop - time.monotonic(), 0))
            continue
        left = int(phase["io"]) // PIECE * PIECE
        client.begin(left)
        while left > 0 and time.monotonic() < end:
            # More than was waited for is waited for the next time.
            if client.wait(PIECE, max(int(1e3 * (end - time.monotonic())), 1)) == 0:
                break
            if libc.pwrite(file, address, PIECE, place) != PIECE:
                raise OSError(ctypes.get_errno(), "pwrite")
            client.moved(PIECE)
            place = (place + PIECE) % FILE
            left -= PIECE
            moved += PIECE
        client.end()
    print(json.dumps({"work": worked, "moved": moved}), flush=True)


def measure(given, policy, system):
    instance = json.loads(subprocess.run([given.program, "io", "generate", "adversary:example-5", "--size", str(SIZE)], check=True,
                                         capture_output=True, text=True).stdout)
    window = (instance["window"][1] - instance["window"][0]) * given.unit
    server, path = None, ""
    if policy != "none":
        path = str(system.folder / "io.sock")
        server = subprocess.Popen([given.program, "io", "serve", "--bandwidth", f"{given.arbiter}B/s", "--socket", path, "--policy", policy,
                                   "--grace", "0s"], stderr=subprocess.PIPE, text=True)
        server.stderr.readline()
    writers = []
    for number, one in enumerate(instance["applications"]):
        phases = [{"io": float(Fraction(p["io"])) * given.unit * given.bandwidth} if "io" in p else
                  {"work": float(Fraction(p["work"])) * given.unit} for p in one["phases"]]
        file = system.place / str(number)
        if not file.exists():
            file.write_bytes(bytes(FILE))
            os.sync()
        writers.append(subprocess.Popen(
            [sys.executable, __file__, "--as-writer", "--library", given.shared, "--socket", path, "--label", f"application {number}",
             "--phases", json.dumps(phases), "--file", str(file), "--window", str(window), "--declared", str(given.arbiter)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    for writer in writers:
        writer.stdout.readline()
    begin = time.monotonic() + 0.2
    for number, writer in enumerate(writers):
        writer.stdin.write(f"{begin + 1e-3 * number}\n")  # in the order of the example
        writer.stdin.flush()
    yields = []
    for writer in writers:
        done = json.loads(writer.communicate()[0])
        yields.append((done["work"] + done["moved"] / given.bandwidth) / window)
    if server:
        server.send_signal(signal.SIGTERM)
        server.wait()
    return min(yields)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/holdfast")
    parser.add_argument("--library", dest="shared", default="build/release/lib/libholdfast_io.so.1")
    parser.add_argument("--unit", type=float, default=2, help="seconds (default: %(default)s)")
    parser.add_argument("--bandwidth", type=float, default=64e6, help="of the file system, bytes/s (default: 64e6)")
    parser.add_argument("--arbiter", type=int, default=62_000_000, help="what the arbiter hands out, bytes/s (default: 62e6)")
    parser.add_argument("--repeats", type=int, default=3, help="of each, of which the median counts (default: %(default)s)")
    parser.add_argument("--policies", default=",".join(EXPECTED), help="default: %(default)s")
    for name in ("--socket", "--label", "--phases", "--file"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--window", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--declared", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--as-writer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.as_writer:
        return write(given)
    given.shared = os.path.abspath(given.shared)
    system = FileSystem(given.bandwidth)
    bad = 0
    try:
        for policy in given.policies.split(","):
            found = [measure(given, policy, system) for _ in range(given.repeats)]
            expected = EXPECTED[policy]
            middle = statistics.median(found)
            is_near = abs(middle - float(expected)) <= TOLERANCE
            bad += not is_near
            print(f"{policy:24} minimum yield {middle:.3f} (of {', '.join(f'{one:.3f}' for one in found)}), expected {float(expected):.3f} = "
                  f"{expected}: {'within' if is_near else 'NOT within'} {TOLERANCE}", flush=True)
    finally:
        system.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
