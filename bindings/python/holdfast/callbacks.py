"""The advisor in frameworks for training, none of which is needed to import this module: Lightning, the Trainer of transformers,
and torch.distributed."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Iterator, Sequence

from .advisor import Advisor, AdvisorError, Answer, Broadcast
from .saves import AnyPath, mark_complete, publish

__all__ = ["torch_broadcast"]


def torch_broadcast(source: int = 0) -> Broadcast:
    """Returns a broadcast that gives the answer of process `source` to all processes of torch.distributed, all of which must call
    this. It uses a group of its own, on the CPU: an asynchronous save on the same group would wait for it, and it for the save."""
    distributed = importlib.import_module("torch.distributed")
    if not distributed.is_initialized():
        raise AdvisorError("found no group of processes, expected one from torch.distributed.init_process_group")
    group = distributed.new_group(backend="gloo")

    def broadcast(answer: Answer) -> Sequence[int]:
        said = [answer]
        distributed.broadcast_object_list(said, src=source, group=group)
        return said[0]

    return broadcast


def _agree(advisor: Advisor, processes: int) -> None:
    """Lets process 0 decide for all."""
    if processes > 1 and advisor.broadcast is None:
        advisor.broadcast = torch_broadcast()


class _Lightning:
    """A callback that writes Lightning's checkpoints when they are due, and ends the training in time:

        callback = LightningCallback(Advisor.open(), "run.ckpt")
        Trainer(callbacks=[callback]).fit(model, ckpt_path=newest_valid("run.ckpt"))

    It writes as save_atomically does: by rename, with the SHA-256 beside it, and the newest `keep` are kept. With several processes
    the one of rank 0 decides and writes.

    at: "epoch" asks at the end of each epoch, from where Lightning continues exactly if the module draws its random numbers from
    seeds by epoch. "step" asks after each step, but Lightning continues a part of an epoch with other batches than it left out.

    auto_requeue: in a Slurm job Lightning itself requeues the job when SIGUSR1 comes, which a guard must do alone; so by default
    SIGUSR1 is ignored there."""

    def __init__(self, advisor: Advisor, path: AnyPath, *, at: str = "epoch", keep: int = 2, auto_requeue: bool = False) -> None:
        super().__init__()
        if at not in ("epoch", "step"):
            raise ValueError(f'at: found {at!r}, expected "epoch" or "step"')
        self.advisor = advisor
        self.path = Path(path)
        self.at = at
        self.keep = keep
        self.auto_requeue = auto_requeue
        self._total = 0.0
        self._asked_at = -1

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:
        # Lightning leaves a signal alone that is not as the system has it.
        is_free = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL
        if is_free and not self.auto_requeue and "SLURM_JOB_ID" in os.environ:
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        plugin = getattr(trainer.strategy, "checkpoint_io", None)
        while plugin is not None:
            if "Async" in type(plugin).__name__:
                raise AdvisorError(f"found the plugin {type(plugin).__name__}, which goes on writing after a save; expected none, "
                                   "because LightningCallback counts a checkpoint when it is on the disk")
            plugin = getattr(plugin, "checkpoint_io", None)
        _agree(self.advisor, trainer.world_size)
        total = float(trainer.estimated_stepping_batches)
        self._total = total if 0 < total < float("inf") else 0
        self.advisor.ready()

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        self.advisor.progress(trainer.global_step, self._total)
        if self.at == "step" and trainer.global_step != self._asked_at:  # gradients that are being accumulated are in no checkpoint
            self._asked_at = trainer.global_step
            self._ask(trainer)

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        if self.at == "epoch":
            self._ask(trainer)

    def _ask(self, trainer: Any) -> None:
        level = self.advisor.due()
        if level:
            with self.advisor.saving(level):
                self._save(trainer)
        if self.advisor.should_stop():
            trainer.should_stop = True

    def _save(self, trainer: Any) -> None:
        def write(fresh: Path) -> None:
            trainer.save_checkpoint(fresh)
            if trainer.is_global_zero and fresh.is_dir():
                raise AdvisorError(f"found a folder at {fresh}, which {type(trainer.strategy).__name__} wrote; expected one file: "
                                   "LightningCallback is not for checkpoints in pieces")

        if trainer.is_global_zero:
            publish(self.path, write, self.keep)
        else:
            write(self.path.with_name(self.path.name + ".new"))


class _Transformers:
    """A callback that has the Trainer of transformers save when a checkpoint is due, and end in time:

        callback = TrainerCallback(Advisor.open())
        found = newest_complete("out/checkpoint-*[0-9]")
        Trainer(..., callbacks=[callback]).train(resume_from_checkpoint=found and str(found))

    When all processes have written their files, process 0 writes the file `marker` into the folder, by mark_complete, also for
    checkpoints that the Trainer's own save_strategy asks for. trainer_state.json says less: it is there before other processes have
    written theirs."""

    def __init__(self, advisor: Advisor, marker: str = "done") -> None:
        super().__init__()
        self.advisor = advisor
        self.marker = marker
        self._is_saving = False

    def _begin(self, control: Any) -> None:
        if control.should_save and not self._is_saving:
            self._is_saving = self.advisor.begin()

    def _end(self, ok: bool) -> None:
        if self._is_saving:
            self.advisor.end(ok)
        self._is_saving = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        _agree(self.advisor, args.world_size)
        self.advisor.ready()

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._end(False)  # save_strategy="best" dropped it

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.advisor.progress(state.global_step, state.max_steps)
        if self.advisor.due():
            control.should_save = True
        if self.advisor.should_stop():
            control.should_training_stop = True
        if not control.should_evaluate:  # an evaluation comes before the save, and is none of it
            self._begin(control)

    def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if not control.should_evaluate:
            self._begin(control)

    def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._begin(control)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if args.world_size > 1:
            importlib.import_module("torch.distributed").barrier()
        try:
            if state.is_world_process_zero:
                mark_complete(Path(args.output_dir, f"checkpoint-{state.global_step}"), self.marker)
        except OSError:
            self._end(False)
            raise
        self._end(True)


# Each class, the modules of which the first has its base, and the base.
_CLASSES = {
    "LightningCallback": (_Lightning, ("lightning.pytorch.callbacks", "pytorch_lightning.callbacks"), "Checkpoint"),
    "TrainerCallback": (_Transformers, ("transformers",), "TrainerCallback"),
}


def _modules(names: Sequence[str]) -> Iterator[Any]:
    """The modules that the program has imported, then those that can be."""
    yield from (sys.modules[name] for name in names if name in sys.modules)
    for name in names[:-1]:
        with contextlib.suppress(ImportError):
            yield importlib.import_module(name)
    yield importlib.import_module(names[-1])


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    hooks, modules, base = _CLASSES[name]
    return type(name, (hooks, getattr(next(_modules(modules)), base)), {"__doc__": hooks.__doc__, "__module__": __name__})
