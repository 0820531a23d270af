"""A training job that sleeps, for bench/engines/torchrun: its processes meet by gloo, load their state, agree on each step, and the first one
saves every few steps. Each line of $JOB/log is a thing that happened."""

import json
import os
import time
from datetime import timedelta

import torch
import torch.distributed as dist


def note(**what):
    line = json.dumps({"at": time.time(), **what}) + "\n"
    with open(os.environ["JOB"] + "/log", "ab", buffering=0) as log:
        log.write(line.encode())


load, step, every = (float(os.environ[name]) for name in ("LOAD", "STEP", "EVERY"))
torch.set_num_threads(1)
note(what="start", machine=os.environ["MACHINE"], world=int(os.environ["WORLD_SIZE"]), round=os.environ["MASTER_PORT"])
dist.init_process_group("gloo", timeout=timedelta(seconds=5))  # one may have gone since the group was formed
time.sleep(load)
begun = torch.tensor([time.time()], dtype=torch.float64)
dist.broadcast(begun, 0)
begun, done, is_first = begun.item(), 0, dist.get_rank() == 0
if is_first:
    note(what="begin", world=dist.get_world_size())
while True:
    done += 1
    time.sleep(max(0, begun + done * step - time.time()))
    dist.all_reduce(torch.ones(1))
    if is_first and done % every == 0:
        note(what="save", work=dist.get_world_size() * every * step)
