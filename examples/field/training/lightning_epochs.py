#!/usr/bin/env python3
"""Lightning, which saves at the ends of epochs when Holdfast's advisor says so, and ends with the same weights, to the last bit:

    holdfast guard --trigger api --mtbf 100d --output run1 -- python3 lightning_epochs.py --steps 300

All random numbers come from seeds by epoch: a run that continues makes its iterator before on_train_epoch_start, an undisturbed one
after it, so that a generator's saved state would be drawn from in another order."""

import lightning
import torch
from common import advisor, end, options, pace
from torch.utils.data import DataLoader, Sampler, TensorDataset

from holdfast.advisor import LightningCallback, newest_valid

BATCHES = 10  # in an epoch
given = options(__doc__)
torch.set_num_threads(1)
torch.manual_seed(7)


class ByEpoch(Sampler):
    """Shuffles by a seed that is the number of the epoch, of which Lightning tells it."""

    epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return 4 * BATCHES

    def __iter__(self):
        return iter(torch.randperm(len(self), generator=torch.Generator().manual_seed(self.epoch)).tolist())


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.ReLU(), torch.nn.Dropout(0.2), torch.nn.Linear(64, 1))

    def on_train_batch_start(self, batch, batch_idx):
        if batch_idx == 0:
            torch.manual_seed(100 + self.current_epoch)

    def training_step(self, batch, batch_idx):
        pace(given)
        return torch.nn.functional.mse_loss(self.net(batch[0]), batch[0].pow(2).sum(1, keepdim=True))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)


found = newest_valid("run.ckpt")
print(f"from {found}", flush=True)
module = Module()
data = TensorDataset(torch.randn(4 * BATCHES, 8, generator=torch.Generator().manual_seed(1)))
trainer = lightning.Trainer(max_epochs=given.steps // BATCHES, callbacks=[LightningCallback(advisor(), "run.ckpt")], logger=False,
                            accelerator="cpu", enable_progress_bar=False, enable_model_summary=False, use_distributed_sampler=False)
trainer.fit(module, DataLoader(data, batch_size=4, sampler=ByEpoch()), ckpt_path=found)
if trainer.global_step == given.steps:
    end(value.numpy().tobytes() for value in module.state_dict().values())
