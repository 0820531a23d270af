"""When should this program write its next checkpoint? An advisor for loops in Python.

    from holdfast.advisor import Advisor, save_atomically

    with Advisor(processors=16, mtbf="100d") as advisor:
        advisor.ready()
        for step in range(start, steps):
            train_one(step)
            advisor.progress(step + 1, steps)
            if advisor.due():
                with advisor.saving():
                    save_atomically("run.pt", lambda file: torch.save(state, file), keep=2)
            if advisor.should_stop():
                break

It needs only the standard library and libholdfast.so.1: the one that HOLDFAST_LIBRARY names, else the one beside this file,
else the system's.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import math
import os
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Tuple, Union

from .saves import mark_complete, newest_complete, newest_valid, save_atomically

__all__ = ["Advice", "Advisor", "AdvisorError", "mark_complete", "newest_complete", "newest_valid", "save_atomically", "torch_broadcast"]

# (level, stop, calls that need not ask): what one process decides for all processes.
Answer = Tuple[int, int, int]
Broadcast = Callable[[Answer], Sequence[int]]

# Fields of a document that say how nodes fail.
_FAILURES = ("distribution", "mtbf", "platform_mtbf", "shape", "scale", "log_mean", "log_sd", "k", "file", "log", "system",
             "merge", "cause", "unit", "since", "from", "to", "format", "observed_mtbf", "failure_rate", "afr")
_OK = 0
_STATE = 1
_MESSAGE = 512


class AdvisorError(ValueError):
    """A document has an invalid value, the library was not found, or the advisor is closed."""


class Advice(NamedTuple):
    """The current advice, for logs and dashboards, in seconds (the rate is per second); NaN if a value is not known yet."""

    due: float
    interval: float
    checkpoint: float
    recovery: float
    rate: float
    theta: float
    share_before_failure: float
    young_daly: float
    checkpoints: int
    failures: int
    level: int


class _Advice(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_double) for name in Advice._fields[:8]] + [
        (name, ctypes.c_long) for name in Advice._fields[8:]]


def _load() -> ctypes.CDLL:
    beside = Path(__file__).parent / "libholdfast.so.1"
    name = os.environ.get("HOLDFAST_LIBRARY") or (str(beside) if beside.exists() else "libholdfast.so.1")
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise AdvisorError(f"found no library {name} ({error}); HOLDFAST_LIBRARY names it") from error
    handle = ctypes.c_void_p
    for function, arguments in {
        "hf_advisor_create": (ctypes.c_char_p, ctypes.POINTER(handle), ctypes.c_char_p, ctypes.c_size_t),
        "hf_advisor_open": (ctypes.c_char_p, ctypes.POINTER(handle), ctypes.c_char_p, ctypes.c_size_t),
        "hf_advisor_destroy": (handle,),
        "hf_advisor_ready": (handle,),
        "hf_advisor_need_checkpoint": (handle,),
        "hf_advisor_should_stop": (handle,),
        "hf_advisor_checkpoint_begin": (handle, ctypes.c_int),
        "hf_advisor_checkpoint_begin_async": (handle, ctypes.c_int),
        "hf_advisor_checkpoint_end": (handle, ctypes.c_int),
        "hf_advisor_checkpoint_durable": (handle,),
        "hf_advisor_progress": (handle, ctypes.c_double, ctypes.c_double),
        "hf_advisor_failure": (handle, ctypes.c_char_p),
        "hf_advisor_replaced": (handle, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_double),
        "hf_advisor_time_left": (handle, ctypes.c_double),
        "hf_advisor_check_after": (handle,),
        "hf_advisor_follow": (handle, ctypes.c_int, ctypes.c_int, ctypes.c_long),
        "hf_advisor_skip": (handle,),
        "hf_advisor_told_to_stop": (handle,),
        "hf_advisor_advice": (handle, ctypes.POINTER(_Advice)),
    }.items():
        getattr(library, function).argtypes = arguments
    library.hf_advisor_destroy.restype = None
    library.hf_advisor_check_after.restype = ctypes.c_long
    return library


_library: Optional[ctypes.CDLL] = None


def _loaded() -> ctypes.CDLL:
    global _library
    if _library is None:
        _library = _load()
    return _library


class Advisor:
    """An advisor that decides when to write the next checkpoint, and learns from the job itself.

    Keywords are the fields of a document of kind "advisor"; the fields of its "failures" may be given directly: mtbf="100d",
    log="failures.csv". Durations are seconds or texts ("40s").

    broadcast: a function for programs of several processes, all of which call due() equally often. It takes this process's
    answer and returns that of the process that decides: torch_broadcast(), or lambda answer: comm.bcast(answer). It may also be
    set later, before ready()."""

    def __init__(self, *, broadcast: Optional[Broadcast] = None, **fields: Any) -> None:
        failures = {name: fields.pop(name) for name in _FAILURES if name in fields}
        if failures:
            fields["failures"] = {**fields.get("failures", {}), **failures}
        self._start(broadcast, lambda library, out, message: library.hf_advisor_create(
            json.dumps(fields).encode(), out, message, _MESSAGE))

    @classmethod
    def open(cls, file: Union[str, "os.PathLike[str]", None] = None, *, broadcast: Optional[Broadcast] = None) -> "Advisor":
        """Makes an advisor from a document in a file; without a file, from the one that a guard names (HOLDFAST_ADVISOR)."""
        name = None if file is None else os.fsencode(file)
        self = cls.__new__(cls)
        self._start(broadcast, lambda library, out, message: library.hf_advisor_open(name, out, message, _MESSAGE))
        return self

    def _start(self, broadcast: Optional[Broadcast], make: Callable[[ctypes.CDLL, Any, Any], Any]) -> None:
        self._handle = ctypes.c_void_p()
        self._library = _loaded()
        message = ctypes.create_string_buffer(_MESSAGE)
        if make(self._library, ctypes.byref(self._handle), message) != _OK:
            raise AdvisorError(message.value.decode(errors="replace"))
        self.broadcast = broadcast
        self._ask = self._library.hf_advisor_need_checkpoint

    def close(self) -> None:
        """Frees the advisor, which cannot be used afterwards."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        self._library.hf_advisor_destroy(handle)

    def __enter__(self) -> "Advisor":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ready(self) -> bool:
        """Reports that the program is initialised or restored, and that work begins.

        This and every other event returns False if it came in the wrong order; then nothing has changed."""
        return self._is_in_order(self._library.hf_advisor_ready(self._handle))

    def due(self) -> int:
        """Returns 0, or the level of the checkpoint that is to be written now. Call it after every step.

        The level is 1. For a job with local_checkpoint it is 1 for a checkpoint in the nodes and 2 for one on the file system,
        which replaces both: with advisor.saving(level)."""
        if self.broadcast is None:
            return int(self._ask(self._handle))
        if self._library.hf_advisor_skip(self._handle):
            return 0
        level, stop = self._ask(self._handle), self._library.hf_advisor_should_stop(self._handle)
        calls = 0 if level or stop else self._library.hf_advisor_check_after(self._handle) - 1
        level, stop, calls = self.broadcast((level, stop, calls))
        self._library.hf_advisor_follow(self._handle, level, stop, calls)
        return int(level)

    def should_stop(self) -> bool:
        """Returns whether to end because the allocation is almost over. With a broadcast, this is part of its last answer."""
        if self.broadcast is not None:
            return bool(self._library.hf_advisor_told_to_stop(self._handle))
        return bool(self._library.hf_advisor_should_stop(self._handle))

    def begin(self, level: int = 1, *, asynchronous: bool = False) -> bool:
        """Reports that a checkpoint of that level begins.

        asynchronous: it goes on being written after end(), and counts as saved when durable() says so, before the next one begins.
        Not for a job with local_checkpoint."""
        library = self._library
        begin = library.hf_advisor_checkpoint_begin_async if asynchronous else library.hf_advisor_checkpoint_begin
        return self._is_in_order(begin(self._handle, level))

    def end(self, ok: bool = True) -> bool:
        """Reports that it ends, and the loop goes on. ok: False if nothing was saved; another one is due soon."""
        return self._is_in_order(self._library.hf_advisor_checkpoint_end(self._handle, int(ok)))

    @contextlib.contextmanager
    def saving(self, level: int = 1, *, asynchronous: bool = False) -> Iterator[None]:
        """Surrounds the code that writes a checkpoint, by begin() and end(). An exception in it means that nothing was saved, and is
        passed on to the caller."""
        self.begin(level, asynchronous=asynchronous)
        is_saved = False
        try:
            yield
            is_saved = True
        finally:
            self.end(is_saved)

    def durable(self) -> bool:
        """Reports that the last checkpoint, which was asynchronous, is on the disk; the time since its end() is learned. If writing
        it failed, do not call this: the next one saves its work."""
        return self._is_in_order(self._library.hf_advisor_checkpoint_durable(self._handle))

    def progress(self, done: float, total: float = 0) -> bool:
        """Reports how much is done, and the total (0: unknown), in any unit."""
        return self._is_in_order(self._library.hf_advisor_progress(self._handle, done, total))

    def failure(self, node: Optional[str] = None) -> bool:
        """Reports a node failure that the program survived."""
        return self._is_in_order(self._library.hf_advisor_failure(self._handle, None if node is None else node.encode()))

    def replaced(self, node: Optional[str] = None, by: Optional[str] = None, age: Optional[float] = None) -> bool:
        """Reports that node `by`, up for `age` seconds (None: as long as most), has taken the place of a failed one (None: the last)."""
        names = (None if name is None else name.encode() for name in (node, by))
        return self._is_in_order(self._library.hf_advisor_replaced(self._handle, *names, math.nan if age is None else age))

    def time_left(self, seconds: float = math.inf) -> bool:
        """Sets the time until the allocation ends, in seconds; infinity means that it has no end."""
        return self._is_in_order(self._library.hf_advisor_time_left(self._handle, seconds))

    def advice(self) -> Advice:
        """Returns the current advice, for logs and dashboards."""
        said = _Advice(size=ctypes.sizeof(_Advice))
        self._library.hf_advisor_advice(self._handle, ctypes.byref(said))
        return Advice(*(getattr(said, name) for name in Advice._fields))

    @staticmethod
    def _is_in_order(code: int) -> bool:
        if code not in (_OK, _STATE):
            raise AdvisorError("found an advisor that is closed, or a number that is none")
        return code == _OK


def __getattr__(name: str) -> Any:
    if name in ("LightningCallback", "TrainerCallback", "torch_broadcast"):  # which are imported late, because they import this
        return getattr(importlib.import_module(".callbacks", __package__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
