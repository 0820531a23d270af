#include "holdfast/domains/moldable/live_rule.hpp"

#include "holdfast/domains/moldable/test_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace holdfast::moldable {
namespace {

/// A machine that does what a rule says, with attempts that take as long as predicted, times a factor.
std::vector<Attempt> drive(const Instance& instance, std::string_view text, double factor = 1) {
  const auto strategy = moldable::strategy(text, instance);
  const PreparedInstance prepared(instance);
  LiveRule rule(prepared, *strategy);
  std::vector<LiveJob> jobs(instance.size());
  std::vector<double> ends(instance.size(), 0);
  std::vector<Attempt> out;
  double now = 0;
  for (;;) {
    const auto launches = rule.launches(jobs, now);
    CHECK(rule.launches(jobs, now) == launches);
    for (const auto& [job, processors] : launches) {
      const double time = instance.jobs[job].time(processors);
      ends[job] = now + factor * time;
      jobs[job].processors = processors;
      jobs[job].end = now + time;
      const bool fails = jobs[job].failures < instance.failures[job];
      out.push_back({.job = job,
                     .number = jobs[job].failures + 1,
                     .processors = processors,
                     .start = now,
                     .end = ends[job],
                     .has_failed = fails});
    }
    const double none = 1e300;
    double next = none;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      if (jobs[job].processors > 0) next = std::min(next, ends[job]);
    }
    if (next == none) break;
    now = next;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      LiveJob& it = jobs[job];
      it.end = std::max(it.end, now);
      if (it.processors == 0 || ends[job] > now) continue;
      it.processors = 0;
      if (it.failures == instance.failures[job]) {
        it.is_done = true;
      } else {
        ++it.failures;
      }
    }
  }
  CHECK(std::ranges::all_of(jobs, &LiveJob::is_done));
  return out;
}

double end_of(const std::vector<Attempt>& attempts) {
  double out = 0;
  for (const Attempt& one : attempts) out = std::max(out, one.end);
  return out;
}

}  // namespace

TEST_CASE("live rule: it starts what the simulator starts") {
  for (std::uint64_t k = 0; k < 300; ++k) {
    CAPTURE(k);
    Stream random({.instance = k});
    const Instance instance = random_instance(
        random,
        {.jobs = random.integer(1, 12), .processors = random.integer(1, 20), .failures = true});
    for (const char* text : {"lpa", "lpa:priority=hpa", "lpa-ratio:priority=la", "min-time",
                             "min-area", "batch", "batch:priority=hpa", "batch-fit"}) {
      CAPTURE(text);
      const auto simulated = run(instance, text).attempts;
      const auto driven = drive(instance, text);
      REQUIRE(driven.size() == simulated.size());
      for (std::size_t at = 0; at < driven.size(); ++at) {
        REQUIRE(driven[at].job == simulated[at].job);
        REQUIRE(driven[at].processors == simulated[at].processors);
        REQUIRE(driven[at].start == simulated[at].start);
      }
    }
  }
}

TEST_CASE("live rule: rolling ends when the simulator does, on average") {
  double live = 0, simulated = 0;
  for (std::uint64_t k = 0; k < 150; ++k) {
    CAPTURE(k);
    Stream random({.instance = 1000 + k});
    const Instance instance = random_instance(
        random,
        {.jobs = random.integer(1, 30), .processors = random.integer(1, 60), .failures = true});
    for (const double factor : {0.5, 1.0, 2.0}) {
      const auto driven = drive(instance, "rolling", factor);
      const Status valid = validate(instance, instance.failures, driven, false, true);
      if (factor == 1) REQUIRE_MESSAGE(valid.has_value(), valid.error().text());
      const double bound = run(instance, "rolling").metrics.lower_bound;
      if (factor == 1) live += end_of(driven) / bound;
    }
    simulated += run(instance, "rolling").metrics.ratio;
  }
  MESSAGE("rolling, mean ratio: live ", live / 150, ", simulated ", simulated / 150);
  CHECK(live < 1.02 * simulated);
  CHECK(live > 0.9 * simulated);
}

}  // namespace holdfast::moldable
