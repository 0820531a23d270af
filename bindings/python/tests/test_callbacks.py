"""Callbacks and folders of checkpoints, without the frameworks: stand-ins have their public signatures (`./test field` has the real
ones)."""

from __future__ import annotations

import os
import signal
import sys
import types
from pathlib import Path
from typing import Any, Iterator

import pytest

import holdfast.callbacks as callbacks
from holdfast.advisor import AdvisorError, mark_complete, newest_complete, newest_valid


class Asked:
    """An advisor that answers as the test says, and notes what it is told."""

    def __init__(self) -> None:
        self.broadcast: Any = None
        self.is_due = self.must_stop = False
        self.told: list[str] = []

    def ready(self) -> bool:
        self.told.append("ready")
        return True

    def progress(self, done: float, total: float = 0) -> bool:
        self.told.append(f"progress {done:g} of {total:g}")
        return True

    def due(self) -> int:
        return int(self.is_due)

    def should_stop(self) -> bool:
        return self.must_stop

    def begin(self, level: int = 1, *, asynchronous: bool = False) -> bool:
        self.told.append("begin")
        return True

    def end(self, ok: bool = True) -> bool:
        self.told.append("done" if ok else "failed")
        return True

    def saving(self, level: int = 1) -> Any:
        asked = self

        class Saving:
            def __enter__(self) -> None:
                asked.begin(level)

            def __exit__(self, kind: Any, *_: object) -> None:
                asked.end(kind is None)

        return Saving()


class Model:
    """A strategy of Lightning, with its plugin for files."""

    def __init__(self, checkpoint_io: Any = None) -> None:
        self.checkpoint_io = checkpoint_io


class Lightning:
    """Lightning's Trainer, as far as the callback sees it."""

    def __init__(self, strategy: Any = None, world_size: int = 1, is_global_zero: bool = True) -> None:
        self.strategy = strategy or Model()
        self.world_size = world_size
        self.is_global_zero = is_global_zero
        self.global_step = 0
        self.estimated_stepping_batches: float = 40
        self.should_stop = False
        self.saved: list[Path] = []

    def save_checkpoint(self, filepath: Path) -> None:
        self.saved.append(filepath)
        if self.is_global_zero:
            filepath.write_bytes(b"step %d" % self.global_step)


@pytest.fixture
def lightning(monkeypatch: pytest.MonkeyPatch) -> Any:
    module: Any = types.ModuleType("pytorch_lightning.callbacks")
    module.Checkpoint = type("Checkpoint", (), {})
    monkeypatch.setitem(sys.modules, "pytorch_lightning.callbacks", module)
    made = callbacks.LightningCallback
    assert issubclass(made, module.Checkpoint)
    assert made.__doc__ and made.__module__ == "holdfast.callbacks"
    return made


def epoch(callback: Any, trainer: Lightning, steps: int = 4) -> None:
    for batch in range(steps):
        trainer.global_step += 1
        callback.on_train_batch_end(trainer, None, None, None, batch)
    callback.on_train_epoch_end(trainer, None)


def test_lightning_saves_at_the_ends_of_epochs(lightning: Any, tmp_path: Path) -> None:
    asked, trainer, file = Asked(), Lightning(), tmp_path / "run.ckpt"
    callback = lightning(asked, file)
    callback.on_train_start(trainer, None)
    epoch(callback, trainer)
    assert asked.told == ["ready", *(f"progress {n} of 40" for n in range(1, 5))] and not trainer.saved
    asked.is_due = True
    for step in (8, 12, 16):
        epoch(callback, trainer)
        assert newest_valid(file) == file and file.read_bytes() == b"step %d" % step
    assert file.with_name("run.ckpt.1").read_bytes() == b"step 12" and not file.with_name("run.ckpt.2").exists()
    assert asked.told.count("done") == 3 and not trainer.should_stop
    file.write_bytes(b"torn")
    assert newest_valid(file) == file.with_name("run.ckpt.1")
    asked.must_stop = True
    epoch(callback, trainer)
    assert trainer.should_stop


