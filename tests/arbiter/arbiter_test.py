#!/usr/bin/env python3
"""`holdfast io serve` and its C library with real processes: arbiter_test.py PROGRAM LIBRARY FOLDER [TEST...]. Nothing here is
measured: each test waits for what must come, and fails where it does not."""

import argparse
import json
import os
import pty
import shlex
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from client import Client, Rude, frame, hello

HERE = Path(__file__).resolve().parent
GIVEN = argparse.Namespace()
MEGA = 1_000_000
PATIENCE = 120
BAD_FRAME, BAD_VERSION, TOO_MANY, TOO_FAST, UNKNOWN_HANDLE, BAD_VALUE, SHUTTING_DOWN = 1, 2, 4, 5, 6, 7, 9


class Server:
    def __init__(self, path, *options, bandwidth="20MB/s", program=None):
        self.path = str(path)
        width = ["--bandwidth", bandwidth] if bandwidth else []
        given = program or [GIVEN.program, "io", "serve", *width, "--socket", self.path, *options]
        self.process = subprocess.Popen(given, stderr=subprocess.PIPE, text=True)
        self.said = self.process.stderr.readline()
        if "serving" not in self.said:
            raise RuntimeError(self.said + self.process.stderr.read())

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        if how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            return self.process.wait(PATIENCE)
        return None

    def close(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stderr.close()


class Writer:
    """A process that moves a number of bytes in one operation, and says so."""

    def __init__(self, path, label, volume):
        self.process = subprocess.Popen([sys.executable, str(HERE / "writer.py"), GIVEN.shared, str(path), label, str(volume)],
                                        stdout=subprocess.PIPE, text=True)
        self.expect("begun")

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            raise RuntimeError(f"found '{line}', expected '{word}'")

    def is_over(self):
        return self.process.poll() is not None

    def wait(self):
        self.expect("ended")
        return self.process.wait(PATIENCE)

    def close(self):
        if not self.is_over():
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class ArbiterTest(unittest.TestCase):
    def setUp(self):
        self.folder = GIVEN.folder / self.id().rsplit(".", 1)[1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        # Sockets have short names.
        self.path = os.path.relpath(self.folder / "io.sock")
        if len(self.path) > 100:
            self.path = f"/tmp/hf{os.getpid()}.sock"
        self.addCleanup(lambda: os.path.exists(self.path) and os.unlink(self.path))

    def serve(self, *options, **named):
        server = Server(self.path, *options, **named)
        self.addCleanup(server.close)
        return server

    def client(self, label, bandwidth=0):
        client = Client(GIVEN.shared, self.path, label, bandwidth)
        self.addCleanup(client.close)
        return client

    def writer(self, label, volume):
        writer = Writer(self.path, label, volume)
        self.addCleanup(writer.close)
        return writer

    def rude(self):
        rude = Rude(self.path)
        self.addCleanup(rude.close)
        return rude

    def look(self, *options):
        """What `io top` sees, applications by their names."""
        done = subprocess.run([GIVEN.program, "io", "top", "--socket", self.path, "--once", "--json", *options], capture_output=True, text=True,
                              timeout=PATIENCE, check=True)
        seen = json.loads(done.stdout)
        seen["applications"] = {one["job"]: one for one in seen["applications"]}
        return seen

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}: not within {PATIENCE} s")
            time.sleep(0.02)

    def test_without_a_server_nothing_is_paced(self):
        client = self.client("alone")
        begin = time.monotonic()
        client.begin(10**12)
        client.move(10**12)
        client.end()
        self.assertLess(time.monotonic() - begin, PATIENCE)
        self.assertFalse(client.state().connected)
        self.assertEqual(client.state().rate, 2**64 - 1)

    def test_what_is_written_is_paced_and_complete(self):
        self.serve()
        client = self.client("writer")
        data = os.urandom(4 * MEGA)
        name = self.folder / "data"
        with open(name, "wb") as file:
            begin = time.monotonic()
            client.begin(len(data))
            self.assertEqual(client.write(file.fileno(), data), len(data))
            client.end()
            took = time.monotonic() - begin
        self.assertEqual(name.read_bytes(), data)
        self.assertTrue(client.state().connected)
        # No more than the rate, and what a pause may save up (0.05 s and a chunk).
        self.assertGreaterEqual(took, 4 / 20 - 0.1)

    def test_first_come_first_served(self):
        self.serve("--policy", "fcfs", "--min-grant", "0s")
        first, second = self.client("first"), self.client("second")
        first.begin(10 * MEGA)
        self.assertGreater(first.wait(1000), 0)
        second.begin(MEGA)
        self.assertEqual(second.wait(1000, 300), 0)
        self.assertTrue(second.state().paused)
        self.assertGreater(first.wait(1000, 0), 0)
        first.end()
        self.assertGreater(second.wait(1000), 0)
        second.end()

    def test_fair_share(self):
        self.serve("--policy", "fair-share", "--min-grant", "0s", "--idle", "60s")
        clients = [self.client(name) for name in "abcd"]
        for client in clients:
            client.begin(100 * MEGA)

        def rate_of(client):
            client.moved(client.wait(1, 50))
            return client.state().rate

        self.until(lambda: {rate_of(client) for client in clients} == {5 * MEGA}, "a quarter for each")
        for client in clients[1:]:
            client.end()
        self.until(lambda: rate_of(clients[0]) == 20 * MEGA, "all of it for the last")
        clients[0].end()

    def test_the_server_is_killed_and_comes_back(self):
        server = self.serve("--lease", "1s", "--report", "0.2s", "--policy", "fcfs")
        first = self.writer("first", 40 * MEGA)
        waiting = self.writer("waiting", 4 * MEGA)
        server.kill()
        self.assertEqual(waiting.wait(), 0)  # at its floor, and not at the end of the other
        self.assertFalse(first.is_over())
        self.serve("--lease", "1s", "--report", "0.2s", "--policy", "fcfs")
        self.assertEqual(first.wait(), 0)

    def test_what_happens_is_recorded_and_compared(self):
        record, before = self.folder / "run.jsonl", self.folder / "run.jsonl.1"

        def lines_of(path):
            return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

        def joined(path):
            return path.exists() and {line["job"] for line in lines_of(path) if line.get("e") == "join"} == {"first", "second"}

        server = self.serve("--policy", "fcfs", "--idle", "60s", "--record", str(record))
        clients = [self.client(name) for name in ("first", "second")]
        for client in clients:
            client.begin(2 * MEGA)
            client.wait(1000, 300)
        self.until(lambda: joined(record), "both are recorded")
        server.kill(signal.SIGUSR1)
        self.until(lambda: before.exists() and joined(record), "the new record begins with who is there")
        for client in clients:
            client.move(2 * MEGA)
            client.end()
        self.until(lambda: sum(line.get("e") == "done" for line in lines_of(record)) == 2, "both operations have ended")
        self.assertEqual(server.kill(signal.SIGTERM), 0)
        lines = lines_of(record)
        self.assertEqual(lines[0]["holdfast"], {"kind": "io-record", "version": 1})
        self.assertEqual([line["moved"] for line in lines if line.get("e") == "done"], [2 * MEGA, 2 * MEGA])
        self.assertEqual(lines[-1]["e"], "end")
        self.assertTrue(joined(before))
        said = subprocess.run([GIVEN.program, "io", "compare", str(record), "--tolerance", "1", "--json"], capture_output=True, text=True,
                              check=True)
        self.assertEqual(set(json.loads(said.stdout)["measured"]["yields"]), {"first", "second"})

    def test_yields_go_on_after_a_restart(self):
        state = self.folder / "state.json"
        options = ("--lease", "1s", "--report", "0.2s", "--policy", "fcfs", "--state", str(state))
        server = self.serve(*options)
        first = self.writer("first", 100 * MEGA)
        waiting = self.writer("waiting", 4 * MEGA)

        def kept():
            return {one["name"]: one for one in json.loads(state.read_text(encoding="utf-8"))["applications"]}

        self.until(lambda: kept().get("waiting", {"delay": 0})["delay"] > 1.5, "a delay in the file")
        before, written, begin = self.look(), kept(), time.monotonic()
        server.kill()
        time.sleep(1)  # no server runs, and ages go on
        again = self.serve(*options)
        after, took = self.look(), time.monotonic() - begin
        self.assertEqual((before["epoch"], after["epoch"]), (1, 2))
        for name in ("first", "waiting"):
            one, other = before["applications"][name], after["applications"][name]
            self.assertEqual(one["user"], other["user"])
            self.assertLess(abs(other["age"] - one["age"] - took), 2)
            self.assertGreaterEqual(other["delay"], written[name]["delay"] - 1e-6)  # whole nanoseconds
            self.assertLessEqual(other["delay"], one["delay"] + took)
        self.assertEqual(waiting.wait(), 0)
        self.assertEqual(first.wait(), 0)
        self.assertEqual(again.kill(signal.SIGTERM), 0)
        ended = kept()["waiting"]
        self.assertGreaterEqual(ended["delay"], written["waiting"]["delay"])
        self.assertEqual(json.loads(state.read_text(encoding="utf-8"))["epoch"], 2)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix == ".tmp"], [])

    def refused(self, *options, path=None):
        done = subprocess.run([GIVEN.program, "io", "serve", "--socket", path or self.path, *options], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        return done.returncode, done.stderr

    def test_a_state_that_is_broken_is_refused(self):
        state = self.folder / "state.json"
        state.write_text('{"boot": "x", "date": 1, "epoch": 0, "applications": []}', encoding="utf-8")
        code, said = self.refused("--bandwidth", "1GB/s", "--state", str(state))
        self.assertEqual(code, 3)
        self.assertIn("state.json: /epoch: found 0", said)
        self.assertIn("remove the file", said)
        code, said = self.refused("--bandwidth", "1GB/s", "--state", str(self.folder / "nowhere" / "state.json"))
        self.assertEqual(code, 4)
        self.assertIn("cannot be written", said)
        self.assertFalse(os.path.exists(self.path))

    def test_a_configuration_is_read_again(self):
        config = self.folder / "io.toml"
        config.write_text('bandwidth = "20MB/s"\npolicy = "fcfs"\nmin-grant = 0\nidle = "60s"\n', encoding="utf-8")
        server = self.serve("--config", str(config), bandwidth=None)
        first, second = self.client("first"), self.client("second")
        first.begin(10**12)
        self.assertGreater(first.wait(1), 0)
        second.begin(10**12)

        def rates():
            for client in (first, second):
                client.moved(client.wait(1, 50))
            return first.state().rate, second.state().rate

        self.until(lambda: rates() == (20 * MEGA, 0), "all for the first")
        config.write_text('bandwidth = "10MB/s"\npolicy = "fair-share"\nmin-grant = 0\nidle = "60s"\nlease = "9s"\n', encoding="utf-8")
        server.kill(signal.SIGHUP)
        self.assertIn("--lease has changed, which takes effect at the next start", server.process.stderr.readline())
        self.assertIn("fair-share from now on", server.process.stderr.readline())
        self.until(lambda: rates() == (5 * MEGA, 5 * MEGA), "half of less for each")
        config.write_text('bandwith = "40MB/s"\n', encoding="utf-8")
        server.kill(signal.SIGHUP)
        said = server.process.stderr.readline()
        self.assertIn("io.toml:1: /bandwith: unknown option; did you mean 'bandwidth'?; nothing has changed", said)
        self.assertEqual(rates(), (5 * MEGA, 5 * MEGA))
        self.assertEqual(self.look()["policy"], "fair-share")
        code, said = self.refused("--config", str(config), path=self.path + "2")
        self.assertEqual(code, 3)
        self.assertIn("did you mean 'bandwidth'?", said)

    def test_the_unit_starts_a_server(self):
        root = HERE.parent.parent
        unit = root / "packaging" / "systemd" / "holdfast-io.service"
        lines = dict(line.split("=", 1) for line in unit.read_text(encoding="utf-8").splitlines() if "=" in line and line[0] != "#")
        words = shlex.split(lines["ExecStart"])
        self.assertEqual(words[0], "holdfast")
        self.assertEqual(words[-1], "/etc/holdfast/io.toml")
        self.assertEqual(lines["ExecReload"], "kill -HUP $MAINPID")
        # The options of the example, in a folder of our own.
        text = (root / "examples" / "arbiter" / "io.toml").read_text(encoding="utf-8")
        self.assertIn(f'"/run/{lines["RuntimeDirectory"]}/io.sock"', text)
        config = self.folder / "io.toml"
        config.write_text(text.replace("/run/holdfast/io.sock", self.path).replace("/run/holdfast", str(self.folder)), encoding="utf-8")
        server = Server(self.path, program=[GIVEN.program, *words[1:-1], str(config)])
        self.addCleanup(server.close)
        self.assertEqual(self.look()["policy"], "periodic-greedy-yield:period=5")
        server.kill(signal.SIGHUP)
        self.assertIn("from now on", server.process.stderr.readline())
        self.assertEqual(server.kill(signal.SIGTERM), 0)
        self.assertTrue((self.folder / "state.json").exists())
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")
        # It looks for the programs of a unit where systemd does, and knows nothing of builds.
        verified = self.folder / unit.name
        verified.write_text(unit.read_text(encoding="utf-8").replace("ExecStart=holdfast", "ExecStart=" + GIVEN.program), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", str(verified)], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_metrics(self):
        file = self.folder / "metrics.prom"
        server = self.serve("--metrics-file", str(file), "--metrics-listen", "127.0.0.1:0")
        place = server.process.stderr.readline().split()[-1]
        self.assertTrue(place.startswith("http://127.0.0.1:"), place)
        client = self.client('job "1"')
        client.begin(10**9)
        self.assertGreater(client.wait(1), 0)

        def read(name=place, **more):
            with urllib.request.urlopen(urllib.request.Request(name, **more), timeout=PATIENCE) as answer:
                self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
                return answer.read().decode()

        label = f'{{job="job \\"1\\"",uid="{os.getuid()}"}}'
        told = read()
        self.assertIn("\nholdfast_io_bandwidth_bytes_per_second 20000000\n", told)
        self.assertIn(f"\nholdfast_io_granted_bytes_per_second{label} 20000000\n", told)
        self.assertIn('\nholdfast_io_frames_total{type="post"} 1\n', told)
        self.assertIn("\nholdfast_io_connections 1\n", told)
        for name, more, code in ((place + "2", {}, 404), (place, {"method": "POST"}, 405)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                read(name, **more)
            self.assertEqual(refused.exception.code, code)
            refused.exception.close()
        host, port = place[len("http://"):-len("/metrics")].split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as silent:
            self.assertEqual(silent.recv(1), b"")  # sent away
        self.assertIn("holdfast_io_bandwidth_bytes_per_second 20000000\n", file.read_text(encoding="utf-8"))
        self.until(lambda: label in file.read_text(encoding="utf-8"), "the file with the job")
        self.assertGreater(client.wait(1), 0)

    def top(self, *options, **named):
        top = subprocess.Popen([GIVEN.program, "io", "top", "--socket", self.path, "--interval", "0.1", *options], **named)
        self.addCleanup(lambda: (top.kill(), top.wait()))
        return top

    def test_top_on_a_terminal(self):
        self.serve()
        client = self.client("esc\x1b[2J")
        client.begin(10**9)
        self.assertGreater(client.wait(1), 0)
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        before = termios.tcgetattr(theirs)
        top = self.top(stdin=theirs, stdout=theirs)
        drawn = ""

        def until_drawn(text):
            nonlocal drawn
            while text not in drawn:
                drawn += os.read(ours, 65536).decode()
            drawn = drawn[drawn.index(text):]

        until_drawn("\x1b[?1049h")
        until_drawn("by yield\x1b[K")
        until_drawn("\nesc\\x1b[2J")
        os.write(ours, b"s")
        until_drawn("by rate\x1b[K")
        os.write(ours, b"p")
        until_drawn("by rate (paused)\x1b[K")
        os.write(ours, b"xp")
        until_drawn("decisions/s, by rate\x1b[K")
        os.write(ours, b"q")
        until_drawn("\x1b[?1049l")
        self.assertEqual(top.wait(PATIENCE), 0)
        self.assertEqual(termios.tcgetattr(theirs), before)

    def test_top_without_a_terminal(self):
        server = self.serve("--policy", "fcfs", "--idle", "600s")  # the writer moves nothing, for as long as a busy machine takes
        client = self.client("writer", 10 * MEGA)
        client.begin(10**9)
        self.assertGreater(client.wait(1), 0)
        top = self.top(stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        with top.stdout:
            seen = [top.stdout.readline() for _ in range(12)]
            self.assertEqual([line for line in seen if "\x1b" in line], [])
            self.assertEqual(len([line for line in seen if line.startswith("job ")]), 2)
            self.assertEqual(seen[0], "10.0MB/s in use of 20.0MB/s, 1 pending, 2 connections, epoch 1\n")
            top.send_signal(signal.SIGINT)
            self.assertEqual(top.wait(PATIENCE), 130)
        lines = self.top("--json", stdout=subprocess.PIPE, text=True)
        with lines.stdout:
            for _ in range(2):
                self.assertEqual(json.loads(lines.stdout.readline())["applications"][0]["state"], "write")
            lines.send_signal(signal.SIGINT)
            self.assertEqual(lines.wait(PATIENCE), 130)
        seen = self.look()["applications"]["writer"]
        self.assertEqual((seen["rate"], seen["share"], seen["uid"]), (10 * MEGA, 1, os.getuid()))
        gone = self.top(stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        with gone.stderr:
            self.until(lambda: self.look()["connections"] == 3, "the writer, who looks, and the last watcher")
            server.kill(signal.SIGTERM)
            self.assertEqual(gone.wait(PATIENCE), 4)
            self.assertIn("the arbiter", gone.stderr.read())
        nobody = self.top(stderr=subprocess.PIPE, text=True)
        with nobody.stderr:
            self.assertEqual(nobody.wait(PATIENCE), 4)
            self.assertIn("no arbiter answers there", nobody.stderr.read())

    def test_the_server_is_stopped(self):
        server = self.serve("--lease", "1s", "--report", "0.2s", "--policy", "fcfs")
        first = self.writer("first", 20 * MEGA)
        waiting = self.writer("waiting", 4 * MEGA)
        server.kill(signal.SIGSTOP)
        newcomer = self.writer("newcomer", 1000 * MEGA)  # a client that has never connected
        self.assertEqual(newcomer.wait(), 0)
        self.assertEqual(waiting.wait(), 0)
        self.assertEqual(first.wait(), 0)
        server.kill(signal.SIGCONT)

    def test_a_client_is_killed(self):
        self.serve("--policy", "fcfs")
        endless = self.writer("endless", 10**12)
        waiting = self.writer("waiting", MEGA)
        endless.process.kill()
        endless.process.wait()
        self.assertEqual(waiting.wait(), 0)

    def test_a_client_is_stopped_and_goes_on(self):
        self.serve("--policy", "fcfs", "--report", "0.2s", "--lease", "1s")
        stopped = self.writer("stopped", 20 * MEGA)
        waiting = self.writer("waiting", MEGA)
        stopped.process.send_signal(signal.SIGSTOP)
        self.assertEqual(waiting.wait(), 0)
        self.assertFalse(stopped.is_over())
        stopped.process.send_signal(signal.SIGCONT)
        self.assertEqual(stopped.wait(), 0)

    def test_who_posts_and_moves_nothing_holds_nobody_up(self):
        self.serve("--policy", "fcfs", "--idle", "0.5s")
        hog = self.client("hog")
        hog.begin(10**12)
        self.assertGreater(hog.wait(1), 0)
        waiting = self.writer("waiting", MEGA)
        self.assertEqual(waiting.wait(), 0)
        # It may go on when it wants to.
        self.assertGreater(hog.wait(1), 0)
        hog.end()

    def test_a_child_begins_anew(self):
        self.serve("--policy", "fair-share")
        client = self.client("parent")
        client.begin(MEGA)
        self.assertGreater(client.wait(1000), 0)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                if client.shared.hf_io_end(client.io) == -2:  # nothing is open
                    client.begin(MEGA)
                    client.move(MEGA)
                    client.end()
                    code = 0 if client.state().connected else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        client.move(MEGA)
        client.end()
        self.assertTrue(client.state().connected)

    def test_liars_get_an_error_each(self):
        self.serve("--connections-of-user", "50")
        honest = self.client("honest")
        honest.begin(10**9)
        self.assertGreater(honest.wait(1), 0)

        def code_for(*frames):
            rude = self.rude()
            for kind, body in frames:
                rude.say(kind, body)
            said = rude.error()
            self.assertIsNotNone(said)
            self.assertTrue(said[1])
            rude.close()
            return said[0]

        first = (1, hello("liar"))
        post = struct.pack("<QQQII", 1, 1, 1000, 1, 0)
        self.assertEqual(code_for((3, post)), BAD_FRAME)
        self.assertEqual(code_for(first, first), BAD_FRAME)
        self.assertEqual(code_for(first, (3, post)), UNKNOWN_HANDLE)  # that of the honest one
        self.assertEqual(code_for(first, (99, b"")), BAD_FRAME)
        self.assertEqual(code_for(first, (3, struct.pack("<QQQII", 2, 1, 2**64 - 2, 1, 0))), BAD_VALUE)
        rude = self.rude()
        rude.socket.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
        self.assertEqual(rude.error()[0], BAD_FRAME)
        rude = self.rude()
        rude.socket.sendall(frame(1, hello("future"), 1).replace(b"HFIO\1", b"HFIO\2"))
        code, text = rude.error()
        self.assertEqual(code, BAD_VERSION)
        self.assertIn("version 1", text)
        crowd = [self.rude() for _ in range(60)]
        codes = [rude.error()[0] for rude in crowd[52:]]
        self.assertEqual(set(codes), {TOO_MANY})
        self.assertGreater(honest.wait(1), 0)
        self.assertTrue(honest.state().connected)
        honest.end()

    def test_a_flood_is_dammed(self):
        self.serve()
        honest = self.client("honest")
        honest.begin(10**9)
        flood = self.rude()
        flood.say(1, hello("flood"))
        flood.socket.settimeout(0.1)
        pings = b""
        code = None
        end = time.monotonic() + PATIENCE
        while code is None and time.monotonic() < end:
            if not pings:
                pings = b"".join(frame(8, bytes(8), flood.said + i + 1) for i in range(1000))
                flood.said += 1000
            try:
                pings = pings[flood.socket.send(pings):]
            except TimeoutError:
                pass
            except ConnectionError:
                pings = b""
            self.assertGreater(honest.wait(1), 0)
            honest.moved(1)
            try:
                while (heard := flood.hear()) is not None:
                    if heard[0] == 10:
                        code = struct.unpack("<I", heard[1][:4])[0]
            except TimeoutError:
                continue
            break
        self.assertEqual(code, TOO_FAST)
        self.assertTrue(honest.state().connected)
        honest.end()

    def test_one_server_at_a_socket(self):
        first = self.serve()
        mode = os.stat(self.path).st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o660)
        second = subprocess.run([GIVEN.program, "io", "serve", "--bandwidth", "1GB/s", "--socket", self.path], capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        self.assertEqual(second.returncode, 4)
        self.assertIn("another server answers there", second.stderr)
        first.kill()
        self.assertTrue(os.path.exists(self.path))
        again = self.serve()  # what a killed one left behind is no obstacle
        rude = self.rude()
        rude.say(1, hello("x"))
        self.assertEqual(rude.hear()[0], 2)
        self.assertEqual(again.kill(signal.SIGTERM), 0)
        self.assertEqual(rude.error()[0], SHUTTING_DOWN)
        self.assertFalse(os.path.exists(self.path))
        Path(self.path).write_text("not yours", encoding="utf-8")
        third = subprocess.run([GIVEN.program, "io", "serve", "--bandwidth", "1GB/s", "--socket", self.path], capture_output=True, text=True,
                               timeout=PATIENCE, check=False)
        self.assertEqual(third.returncode, 4)
        self.assertEqual(Path(self.path).read_text(encoding="utf-8"), "not yours")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("shared", metavar="LIBRARY")
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=GIVEN)
    GIVEN.program, GIVEN.shared = os.path.abspath(GIVEN.program), os.path.abspath(GIVEN.shared)
    GIVEN.folder = GIVEN.folder.resolve()
    unittest.main(argv=[sys.argv[0], *GIVEN.tests], verbosity=2)


if __name__ == "__main__":
    main()
