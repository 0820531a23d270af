#include "holdfast/domains/checkpoint/instance_io.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

std::string document_refusal(const std::string& json) {
  const auto document = parse_json(json);
  REQUIRE(document);
  const auto instance = read_instance(*document, ".");
  return instance ? std::string("(accepted)") : instance.error().text();
}

// A sound document with one member put in front: the first of two equal names would be an error of the parser, so the
// member is left out below.
std::string document(const std::string& member) {
  const std::string name = member.substr(0, member.find(':'));
  std::string out = "{" + member;
  for (const char* other :
       {R"("work": 100)", R"("processors": 4)", R"("checkpoint": 10)", R"("recovery": 5)",
        R"("downtime": 1)",
        R"("failures": {"distribution": "weibull", "shape": 0.7, "mtbf": 1000})"}) {
    if (!std::string(other).starts_with(name)) out += std::string(", ") + other;
  }
  return out + "}";
}

}  // namespace

TEST_CASE("instance: what is refused, and how it is said") {
  struct Row {
    std::string member;
    std::string message;
  };
  const Row rows[] = {
      {R"("work": 0)", "/work: found 0, expected a duration greater than 0"},
      {R"("work": -3.5)", "/work: found -3.5, expected a duration greater than 0"},
      {R"("work": "long")",
       "/work: found 'long', expected a duration such as 600s, 10min, 48h, 100d or 10y"},
      {R"("work": true)", "/work: found true, expected a duration greater than 0"},
      {R"("checkpoint": 0)", "/checkpoint: found 0, expected a duration greater than 0"},
      {R"("checkpoint": -1)", "/checkpoint: found -1, expected a duration greater than 0"},
      {R"("recovery": -1)", "/recovery: found -1, expected a duration of at least 0"},
      {R"("downtime": -1)", "/downtime: found -1, expected a duration of at least 0"},
      {R"("relative_downtime": 0.1)",
       "/relative_downtime: found both 'downtime' and 'relative_downtime', expected one of them"},
      {R"("local_share": 0.5)",
       "/local_share: found without 'local_checkpoint', expected with it: the time to write a "
       "checkpoint of level 1"},
      {R"("local_checkpoint": 3)",
       "/local_share: is missing: the part of the failures, from 0 to 1, that local checkpoints "
       "survive"},
      {R"("local_checkpoint": -3)",
       "/local_checkpoint: found -3, expected a duration of at least 0"},
      {R"("local_checkpoint": 3, "local_share": 1.5)",
       "/local_share: found 1.5, expected a number from 0 to 1"},
      {R"("processors": 0)", "/processors: found 0, expected a whole number from 1 to 4294967295"},
      {R"("processors": 1.5)",
       "/processors: found 1.5, expected a whole number from 1 to 4294967295"},
      {R"("processors": 5000000000)",
       "/processors: found 5000000000, expected a whole number from 1 to 4294967295"},
      {R"("failures": 5)", "/failures: found 5, expected an object"},
      {R"("failures": {})",
       "/failures: found neither a law ('distribution', 'mtbf', 'platform_mtbf', 'failure_rate' or "
       "'log') nor "
       "'events', expected "
       "one of them"},
      {R"("failures": {"mtbf": 0})", "/failures/mtbf: found 0, expected a duration greater than 0"},
      {R"("failures": {"distribution": "weibull", "shape": -1, "mtbf": 10})",
       "/failures/shape: found -1, expected a number greater than 0"},
      {R"("failures": {"distribution": "weibull", "mtbf": 10})", "/failures/shape: is missing"},
      {R"("failures": {"distribution": "weibul", "shape": 1, "mtbf": 10})",
       "/failures/distribution: found the string \"weibul\", expected one of exponential, weibull, "
       "gamma, lognormal, empirical, hyperexponential"},
      {R"("failures": {"distribution": "empirical", "lifetimes": [5]})",
       "/failures/lifetimes: found 1 lifetime that ended in a failure, expected at least 2"},
      {R"("failures": {"mtbf": 5, "shape": 1})",
       "/failures/distribution: is missing: the law that has a 'shape'"},
      {R"("failures": {"mtbf": 5, "distributio": "weibull"})",
       "/failures/distributio: unknown field 'distributio'; did you mean 'distribution'?"},
      {R"("failures": {"mtbf": 5, "shap": 1})",
       "/failures/shap: unknown field 'shap'; known: events, recorded, distribution, log, "
       "platform_mtbf, failure_rate, afr, mtbf, observed_mtbf"},
      {R"("platform_age": -1)", "/platform_age: found -1, expected a duration of at least 0"},
      {R"("horizon": 0)", "/horizon: found 0, expected a duration greater than 0"},
      {R"("ages": [])", "/ages: found no group, expected at least one"},
      {R"("ages": [[-1, 4]])", "/ages/0/0: found -1 s, expected an age of at least 0"},
      {R"("ages": [[1, 0], [2, 4]])", "/ages/0/1: found 0, expected a count from 1 to 4294967295"},
      {R"("ages": [[1, 3]])", "/ages: found 3 processors in 1 groups, expected 4 (/processors)"},
      {R"("ages": [[1, 4.5]])", "/ages/0/1: found 4.5, expected a whole number"},
      {R"("ages": [4])", "/ages/0: found 4, expected [age, count]"},
      {R"("ages": [[1, 2, 3]])", "/ages/0: found an array, expected [age, count]"},
      {R"("failures": {"events": [[5, 0], [4, 0]]})",
       "/failures/events/1/0: found 4 s, expected dates in increasing order: the one before is 5 "
       "s"},
      {R"("failures": {"events": [[-1, 0]]})",
       "/failures/events/0/0: found -1 s, expected a date of at least 0"},
      {R"("failures": {"events": [[1, 4]]})",
       "/failures/events/0/1: found processor 4, expected 0 to 3"},
      {R"("failures": {"events": [[1, -1]]})",
       "/failures/events/0/1: found processor -1, expected 0 to 3"},
      {R"("failures": {"events": [1]})", "/failures/events/0: found 1, expected [time, processor]"},
      {R"("segments": [50, 40])", "/segments: found 90 s, expected a sum equal to the work, 100 s"},
      {R"("segments": [100, 0])", "/segments/1: found 0 s, expected a duration greater than 0"},
      {R"("rejuvenation": "some")",
       "/rejuvenation: found the string \"some\", expected one of failed, all"},
      {R"("planning_time": "sometimes")",
       "/planning_time: found the string \"sometimes\", expected none, measured or a duration"},
      {R"("planning_time": -1)", "/planning_time: found -1 s, expected a duration of at least 0"},
      {R"("checkpoint": 1e300)",
       "/checkpoint: found 1e+300 s, expected a duration of at most 1000000000000000 s"},
      {R"("downtime": 1e16)",
       "/downtime: found 1e+16 s, expected a duration of at most 1000000000000000 s"},
      {R"("failures": {"mtbf": 1e-300})",
       "/failures: found 2.5e-301 s, expected at least 1e-09 s between failures of all processors "
       "together"},
      {R"("no_final_checkpoint": 1)", "/no_final_checkpoint: found 1, expected true or false"},
      {R"("workk": 5)", "/workk: unknown field 'workk'; did you mean 'work'?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.member);
    CHECK(document_refusal(document(row.member)) == row.message);
  }
  CHECK(document_refusal(R"({"checkpoint": 1})") == "/failures: is missing");
  CHECK(document_refusal(R"({"work": 1, "failures": {"mtbf": 5}})") == "/checkpoint: is missing");
}

TEST_CASE("instance: rules that need two fields") {
  CHECK(
      document_refusal(
          R"({"checkpoint": 1, "failures": {"mtbf": 5}, "platform_age": 5, "ages": [[10, 1]]})") ==
      "/ages/0/0: found 10 s, expected an age of at most the platform's, 5 s");
  CHECK(document_refusal(
            R"({"checkpoint": 1, "failures": {"mtbf": 5}, "platform_age": 20, "horizon": 10})") ==
        "/horizon: found 10 s, expected more than the platform's age, 20 s");
  CHECK(
      document_refusal(R"({"checkpoint": 1, "failures": {"events": [[60, 0]]}, "horizon": 50})") ==
      "/failures/events/0/0: found 60 s, expected a date before the horizon, 50 s after the start");
  CHECK(
      document_refusal(
          R"({"checkpoint": 1, "failures": {"mtbf": 5}, "ages": [[1, 1], [2, 1]], "rejuvenation": "all"})") ==
      "/ages: found 2 groups, expected one age for all: they are renewed together");
}

TEST_CASE("instance: a limit to the time of a submission leaves room for work") {
  const auto refusal = [](const std::string& more) {
    return document_refusal(
        R"({"work": 100, "checkpoint": 10, "recovery": 2, "failures": {"mtbf": 500}, )" + more +
        "}");
  };
  CHECK(refusal(R"("time_limit": 12.5)") == "(accepted)");
  CHECK(refusal(R"("time_limit": 12)") ==
        "/time_limit: found 12 s, expected more than a recovery and a checkpoint, 12 s");
  CHECK(refusal(R"("time_limit": 30, "iteration": 20)") ==
        "/time_limit: found 30 s, expected more than a recovery and a checkpoint and an iteration, "
        "32 s");
  CHECK(refusal(R"("time_limit": 12.0000001)") ==
        "/time_limit: found 12.0000001 s, expected more: the work takes 1e+09 submissions");
  CHECK(refusal(R"("time_limit": 50, "segments": [50, 50])") ==
        "/time_limit: found with 'segments', expected without: all checkpoints of a submission go "
        "to the file system, and the last one comes before its end");
}

TEST_CASE("instance: costs beside which no run comes to an end are slips of the keyboard") {
  CHECK(document_refusal(
            R"({"work": 100, "checkpoint": 1, "failures": {"mtbf": 1}, "downtime": 1e7})") ==
        "/downtime: found 10000000 s, expected at most 1000000 s: in 1000000 MTBFs of the job "
        "nothing "
        "is ever done");
  CHECK(document_refusal(
            R"({"work": 100, "checkpoint": 1, "failures": {"mtbf": 1}, "downtime": 1e6})") ==
        "(accepted)");
  CHECK(document_refusal(R"({"work": 100, "failures": {"mtbf": 2}, "checkpoint": 1e-16})") ==
        "/checkpoint: found 1e-16 s, expected more: every 2e-08 s, as is usual for it, the work "
        "takes "
        "5e+09 checkpoints");
  CHECK(document_refusal(R"({"work": 100, "failures": {"mtbf": 2}, "checkpoint": 1e-6})") ==
        "(accepted)");
}

TEST_CASE("instance: a struct that no document can give is checked too") {
  Instance instance;
  instance.work = 100;
  instance.checkpoint = 10;
  instance.law = exponential_law(100);
  CHECK(check(instance).has_value());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double Instance::*field :
       {&Instance::work, &Instance::checkpoint, &Instance::recovery, &Instance::downtime,
        &Instance::platform_age, &Instance::horizon}) {
    Instance broken = instance;
    broken.*field = nan;
    CHECK_FALSE(check(broken).has_value());
  }
  instance.ages = {{nan, 1}};
  CHECK_FALSE(check(instance).has_value());
  instance.ages = {{0, 1}};
  instance.events = {{{nan, 0}}};
  CHECK_FALSE(check(instance).has_value());
}

