// The sweeps of a Core, which find what is due by time, and its answers to observers.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/core_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::arbiter {

// --- sweeps ---

double Core::cadence() const {
  const double usual =
      std::min({1.0, settings_.lease / 6, settings_.report / 2, settings_.idle / 5});
  return shims_ > 0 ? std::min(usual, settings_.gap / 2) : usual;
}

void Core::sweep(double now) {
  for (auto next = connections_.begin(); next != connections_.end();) {
    Connection& one = *(next++)->second;
    sweep_connection(one, now);
  }
  sweep_applications(now);
  sweep_at_ = connections_.empty() && applications_.empty() ? kNever : now + cadence();
  for (const auto& [id, one] : connections_) {
    if (watchers_ == 0) break;
    sweep_at_ = std::min(sweep_at_, one->watch_at);
  }
}

void Core::sweep_connection(Connection& one, double now) {
  if (one.is_ended) return;
  if (!one.is_greeted && now - one.connected >= settings_.greeting) {
    return end(one, FaultCode::bad_frame, "no HELLO came", now);
  }
  if (now >= one.watch_at) {
    one.watch_at = now + one.watch_interval;
    send_states(one, now);
  }
  if (one.course != Course::open) return;
  constexpr double kMissing = 3;
  if (now - one.heard >= kMissing * settings_.report) {
    tell(Expired{one.application->handle}, now);
    stop(one, now);
    return send_grant(one, now);  // a pause, which the program reads first when it responds again
  }
  // Two chunks of a client (65 536 bytes, or the bytes of 0.05 s).
  const double chunks = 2 * std::max(65536.0, 0.05 * static_cast<double>(one.rate));
  const double idle =
      one.kind == ClientKind::shim ? std::min(settings_.gap, settings_.idle) : settings_.idle;
  if (one.rate > 0 && now - one.moved_at >= idle && one.allowance(now) >= chunks) {
    end_operation(one, now);
    send(one,
         Refusal{.code = FaultCode::idle_operation,
                 .text = fmt::format("operation {} moved nothing for {} s, and is closed",
                                     one.operation, idle)},
         now);
    return;
  }
  if (one.is_granted && now - one.sent_at >= settings_.lease / 3) send_grant(one, now);
}

void Core::sweep_applications(double now) {
  for (auto next = applications_.begin(); next != applications_.end();) {
    Application& one = *next->second;
    if (one.connections.empty() && now >= one.expires) {
      next = applications_.erase(next);
      continue;
    }
    static_cast<void>(one.capability.review(
        now, std::min(one.declared > 0 ? one.declared : settings_.bandwidth, settings_.bandwidth)));
    reconsider(one, false, now);
    ++next;
  }
  weigh();
}

// Recomputed each time, because rounding errors of differences would add up.
void Core::weigh() {
  bandwidth_sum_ = 0;
  for (const auto& [key, one] : applications_) bandwidth_sum_ += one->bandwidth;
}

// --- answers ---

double Core::bandwidth_of(const Application& one) const {
  const double declared = one.declared > 0 ? one.declared : settings_.bandwidth;
  return one.capability.bandwidth(std::min(declared, settings_.bandwidth));
}

double Core::floor_of(const Application& one) const {
  return std::min(settings_.bandwidth * (one.bandwidth / bandwidth_sum_), one.bandwidth);
}

// The floor is divided among all connections, because any of them may write while the arbiter is away.
std::uint64_t Core::floor_of(const Connection& one) const {
  const auto& all = one.application->connections;
  const auto place = std::find(all.begin(), all.end(), &one) - all.begin();
  return equal_part(static_cast<std::uint64_t>(floor_of(*one.application)), all.size(),
                    static_cast<std::uint64_t>(place));
}

Standing Core::standing_of(const Application& one, double now) const {
  Standing out{.handle = one.handle,
               .uid = one.key.first,
               .nodes = one.nodes,
               .name = one.key.second,
               .stage = Stage::work,
               .rate = one.rate,
               .bandwidth = one.bandwidth,
               .share = std::min(static_cast<double>(one.rate) / one.bandwidth, 1.0),
               .moved = one.moved,
               .age = one.account.age(now),
               .delay = one.account.delay(now),
               .yield = one.account.yield(now),
               .waiting = waiting_of(one, now),
               .longest_wait = std::max(one.longest_wait, waiting_of(one, now)),
               .connections = one.connections.size()};
  if (one.connections.empty()) out.stage = Stage::idle;
  if (one.is_pending) out.stage = one.rate > 0 ? Stage::write : Stage::wait;
  return out;
}

std::vector<Standing> Core::standings(double now) const {
  std::vector<Standing> out;
  out.reserve(applications_.size());
  for (const auto& [key, one] : applications_) out.push_back(standing_of(*one, now));
  return out;
}

void Core::introduce(const Observer& observer, double now) const {
  for (const auto& [key, one] : applications_) {
    if (one->connections.empty()) continue;
    observer(joined(*one, now), now);
    if (!one->is_pending) continue;
    const std::uint64_t moved = one->moved - one->moved_before;
    const bool is_known = one->stated != kUnknownVolume;
    observer(
        Posted{one->handle, is_known ? one->stated - std::min(one->stated, moved) : kUnknownVolume},
        now);
    observer(Granted{one->handle, one->rate}, now);
  }
}

Totals Core::totals() const {
  return {.bandwidth = settings_.bandwidth,
          .granted = granted(),
          .connections = connections(),
          .pending = pending(),
          .decisions = decisions_,
          .epoch = settings_.epoch,
          .policy = settings_.policy};
}

double Core::granted() const {
  double sum = 0;
  for (const auto& [id, one] : connections_) sum += static_cast<double>(one->rate);
  return sum;
}

double Core::floors() const {
  double sum = 0;
  for (const auto& [id, one] : connections_) {
    if (one->application != nullptr) sum += static_cast<double>(floor_of(*one));
  }
  return sum;
}

}  // namespace holdfast::arbiter
