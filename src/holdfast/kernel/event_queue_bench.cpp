#include "holdfast/kernel/event_queue.hpp"
#include "holdfast/kernel/random.hpp"

#include <benchmark/benchmark.h>

#include <queue>
#include <tuple>
#include <vector>

namespace holdfast {
namespace {

std::vector<double> delays() {
  Stream stream({.seed = 1, .purpose = Purpose::tool});
  std::vector<double> out(1 << 16);
  for (double& delay : out) delay = stream.uniform();
  return out;
}

/// The binary heap of the standard library under the same key: the simple reference, for speed and for order.
class Reference {
 public:
  void push(double time, std::int32_t priority, std::uint32_t payload) {
    heap_.emplace(time, priority, sequence_++, payload);
  }
  std::pair<double, std::uint32_t> pop() {
    const auto [time, priority, sequence, payload] = heap_.top();
    heap_.pop();
    return {time, payload};
  }

 private:
  using Event = std::tuple<double, std::int32_t, std::uint64_t, std::uint32_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap_;
  std::uint64_t sequence_ = 0;
};

class Ours {
 public:
  void push(double time, std::int32_t priority, std::uint32_t payload) {
    queue_.push(time, priority, payload);
  }
  std::pair<double, std::uint32_t> pop() {
    const auto event = queue_.pop();
    return {event.time, event.payload};
  }

 private:
  EventQueue<std::uint32_t> queue_;
};

/// Returns a sum over the first events of a hold model, which is the same for every correct queue.
template <class Queue>
double checksum(const std::vector<double>& wait) {
  Queue queue;
  for (std::uint32_t i = 0; i < 100; ++i) queue.push(wait[i], 0, i);
  double sum = 0;
  for (std::uint32_t i = 100; i < 10'000; ++i) {
    const auto [time, payload] = queue.pop();
    sum += time * payload;
    queue.push(time + wait[i], static_cast<std::int32_t>(i % 3), i);
  }
  return sum;
}

/// Times the hold model: pop the next event, push a later one; items_per_second = events per second.
template <class Queue>
void hold(benchmark::State& run) {
  const std::vector<double> wait = delays();
  if (checksum<Queue>(wait) != checksum<Reference>(wait)) return run.SkipWithError("wrong order");
  Queue queue;
  const auto size = static_cast<std::uint32_t>(run.range(0));
  for (std::uint32_t i = 0; i < size; ++i) queue.push(wait[i % wait.size()], 0, i);
  std::size_t next = 0;
  for (auto _ : run) {
    const auto [time, payload] = queue.pop();
    queue.push(time + wait[next++ % wait.size()], 0, payload);
  }
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(hold<Ours>)->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(hold<Reference>)->Arg(100)->Arg(10'000)->Arg(1'000'000);

}  // namespace
}  // namespace holdfast
