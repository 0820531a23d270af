#!/usr/bin/env python3
"""`holdfast io serve` and its C library with real processes: arbiter_test.py PROGRAM LIBRARY FOLDER [TEST...]"""

import json
import os
import pty
import shlex
import shutil
import signal
import socket
import subprocess
import termios
import time
import urllib.error
import urllib.request

from arbiter_case import GIVEN, HERE, MEGA, PATIENCE, ArbiterCase, Server, main


class ArbiterTest(ArbiterCase):
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
        page = self.folder / "top.html"
        self.assertEqual(self.top("--once", "--page", page, stdout=subprocess.DEVNULL).wait(PATIENCE), 0)
        self.assertIn("10 MB/s of 20 MB/s in use by 1 of 1 application", page.read_text(encoding="utf-8"))
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


if __name__ == "__main__":
    main()
