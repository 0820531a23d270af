#!/usr/bin/env python3
"""Arbiters that are stopped, clients that are killed, lie or flood: trouble_test.py PROGRAM LIBRARY FOLDER [TEST...]"""

import os
import signal
import socket
import stat
import struct
import subprocess
import time
from pathlib import Path

from arbiter_case import GIVEN, MEGA, PATIENCE, ArbiterCase, main
from client import frame, hello

BAD_FRAME, BAD_VERSION, TOO_MANY, TOO_FAST, UNKNOWN_HANDLE, BAD_VALUE, SHUTTING_DOWN = 1, 2, 4, 5, 6, 7, 9


class TroubleTest(ArbiterCase):
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


if __name__ == "__main__":
    main()
