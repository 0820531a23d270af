#!/usr/bin/env python3
"""Two processes with DeepSpeed, each with its part of the optimizer (ZeRO 1), which save when Holdfast's advisor says so:

    holdfast guard --trigger api --mtbf 100d --output run1 -- torchrun --standalone --nproc-per-node 2 deepspeed_loop.py --steps 3000

save_checkpoint writes a folder and then its name into the text file `latest`, in place, so that a kill can leave half a name. The folder
gets a marker when all processes are ready, and load_checkpoint is told the folder that was marked last."""

import logging
import os

os.environ.setdefault("DS_ACCELERATOR", "cpu")

import deepspeed
import torch
import torch.distributed as dist
from common import advisor, end, options, pace

from holdfast.advisor import mark_complete, newest_complete, torch_broadcast

given = options(__doc__)
logging.getLogger("DeepSpeed").setLevel(logging.ERROR)
deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False  # no compiler is run at the start
torch.set_num_threads(1)
torch.manual_seed(5)
deepspeed.init_distributed("gloo")
rank = dist.get_rank()
net = torch.nn.Sequential(torch.nn.Linear(32, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))
engine, *_ = deepspeed.initialize(model=net, optimizer=torch.optim.Adam(net.parameters(), 1e-3), config={
    "train_micro_batch_size_per_gpu": 16, "zero_optimization": {"stage": 1}, "zero_allow_untested_optimizer": True})
data = torch.randn(512, 32, generator=torch.Generator().manual_seed(1))
torch.manual_seed(100 + rank)


def draws():
    """The states of the random generators of all processes: only what process 0 passes to save_checkpoint comes back."""
    states = [None] * dist.get_world_size()
    dist.all_gather_object(states, torch.get_rng_state())
    return states


found = [newest_complete("out/global_step*") if rank == 0 else None]
dist.broadcast_object_list(found)
step = 0
if found[0]:
    _, state = engine.load_checkpoint("out", tag=found[0].name)
    step = state["step"]
    torch.set_rng_state(state["random"][rank])
if rank == 0:
    print(f"from {found[0]}", flush=True)
with advisor(broadcast=torch_broadcast()) as asked:
    asked.ready()
    while step < given.steps:
        batch = data[torch.randint(0, 512, (16,))]
        engine.backward(torch.nn.functional.mse_loss(engine(batch), batch.pow(2).sum(1, keepdim=True)))
        engine.step()
        step += 1
        pace(given)
        asked.progress(step, given.steps)
        if asked.due():
            with asked.saving():
                tag = f"global_step{step}"
                engine.save_checkpoint("out", tag, client_state={"step": step, "random": draws()})
                dist.barrier()
                if rank == 0:
                    mark_complete(f"out/{tag}")
        if asked.should_stop():
            break
if rank == 0 and step == given.steps:
    end(value.numpy().tobytes() for value in engine.module.state_dict().values())
dist.barrier()  # none leaves while another still uses a group
dist.destroy_process_group()
