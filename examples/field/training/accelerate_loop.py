#!/usr/bin/env python3
"""A loop with accelerate, which saves folders of its own when Holdfast's advisor says so:

    holdfast guard --trigger api --mtbf 100d --output run1 -- python3 accelerate_loop.py --steps 3000

Of what save_state writes no file is always the last, so the marker is written when all processes are ready. load_state() without a
folder would take the largest number in any name, also of half a folder."""

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from common import advisor, end, options, pace

from holdfast.advisor import mark_complete, newest_complete, torch_broadcast

given = options(__doc__)
torch.set_num_threads(1)
accelerator = Accelerator(cpu=True)
set_seed(5)
net = torch.nn.Sequential(torch.nn.Linear(32, 256), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(256, 1))
net, optimizer = accelerator.prepare(net, torch.optim.Adam(net.parameters(), 1e-3))
data = torch.randn(512, 32, generator=torch.Generator().manual_seed(1))


class Count:
    """The step, as one of the things that accelerate saves."""

    step = 0

    def state_dict(self):
        return {"step": self.step}

    def load_state_dict(self, state):
        self.step = state["step"]


count = Count()
accelerator.register_for_checkpointing(count)
found = newest_complete("out/step-*[0-9]")
if found:
    accelerator.load_state(str(found))
print(f"from {found}", flush=True)
with advisor(broadcast=torch_broadcast() if accelerator.num_processes > 1 else None) as asked:
    asked.ready()
    while count.step < given.steps:
        batch = data[torch.randint(0, 512, (32,))]
        optimizer.zero_grad()
        accelerator.backward(torch.nn.functional.mse_loss(net(batch), batch.pow(2).sum(1, keepdim=True)))
        optimizer.step()
        count.step += 1
        pace(given)
        asked.progress(count.step, given.steps)
        if asked.due():
            with asked.saving():
                folder = f"out/step-{count.step}"
                accelerator.save_state(folder)
                accelerator.wait_for_everyone()
                if accelerator.is_main_process:
                    mark_complete(folder)
        if asked.should_stop():
            break
if count.step == given.steps and accelerator.is_main_process:
    end(value.numpy().tobytes() for value in accelerator.unwrap_model(net).state_dict().values())
