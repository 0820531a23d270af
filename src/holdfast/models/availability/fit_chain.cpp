#include "holdfast/models/availability/fit_chain.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/availability/wilson.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::string_view kLetters = "urd";
constexpr double kPoolWeight = 1.5;  // in transitions, that of Dirichlet(1/2) over three states

std::size_t state_of(char letter) {
  return kLetters.find(letter);
}

// The complete stays of one worker in one state.
struct Runs {
  std::vector<double> lengths;
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double length : lengths) sum += length;
    return sum / static_cast<double>(lengths.size());
  }
};

std::array<Runs, 3> runs_of(std::string_view states) {
  std::array<Runs, 3> out;
  std::size_t start = 0;
  for (std::size_t t = 1; t < states.size(); ++t) {
    if (states[t] == states[t - 1]) continue;
    // The first stay began before the record, and the last one goes on after it.
    if (start > 0) {
      out[state_of(states[start])].lengths.push_back(static_cast<double>(t - start));
    }
    start = t;
  }
  return out;
}

// Adds squared distances divided by their geometric expectation, and the variance of that sum.
void add_dispersion(const Runs& runs, HoldingTimes& holding, double& sum, double& variance) {
  const auto n = static_cast<double>(runs.lengths.size());
  if (n < 2) return;
  const double mean = runs.mean();
  const double leaves = 1 / mean;
  const double spread = (1 - leaves) / (leaves * leaves);  // variance of a geometric time
  if (!(spread > 0)) return;
  double squares = 0;
  for (const double length : runs.lengths) squares += (length - mean) * (length - mean);
  holding.runs += static_cast<std::int64_t>(runs.lengths.size());
  sum += squares * n / (n - 1) / spread;
  // A geometric time has kurtosis 9 + p^2 / (1 - p). Its mean is estimated from the same times, which halves the variance: for
  // an exponential sample, squares / mean^2 has variance 4 n, not 8 n.
  variance += n * (4 + leaves * leaves / (1 - leaves));
}

TransitionMatrix pool_of(const TransitionCounts& counts) {
  std::array<bool, 3> occurs{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (counts[i][j] > 0) occurs[i] = occurs[j] = true;
    }
  }
  TransitionMatrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      out[i][j] = static_cast<double>(counts[i][j]) + (occurs[i] && occurs[j] ? 0.5 : 0.0);
      sum += out[i][j];
    }
    if (sum == 0) {
      out[i] = {1, 0, 0};
      continue;
    }
    for (double& probability : out[i]) probability /= sum;
  }
  return out;
}

}  // namespace

std::string slot_states(const WorkerHistory& history, double from, double slot,
                        std::int64_t slots) {
  // The share of each slot that was observed, and the worst state in it.
  std::vector<double> observed(static_cast<std::size_t>(slots), 0);
  std::string out(static_cast<std::size_t>(slots), 'u');
  for (const StateInterval& interval : history.intervals) {
    const double first = (interval.start - from) / slot, last = (interval.end - from) / slot;
    if (last <= 0 || first >= static_cast<double>(slots) || last <= first) continue;
    const auto begin = static_cast<std::int64_t>(std::max(0.0, std::floor(first)));
    const auto end = std::min(slots, static_cast<std::int64_t>(std::ceil(last)));
    for (std::int64_t t = begin; t < end; ++t) {
      const auto at = static_cast<std::size_t>(t);
      observed[at] +=
          std::min(last, static_cast<double>(t + 1)) - std::max(first, static_cast<double>(t));
      const auto worst = std::max(state_of(out[at]), static_cast<std::size_t>(interval.state));
      out[at] = kLetters[worst];
    }
  }
  for (std::size_t t = 0; t < out.size(); ++t) {
    if (observed[t] < 1 - 1e-6) out[t] = 'd';
  }
  return out;
}

std::vector<std::string> watched_slot_states(const WorkerHistory& history, double from, double slot,
                                             std::int64_t slots) {
  constexpr double kRounding = 1e-9;  // of a slot: a difference below it is rounding
  std::vector<std::string> out;
  for (std::size_t i = 0; i < history.intervals.size();) {
    WorkerHistory piece;
    do {
      piece.intervals.push_back(history.intervals[i++]);
    } while (i < history.intervals.size() &&
             history.intervals[i].start == history.intervals[i - 1].end);
    const double begin = (piece.intervals.front().start - from) / slot;
    const double end = (piece.intervals.back().end - from) / slot;
    const double first = std::max(0.0, std::ceil(begin - kRounding));
    const double last = std::min(static_cast<double>(slots), std::floor(end + kRounding));
    if (last - first < 1) continue;
    out.push_back(
        slot_states(piece, from + first * slot, slot, static_cast<std::int64_t>(last - first)));
  }
  return out;
}

TransitionCounts count_transitions(std::string_view states) {
  TransitionCounts counts{};
  for (std::size_t t = 1; t < states.size(); ++t) {
    ++counts[state_of(states[t - 1])][state_of(states[t])];
  }
  return counts;
}

bool HoldingTimes::is_suspicious() const {
  return runs >= 30 && std::abs(score) > 4;
}

TransitionMatrix smoothed(const TransitionCounts& counts, const TransitionMatrix& pool) {
  TransitionMatrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto visits = static_cast<double>(counts[i][0] + counts[i][1] + counts[i][2]);
    for (std::size_t j = 0; j < 3; ++j) {
      out[i][j] =
          (static_cast<double>(counts[i][j]) + kPoolWeight * pool[i][j]) / (visits + kPoolWeight);
    }
  }
  return out;
}

FittedChains fit_chains(std::span<const std::string> states) {
  FittedChains out;
  std::vector<TransitionCounts> counts;
  for (const std::string& worker : states) {
    counts.push_back(count_transitions(worker));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) out.counts[i][j] += counts.back()[i][j];
    }
  }
  out.pool = pool_of(out.counts);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto visits =
        static_cast<double>(out.counts[i][0] + out.counts[i][1] + out.counts[i][2]) + kPoolWeight;
    for (std::size_t j = 0; j < 3; ++j) {
      const ConfidenceInterval interval = wilson_interval(out.pool[i][j], visits);
      out.intervals[i][j] = {interval.low, interval.high};
    }
  }
  std::array<double, 3> sums{}, variances{};
  for (std::size_t w = 0; w < states.size(); ++w) {
    const TransitionMatrix chain = smoothed(counts[w], out.pool);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        if (counts[w][i][j] > 0) {
          out.log_likelihood += static_cast<double>(counts[w][i][j]) * elementary::log(chain[i][j]);
        }
      }
    }
    out.workers.push_back(chain);
    const auto runs = runs_of(states[w]);
    for (std::size_t i = 0; i < 3; ++i) {
      add_dispersion(runs[i], out.holding[i], sums[i], variances[i]);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (out.holding[i].runs == 0) continue;
    const auto n = static_cast<double>(out.holding[i].runs);
    out.holding[i].dispersion = sums[i] / n;
    out.holding[i].score = (sums[i] - n) / std::sqrt(variances[i]);
  }
  return out;
}

}  // namespace holdfast
