#!/usr/bin/env python3
"""A loop of PyTorch that asks Holdfast's advisor when to save, and ends with the same weights, to the last bit, however often it is
killed: holdfast guard --trigger api --mtbf 100d --output run1 -- python3 torch_loop.py --steps 3000"""

import torch
from common import advisor, end, options, pace

from holdfast.advisor import newest_valid, save_atomically

given = options(__doc__)
torch.set_num_threads(1)
torch.manual_seed(5)
net = torch.nn.Sequential(torch.nn.Linear(32, 256), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(256, 1))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
data = torch.randn(512, 32, generator=torch.Generator().manual_seed(1))
step = 0
newest = newest_valid("run.pt")
if newest:
    state = torch.load(newest, weights_only=True)
    net.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    step = state["step"]
print(f"from step {step}", flush=True)
with advisor() as asked:
    asked.ready()
    while step < given.steps:
        batch = data[torch.randint(0, 512, (32,))]
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(batch), batch.pow(2).sum(1, keepdim=True)).backward()
        optimizer.step()
        step += 1
        pace(given)
        asked.progress(step, given.steps)
        if asked.due():
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "random": torch.get_rng_state(), "step": step}
            with asked.saving():
                save_atomically("run.pt", lambda file: torch.save(state, file))
        if asked.should_stop():
            break
if step == given.steps:
    end(value.numpy().tobytes() for value in net.state_dict().values())
