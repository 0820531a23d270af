#include "holdfast/steward/submit/core.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::steward::submit {
namespace {

using What = Event::What;

template <class Held, class Row>
void rows(Held& job, Row row) {
  row("id", job.id);
  row.word("phase", job.phase, kPhases);
  row("failures", job.failures);
  row.spare("processors", job.processors);
  row.spare("asks", job.asks);
  row.spare("asked", job.asked);
  row.spare("number", job.number);
  row.spare("began", job.began);
  row.spare("ended", job.ended);
  row.spare("missed", job.missed);
  row.spare("why", job.why);
}

void give_up(Job& job, std::string why) {
  job.phase = Phase::given_up;
  job.why = std::move(why);
}

void fail_attempt(Job& job, const Charge& charge, std::string how) {
  ++job.failures;
  job.phase = Phase::waits;
  job.asks = job.missed = 0;
  job.number.clear();
  if (job.failures >= charge.attempts)
    return give_up(job, fmt::format("{}, after {}", how, counted(charge.attempts, "attempt")));
  job.why = std::move(how);
}

// What Slurm has lost may have left a result that is not seen yet, and what it was asked for may still be on its way.
void miss(Job& job, std::int64_t now, const Charge& charge) {
  if (job.phase == Phase::asked) {
    if (now - job.asked < kUnseen) return;
    job.phase = Phase::waits;
    if (job.asks >= kAsks) give_up(job, job.why.empty() ? "Slurm did not take it" : job.why);
    return;
  }
  if (job.missed == 0) job.missed = now;
  if (now - job.missed >= kResultLate) {
    fail_attempt(job, charge, fmt::format("Slurm's job {} left no result", job.number));
  }
}

// An attempt that takes longer than predicted is expected to take a tenth more than it has taken.
double expected_end(const Job& job, double time, std::int64_t now) {
  if (job.phase != Phase::runs) return static_cast<double>(now) + time;
  const auto so_far = static_cast<double>(now - job.began);
  return static_cast<double>(job.began) + std::max(time, 1.1 * so_far);
}

std::string reason(const Charge& charge, std::size_t job, std::int64_t processors) {
  const Speedup& speedup = charge.prepared->instance->jobs[job];
  const moldable::Limits& limits = charge.prepared->limits[job];
  std::string out = fmt::format("predicted {}", format_duration(speedup.time(processors)));
  const double work = limits.area > 0 ? speedup.area(processors) / limits.area : 1;
  out += work < 1.005 ? ", the least work" : fmt::format(", {:.3g} times the least work", work);
  if (processors != limits.fastest) {
    out += fmt::format("; fastest on {}: {}", limits.fastest, format_duration(limits.time));
  }
  return out;
}

}  // namespace

std::string State::attempt_name(std::size_t job) const {
  return fmt::format("{}.{}@{}", jobs[job].id, jobs[job].failures + 1, run);
}

bool State::is_over() const {
  return std::ranges::all_of(jobs, &Job::is_over);
}

void take(State& state, const Event& event, std::int64_t now, const Charge& charge) {
  Job& job = state.jobs[event.job];
  if (event.what != What::missing) job.missed = 0;
  if (event.ended > 0) {
    job.began = event.began;
    job.ended = event.ended;
  }
  switch (event.what) {
    case What::queued:
    case What::runs:
      job.phase = event.what == What::runs ? Phase::runs : Phase::queued;
      job.number = event.text;
      job.began = event.began;
      job.why.clear();
      return;
    case What::verified:
      job.phase = Phase::verified;
      job.why.clear();
      return;
    case What::wrong:
      return fail_attempt(job, charge, fmt::format("its result is wrong ({})", event.text));
    case What::failed:
      return fail_attempt(job, charge, fmt::format("its command failed ({})", event.text));
    case What::stopped:
      return give_up(job, event.text);
    case What::refused:
      job.why = event.text;
      return;
    case What::missing:
      return miss(job, now, charge);
  }
}

std::vector<Action> step(State& state, std::span<const Event> events, std::int64_t now,
                         const Charge& charge) {
  for (const Event& event : events) take(state, event, now, charge);
  const std::vector<Speedup>& speedups = charge.prepared->instance->jobs;
  std::vector<moldable::LiveJob> jobs;
  for (const Job& job : state.jobs) {
    moldable::LiveJob& it = jobs.emplace_back();
    it.failures = job.failures;
    it.is_done = job.is_over();
    if (!job.is_under_way()) continue;
    it.processors = job.processors;
    const double time = speedups[jobs.size() - 1].time(job.processors);
    it.end = expected_end(job, time, now) - static_cast<double>(state.begun);
  }
  std::vector<Action> out;
  for (const auto& [job, processors] :
       charge.rule->launches(jobs, static_cast<double>(now - state.begun))) {
    out.push_back({.job = job,
                   .processors = processors,
                   .time = speedups[job].time(processors),
                   .because = reason(charge, job, processors)});
  }
  return out;
}

void note_begun(State& state, const Action& action, std::int64_t now) {
  Job& job = state.jobs[action.job];
  job.phase = Phase::asked;
  job.processors = action.processors;
  job.asked = now;
  ++job.asks;
}

Result<State> read_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "moldable-submit"));
  State out;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  out.run = read.text("run");
  out.begun = read.integer("begun");
  read.each("jobs", [&](const Value& value, const std::string&) -> Status {
    rows(out.jobs.emplace_back(), field::RowReader{&value});
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const State& state) {
  Value out =
      Value::object({{"holdfast", Value::object({{"kind", "moldable-submit"}, {"version", 1}})},
                     {"run", state.run},
                     {"begun", state.begun}});
  Value jobs = Value::array();
  for (const Job& job : state.jobs) {
    Value row = Value::object();
    rows(job, field::RowWriter{&row});
    jobs.push(std::move(row));
  }
  out.set("jobs", std::move(jobs));
  return out;
}

}  // namespace holdfast::steward::submit
