#!/usr/bin/env python3
"""What disturbs an arbiter, measured: disturbed.py PROGRAM LIBRARY [restart] [clock] [hostile]. Each measurement prints what it found beside what
must hold, and the exit code is 1 where something does not hold.

restart   `kill -9` of the server, which comes back after 5 s and after 60 s (2 minutes)
clock     the wall clock of all processes set forward and back by an hour, and a server in another time namespace (1 minute; needs cc and root)
hostile   a flood, garbage, 300 connections of one user, one that never reads, one that claims another's handle, absurd volumes (30 s; needs root)
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from client import Client, Rude, frame, hello

BANDWIDTH = 20_000_000
LEASE = 10
NOBODY = 65534
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static time_t shift(void) {  /* an hour forth for two seconds, an hour back for two, and so on */
  struct timespec now;
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  real(CLOCK_MONOTONIC, &now);
  return now.tv_sec / 2 % 2 ? 3600 : -3600;
}
int clock_gettime(clockid_t clock, struct timespec* out) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(clock, out);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) out->tv_sec += shift();
  return code;
}
int gettimeofday(struct timeval* out, void* zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
"""


class Bench:
    """A folder with servers and writers, and what was found."""

    def __init__(self, given):
        self.given = given
        self.is_well = True
        self.stack = contextlib.ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        self.path = str(self.folder / "io.sock")

    def holds(self, what, value, bound, is_held):
        self.is_well = self.is_well and is_held
        print(f"  {what}: {value} ({bound}){'' if is_held else '  NOT MET'}", flush=True)

    def serve(self, *options, before=(), **named):
        server = subprocess.Popen([*before, self.given.program, "io", "serve", "--bandwidth", f"{BANDWIDTH}B/s", "--socket", self.path, *options],
                                  stderr=subprocess.PIPE, text=True, **named)
        self.stack.callback(lambda: (server.poll() is None and server.kill(), server.wait(), server.stderr.close()))
        said = server.stderr.readline()
        if "serving" not in said:
            raise SystemExit(said + server.stderr.read())
        return server

    def look(self):
        done = subprocess.run([self.given.program, "io", "top", "--socket", self.path, "--once", "--json"], capture_output=True, text=True,
                              check=True)
        return {one["job"]: one for one in json.loads(done.stdout)["applications"]}

    def writers(self, count, seconds, **named):
        out = []
        for i in range(count):
            out.append(subprocess.Popen([sys.executable, __file__, "--writer", str(i), "--seconds", str(seconds), self.given.program,
                                         self.given.library, self.path], stdout=subprocess.PIPE, text=True, **named))
            out[-1].stdout.readline()
        self.stack.callback(lambda: [(one.poll() is None and one.kill(), one.wait(), one.stdout.close()) for one in out])
        return out


def write_for_a_while(given):
    """A program that moves bytes without a file, and says each second's bytes and its longest wait."""
    client = Client(given.library, given.more[0], f"writer{given.writer}")
    client.begin()
    print("begun", flush=True)
    begin = last = time.monotonic()
    longest, pauses = 0, []
    moved = [0] * (int(given.seconds) + 2)
    while last < begin + given.seconds:
        size = client.wait(1 << 20)
        client.moved(size)
        now = time.monotonic()
        longest = max(longest, now - last)
        if now - last > 1:
            pauses.append((last, now))
        last = now
        moved[min(int(now - begin), len(moved) - 1)] += size
    client.end()
    print(json.dumps({"moved": moved[:int(given.seconds)], "longest": longest, "pauses": pauses}), flush=True)
    client.close()


