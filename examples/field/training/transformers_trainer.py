#!/usr/bin/env python3
"""The Trainer of transformers, which saves folders when Holdfast's advisor says so, and continues from the one that was completed last:

    holdfast guard --trigger api --mtbf 100d --output run1 -- python3 transformers_trainer.py --steps 3000
    holdfast guard --trigger api --mtbf 100d --output run1 -- torchrun --standalone --nproc-per-node 2 transformers_trainer.py

The second one uses two processes."""

import torch
from common import advisor, end, options, pace
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed
from transformers import TrainerCallback as Callback

from holdfast.advisor import TrainerCallback, newest_complete

given = options(__doc__)
torch.set_num_threads(1)
set_seed(3)
generator = torch.Generator().manual_seed(1)
data = [{"input_ids": words, "labels": words} for words in torch.randint(0, 64, (256, 16), generator=generator)]


class Pace(Callback):
    def on_step_end(self, args, state, control, **_):
        pace(given)


model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=64, n_layer=2, n_head=2))
arguments = TrainingArguments("out", max_steps=given.steps, per_device_train_batch_size=8, save_strategy="no", logging_strategy="no",
                              report_to=[], disable_tqdm=True, use_cpu=True, seed=3, save_total_limit=2)
found = newest_complete("out/checkpoint-*[0-9]")
print(f"from {found}", flush=True)
trainer = Trainer(model, arguments, train_dataset=data, callbacks=[Pace(), TrainerCallback(advisor())])
trainer.train(resume_from_checkpoint=found and str(found))
if trainer.state.global_step == given.steps and trainer.is_world_process_zero():
    end(value.numpy().tobytes() for value in model.state_dict().values())
