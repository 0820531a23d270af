"""Laws and fits."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import DATA, ROOT

import holdfast as hf
from holdfast import _core

LAWS = [hf.Exponential(mtbf="10y"), hf.Weibull(shape=0.7, mtbf="10y"), hf.Gamma(shape=2, mtbf="1d"),
        hf.Lognormal(mtbf="1d", log_sd=1.2), hf.Empirical(breakpoints=[0, 10], hazards=[0.1, 0.2]),
        hf.Hyperexponential(parts="0.4:1h,0.6:10d")]


def test_there_is_one_for_each_row() -> None:
    assert {name.capitalize() for name, _, _ in _core.law_rows()} <= set(hf.__all__)
    assert len(_core.law_rows()) == len(LAWS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.name))
def test_functions_agree_with_each_other(law: hf.Law) -> None:
    ages = numpy.geomspace(0.01, 3, 50) * law.mean
    numpy.testing.assert_allclose(law.survival(ages), numpy.exp(-law.cumulative_hazard(ages)), rtol=1e-12)
    numpy.testing.assert_allclose(law.density(ages), law.hazard(ages) * law.survival(ages), rtol=1e-12)
    numpy.testing.assert_allclose(law.inverse_cumulative_hazard(law.cumulative_hazard(ages)), ages, rtol=1e-8)
    for function in (law.hazard, law.cumulative_hazard, law.survival, law.density):
        assert [function(float(age)) for age in ages] == function(ages).tolist()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.name))
def test_laws_are_values(law: hf.Law) -> None:
    for again in (pickle.loads(pickle.dumps(law)), copy.deepcopy(law), hf.Law(law.document)):
        assert again == law and hash(again) == hash(law)
    assert law != LAWS[(LAWS.index(law) + 1) % len(LAWS)]


def test_shapes_and_places() -> None:
    law = hf.Weibull(shape=0.7, mtbf="10y")
    table = numpy.arange(1.0, 13).reshape(3, 4)
    assert law.hazard(table).shape == (3, 4)
    assert law.hazard(table[::2, ::-1]).tolist() == law.hazard(table)[::2, ::-1].tolist()
    assert law.hazard("1h") == law.hazard(3600)
    out = numpy.empty(3)
    assert law.hazard([1, 2, 3], out=out) is out and out[0] == law.hazard(1.0)
    with pytest.raises(TypeError):
        law.hazard([1, 2, 3], out=numpy.empty(2))
    with pytest.raises(hf.ValueRefused, match=r"x\[1\]: found -1"):
        law.hazard(numpy.array([1.0, -1.0]))
    with pytest.raises(hf.ValueRefused, match="less than 1"):
        law.quantile(1.0)
    with pytest.raises(hf.Error, match="shape"):
        hf.Weibull(shape=-1, mtbf="10y")


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_a_law_stands_where_a_law_stands() -> None:
    one = hf.checkpoint.plan(work="48h", checkpoint="10min", processors=1000, failures=hf.Weibull(shape=0.7, mtbf="10y"))
    two = hf.checkpoint.plan(work="48h", checkpoint="10min", processors=1000, distribution="weibull", shape=0.7, mtbf="10y")
    assert one["efficiency"] == two["efficiency"]


def test_fits_of_arrays_find_the_law() -> None:
    law = hf.Weibull(shape=0.7, scale="1d")
    lives = law.sample(4000)
    fit = hf.fit(lives)
    assert fit.law.name == "weibull"
    assert fit.parameters()["shape"]["value"] == pytest.approx(0.7, abs=0.03)
    end = numpy.full_like(lives, 86400.0)
    with pytest.warns(hf.HoldfastWarning, match="extrapolated"):
        cut = hf.fit(numpy.minimum(lives, end), observed=lives < end)
    assert cut.parameters("weibull")["shape"]["value"] == pytest.approx(0.7, abs=0.05)
    seen = fit.survival
    assert seen["age"].shape == seen["survival"].shape and (numpy.diff(seen["survival"]) <= 0).all()
    assert fit.survival_of(0.0) == 1.0
    assert fit.svg().startswith("<svg")
    assert pickle.loads(pickle.dumps(fit)).svg() == fit.svg()


@pytest.mark.parametrize(("keywords", "where"), [
    ({"observed": [True]}, "observed="), ({"entry": [0.0]}, "entry="), ({"system": "20"}, "system="), ({"laws": "weibul"}, "laws="),
])
def test_arrays_that_do_not_fit_are_refused(keywords: dict[str, Any], where: str) -> None:
    with pytest.raises(hf.Error) as caught:
        hf.fit(numpy.array([1.0, 2.0, 3.0]), **keywords)
    assert caught.value.where == where


def test_a_wrong_age_is_named() -> None:
    with pytest.raises(hf.Error, match=r"source\[2\]"):
        hf.fit(numpy.array([1.0, 2.0, -3.0]))


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_a_log_is_read_as_on_the_command_line(scratch: Path) -> None:
    log = next(iter(sorted((DATA / "failures").glob("lanl-*"))), None) if DATA.is_dir() else None
    if log is None:
        pytest.skip("no LANL log")
    fit = hf.fit(log, system="20")
    assert fit.json() + "\n" == hf.command(["trace", "fit", str(log), "--system", "20", "--json"]).out
    assert hf.trace.info(log).json() + "\n" == hf.command(["trace", "info", str(log), "--json"]).out
    plan = hf.checkpoint.plan(work="48h", checkpoint="10min", processors=100, failures=fit.law)
    assert 0 < plan["efficiency"] < 1


def test_bootstraps_of_arrays_draw_units_whole() -> None:
    luck = numpy.random.default_rng(3)
    factors = numpy.repeat(numpy.exp(luck.normal(size=30)), 20)  # units that differ widely
    lives = hf.Weibull(shape=0.7, scale="1d").sample(600) * factors
    units = numpy.repeat([f"node-{i}" for i in range(30)], 20)
    alone = hf.fit(lives, laws="weibull", bootstrap=100)
    whole = hf.fit(lives, laws="weibull", bootstrap=100, units=units)
    assert whole.document["fits"][0]["bootstrap"] == {"replicates": 100, "refused": 0}
    width = [one["bootstrap"]["high"] - one["bootstrap"]["low"] for one in (alone.parameters()["mtbf"], whole.parameters()["mtbf"])]
    assert width[1] > 1.3 * width[0]
    assert "bootstrap" in str(whole) and whole.law == alone.law
    # In whatever order the lives stand: units are drawn by their names, lives within them stay as they came.
    order = numpy.argsort(luck.integers(0, 20, size=600), kind="stable")
    again = hf.fit(lives[order], laws="weibull", bootstrap=100, units=units[order])
    assert again.law.document["shape"] == pytest.approx(whole.law.document["shape"], rel=1e-9)
    assert again.parameters()["mtbf"]["bootstrap"]["high"] == pytest.approx(whole.parameters()["mtbf"]["bootstrap"]["high"], rel=1e-6)
    assert hf.fit(lives, laws="weibull", bootstrap=100, units=units, seed=2).json() != whole.json()


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_a_log_has_the_survival_that_arrays_have(scratch: Path) -> None:
    lives = hf.Weibull(shape=0.7, scale="1d").sample(200)
    ages, is_seen = numpy.minimum(lives, 2e5), lives < 2e5
    rows = [f"{float(age)!r},{repr(float(age)) if seen else ''},0" for age, seen in zip(ages, is_seen, strict=True)]
    arrays = hf.fit(ages, observed=is_seen)
    Path("lives.csv").write_text("\n".join(["low,high,entry", *rows, ""]))
    log = hf.fit("lives.csv")
    assert log.law == arrays.law
    for name, column in arrays.survival.items():
        numpy.testing.assert_array_equal(log.survival[name], column)
    again = pickle.loads(pickle.dumps(log))
    numpy.testing.assert_array_equal(again.survival["low"], log.survival["low"])
    narrow = hf.fit(ages, observed=is_seen, confidence=0.5).survival
    assert (narrow["low"] >= arrays.survival["low"]).all() and (narrow["low"] > arrays.survival["low"]).any()


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_the_ages_of_a_log_are_those_of_a_plan() -> None:
    fit = hf.fit(ROOT / "examples/logs/cluster-failures.csv")
    plan = hf.checkpoint.plan(work="48h", checkpoint="10min", processors=fit["units"], failures=fit.law, ages=fit.ages)
    assert 0 < plan["efficiency"] < 1