def restart(given):
    for away, policy in ((5, "fair-share"), (60, "fcfs")):
        bench = Bench(given)
        with bench.stack:
            options = ("--policy", policy, "--state", str(bench.folder / "state.json"))
            print(f"the server is killed, and comes back after {away} s ({policy}):")
            first = bench.serve(*options)
            seconds = 8 + away + 15
            begin = time.monotonic()
            writers = bench.writers(3, seconds)
            time.sleep(8)
            before, seen = bench.look(), time.monotonic()
            first.kill()
            killed = time.monotonic()
            gone = killed - begin
            time.sleep(away)
            back = time.monotonic() - begin
            bench.serve(*options)
            after, took = bench.look(), time.monotonic() - seen
            told = [json.loads(one.stdout.readline()) for one in writers]
            bench.holds("writers that ended", sum(one.wait() == 0 for one in writers), "3", all(one.returncode == 0 for one in writers))
            # By fcfs programs wait for each other again once the server is back; that is not its absence.
            end = begin + back if policy == "fcfs" else begin + seconds
            longest = max((min(last, end) - max(first, killed) for one in told for first, last in one["pauses"] if last > killed and first < end),
                          default=0)
            bench.holds("longest wait", f"{longest:.1f} s", f"at most {LEASE + 1} s", longest <= LEASE + 1)
            span = range(int(gone) + LEASE + 2, int(back) - 1)
            for one in told if len(span) > 5 else []:
                rate = sum(one["moved"][i] for i in span) / len(span)
                bench.holds("rate without a server", f"{rate / 1e6:.2f} MB/s", f"floor of {BANDWIDTH / 3e6:.2f} MB/s within 10 %",
                            abs(rate / (BANDWIDTH / 3) - 1) <= 0.1)
            for name, one in before.items():
                other = after.get(name, {"age": 0, "delay": 0})
                lost = one["age"] + took - other["age"]
                bench.holds(f"{name}: age lost", f"{lost:.2f} s", "at most 2 s", abs(lost) <= 2)
                less = one["delay"] - other["delay"]
                bench.holds(f"{name}: delay lost", f"{less:.2f} s", "at most 2 s", less <= 2)
        given.is_well = given.is_well and bench.is_well


def clock(given):
    results = {}
    for name in ("as it is", "an hour forth and back", "another time namespace"):
        bench = Bench(given)
        with bench.stack:
            environment, before = dict(os.environ), []
            if name.startswith("an hour"):
                (bench.folder / "clock.c").write_text(CLOCK, encoding="utf-8")
                subprocess.run(["cc", "-shared", "-fPIC", "-o", str(bench.folder / "clock.so"), str(bench.folder / "clock.c"), "-ldl"], check=True)
                environment["LD_PRELOAD"] = str(bench.folder / "clock.so")
                dates = {int(subprocess.run([sys.executable, "-c", "import time; print(int(time.time()))"], env=environment, capture_output=True,
                                            text=True, check=True).stdout) - int(time.time())}
                print(f"clocks: {name} (now {dates.pop():+} s):")
            else:
                print(f"clocks: {name}:")
            if name.startswith("another"):
                before = ["unshare", "--time", "--boottime", "1000000", "--fork", "--kill-child"]
            bench.serve("--policy", "fair-share", "--grace", "0s", before=before, env=environment)
            writers = bench.writers(3, 2 * LEASE, env=environment)
            time.sleep(1.5 * LEASE)
            yields = sorted(one["yield"] for one in bench.look().values())
            told = [json.loads(one.stdout.readline()) for one in writers]
            rates = sorted(sum(one["moved"][2:-2]) / (len(one["moved"]) - 4) for one in told)
            results[name] = rates, yields, max(one["longest"] for one in told)
            for rate in rates:
                bench.holds("rate", f"{rate / 1e6:.3f} MB/s", f"{BANDWIDTH / 3e6:.3f} MB/s within 5 %", abs(rate / (BANDWIDTH / 3) - 1) <= 0.05)
            for one, usual in zip(yields, results["as it is"][1]):
                bench.holds("yield", f"{one:.3f}", f"{usual:.3f} within 0.02", abs(one - usual) <= 0.02)
            bench.holds("longest wait", f"{results[name][2]:.2f} s", "below 1 s", results[name][2] < 1)
        given.is_well = given.is_well and bench.is_well


def grant_times(path, seconds):
    """Times from POST to GRANT, in seconds, of one client that asks 50 times a second."""
    rude = Rude(path)
    rude.say(1, hello("honest"))
    handle = struct.unpack("<Q", rude.hear()[1][:8])[0]
    out = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        number = len(out) + 1
        begin = time.monotonic()
        rude.say(3, struct.pack("<QQQII", handle, number, 1000, 1, 0))
        while (heard := rude.hear()) is not None and (heard[0] != 4 or struct.unpack("<QQ", heard[1][:16])[1] == 0):
            pass
        if heard is None:
            raise SystemExit("the honest client was sent away")
        out.append(time.monotonic() - begin)
        rude.say(6, struct.pack("<QQQQ", handle, number, 1000, 0))
        time.sleep(max(begin + 0.02 - time.monotonic(), 0))
    rude.close()
    return sorted(out)


