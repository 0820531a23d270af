#include "holdfast/arbiter/standing.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::arbiter {
namespace {

constexpr double kShares = 10'000;  // number of parts in which a share is sent
constexpr double kWaitsPerSecond = 10;
constexpr double kLongestWait = 65535;
constexpr std::uint32_t kLow = 0xFFFF;
constexpr unsigned kHigh = 16;

std::uint64_t nanoseconds_of(double seconds) {
  return seconds > 0 ? static_cast<std::uint64_t>(seconds * 1e9) : 0;
}

std::uint32_t flags_of(const Standing& standing) {
  const double share = std::round(kShares * std::clamp(standing.share, 0.0, 1.0));
  const double wait =
      std::clamp(std::floor(kWaitsPerSecond * standing.longest_wait), 0.0, kLongestWait);
  return static_cast<std::uint32_t>(share) | (static_cast<std::uint32_t>(wait) << kHigh);
}

}  // namespace

State state_of(const Standing& standing) {
  return {.handle = standing.handle,
          .rate = standing.rate,
          .moved = standing.moved,
          .delay_ns = nanoseconds_of(standing.delay),
          .age_ns = nanoseconds_of(standing.age),
          .uid = standing.uid,
          .nodes = standing.nodes,
          .phase = static_cast<std::uint32_t>(standing.stage),
          .flags = flags_of(standing),
          .label = standing.name};
}

Standing standing_of(const State& frame) {
  Standing out{.handle = frame.handle,
               .uid = frame.uid,
               .nodes = frame.nodes,
               .name = frame.label,
               .stage = frame.phase < static_cast<std::uint32_t>(Stage::idle)
                            ? static_cast<Stage>(frame.phase)
                            : Stage::idle,
               .rate = frame.rate,
               .share = (frame.flags & kLow) / kShares,
               .moved = frame.moved,
               .age = 1e-9 * static_cast<double>(frame.age_ns),
               .delay = 1e-9 * static_cast<double>(frame.delay_ns),
               .longest_wait = (frame.flags >> kHigh) / kWaitsPerSecond};
  if (out.age > 0) out.yield = std::max(1 - out.delay / out.age, 0.0);
  return out;
}

State state_of(const Totals& totals) {
  return {.handle = 0,
          .rate = static_cast<std::uint64_t>(totals.bandwidth),
          .moved = static_cast<std::uint64_t>(totals.granted),
          .delay_ns = totals.decisions,
          .nodes = static_cast<std::uint32_t>(totals.connections),
          .phase = static_cast<std::uint32_t>(totals.pending),
          .label = totals.policy};
}

Totals totals_of(const State& frame, std::uint32_t epoch) {
  return {.bandwidth = static_cast<double>(frame.rate),
          .granted = static_cast<double>(frame.moved),
          .connections = frame.nodes,
          .pending = frame.phase,
          .decisions = frame.delay_ns,
          .epoch = epoch,
          .policy = frame.label};
}

}  // namespace holdfast::arbiter