def test_lightning_saves_after_steps_where_that_is_wanted(lightning: Any, tmp_path: Path) -> None:
    asked, trainer = Asked(), Lightning()
    callback = lightning(asked, tmp_path / "run.ckpt", at="step", keep=1)
    callback.on_train_start(trainer, None)
    asked.is_due = True
    epoch(callback, trainer)
    callback.on_train_batch_end(trainer, None, None, None, 0)  # gradients of another batch, no step
    assert len(trainer.saved) == 4 and sorted(file.name for file in tmp_path.iterdir()) == ["run.ckpt", "run.ckpt.sha256"]
    with pytest.raises(ValueError, match="found 'batch'"):
        lightning(asked, "run.ckpt", at="batch")


def test_lightning_refuses_what_it_could_not_count(lightning: Any, tmp_path: Path) -> None:
    class AsyncCheckpointIO:
        checkpoint_io = None

    class Wrapping:
        checkpoint_io = AsyncCheckpointIO()

    callback = lightning(Asked(), tmp_path / "run.ckpt")
    for plugin in (AsyncCheckpointIO(), Wrapping()):
        with pytest.raises(AdvisorError, match="AsyncCheckpointIO"):
            callback.on_train_start(Lightning(Model(plugin)), None)
    trainer: Any = Lightning()
    trainer.save_checkpoint = Path.mkdir
    callback.advisor.is_due = True
    with pytest.raises(AdvisorError, match="Model wrote; expected one file"):
        callback.on_train_epoch_end(trainer, None)
    assert callback.advisor.told == ["begin", "failed"]


def test_lightning_with_several_processes(lightning: Any, tmp_path: Path, torch: Torch) -> None:
    asked, other, file = Asked(), Asked(), tmp_path / "run.ckpt"
    first, second = Lightning(world_size=2), Lightning(world_size=2, is_global_zero=False)
    for advisor, trainer in ((asked, first), (other, second)):
        callback = lightning(advisor, file)
        callback.on_train_start(trainer, None)
        assert advisor.broadcast((1, 0, 0)) == (1, 0, 0)
        advisor.is_due = True
        epoch(callback, trainer)
    assert torch.told == ["group of gloo", "broadcast from 0 in gloo"] * 2
    assert first.saved == second.saved  # all processes call save_checkpoint, which waits for all
    assert sorted(found.name for found in tmp_path.iterdir()) == ["run.ckpt", "run.ckpt.sha256"]
    torch.is_there = False
    with pytest.raises(AdvisorError, match="init_process_group"):
        lightning(Asked(), file).on_train_start(Lightning(world_size=2), None)


@pytest.mark.parametrize("variables, auto_requeue, expected", [
    ({}, False, signal.SIG_DFL), ({"SLURM_JOB_ID": "7"}, True, signal.SIG_DFL), ({"SLURM_JOB_ID": "7"}, False, signal.SIG_IGN)])
def test_lightning_leaves_the_requeue_to_the_guard(lightning: Any, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str],
                                                   auto_requeue: bool, expected: Any) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    before = signal.signal(signal.SIGUSR1, signal.SIG_DFL)
    try:
        lightning(Asked(), "run.ckpt", auto_requeue=auto_requeue).setup(Lightning(), None, "fit")
        assert signal.getsignal(signal.SIGUSR1) == expected
    finally:
        signal.signal(signal.SIGUSR1, before)


