#!/usr/bin/env python3
"""Campaigns on several MPI processes, undisturbed and disturbed: mpi_test.py BUILD_FOLDER"""

import os
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from campaign_case import CELLS_PER_SCENARIO, HAS_MPI, HOLDFAST, LONG, SHORT, CampaignCase, Tmpfs, is_there, main
from campaign_case import processes_of

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
MPIRUN = ("mpirun", "--oversubscribe", "--bind-to", "none")


def why_not():
    if not is_there("mpirun"):
        return "no mpirun"
    if not HAS_MPI:
        return "built without MPI"
    tried = subprocess.run([*MPIRUN, "-n", "2", "true"], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    return f"mpirun cannot start processes here: {tried.stderr.strip()}" if tried.returncode != 0 else None


def rank_of(pid):
    for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
            return int(entry.split(b"=")[1])
    raise AssertionError(f"process {pid} has no rank")


class Mpi(CampaignCase):
    def start(self, ranks, campaign, *arguments, **options):
        command = [*MPIRUN, "-n", str(ranks), str(HOLDFAST), "run", str(campaign), "--executor", "mpi", "--output",
                   str(self.results), "--quiet", *map(str, arguments)]
        return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **options)

    def finish(self, process):
        """Waits for a run. Where a process was killed, mpirun itself may lock up in PMIx_server_finalize, with no process of
        the run left: then it is killed too."""
        for _ in range(5):
            try:
                out, err = process.communicate(timeout=60)
                return process.returncode, out, err
            except subprocess.TimeoutExpired:
                if not self.runners():
                    process.kill()
        raise AssertionError("the run does not end")

    def run_to_the_end(self, ranks, campaign, *arguments, **options):
        status, out, err = self.finish(self.start(ranks, campaign, *arguments, **options))
        self.assertEqual(status, 0, err)
        return out

    def runners(self):
        return processes_of(HOLDFAST, self.results, "mpi")

    def freeze_run(self, process, least=1):
        return self.freeze(lambda: process.poll() is not None, least)

    def kill(self, rank):
        """kill -9 of one process of the run in self.results."""
        pids = [pid for pid in self.runners() if rank_of(pid) == rank]
        self.assertEqual(len(pids), 1)
        os.kill(pids[0], signal.SIGKILL)

    def test_same_bytes_on_1_2_and_4_ranks(self):
        for ranks, threads in ((1, 1), (2, 1), (4, 1), (2, 2)):
            with self.subTest(ranks=ranks, threads=threads):
                self.results = self.folder / f"results-{ranks}-{threads}"
                said = self.run_to_the_end(ranks, self.campaign(SHORT), "--threads", threads)
                self.assertEqual(said.count("\nbest: "), 1, "one process speaks")
                self.assert_same_bytes(self.results, SHORT)

    def test_what_was_finished_is_found_on_any_number_of_ranks(self):
        self.run_to_the_end(2, self.campaign(SHORT), "--scale", 0.5)
        self.assertEqual(self.cells_done(), SHORT // 2 * CELLS_PER_SCENARIO)
        self.run_to_the_end(3, self.campaign(SHORT))
        self.assert_same_bytes(self.results, SHORT)

    def start_ranks_and_freeze(self, ranks, least=1, scenarios=LONG):
        """The process, the cells stored and the scenarios."""
        def finish(process):
            status, _, err = self.finish(process)
            self.assertEqual(status, 0, err)
        return self.start_and_freeze(lambda campaign: self.start(ranks, campaign),
                                     lambda process: self.freeze_run(process, least), finish, scenarios)

    def disturbed(self, disturb):
        """Two starts that are disturbed, on other numbers of ranks; then one that is not."""
        seen, scenarios = 0, LONG
        for ranks in (2, 4):
            process, seen, scenarios = self.start_ranks_and_freeze(ranks, seen + 1, scenarios)
            disturb(process, ranks)
            self.thaw()
            status, _, err = self.finish(process)
            self.assertNotEqual(status, 0, f"nobody minded: {err}")
            self.assertGreaterEqual(self.cells_done(), seen, "stored cells were lost")
        self.run_to_the_end(2, self.campaign(scenarios))
        self.assert_same_bytes(self.results, scenarios)

    def test_interrupted(self):
        def interrupt(process, _):
            process.send_signal(signal.SIGINT)
        self.disturbed(interrupt)

    def test_a_rank_is_killed(self):
        self.disturbed(lambda _, ranks: self.kill(ranks - 1))

    def test_the_writer_is_killed(self):
        self.disturbed(lambda _, ranks: self.kill(0))

    def test_who_survives_says_what_to_do(self):
        process, _, _ = self.start_ranks_and_freeze(3)
        self.kill(1)
        self.thaw()
        _, _, err = self.finish(process)
        self.assertRegex(err, r"cells are kept; 'holdfast run .*' continues")

    def test_a_full_disk(self):
        disk = Tmpfs(600)
        self.addCleanup(disk.remove)
        self.results = disk.path / "results"
        status, _, err = self.finish(self.start(2, self.campaign(LONG)))
        self.assertEqual(status, 4, err)
        self.assertIn("the disk is full", err)
        self.assertIn("run the same command again: what was finished is kept", err)
        self.assertGreater(self.cells_done(), 0)
        disk.grow()
        self.run_to_the_end(2, self.campaign(LONG))
        self.assert_same_bytes(self.results, LONG)

    def test_a_directory_that_cannot_be_written(self):
        user = {} if os.getuid() != 0 else {"user": 65534, "group": 65534, "extra_groups": []}
        campaign = self.campaign(SHORT)
        self.results.mkdir(mode=0o555)
        environment = dict(ENVIRONMENT, HOME=str(self.folder), TMPDIR="/tmp")
        command = [*MPIRUN, "-n", "2", str(HOLDFAST), "run", str(campaign), "--executor", "mpi", "--output",
                   str(self.results)]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120, cwd="/", **user)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cannot write here: Permission denied; name another directory with --output", done.stderr)
        self.results.chmod(0o755)
        self.run_to_the_end(2, campaign)
        self.assert_same_bytes(self.results, SHORT)

    def test_a_second_run_in_the_same_directory_is_refused(self):
        first, seen, scenarios = self.start_ranks_and_freeze(2)
        status, _, err = self.finish(self.start(2, self.campaign(scenarios)))
        self.assertEqual(status, 4, err)
        self.assertIn("is running this campaign", err)
        self.assertEqual(self.cells_done(), seen, "the second run wrote something")
        self.thaw()
        first.send_signal(signal.SIGTERM)
        self.finish(first)

    def test_processes_that_see_different_files_are_refused(self):
        def part(campaign):
            return "-n", "1", str(HOLDFAST), "run", str(campaign), "--executor", "mpi", "--output", str(self.results)
        done = subprocess.run([*MPIRUN, *part(self.campaign(SHORT)), ":", *part(self.campaign(LONG))], env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("MPI rank 1: opened another campaign than rank 0", done.stderr)
        self.run_to_the_end(2, self.campaign(SHORT))
        self.assert_same_bytes(self.results, SHORT)

    def test_an_error_in_a_cell_or_a_file_is_reported_once(self):
        campaign = self.folder / "wrong.toml"
        campaign.write_text(self.campaign(SHORT).read_text().replace('"600s"', '"-600s"'))
        status, _, err = self.finish(self.start(3, campaign))
        self.assertEqual(status, 3, err)
        self.assertEqual(err.count("wrong.toml:14"), 1, err)

    def test_without_the_library_the_program_runs_and_says_what_is_missing(self):
        alone = self.folder / "holdfast"
        shutil.copy(HOLDFAST, alone)
        environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        done = subprocess.run([alone, "run", self.campaign(SHORT), "--executor", "mpi", "--output", self.results],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot load libholdfast_mpi.so", done.stderr)
        self.assertIn("libopenmpi-dev", done.stderr)


if __name__ == "__main__":
    reason = why_not()
    if reason:
        print(f"skipped: the tests of MPI: {reason}")
        sys.exit(0)
    main()
