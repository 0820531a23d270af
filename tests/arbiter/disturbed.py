#!/usr/bin/env python3
"""What disturbs an arbiter, measured: disturbed.py PROGRAM LIBRARY [clock]. Each measurement prints what it found beside what
must hold, and the exit code is 1 where something does not hold.

clock     the wall clock of all processes set forth and back by an hour, and a server in another time namespace (1 minute; needs cc and root)
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client import Client

BANDWIDTH = 20_000_000
LEASE = 10
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
    longest = 0
    moved = [0] * (int(given.seconds) + 2)
    while last < begin + given.seconds:
        size = client.wait(1 << 20)
        client.moved(size)
        now = time.monotonic()
        longest = max(longest, now - last)
        last = now
        moved[min(int(now - begin), len(moved) - 1)] += size
    client.end()
    print(json.dumps({"moved": moved[:int(given.seconds)], "longest": longest}), flush=True)
    client.close()


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
    known = {"clock": clock}
    for name in given.more or known:
        if name not in known:
            parser.error(f"found {name}, expected one of {', '.join(known)}")
        if os.geteuid() != 0:
            print(f"skipped: {name} needs root")
            continue
        known[name](given)
    return 0 if given.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