class Torch:
    """torch.distributed, as far as it is used."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.is_there = True

    def is_initialized(self) -> bool:
        return self.is_there

    def new_group(self, *, backend: str) -> str:
        self.told.append(f"group of {backend}")
        return backend

    def broadcast_object_list(self, said: list[Any], src: int, group: Any) -> None:
        self.told.append(f"broadcast from {src} in {group}")

    def barrier(self) -> None:
        self.told.append("barrier")


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    stub: Any = Torch()
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    monkeypatch.setitem(sys.modules, "torch.distributed", stub)
    return stub


class Transformers:
    """The Trainer of transformers: calls the hooks in its order."""

    def __init__(self, callback: Any, folder: Path, processes: int = 1) -> None:
        self.callback = callback
        self.args = types.SimpleNamespace(output_dir=str(folder), world_size=processes)
        self.state = types.SimpleNamespace(global_step=0, max_steps=40, is_world_process_zero=True)
        self.control = types.SimpleNamespace(should_save=False, should_evaluate=False, should_training_stop=False)
        self.call("on_train_begin")

    def call(self, hook: str) -> None:
        getattr(self.callback, hook)(self.args, self.state, self.control, model=None)

    def step(self, evaluates: bool = False, saves: bool = False, drops: bool = False) -> None:
        self.call("on_step_begin")
        self.state.global_step += 1
        self.control.should_evaluate, self.control.should_save = evaluates, saves
        self.call("on_step_end")
        if self.control.should_evaluate:
            self.callback.advisor.told.append("evaluates")
            self.call("on_evaluate")
        if self.control.should_save and not drops:
            folder = Path(self.args.output_dir, f"checkpoint-{self.state.global_step}")
            folder.mkdir()
            (folder / "model").write_text("weights")
            self.control.should_save = False
            self.call("on_save")


@pytest.fixture
def transformers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    module: Any = types.ModuleType("transformers")
    module.TrainerCallback = type("TrainerCallback", (), {})
    monkeypatch.setitem(sys.modules, "transformers", module)
    yield callbacks.TrainerCallback


def test_the_trainer_saves_when_it_is_due(transformers: Any, tmp_path: Path) -> None:
    asked = Asked()
    trainer = Transformers(transformers(asked), tmp_path)
    trainer.step()
    asked.is_due = True
    trainer.step()
    assert asked.told == ["ready", "progress 1 of 40", "progress 2 of 40", "begin", "done"]
    assert newest_complete(tmp_path / "checkpoint-*[0-9]") == tmp_path / "checkpoint-2"
    asked.must_stop = True
    trainer.step()
    assert trainer.control.should_training_stop


def test_the_trainers_own_saves_are_counted_too(transformers: Any, tmp_path: Path) -> None:
    asked = Asked()
    trainer = Transformers(transformers(asked, marker="whole"), tmp_path)
    trainer.step(saves=True, evaluates=True)
    assert asked.told[-3:] == ["evaluates", "begin", "done"]  # an evaluation is no part of the save
    assert (tmp_path / "checkpoint-1/whole").exists()
    trainer.step(saves=True, drops=True)
    trainer.step()
    assert asked.told[-4:] == ["progress 2 of 40", "begin", "failed", "progress 3 of 40"]


def test_the_marker_waits_for_all_processes(transformers: Any, tmp_path: Path, torch: Torch) -> None:
    trainer = Transformers(transformers(Asked()), tmp_path, processes=2)
    trainer.state.is_world_process_zero = False
    trainer.step(saves=True)
    assert torch.told == ["group of gloo", "barrier"] and newest_complete(tmp_path / "checkpoint-*[0-9]") is None
    trainer.state.is_world_process_zero = True
    trainer.step(saves=True)
    assert newest_complete(tmp_path / "checkpoint-*[0-9]") == tmp_path / "checkpoint-2"


def complete(folder: Path, date: int, **files: str) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    mark_complete(folder)
    os.utime(folder / "done", ns=(date, date))


def test_the_newest_folder_is_the_one_that_was_completed_last(tmp_path: Path) -> None:
    pattern = tmp_path / "checkpoint-*[0-9]"
    assert newest_complete(pattern) is None
    complete(tmp_path / "checkpoint-9", 1000, model="a")
    complete(tmp_path / "checkpoint-10", 3000, model="b")
    complete(tmp_path / "checkpoint-8", 4000, model="c")  # after a restart from an older one
    (tmp_path / "checkpoint-30").mkdir()  # half
    assert newest_complete(pattern) == tmp_path / "checkpoint-8"
    (tmp_path / "checkpoint-8/done").write_text("")  # killed before its text was there
    assert newest_complete(pattern) == tmp_path / "checkpoint-10"
    (tmp_path / "checkpoint-10/model").unlink()  # its program was removing it
    assert newest_complete(pattern) == tmp_path / "checkpoint-9"
    (tmp_path / "checkpoint-9/model").write_text("longer")
    assert newest_complete(pattern) is None


def test_a_marker_of_others_need_not_be_empty(tmp_path: Path) -> None:
    folder = tmp_path / "step-3"
    folder.mkdir()
    (folder / ".metadata").write_bytes(b"\x80\x04")
    assert newest_complete(tmp_path / "step-*", ".metadata") == folder
    (folder / "shards").mkdir()
    (folder / "shards/a b").write_text("x")
    mark_complete(folder)
    mark_complete(folder)  # again
    assert newest_complete(tmp_path / "step-*") == folder and not (folder / "done.new").exists()
    (folder / "shards/a b").write_text("")
    assert newest_complete(tmp_path / "step-*") is None
