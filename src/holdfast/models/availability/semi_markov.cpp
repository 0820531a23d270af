#include "holdfast/models/availability/semi_markov.hpp"

#include "holdfast/models/availability/chain.hpp"
#include "holdfast/models/availability/wilson.hpp"
#include "holdfast/models/failures/fit_sample.hpp"

#include <cstddef>
#include <utility>

namespace holdfast {
namespace {

std::size_t index_of(WorkerState state) {
  return static_cast<std::size_t>(state);
}

void add_stays(const WorkerHistory& worker, std::array<Stays, 3>& out) {
  const auto& intervals = worker.intervals;
  bool is_begin_known = false;  // the record begins in the middle of a stay
  for (std::size_t i = 0; i < intervals.size();) {
    const StateInterval& first = intervals[i];
    std::size_t last = i;
    const auto touches = [&] { return intervals[last + 1].start == intervals[last].end; };
    while (last + 1 < intervals.size() && intervals[last + 1].state == first.state && touches()) {
      ++last;
    }
    const bool is_end_known = last + 1 < intervals.size() && touches();
    Stays& stays = out[index_of(first.state)];
    const double length = intervals[last].end - first.start;
    stays.seconds += length;
    if (!is_begin_known) {
      ++stays.begun_before;
      stays.seconds_begun_before += length;
    } else if (is_end_known) {
      stays.lives.push_back(Lifetime::exact(length));
      ++stays.next[index_of(intervals[last + 1].state)];
    } else {
      stays.lives.push_back(Lifetime::censored(length));
    }
    is_begin_known = is_end_known;
    i = last + 1;
  }
}

void fit_state(SemiMarkovState& state, std::span<const LawFamily> families) {
  const auto complete = static_cast<double>(state.stays.complete());
  if (complete == 0) return;
  state.next.emplace();
  for (std::size_t j = 0; j < 3; ++j) {
    (*state.next)[j] = static_cast<double>(state.stays.next[j]) / complete;
    state.intervals[j] = wilson_interval((*state.next)[j], complete);
  }
  const auto sample = LifetimeSample::make(state.stays.lives);
  if (!sample) return;
  if (auto laws = compare_laws(*sample, {}, families)) state.laws = std::move(*laws);
}

std::optional<std::array<double, 3>> long_run_of(const std::array<SemiMarkovState, 3>& states) {
  TransitionMatrix jumps{};
  std::array<double, 3> mean{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (states[i].stays.seconds == 0) {
      jumps[i][0] = 1;
      continue;
    }
    if (!states[i].next || states[i].laws.rows.empty()) return std::nullopt;
    jumps[i] = *states[i].next;
    mean[i] = states[i].laws.rows.front().fit.mean();
  }
  const std::array<double, 3> visits = stationary(jumps);
  double total = 0;
  for (std::size_t i = 0; i < 3; ++i) total += visits[i] * mean[i];
  if (!(total > 0)) return std::nullopt;
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = visits[i] * mean[i] / total;
  return out;
}

}  // namespace

std::array<Stays, 3> stays_of(std::span<const WorkerHistory> workers) {
  std::array<Stays, 3> out;
  for (const WorkerHistory& worker : workers) add_stays(worker, out);
  return out;
}

Result<SemiMarkov> fit_semi_markov(std::span<const WorkerHistory> workers,
                                   std::span<const LawFamily> families) {
  auto stays = stays_of(workers);
  const double total = stays[0].seconds + stays[1].seconds + stays[2].seconds;
  if (!(total > 0)) {
    return fail(ErrorCode::bad_value, "", "found no time in which a worker was seen");
  }
  SemiMarkov out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.seen[i] = stays[i].seconds / total;
    out.states[i].stays = std::move(stays[i]);
    fit_state(out.states[i], families);
  }
  out.long_run = long_run_of(out.states);
  return out;
}

}  // namespace holdfast
