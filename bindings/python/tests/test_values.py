"""Documents in and out: every kind of value, refusals one by one."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import array
import datetime
import json
import random
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

import holdfast as hf
from holdfast import _core


def through(document: Any) -> Any:
    return json.loads(_core.to_json(document))


def tree(luck: random.Random, depth: int = 0) -> Any:
    """A random document."""
    kind = luck.randrange(7 if depth < 4 else 5)
    if kind == 0:
        return luck.choice([None, True, False])
    if kind == 1:
        return luck.randrange(-2**63, 2**64)
    if kind == 2:
        return luck.uniform(-1, 1) * 10.0 ** luck.randrange(-300, 300)
    if kind in (3, 4):
        return "".join(luck.choice('aé"\\/\n\t\x01€😀 ') for _ in range(luck.randrange(6)))
    if kind == 5:
        return [tree(luck, depth + 1) for _ in range(luck.randrange(5))]
    return {f"k{i}~/{luck.randrange(9)}": tree(luck, depth + 1) for i in range(luck.randrange(5))}


def test_random_trees_come_back() -> None:
    luck = random.Random(7)
    for _ in range(500):
        document = tree(luck)
        assert through(document) == document
        assert _core.from_json(json.dumps(document)) == document


@pytest.mark.parametrize(("given", "expected"), [
    (numpy.array([1.5, 2.5]), [1.5, 2.5]),
    (numpy.array([1, 2], dtype=numpy.int64), [1, 2]),
    (numpy.array([1, 2], dtype=numpy.uint16), [1, 2]),
    (numpy.array([0.5, 0.25], dtype=numpy.float32), [0.5, 0.25]),
    (numpy.array([True, False]), [True, False]),
    (numpy.arange(12.0).reshape(3, 4)[::2, ::-2], [[3, 1], [11, 9]]),
    (numpy.array([]), []),
    (numpy.array(3.0), 3.0),
    (numpy.array(["a", "b"]), ["a", "b"]),
    (numpy.array([1, "b", None], dtype=object), [1, "b", None]),
    (numpy.ma.masked_array([1.0, 2.0], mask=[False, False]), [1, 2]),
    (numpy.float64(2.5), 2.5),
    (numpy.int32(7), 7),
    (numpy.bool_(True), True),
    (numpy.str_("x"), "x"),
    (numpy.timedelta64(90, "s"), 90.0),
    (numpy.array([60, 90], dtype="m8[s]"), [60.0, 90.0]),
    (pandas.Timedelta("1h"), 3600.0),
    (pandas.Series([1.0, 2.0]), [1, 2]),
    (pandas.DataFrame({"a": [1.0, 2.0], "b": ["x", None]}), [{"a": 1.0, "b": "x"}, {"a": 2.0}]),
    (datetime.timedelta(minutes=2), 120.0),
    (array.array("d", [1.0]), [1.0]),
    (Path("a/b"), "a/b"),
    ((1, 2), [1, 2]),
    (2**63, 2**63),
])
def test_what_a_document_is_made_of(given: Any, expected: Any) -> None:
    assert through({"x": given}) == {"x": expected}


@pytest.mark.parametrize("given", [
    float("nan"), float("inf"), numpy.array([1.0, numpy.nan]), 2**64, -2**63 - 1, {1, 2}, object(), b"bytes", {1: 2}, 1j,
    numpy.ma.masked_array([1.0, 2.0], mask=[False, True]),
])
def test_what_no_document_holds_is_refused_by_the_keywords_name(given: Any) -> None:
    with pytest.raises(hf.ValueRefused, match="^work="):
        hf.checkpoint.plan(work=given, checkpoint="10min")


def test_a_document_that_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(hf.ValueRefused, match="nested too deep"):
        hf.io.plan({"applications": loop})


def test_quantities_mean_the_same() -> None:
    texts = hf.checkpoint.plan(work="48h", checkpoint="10min", mtbf="10y", processors=1000)
    for work, checkpoint in ((172800, 600.0), (datetime.timedelta(hours=48), numpy.timedelta64(10, "m")),
                             (pandas.Timedelta("48h"), numpy.float64(600))):
        assert hf.checkpoint.plan(work=work, checkpoint=checkpoint, mtbf="10y", processors=1000).json() == texts.json()


def test_seconds_and_durations() -> None:
    assert hf.seconds("48h") == 172800
    assert hf.seconds(datetime.timedelta(days=1)) == 86400
    assert hf.duration(4080.0) == "1 h 8 min"
    with pytest.raises(hf.Error):
        hf.seconds("3 bananas")
