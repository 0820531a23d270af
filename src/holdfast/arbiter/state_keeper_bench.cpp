// Measures how long the state of 4096 applications keeps a server from other work, if it is written in the loop, and if it is
// copied and written by a thread.
#include "holdfast/arbiter/background_file.hpp"
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/policy.hpp"
#include "holdfast/arbiter/state_file.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "support/scratch.hpp"
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

KeptState large_state() {
  KeptState out{.boot = "4f7c", .date = 1, .epoch = 1};
  for (int i = 0; i < 4096; ++i) {
    out.applications.push_back(
        {.uid = 1000, .name = "job" + std::to_string(i), .age = 1.0 + i, .delay = 0.1 * i});
  }
  return out;
}

void check(const Scratch& scratch, const KeptState& state) {
  const auto read = read_state_file(scratch / "state");
  if (!read || read->applications.size() != state.applications.size()) {
    throw std::runtime_error("the state is not what was written");
  }
}

void write_state_now(benchmark::State& run) {
  const Scratch scratch;
  const KeptState state = large_state();
  BackgroundFile file(scratch / "state");
  for (auto _ : run) {
    if (!file.write_now(to_json(state_document(state)))) throw std::runtime_error("not written");
  }
  check(scratch, state);
}

void begin_to_write_state(benchmark::State& run) {
  const Scratch scratch;
  const KeptState state = large_state();
  Core core({.bandwidth = 1e9}, std::move(make_policy("fcfs")->strategy), [] { return Token{1}; });
  core.restore(state.applications, 0, 0);
  BackgroundFile file(scratch / "state");
  for (auto _ : run) {
    const auto kept = std::make_shared<KeptState>(
        KeptState{.boot = "4f7c", .date = 1, .epoch = 1, .applications = core.remember(1)});
    file.begin([kept] { return to_json(state_document(*kept)); });
    run.PauseTiming();
    while (file.is_busy()) ::usleep(100);
    run.ResumeTiming();
  }
  check(scratch, state);
}

}  // namespace

BENCHMARK(write_state_now)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(21);
BENCHMARK(begin_to_write_state)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(21);
