"""The advisor in frameworks for training, none of which is needed to import this module."""

from __future__ import annotations

import importlib
import os
from typing import Any, Sequence, Union

from .advisor import Advisor, Answer, Broadcast

__all__ = ["torch_broadcast"]


def torch_broadcast(source: int = 0) -> Broadcast:
    """Returns a broadcast that gives the answer of process `source` to all processes of torch.distributed."""
    distributed = importlib.import_module("torch.distributed")

    def broadcast(answer: Answer) -> Sequence[int]:
        said = [answer]
        distributed.broadcast_object_list(said, src=source)
        return said[0]

    return broadcast


def _lightning_callback() -> Any:
    try:
        lightning: Any = importlib.import_module("lightning.pytorch")
    except ImportError:
        lightning = importlib.import_module("pytorch_lightning")

    class LightningCallback(lightning.Callback):  # type: ignore[misc]
        """A callback that writes Lightning's checkpoints when they are due, and ends the training in time:
        Trainer(callbacks=[...])."""

        def __init__(self, advisor: Advisor, path: Union[str, "os.PathLike[str]"]) -> None:
            super().__init__()
            self.advisor = advisor
            self.path = os.fspath(path)

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            self.advisor.ready()

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self.advisor.progress(trainer.global_step, max(trainer.max_steps, 0))
            if self.advisor.due():
                with self.advisor.saving():
                    trainer.save_checkpoint(self.path)
            if self.advisor.should_stop():
                trainer.should_stop = True

    return LightningCallback


def __getattr__(name: str) -> Any:
    if name == "LightningCallback":
        return _lightning_callback()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
