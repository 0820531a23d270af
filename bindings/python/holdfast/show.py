"""Pages in notebooks."""

from __future__ import annotations

from html import escape


class Frame:
    """A page in a separate frame, which may run its own scripts but has no access to anything else."""

    def __init__(self, page: str, height: int) -> None:
        self._page = page
        self._height = height

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self._page, quote=True)}" sandbox="allow-scripts" '
                f'style="width:100%;height:{self._height}px;border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<page of {len(self._page)} characters>"


def framed(page: str, height: int = 800) -> Frame:
    """A page for a notebook; `height` in pixels."""
    return Frame(page, height)
