"""Paired ratios of strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def without_lists(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its interval as two columns."""
    out = {name: value for name, value in row.items() if name != "interval"}
    if "interval" in row:
        out["interval_low"], out["interval_high"] = row["interval"]
    return out


class Comparison(Mapping[str, Any]):
    """Paired ratios of two strategies in a metric, draw by draw: ``geometric_mean``, ``interval`` (95 %), ``ratio_of_means``."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = dict(row)

    def __getitem__(self, name: str) -> Any:
        return self._row[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._row)

    def __len__(self) -> int:
        return len(self._row)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._row:
            raise AttributeError(name)
        return self._row[name]

    def __repr__(self) -> str:
        return f"<{self._row['numerator']} / {self._row['denominator']} in {self._row['metric']}: {self._row.get('geometric_mean')}>"
