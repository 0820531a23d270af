"""Scheduler plugin: starts ready jobs in the order of their longest paths to the end, by the run times of a plan of `holdfast taskgraph plan`,
and, with `widen`, gives cores that would stay idle to the jobs that start. Without a plan Snakemake's greedy scheduler decides."""

import heapq
import json
from dataclasses import dataclass, field
from typing import Optional

from snakemake_interface_scheduler_plugins.base import SchedulerBase
from snakemake_interface_scheduler_plugins.settings import SchedulerSettingsBase

MOST_CORES = 1_000_000  # of one machine; a cluster has no limit, and nothing is idle there


@dataclass
class SchedulerSettings(SchedulerSettingsBase):
    plan: Optional[str] = field(default=None, metadata={"help": "document of 'holdfast taskgraph plan ... --output plan.json'"})
    widen: bool = field(
        default=False,
        metadata={"help": "jobs start on more threads than their rules have, where cores would stay idle (private parts of Snakemake, tried: 9.27)"},
    )


class Plan:
    """The run time of each rule on 1, 2, ... threads, up to the number that is fastest, and the threads that it should have. A job takes `size`
    times as long, where earlier runs made the same file."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        self.times = {rule["rule"]: rule["seconds"] for rule in plan["rules"]}
        self.threads = {rule["rule"]: rule["threads"] for rule in plan["rules"]}
        self.sizes = plan["sizes"]

    def time(self, job, threads):
        """Seconds of a job; 0 for a rule that the plan does not know."""
        times = self.times.get(job.rule.name)
        if not times:
            return 0
        return self.sizes.get(str(next(iter(job.output), "")), 1) * times[min(max(threads, 1), len(times)) - 1]

    def fastest(self, job):
        return len(self.times.get(job.rule.name, ()))

    def time_by_plan(self, job):
        return self.time(job, self.threads.get(job.rule.name, 1))

    def gains(self, job, threads, more):
        """Whether more threads shorten a job by a fifth of what they would if it were divided evenly, or by more."""
        now = self.time(job, threads)
        return now - self.time(job, more) > 0.2 * now * (1 - threads / more)


def single_jobs(job):
    """The jobs of a group, or the job itself."""
    return list(job.jobs) if hasattr(job, "jobs") else [job]


def longest_paths(dag, plan):
    """Seconds from the start of each job to the end of the workflow, along the longest path, if no job waits for cores."""
    jobs = list(dag.needrun_jobs())
    known = set(jobs)
    waits = {job: [other for other in dag.job_dependencies(job) if other in known] for job in jobs}
    followers = dict.fromkeys(jobs, 0)
    for parents in waits.values():
        for parent in parents:
            followers[parent] += 1
    below = dict.fromkeys(jobs, 0)
    paths = {}
    last = [job for job in jobs if not followers[job]]
    while last:
        job = last.pop()
        paths[job] = below[job] + plan.time_by_plan(job)
        for parent in waits[job]:
            below[parent] = max(below[parent], paths[job])
            followers[parent] -= 1
            if not followers[parent]:
                last.append(parent)
    return paths


class Scheduler(SchedulerBase):
    def __post_init__(self):
        self.plan, self.paths, self.widened = None, {}, set()
        path = self.settings and self.settings.plan
        try:
            if path:
                self.plan = Plan(path)
            else:
                self.logger.warning("holdfast: no plan (--scheduler-holdfast-plan FILE), the greedy scheduler decides")
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.logger.warning("holdfast: no plan, the greedy scheduler decides; "
                                f"'holdfast taskgraph plan ... --output {path}' writes one: {error!r}")

    def dag_updated(self):
        self.paths = {}

    def select_jobs(self, selectable_jobs, remaining_jobs, available_resources, input_sizes):
        if self.plan is None:
            return None
        try:
            return self.select(list(selectable_jobs), available_resources)
        except Exception as error:  # parts of another version must not end a workflow
            self.logger.warning(f"holdfast: the greedy scheduler decides from now on: {error!r}")
            self.plan = None
            return None

    def select(self, ready, available):
        if any(single not in self.paths for job in ready for single in single_jobs(job)):
            self.paths = longest_paths(self.dag, self.plan)
        for job in ready:
            if job in self.widened:  # it failed; Snakemake has given it the threads of its rule again
                self.widened.discard(job)
                job._scheduler_resources = None
        path = {job: max(self.paths.get(single, 0) for single in single_jobs(job)) for job in ready}
        free = {name: amount for name, amount in available.items() if not isinstance(amount, str)}
        chosen = []
        for job in sorted(ready, key=lambda job: (-job.priority, -path[job], [str(file) for file in job.output])):
            needs = job.scheduler_resources
            if all(needs.get(name, 0) <= amount for name, amount in free.items()):
                chosen.append(job)
                for name in free:
                    free[name] -= needs.get(name, 0)
        if self.settings.widen and len(chosen) == len(ready) and free["_cores"] <= MOST_CORES:
            self.widen([job for job in chosen if not hasattr(job, "jobs")], free["_cores"], path)
        return chosen

    def widen(self, starting, idle, path):
        """Gives idle cores one by one to the job that would end the workflow last, while it gains by them."""
        threads = {job: job.scheduler_resources["_cores"] for job in starting}
        below = {job: path[job] - self.plan.time_by_plan(job) for job in starting}
        queue = [(-below[job] - self.plan.time(job, threads[job]), place, job) for place, job in enumerate(starting)]
        heapq.heapify(queue)
        while idle > 0 and queue:
            _, place, job = heapq.heappop(queue)
            now = threads[job]
            more = next((n for n in range(now + 1, min(now + idle, self.plan.fastest(job)) + 1) if self.plan.gains(job, now, n)), None)
            if more is None:
                continue
            idle -= more - now
            threads[job] = more
            heapq.heappush(queue, (-below[job] - self.plan.time(job, more), place, job))
        for job in starting:
            if threads[job] > job.scheduler_resources["_cores"]:
                job.resources._cores = threads[job]
                job._scheduler_resources = None
                self.widened.add(job)
                if (job.threads, job.scheduler_resources["_cores"]) != (threads[job], threads[job]):
                    raise RuntimeError("the threads of a job cannot be set in this version of Snakemake")