def attack(kind, user, path, seconds, told):
    """A client that breaks the rules, as a user of its own; records which errors it got and how much it sent."""
    # What the server does is measured, and not how the kernel divides two processors: attackers have what nobody else wants.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(user)
    codes, said = {}, 0
    end = time.monotonic() + seconds

    def errors_of(rude):
        rude.socket.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            found = rude.error()
            if found is not None:
                codes[found[0]] = codes.get(found[0], 0) + 1

    while time.monotonic() < end:
        with contextlib.suppress(ConnectionError, BlockingIOError, TimeoutError):
            if kind == "300 connections":
                crowd = [Rude(path) for _ in range(300)]
                said += len(crowd)
                for one in crowd[280:]:
                    errors_of(one)
                for one in crowd:
                    one.close()
                continue
            rude = Rude(path)
            if kind == "garbage":
                rude.socket.sendall(os.urandom(4096))
                said += 1
            else:
                rude.say(1, hello(kind))
                welcome = rude.hear()
                handle = struct.unpack("<Q", welcome[1][:8])[0] if welcome is not None and welcome[0] == 2 else 0
            if kind == "absurd volume":
                rude.say(3, struct.pack("<QQQII", handle, 1, 2**64 - 2, 1, 0))
                said += 1
            if kind == "another's handle":
                rude.say(3, struct.pack("<QQQII", 1, 1, 1000, 1, 0))
                said += 1
            if kind in ("flood", "never reads"):
                rude.socket.settimeout(0.01)
                number, rest = 1, b""
                while time.monotonic() < end:
                    if not rest:
                        rest = b"".join(frame(8, bytes(8), number + i + 1) for i in range(1000))
                        number += 1000
                        said += 1000
                    try:
                        rest = rest[rude.socket.send(rest):]
                    except TimeoutError:
                        pass
                    except ConnectionError:
                        break
                    if kind == "flood":
                        try:
                            while more := rude.socket.recv(65536):
                                rude.bytes += more
                        except TimeoutError:
                            pass
                        except ConnectionError:  # what came before it is there
                            break
            errors_of(rude)
            rude.close()
    told.put((kind, said / seconds, codes))


def hostile(given):
    bench = Bench(given)
    # A client that is late with HELLO gets error 1.
    kinds = {"flood": {5}, "garbage": {1, 2}, "300 connections": {4, 1}, "never reads": {5}, "another's handle": {6}, "absurd volume": {7}}
    with bench.stack:
        seconds = 16
        server = bench.serve("--group", str(NOBODY), "--grace", "0s")

        def resident():
            lines = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8").splitlines()
            return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])

        print("hostile clients, all at once:")
        quiet = grant_times(bench.path, seconds)
        before, most = resident(), [0]
        told = multiprocessing.Queue()
        attackers = [multiprocessing.Process(target=attack, args=(kind, NOBODY - 1 - i, bench.path, seconds + 2, told)) for i, kind in enumerate(kinds)]
        for one in attackers:
            one.start()
        is_over = threading.Event()
        watcher = threading.Thread(target=lambda: [most.append(resident()) for _ in iter(lambda: is_over.wait(0.1), True)])
        watcher.start()
        loud = grant_times(bench.path, seconds)
        heard = {kind: (pace, codes) for kind, pace, codes in (told.get(timeout=60) for _ in attackers)}
        is_over.set()
        watcher.join()
        for one in attackers:
            one.join()
        p99 = [times[int(0.99 * len(times))] for times in (quiet, loud)]
        p50 = [times[len(times) // 2] for times in (quiet, loud)]
        bench.holds("POST to GRANT, 99 of 100", f"{1e3 * p99[1]:.2f} ms", f"at most twice {1e3 * p99[0]:.2f} ms", p99[1] <= 2 * p99[0])
        print(f"  POST to GRANT, median: {1e3 * p50[1]:.2f} ms ({1e3 * p50[0]:.2f} ms undisturbed)")
        grown = max(most) - before
        bench.holds("memory of the server grew by", f"{grown / 2**20:.1f} MiB", "less than 32 MiB", grown < 32 << 20)
        for kind, expected in kinds.items():
            pace, codes = heard[kind]
            bench.holds(f"{kind}: {pace:.0f} a second, errors by code", codes, f"of {sorted(expected)}", bool(codes) and set(codes) <= expected)
        bench.holds("the server", "serves" if server.poll() is None else "has ended", "serves", server.poll() is None)
        server.send_signal(signal.SIGTERM)
    given.is_well = given.is_well and bench.is_well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("more", nargs="*", metavar="MEASUREMENT")
    parser.add_argument("--writer", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.writer is not None:
        return write_for_a_while(given)
    given.is_well = True
    known = {"restart": restart, "clock": clock, "hostile": hostile}
    for name in given.more or known:
        if name not in known:
            parser.error(f"found {name}, expected one of {', '.join(known)}")
        if name != "restart" and os.geteuid() != 0:
            print(f"skipped: {name} needs root")
            continue
        known[name](given)
    return 0 if given.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
