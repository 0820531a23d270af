// Measures how long a decision takes, depending on the number of applications that want to write.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/policy.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {
namespace {

/// Applications of several sizes, all of which want to write. From time to time one finishes and posts again.
class Crowd {
 public:
  Crowd(std::string_view policy, std::size_t count)
      : core_({.bandwidth = 1e10,
               .lease = 1e6,
               .report = 1e6,
               .idle = 1e6,
               .grace = 0,
               .connections = count,
               .connections_of_user = count,
               .applications = count},
              std::move(make_policy(policy).value().strategy), [] { return Token{1}; }),
        operations_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      core_.on_connect(i, {.uid = 1000}, now_);
      core_.on_frame(
          i,
          Hello{.bandwidth_max = 1'000'000'000 + 250'000'000 * (i % 8), .label = std::to_string(i)},
          1, now_);
      now_ += 0.01;
      post(i);
    }
  }

  /// Takes one decision. @returns the seconds that it took
  double decide() {
    now_ += 6;  // longer than a period, and than the shortest time of a rate
    core_.on_tick(now_);
    const std::size_t one = next_++ % operations_.size();
    core_.on_frame(one, Done{.handle = one + 1, .operation = operations_[one], .moved = 1'000'000},
                   2, now_);
    post(one);
    static_cast<void>(core_.take());
    const std::uint64_t before = core_.decisions();
    now_ += 6;
    const auto begin = std::chrono::steady_clock::now();
    core_.on_tick(now_);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    static_cast<void>(core_.take());
    decided_ += core_.decisions() - before;
    return took.count();
  }

  /// Returns true if every tick was a decision with all applications that granted the whole bandwidth.
  [[nodiscard]] bool is_right(std::uint64_t ticks) const {
    return decided_ == ticks && core_.pending() == operations_.size() && core_.granted() > 0.99e10;
  }

 private:
  void post(std::size_t one) {
    core_.on_frame(one,
                   Post{.handle = one + 1,
                        .operation = ++operations_[one],
                        .volume = 1'000'000'000 * (1 + one % 5)},
                   2, now_);
  }

  Core core_;
  std::vector<std::uint64_t> operations_;
  double now_ = 0;
  std::size_t next_ = 0;
  std::uint64_t decided_ = 0;
};

/// The seconds that a decision may take with 10, 100 and 1000 applications that want to write.
struct Allowed {
  double ten = 0;
  double hundred = 0;
  double thousand = 0;
  [[nodiscard]] double at(std::int64_t pending) const {
    return pending <= 10 ? ten : pending <= 100 ? hundred : thousand;
  }
};
constexpr Allowed kPeriodic{.ten = 10e-6, .hundred = 60e-6, .thousand = 900e-6};
constexpr Allowed kLookAhead{.ten = 20e-6, .hundred = 0.3e-3, .thousand = 8e-3};

void run(benchmark::State& state, std::string_view policy, Allowed allowed) {
  Crowd crowd(policy, static_cast<std::size_t>(state.range(0)));
  std::uint64_t ticks = 0;
  double sum = 0;
  for (auto _ : state) {
    const double took = crowd.decide();
    state.SetIterationTime(took);
    sum += took;
    ++ticks;
  }
  // The time of a decision divided by the allowed time; it should be at most 1.
  const double most = allowed.at(state.range(0));
  if (most > 0) state.counters["of_allowed"] = sum / static_cast<double>(ticks) / most;
  // Four of the smallest applications cannot use the whole bandwidth.
  if (state.range(0) > 10 && !crowd.is_right(ticks)) state.SkipWithError("a decision is missing");
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->UseManualTime();
}

BENCHMARK_CAPTURE(run, periodic_greedy_yield, "periodic-greedy-yield", kPeriodic)->Apply(sizes);
BENCHMARK_CAPTURE(run, look_ahead, "look-ahead-greedy-yield", kLookAhead)->Apply(sizes);
BENCHMARK_CAPTURE(run, fair_share, "fair-share", Allowed{})->Apply(sizes);

}  // namespace
}  // namespace holdfast::arbiter
