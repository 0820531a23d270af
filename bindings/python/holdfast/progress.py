"""The progress of a run, for the user who waits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_PATIENCE = 2.0  # seconds before a bar appears that was not asked for


class Progress(NamedTuple):
    """The progress of a run: all cells, cells that earlier runs have finished, finished cells, cells per second, seconds."""

    total: int
    found: int
    done: int
    rate: float
    seconds: float

    @property
    def remaining(self) -> float:
        """Seconds that the remaining cells take at this rate; infinity while the rate is unknown."""
        return (self.total - self.done) / self.rate if self.rate > 0 else float("inf")


def _in_notebook() -> bool:
    """Whether this process is a notebook's kernel, and not one that only talks to kernels."""
    app = getattr(sys.modules.get("ipykernel.kernelapp"), "IPKernelApp", None)
    return app is not None and bool(app.initialized())


def _somebody_looks() -> bool:
    """Whether standard error is a terminal or a notebook."""
    return sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())


class _Bar:
    """A bar by tqdm if it is installed; otherwise a line that is rewritten, on the terminal or in the notebook."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._bar: Any = None
        self._element: Any = None
        self._has_line = False

    def show(self, now: Progress) -> None:
        if now.seconds < self._patience and self._bar is None:
            return
        tqdm = _tqdm()
        if tqdm is None:
            self._show_line(f"{now.done} of {now.total} cells, {now.rate:.0f} per second", now)
            return
        if self._bar is None:
            self._bar = tqdm(total=now.total, initial=now.found, unit=" cells", leave=False)
        self._bar.update(now.done - self._bar.n)

    def _show_line(self, text: str, now: Progress) -> None:
        html = _html()
        if html is None:
            sys.stderr.write("\r" + text)
            self._has_line = True
            return
        display, element = html
        shown = element(f'<progress value="{now.done}" max="{now.total}"></progress> {text}')
        if self._element is None:
            self._element = display(shown, display_id=True)
        else:
            self._element.update(shown)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._element is not None:
            self._element.update(_html()[1](""))  # type: ignore[index]
        if self._has_line:
            sys.stderr.write("\r" + " " * 60 + "\r")


def _tqdm() -> Any:
    """The class of bars; that for notebooks only if widgets are installed, because it needs them."""
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    if _in_notebook():
        try:
            import ipywidgets  # noqa: F401
            from tqdm.notebook import tqdm as notebook
            return notebook
        except ImportError:
            pass
    return tqdm


def _html() -> tuple[Any, Any] | None:
    """The function with which a notebook shows an element, and the class of elements; None outside notebooks."""
    if not _in_notebook():
        return None
    try:
        from IPython.display import HTML, display
    except ImportError:
        return None
    return display, HTML


@contextmanager
def watch(progress: Any) -> Iterator[Callable[..., None] | None]:
    """The function that the library calls while it runs, or None if no progress is to be shown.

    Parameters
    ----------
    progress : bool, callable or None
        True: a bar; False: nothing; a function receives a `Progress`; None: a bar after 2 s in a terminal or notebook.
    """
    if callable(progress):
        yield lambda *numbers: progress(Progress(*numbers)) and None
        return
    if progress is False or (progress is None and not _somebody_looks()):
        yield None
        return
    bar = _Bar(0.0 if progress else _PATIENCE)
    try:
        yield lambda *numbers: bar.show(Progress(*numbers))
    finally:
        bar.close()
