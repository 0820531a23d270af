#!/usr/bin/env python3
"""Writes the logs of this folder again: python3 make_logs.py. Nothing here was measured; README.md says what was assumed."""

import datetime
import math
import random
from pathlib import Path

HERE = Path(__file__).parent
START, END = datetime.datetime(2004, 1, 1), datetime.datetime(2005, 7, 1)
NODES, SHAPE, MEAN = 64, 0.6, 200.0  # Weibull, days
CAUSES = ("Power Outage", "Memory Dimm", "Operator", "Switch", "Undetermined", "Node OS")
WEIGHTS = (2, 55, 1, 2, 15, 25)
HEADER = ("System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,node install,node prod,node decom,fru type,mem,"
          "cputype,memtype,num intercon,purpose,Prob Started,Prob Fixed,Down Time,Facilities,Hardware,Human Error,Network,"
          "Undetermined,Software,Same Event")


def text(time):
    return f"{time.month}/{time.day}/{time.year} {time.hour}:{time.minute:02}"


def failures(draw):
    scale = MEAN / math.gamma(1 + 1 / SHAPE)
    rows = []
    for node in range(NODES):
        age = 0.0
        while True:
            age += scale * (-math.log(1 - draw.random())) ** (1 / SHAPE)
            down = (START + datetime.timedelta(days=age)).replace(second=0, microsecond=0)
            if down >= END:
                break
            minutes = max(1, int(draw.lognormvariate(math.log(60), 1)))
            rows.append((down, node, minutes, draw.choices(range(6), WEIGHTS)[0]))
            age = (down - START).total_seconds() / 86400 + minutes / 1440
    # One power cut takes four nodes down in the same minute.
    rows += [(datetime.datetime(2004, 5, 10, 14, 20), node, 95, 0) for node in (8, 9, 10, 11)]
    lines = [HEADER]
    for down, node, minutes, cause in sorted(rows):
        cells = ["99", "cluster", f"{NODES}", f"{4 * NODES}", "4", f"{node}", f"{node}", "Jan-04", "Jan-04", "current", "part", "4",
                 "1", "1", "1", "compute", text(down), text(down + datetime.timedelta(minutes=minutes)), f"{minutes}"]
        lines.append(",".join(cells + [name if cause == index else "" for index, name in enumerate(CAUSES)] + ["No"]))
    return lines


def jobs(draw):
    """A week of jobs, more of them by day; run times lognormal with a median of 2 h."""
    lines = ["; Made up by make_logs.py: a week of jobs on a cluster of 8 racks of 32 cores.", "; MaxProcs: 256"]
    now, number = 0.0, 0
    while True:
        is_day = 8 <= now / 3600 % 24 < 20
        now += draw.expovariate(1 / (700 if is_day else 2000))
        if now >= 7 * 86400:
            return lines
        number += 1
        cores = 2 ** draw.choice((0, 1, 2, 3, 3, 4, 4, 5))
        length = int(min(2 * 86400, max(60, draw.lognormvariate(math.log(2 * 3600), 1.3))))
        lines.append(f"{number} {int(now)} 0 {length} {cores} -1 -1 {cores} {2 * length} -1 1 1 1 -1 1 -1 -1 -1")


def power():
    """Racks that the power of the day allows: most at noon, fewest in the evening; a dip of a quarter of an hour on the third
    day."""
    lines = []
    for hour in range(7 * 24 + 1):
        sun = max(0.0, math.sin((hour % 24 - 6) / 12 * math.pi))
        evening = 17 <= hour % 24 < 21
        lines.append((hour * 3600, 4 if evening else 6 + round(2 * sun)))
    lines += [(2 * 86400 + 36900, 3), (2 * 86400 + 37800, 8)]
    return [f"{time},{value}" for time, value in sorted(lines)]


def write(name, lines):
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


write("cluster-failures.csv", failures(random.Random(2)))
write("cluster-jobs.swf", jobs(random.Random(3)))
write("cluster-power.csv", power())
