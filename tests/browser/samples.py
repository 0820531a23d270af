"""What report_test.py opens: reports, their charts, and pictures, made by the program."""

import functools
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SWEEP = """
[campaign]
name = "a sweep over <ages> & processors"
domain = "checkpoint"
scenarios = 12
strategies = ["young-daly", "daly", "next-step"]
baseline = "young-daly"

[parameters]
failures = [{distribution = "weibull", shape = 0.7, mtbf = "10y"}, {distribution = "exponential", mtbf = "10y"}]
processors = [1000, 10000, 100000]
platform_age = ["0d", "30d", "365d"]
work = "10h"
checkpoint = "600s"
horizon = "730d"

[report]
x = "platform_age"
series = "strategy"
facet = "failures"
y = "processors"
metric = "makespan"
charts = ["ratios", "boxes", "lines", "heat", "ecdf"]
"""
# A figure of our own, cheap to measure: two numbers of each strategy, and curves.
ITEM = {
    "item.toml": """
title = "makespan by <size>"
source = "nobody & nowhere, Figure 0"
campaign = "campaign.toml"

[chart]
x = "processors"
metric = "makespan"
strategies = ["young-daly", "daly"]
""",
    "published.csv": """processors,strategy,metric,published,published_tolerance
1000,young-daly,makespan,40000,1%
100000,young-daly,makespan,80000,1000%
1000,daly,makespan,40000,1000%
100000,daly,makespan,80000,1000%
""",
    "campaign.toml": """
[campaign]
name = "sizes"
domain = "checkpoint"
scenarios = 10
strategies = ["young-daly", "daly"]

[parameters]
processors = [1000, 10000, 100000]
failures = {distribution = "exponential", mtbf = "10y"}
work = "10h"
checkpoint = "600s"
""",
}
PICTURES = {
    "survival": f"trace fit {ROOT}/examples/data/sample-failures.csv --plot",
    "run-times": f"trace fit {ROOT}/examples/data/speedup.csv --plot",
    "stays": f"trace fit {ROOT}/examples/data/sample-hosts.avt --slot 1h --plot",
    "checkpoint": "checkpoint simulate --work 10h --checkpoint 10min --processors 10000 --mtbf 10y --scenarios 1 "
                  "--schedule",
    "workflow": "workflow simulate --family seismology --tasks 40 --processors 20 --scenarios 1 --schedule",
    "moldable": "moldable simulate --model communication --jobs 40 --processors 200 --scenarios 1 --schedule",
    "taskgraph": "taskgraph simulate --tasks 40 --model amdahl --processors 32 --scenarios 1 --schedule",
    "capacity": "capacity simulate --family log-scale --scenarios 1 --schedule",
    "io": "io simulate --load 1.1 --length 1e4 --scenarios 1 --schedule",
    "volatile": "volatile simulate --workers 20 --tasks 5 --scenarios 1 --schedule",
    "cosched": "cosched simulate --tasks 20 --processors 200 --scenarios 1 --schedule",
}


@functools.cache
def make_reports(program, folder):
    """The directories of two campaigns with their reports."""
    folder.mkdir(parents=True, exist_ok=True)
    sweep = folder / "sweep.toml"
    sweep.write_text(SWEEP)
    made = {}
    for name, campaign, scale in (("first-look", ROOT / "examples/first-look.toml", "0.2"), ("sweep", sweep, "1")):
        made[name] = folder / name
        subprocess.run([program, "run", campaign, "--scale", scale, "--output", made[name], "--quiet", "--force"], check=True,
                       stdout=subprocess.DEVNULL)
    made["reproduction"] = make_reproduction(program, folder)
    return made


def make_charts(program, folder, results):
    """The charts of a report as files."""
    charts = folder / "charts"
    shutil.rmtree(charts, ignore_errors=True)
    subprocess.run([program, "report", results, "--plot", charts, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return sorted(charts.glob("*.svg"))


def make_pictures(program, folder):
    """Pictures of their own: curves, bars by processor, lanes by name, bands."""
    made = {}
    for name, command in PICTURES.items():
        made[name] = folder / f"{name}.svg"
        made[name].unlink(missing_ok=True)
        subprocess.run([program, *command.split(), made[name]], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    return made


def make_reproduction(program, folder):
    """The report of a figure of curves, and figures of schedules: who holds a machine, two pictures, rates."""
    items, results = folder / "items", folder / "reproduction"
    shutil.rmtree(items, ignore_errors=True)
    (items / "sizes").mkdir(parents=True)
    for name, text in ITEM.items():
        (items / "sizes" / name).write_text(text)
    for name in ("cosched-fig-1", "fig-2.5", "fig-7.1"):
        shutil.copytree(ROOT / "reproduce" / name, items / name)
    done = subprocess.run([program, "reproduce", "--all", "--from", items, "--report", "--output", results, "--quiet"],
                          stdout=subprocess.DEVNULL)
    assert done.returncode == 1, "one number of ours is out of tolerance"
    return results
