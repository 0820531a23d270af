#!/usr/bin/env python3
"""Two processes of PyTorch with sharded weights (FSDP2), which save asynchronously by torch.distributed.checkpoint (DCP):

    holdfast guard --trigger api --mtbf 100d --output run1 -- torchrun --standalone --nproc-per-node 2 torch_dcp.py --steps 3000

Each checkpoint is a new folder, whose `.metadata` DCP writes last, by rename. The save has a group of processes of its own, and so has
the broadcast. A checkpoint is durable when its future is done on all processes."""

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from common import advisor, end, options, pace
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from holdfast.advisor import newest_complete, torch_broadcast

given = options(__doc__)
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank = dist.get_rank()
saving = dist.new_group(backend="gloo")
torch.manual_seed(5)
net = torch.nn.Sequential(torch.nn.Linear(32, 256), torch.nn.ReLU(), torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 2))
fully_shard(net, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
data = torch.randn(512, 32, generator=torch.Generator().manual_seed(1))
torch.manual_seed(100 + rank)
step = 0


def state():
    weights, moments = get_state_dict(net, optimizer)
    return {"net": weights, "optimizer": moments, "step": torch.tensor(step), f"random of {rank}": torch.get_rng_state()}


found = [newest_complete("out/step-*[0-9]", ".metadata") if rank == 0 else None]
dist.broadcast_object_list(found)
if found[0]:
    whole = state()
    dcp.load(whole, checkpoint_id=found[0])
    set_state_dict(net, optimizer, model_state_dict=whole["net"], optim_state_dict=whole["optimizer"])
    torch.set_rng_state(whole[f"random of {rank}"])
    step = int(whole["step"])
if rank == 0:
    print(f"from {found[0]}", flush=True)
asked = advisor(broadcast=torch_broadcast())
asked.ready()
future = None


def settle():
    """Waits for the last save. An exception in it ends the program."""
    global future
    if future is not None:
        future.result()
        future = None
        asked.durable()


while step < given.steps:
    batch = data[torch.randint(0, 512, (16,))]
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(batch), batch.pow(2).sum(1, keepdim=True).repeat(1, 2)).backward()
    optimizer.step()
    step += 1
    pace(given)
    asked.progress(step, given.steps)
    if future is not None and future.done():
        settle()
    if asked.due():
        settle()
        with asked.saving(asynchronous=True):
            future = dcp.async_save(state(), checkpoint_id=f"out/step-{step}", process_group=saving)
    if asked.should_stop():
        break
settle()
whole = [value.full_tensor() for value in net.state_dict().values()]
if rank == 0 and step == given.steps:
    end(value.detach().numpy().tobytes() for value in whole)
dist.barrier()  # none leaves while another still uses a group
dist.destroy_process_group()
