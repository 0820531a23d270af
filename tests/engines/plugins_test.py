#!/usr/bin/env python3
"""The plugins of bindings/snakemake without Snakemake: small stand-ins for its interfaces, jobs and graph."""

import contextlib
import io
import json
import sys
import tempfile
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/snakemake"))


def stand_in(name, **members):
    """A module of an interface with these members."""
    for depth in range(1, name.count(".") + 2):
        part = ".".join(name.split(".")[:depth])
        sys.modules.setdefault(part, types.ModuleType(part))
    vars(sys.modules[name]).update(members)


class Base:
    def __init__(self, *given):
        self.common_settings, self.settings = given[0], given[1]
        self.dag, self.logger = given[0], given[-1]
        self.__post_init__()

    def close(self):
        pass


EVENT = types.SimpleNamespace(JOB_INFO="info", JOB_FINISHED="finished", JOB_ERROR="error")
for kind, named in (("logger", "LogHandler"), ("scheduler", "Scheduler")):
    stand_in(f"snakemake_interface_{kind}_plugins.base", **{f"{named}Base": Base})
    stand_in(f"snakemake_interface_{kind}_plugins.settings", **{f"{named}SettingsBase": object})
stand_in("snakemake_interface_logger_plugins.common", LogEvent=EVENT)
import snakemake_logger_plugin_holdfast as logger  # noqa: E402
import snakemake_scheduler_plugin_holdfast as scheduler  # noqa: E402


class Job:
    """A job as far as the scheduler looks at it."""

    def __init__(self, rule, name, waits=(), threads=2, priority=0, memory=0):
        self.rule, self.output, self.waits, self.priority = types.SimpleNamespace(name=rule), [name], waits, priority
        self.resources, self.memory, self._scheduler_resources = types.SimpleNamespace(_cores=threads), memory, None

    threads = property(lambda self: self.resources._cores)

    @property
    def scheduler_resources(self):
        self._scheduler_resources = self._scheduler_resources or {"_cores": self.threads, "mem_mb": self.memory, "tmpdir": "/tmp"}
        return self._scheduler_resources


class Said:
    def __init__(self):
        self.texts = []

    def warning(self, text):
        self.texts.append(text)


PLAN = {"rules": [{"rule": "long", "threads": 2, "seconds": [8, 4, 3, 2]}, {"rule": "short", "threads": 1, "seconds": [1]}], "sizes": {"b": 3}}


class SchedulerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "plan.json"
        self.path.write_text(json.dumps(PLAN))
        self.said = Said()

    def scheduler(self, jobs, plan=None, **settings):
        dag = types.SimpleNamespace(needrun_jobs=lambda: jobs, job_dependencies=lambda job: job.waits)
        return scheduler.Scheduler(dag, scheduler.SchedulerSettings(plan=str(plan or self.path), **settings), self.said)

    def names(self, made, ready, cores, **more):
        chosen = made.select_jobs(ready, ready, {"_cores": cores, "_job_count": 99, **more}, {})
        return [job.output[0] for job in chosen]

    def test_the_longest_path_goes_first(self):
        a, b, c = Job("short", "a", threads=1), Job("short", "b", threads=1), Job("short", "c", threads=1)
        end = Job("long", "end", (a,))
        made = self.scheduler([a, b, c, end])
        self.assertEqual(self.names(made, [c, b, a], 2), ["a", "b"])  # 1 + 4, 3 by its size, 1
        self.assertEqual(made.paths[a], 5)

    def test_priorities_and_other_resources_count(self):
        a, b, c = Job("long", "a", memory=60), Job("long", "c", memory=60), Job("short", "d", priority=1, memory=30)
        self.assertEqual(self.names(self.scheduler([a, b, c]), [a, b, c], 9, mem_mb=100), ["d", "a"])

    def test_a_deep_graph(self):
        jobs = [Job("short", "0")]
        for depth in range(1, 5000):
            jobs.append(Job("short", str(depth), (jobs[-1],)))
        made = self.scheduler(jobs)
        self.assertEqual(self.names(made, jobs[:1], 4), ["0"])
        self.assertEqual(made.paths[jobs[0]], 5000)

    def test_idle_cores_are_given_where_they_help(self):
        one, two = Job("long", "x"), Job("short", "y", threads=1)
        made = self.scheduler([one, two], widen=True)
        self.names(made, [one, two], 9)
        self.assertEqual((one.threads, one.scheduler_resources["_cores"], two.threads), (4, 4, 1))
        one.resources = types.SimpleNamespace(_cores=2)  # it failed: a new attempt
        waiting = Job("long", "z")
        self.names(made, [one, waiting], 3)
        self.assertEqual((one.threads, one.scheduler_resources["_cores"], waiting.threads), (2, 2, 2))  # somebody waits
        self.names(self.scheduler([waiting], widen=True), [waiting], sys.maxsize)
        self.assertEqual(waiting.threads, 2)  # a cluster

    def test_never_more_than_there_is(self):
        jobs = [Job("long", str(k), threads=1) for k in range(5)]
        for cores in range(1, 25):
            for job in jobs:
                job.resources, job._scheduler_resources = types.SimpleNamespace(_cores=1), None
            chosen = self.scheduler(jobs, widen=True).select_jobs(jobs, jobs, {"_cores": cores}, {})
            self.assertLessEqual(sum(job.scheduler_resources["_cores"] for job in chosen), cores)

    def test_without_a_plan_greedy_decides(self):
        job = Job("long", "x")
        self.path.write_text('{"rules": [')
        for plan in (self.path, Path(self.folder.name) / "absent.json"):
            self.assertIsNone(self.scheduler([job], plan).select_jobs([job], [job], {"_cores": 4}, {}))
        self.assertEqual(len(self.said.texts), 2)
        dag = types.SimpleNamespace()
        self.assertIsNone(scheduler.Scheduler(dag, scheduler.SchedulerSettings(), self.said).select_jobs([job], [job], {"_cores": 4}, {}))

    def test_another_version_does_not_end_the_workflow(self):
        job = Job("long", "x")
        made = self.scheduler([job])
        made.dag = None
        self.assertIsNone(made.select_jobs([job], [job], {"_cores": 4}, {}))
        self.assertIn("greedy", self.said.texts[-1])


class LoggerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "new/history.jsonl"

    def handler(self, dryrun=False, path=None):
        return logger.LogHandler(types.SimpleNamespace(dryrun=dryrun), logger.LogHandlerSettings(history=str(path or self.path)))

    def job(self, handler, number, end="finished", output=("out",), command="true"):
        record = types.SimpleNamespace
        handler.emit(record(event="info", jobid=number, rule_name="r", threads=4, created=10.0, output=list(output), shellcmd=command))
        handler.emit(record(event=end, job_id=number, created=11.5))

    def lines(self):
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def test_a_line_for_each_attempt(self):
        handler = self.handler()
        self.job(handler, 1, "error")
        self.job(handler, 1)
        self.job(handler, 2, output=(), command=None)  # a target
        handler.emit(types.SimpleNamespace(event="finished", job_id=77, created=1))
        self.assertEqual([(line["status"], line["threads"], line["seconds"]) for line in self.lines()], [("failed", 4, 1.5), ("done", 4, 1.5)])

    def test_half_a_line_stays_alone(self):
        self.path.parent.mkdir()
        self.path.write_text('{"rule": "a", "sta')
        self.job(self.handler(), 1)
        self.assertEqual(self.path.read_text().count("\n"), 2)
        self.assertEqual(json.loads(self.path.read_text().splitlines()[1])["rule"], "r")

    def test_a_dry_run_writes_nothing_and_a_full_disk_ends_nothing(self):
        self.job(self.handler(dryrun=True), 1)
        self.assertFalse(self.path.exists())
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            handler = self.handler(path="/dev/full")
            self.job(handler, 1)
            self.job(handler, 2)
            handler.close()
        self.assertEqual(said.getvalue().count("no more history"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=1)
