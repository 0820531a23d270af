"""Windows of `io` with real processes: each application is one that sleeps while it works and writes directly (O_DIRECT) to an ext4 file system
on a loop device, in a control group with a limit of bandwidth. Without root and the v1 controller blkio the program ends with 77."""

import argparse
import ctypes
import json
import mmap
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional

from client import Client

PIECE = 256 * 1024
FILE = 64 << 20
MEMORY = Path("/dev/shm")
GROUP = Path("/sys/fs/cgroup/blkio/holdfast-yields")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


class FileSystem:
    """ext4 on a loop device that the processes of one control group write to at so many bytes/s. Its image is in memory, so that the limit
    decides and not the disk, which others may use too."""

    def __init__(self, bandwidth, writers):
        if os.geteuid() != 0 or not GROUP.parent.is_dir():
            skip("needs root and the v1 controller blkio")
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-yields-", dir=MEMORY if MEMORY.is_dir() else None))
        self.device = None
        try:
            image = self.folder / "image"
            with open(image, "wb") as file:
                file.truncate(FILE * (writers + 2))
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
    phases = json.loads(sys.stdin.readline())
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


@dataclass
class Played:
    yields: List[float]  # by the clock of each process: work, and what was moved over the bandwidth, of the window
    record: Optional[Path] = None  # of the arbiter, if there was one

    @property
    def efficiency(self):
        return sum(self.yields) / len(self.yields)


def serve(given, policy, system):
    """An arbiter of that policy with its record, and its socket."""
    path, record = str(system.folder / "io.sock"), system.folder / f"{policy}.jsonl"
    server = subprocess.Popen([given.program, "io", "serve", "--bandwidth", f"{given.arbiter}B/s", "--socket", path, "--policy", policy,
                               "--grace", "0s", "--record", str(record)], stderr=subprocess.PIPE, text=True)
    server.stderr.readline()
    return server, path, record


def play(given, system, applications, window, policy=None):
    """Plays a list of phases per application ({"io": bytes} or {"work": seconds}) for so many seconds. They start 1 ms apart, in order.

    `given` has the program, the library (`shared`) and the bandwidths of the file system and of the arbiter; without a policy there is none."""
    server, path, record = serve(given, policy, system) if policy else (None, "", None)
    writers = []
    for number, phases in enumerate(applications):
        file = system.place / str(number)
        if not file.exists():
            file.write_bytes(bytes(FILE))
            os.sync()
        writers.append(subprocess.Popen(
            [sys.executable, __file__, "--library", given.shared, "--socket", path, "--label", f"application {number:02}",
             "--file", str(file), "--window", str(window), "--declared", str(given.arbiter)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        writers[-1].stdin.write(json.dumps(phases) + "\n")
        writers[-1].stdin.flush()
    for writer in writers:
        writer.stdout.readline()
    begin = time.monotonic() + 0.2
    for number, writer in enumerate(writers):
        writer.stdin.write(f"{begin + 1e-3 * number}\n")
        writer.stdin.flush()
    yields = []
    for writer in writers:
        done = json.loads(writer.communicate()[0])
        yields.append((done["work"] + done["moved"] / given.bandwidth) / window)
    if server:
        server.send_signal(signal.SIGTERM)
        server.wait()
    return Played(yields, record)


def compare(given, record, tolerance):
    """Returns what `io compare` says of a record, as a document, and whether it finds what was measured near what it predicts."""
    found = subprocess.run([given.program, "io", "compare", str(record), "--strategy", "fcfs", "--tolerance", str(tolerance), "--json"],
                           capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1):
        raise RuntimeError(found.stderr)
    return json.loads(found.stdout), found.returncode == 0


def add_options(parser):
    """Adds the options that every measurement has."""
    parser.add_argument("--program", default="build/release/bin/holdfast")
    parser.add_argument("--library", dest="shared", default="build/release/lib/libholdfast_io.so.1")
    parser.add_argument("--bandwidth", type=float, default=64e6, help="of the file system, bytes/s (default: 64e6)")
    parser.add_argument("--arbiter", type=int, default=62_000_000, help="what the arbiter hands out, bytes/s (default: 62e6)")


def main():
    parser = argparse.ArgumentParser(description="One application: reads its phases and the date to begin at, and prints what it did.")
    parser.add_argument("--library", dest="shared")
    for name in ("--socket", "--label", "--file"):
        parser.add_argument(name)
    parser.add_argument("--window", type=float)
    parser.add_argument("--declared", type=float)
    write(parser.parse_args())


if __name__ == "__main__":
    main()
