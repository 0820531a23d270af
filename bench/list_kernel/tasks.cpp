#include "tasks.hpp"

#include "holdfast/algorithms/list_schedule.hpp"
#include "holdfast/kernel/random.hpp"

#include <functional>
#include <queue>

namespace bench {
namespace {

struct Sequential {
  std::span<const double> lengths;
  double start(std::uint32_t slot, double now) const { return now + lengths[slot]; }
  std::uint32_t processors(std::uint32_t) const { return 1; }
  void complete(holdfast::PendingBitmap&, std::uint32_t, double) const {}
  void settle(holdfast::PendingBitmap&, double) const {}
};

}  // namespace

std::vector<double> task_lengths(std::size_t count) {
  holdfast::Stream random({.seed = 1});
  std::vector<double> out(count);
  for (double& length : out) length = random.uniform(1, 1000);
  return out;
}

double by_list_kernel(std::span<const double> lengths, std::size_t processors) {
  holdfast::PendingBitmap pending(1, lengths.size());
  pending.fill();
  holdfast::Completions running(processors);
  Sequential client{lengths};
  return holdfast::list_schedule(static_cast<std::uint32_t>(processors), pending, running, client)
      .end;
}

double by_bare_heap(std::span<const double> lengths, std::size_t processors) {
  std::priority_queue<double, std::vector<double>, std::greater<>> ends;
  std::size_t next = 0;
  for (; next < processors && next < lengths.size(); ++next) ends.push(lengths[next]);
  double now = 0;
  while (!ends.empty()) {
    now = ends.top();
    ends.pop();
    if (next < lengths.size()) ends.push(now + lengths[next++]);
  }
  return now;
}

}  // namespace bench