TEST_CASE("instance: defaults, units, and the canonical document that reads back as itself") {
  const auto read = [](const std::string& json) {
    return read_instance(parse_json(json).value(), ".").value();
  };
  const Instance plain =
      read(R"({"work": "48h", "checkpoint": "10min", "failures": {"mtbf": "10y"}})");
  CHECK(plain.work == 172800);
  CHECK(plain.recovery == 600);
  CHECK(plain.downtime == 0);
  CHECK(plain.processors == 1);
  CHECK(plain.law->name() == "exponential");
  CHECK(read(R"({"checkpoint": 60, "relative_downtime": 0.1, "failures": {"mtbf": 5}})").downtime ==
        6);
  const Instance aged =
      read(R"({"checkpoint": 60, "failures": {"mtbf": 5}, "ages": [["1d", 3], ["2d", 2]]})");
  CHECK(aged.platform_age == 172800);
  CHECK(aged.processors == 5);
  CHECK(read(R"({"checkpoint": 60, "failures": {"mtbf": 5}, "segments": [3, 4]})").work == 7);

  for (
      const char* json : {
          R"({"work": "48h", "checkpoint": "10min", "failures": {"mtbf": "10y"}})",
          R"({"work": 9, "processors": 7, "checkpoint": 2, "recovery": 1, "downtime": 0.5, "platform_age": 100,
               "horizon": "730d", "rejuvenation": "all", "no_final_checkpoint": true, "no_initial_recovery": true,
               "planning_time": 3, "failures": {"distribution": "lognormal", "k": 2.51, "mtbf": "10y"}})",
          R"({"segments": [3, 4], "processors": 2, "checkpoint": 2, "planning_time": "measured",
               "ages": [[1, 1], [5, 1]], "failures": {"distribution": "gamma", "shape": 2, "scale": 9, "events": [[1, 1]]}})",
      }) {
    CAPTURE(json);
    const Value canonical = to_value(read(json));
    CHECK(to_value(read_instance(canonical, ".").value()) == canonical);
  }
}

TEST_CASE("instance: a local level reads back as it was written") {
  const auto read = [](const std::string& member) {
    return read_instance(parse_json(document(member)).value(), ".").value();
  };
  const Instance short_form = read(R"("local_checkpoint": 3, "local_share": 0.75)");
  CHECK(short_form.local.recovery == 3);
  const Instance full = read(R"("local_checkpoint": 3, "local_recovery": 0, "local_share": 0)");
  CHECK(full.local.recovery == 0);
  for (const Instance& instance : {short_form, full}) {
    const Instance again = read_instance(to_value(instance), ".").value();
    CHECK(to_compact_json(to_value(again)) == to_compact_json(to_value(instance)));
    CHECK(again.local.recovery == instance.local.recovery);
    CHECK(again.local.share == instance.local.share);
  }
  // None is what a document without it means.
  CHECK(to_compact_json(to_value(read(R"("local_checkpoint": 0)"))) ==
        to_compact_json(to_value(read(R"("work": 100)"))));
}
