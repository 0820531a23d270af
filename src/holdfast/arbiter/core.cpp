#include "holdfast/arbiter/core.hpp"

#include "holdfast/arbiter/core_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace holdfast::arbiter {
namespace {

/// The largest plausible number of bytes, which is more than any file system holds. A client that reports more is faulty.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;
constexpr double kShortestWatch = 0.1;
constexpr double kLongestWatch = 60;
constexpr double kLongestStay = 30 * 86400.0;

double seconds(std::uint64_t milliseconds) {
  return static_cast<double>(milliseconds) / 1e3;
}

}  // namespace

Core::Core(const Settings& settings, std::unique_ptr<bandwidth::Strategy> strategy,
           std::function<Token()> tokens)
    : settings_(settings), strategy_(std::move(strategy)), tokens_(std::move(tokens)) {
  assert(settings_.bandwidth > 0);
}

Core::~Core() = default;

// --- events ---

void Core::on_connect(ConnectionId id, Peer peer, double now) {
  auto fresh = std::make_unique<Connection>();
  fresh->id = id;
  fresh->peer = std::move(peer);
  fresh->connected = now;
  fresh->heard = now;
  Connection& one = *fresh;
  const std::size_t all = connections_.size();
  connections_.emplace(id, std::move(fresh));
  const std::size_t of_user = ++connections_by_user_[one.peer.uid];
  sweep_at_ = std::min(sweep_at_, now + cadence());
  if (all >= settings_.connections) {
    return end(one, FaultCode::too_many,
               fmt::format("{} connections are open, and no more are taken", all), now);
  }
  if (of_user > settings_.connections_of_user) {
    end(one, FaultCode::too_many,
        fmt::format("user {} has {} connections, and no more are taken", one.peer.uid,
                    settings_.connections_of_user),
        now);
  }
}

void Core::on_frame(ConnectionId id, const Frame& frame, std::uint32_t sequence, double now) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& from = *found->second;
  if (from.is_ended) return;
  from.heard = now;
  tell(Taken{type_of(frame)}, now);
  answering_ = sequence;
  std::visit(
      [&](const auto& one) {
        using What = std::decay_t<decltype(one)>;
        constexpr bool kMayBeFirst = std::is_same_v<What, Hello> || std::is_same_v<What, Ping> ||
                                     std::is_same_v<What, Register>;
        if (!from.is_greeted && !kMayBeFirst) {
          return end(from, FaultCode::bad_frame, "found another frame first, expected HELLO", now);
        }
        on(from, one, now);
      },
      frame);
  answering_ = 0;
}

void Core::on_fault(ConnectionId id, const Fault& fault, double now) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  answering_ = fault.sequence;
  end(*found->second, fault.code, fault.text, now);
  answering_ = 0;
}

void Core::on_close(ConnectionId id, double now) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  detach(*found->second, now);
  const auto of_user = connections_by_user_.find(found->second->peer.uid);
  if (--of_user->second == 0) connections_by_user_.erase(of_user);
  if (found->second->watch_interval > 0) --watchers_;
  if (found->second->kind == ClientKind::shim) --shims_;
  connections_.erase(found);
}

void Core::on_tick(double now) {
  if (now >= sweep_at_) sweep(now);
  if (now >= decide_at_) decide(now);
}

void Core::shut_down(double now) {
  for (const auto& [id, one] : connections_) {
    if (one->is_ended) continue;
    one->is_ended = true;
    send(*one, Refusal{.code = FaultCode::shutting_down, .text = "the arbiter ends"}, now);
    effects_.closes.push_back(id);
  }
}

void Core::restore(const std::vector<Memory>& memories, double downtime, double now) {
  for (const Memory& memory : memories) {
    Application* one = application_for({memory.uid, memory.name}, now);
    if (one == nullptr) return;
    one->account = Account(now - memory.age - downtime, memory.delay);
    one->iterations.restore(memory.iteration_sum, memory.iteration_count);
    one->nodes = memory.nodes;
    one->declared = memory.declared;
    one->bandwidth = bandwidth_of(*one);
    if (memory.resume != Token{}) one->resume = memory.resume;
    one->registered_until = now + memory.stay - downtime;
    one->expires = std::max(now + settings_.keep, one->registered_until);
  }
  weigh();
  sweep_at_ = std::min(sweep_at_, now + cadence());
}

std::vector<Memory> Core::remember(double now) const {
  std::vector<Memory> out;
  out.reserve(applications_.size());
  for (const auto& [key, one] : applications_) {
    out.push_back({.uid = key.first,
                   .name = key.second,
                   .age = one->account.age(now),
                   .delay = one->account.delay(now),
                   .iteration_sum = one->iterations.sum(),
                   .iteration_count = one->iterations.count(),
                   .nodes = one->nodes,
                   .declared = one->declared,
                   .stay = std::max(one->registered_until - now, 0.0),
                   .resume = one->resume});
  }
  return out;
}

double Core::wake() const {
  return std::min(decide_at_, sweep_at_);
}

// --- frames ---

void Core::on(Connection& from, const Hello& frame, double now) {
  if (from.is_greeted) return end(from, FaultCode::bad_frame, "found a second HELLO", now);
  if (frame.kind == ClientKind::relay) {
    return end(from, FaultCode::not_permitted, "relays do not come over this socket", now);
  }
  from.is_greeted = true;
  from.kind = frame.kind;
  if (frame.kind == ClientKind::shim) ++shims_;
  if (frame.kind == ClientKind::watcher) {
    return welcome(from, now);
  }
  Application* own = application_of(from, frame, now);
  if (own == nullptr) {
    return end(
        from, FaultCode::too_many,
        fmt::format("{} applications are known, and no more are taken", settings_.applications),
        now);
  }
  declare(*own, frame.nodes, static_cast<double>(frame.bandwidth_max), now);
  attach(from, *own, now);
  welcome(from, now);
}

void Core::on(Connection& from, const Post& frame, double now) {
  if (!owns(from, frame.handle)) return;
  if (from.course != Course::none) {
    return end(from, FaultCode::too_many, "found a second operation, expected one at a time", now);
  }
  if (frame.operation <= from.operation) {
    return end(from, FaultCode::bad_value,
               fmt::format("found operation {} after {}", frame.operation, from.operation), now);
  }
  if (frame.volume != kUnknownVolume && frame.volume > kMostBytes) {
    return end(from, FaultCode::bad_value, "found a volume that no file system holds", now);
  }
  from.operation = frame.operation;
  from.volume = frame.volume == 0 ? kUnknownVolume : frame.volume;
  open_operation(from, now);
}

void Core::on(Connection& from, const Report& frame, double now) {
  if (!owns(from, frame.handle)) return;
  if (frame.operation != 0 && !take_moved(from, frame.operation, frame.moved, now)) return;
  if (from.course == Course::suspended) start(from, now);
}

void Core::on(Connection& from, const Done& frame, double now) {
  if (!owns(from, frame.handle)) return;
  if (!take_moved(from, frame.operation, frame.moved, now)) return;
  if (frame.operation == from.operation) end_operation(from, now);
}

void Core::on(Connection& from, const Bye& frame, double now) {
  if (!owns(from, frame.handle)) return;
  detach(from, now);
  from.is_ended = true;
  effects_.closes.push_back(from.id);
}

void Core::on(Connection& from, const Ping& frame, double now) {
  send(from, Pong{frame.cookie}, now);
}

void Core::on(Connection& /*from*/, const Pong& /*frame*/, double /*now*/) {}

void Core::on(Connection& from, const Watch& frame, double now) {
  const double interval = seconds(frame.interval_ms);
  if (interval < kShortestWatch || interval > kLongestWatch) {
    return end(from, FaultCode::bad_value,
               fmt::format("found an interval of {} ms, expected 100 to 60 000", frame.interval_ms),
               now);
  }
  if (from.watch_interval == 0) ++watchers_;
  from.watch_interval = interval;
  from.watch_at = now + interval;
  send_states(from, now);
}

void Core::on(Connection& from, const Register& frame, double now) {
  if (from.peer.uid != 0 && from.peer.uid != settings_.owner) {
    return end(from, FaultCode::not_permitted,
               fmt::format("user {} may not register applications", from.peer.uid), now);
  }
  const double stay = seconds(frame.ttl_ms);
  if (frame.label.empty() || stay > kLongestStay) {
    return end(from, FaultCode::bad_value,
               "found no name, or more than 30 days, expected an application and how long it stays",
               now);
  }
  from.is_greeted = true;
  Application* one = application_for({frame.uid, frame.label}, now);
  if (one == nullptr) return end(from, FaultCode::too_many, "too many applications", now);
  declare(*one, frame.nodes, 0, now);
  one->registered_until = std::max(one->registered_until, now + stay);
  if (one->connections.empty()) one->expires = std::max(one->registered_until, now);
  sweep_at_ = std::min(sweep_at_, now + cadence());
}

// A client sent a frame that only servers send.
template <class ServersOwn>
void Core::on(Connection& from, const ServersOwn& /*frame*/, double now) {
  end(from, FaultCode::bad_frame, "found a frame that servers alone send", now);
}

// --- applications ---

Core::Key Core::key_of(const Connection& from, const Hello& frame) {
  if (!from.peer.job.empty()) return {from.peer.uid, from.peer.job};
  if (!frame.label.empty()) return {from.peer.uid, frame.label};
  return {from.peer.uid, fmt::format("process {}", from.peer.pid)};
}

// Returns the application to which the connection belonged before, or the one of its name.
Core::Application* Core::application_of(const Connection& from, const Hello& frame, double now) {
  for (const auto& [key, one] : applications_) {
    if (frame.resume == Token{}) break;
    if (key.first == from.peer.uid && one->resume == frame.resume) return one.get();
  }
  return application_for(key_of(from, frame), now);
}

Core::Application* Core::application_for(const Key& key, double now) {
  const auto found = applications_.find(key);
  if (found != applications_.end()) return found->second.get();
  if (applications_.size() >= settings_.applications) return nullptr;
  auto fresh = std::make_unique<Application>();
  fresh->key = key;
  fresh->handle = ++handles_;
  fresh->resume = tokens_();
  fresh->account = Account(now);
  fresh->bandwidth = bandwidth_of(*fresh);
  Application* out = applications_.emplace(key, std::move(fresh)).first->second.get();
  weigh();
  return out;
}

// Takes over what one of its processes, or the program that registers it, declares for an application. The largest values
// count.
// @param bandwidth  bytes/s; 0: that of its nodes
void Core::declare(Application& one, std::uint32_t nodes, double bandwidth, double now) {
  const bool is_larger = nodes > one.nodes;
  one.nodes = std::max(one.nodes, nodes);
  const double by_nodes = settings_.node_bandwidth * static_cast<double>(one.nodes);
  one.declared = std::max(one.declared, bandwidth > 0 ? bandwidth : by_nodes);
  reconsider(one, is_larger, now);
  weigh();
}

// Updates the bandwidth that the application can use, which may have changed.
void Core::reconsider(Application& one, bool is_news, double now) {
  const double before = std::exchange(one.bandwidth, bandwidth_of(one));
  if (one.bandwidth == before && !is_news) return;
  if (!one.connections.empty()) tell(Changed{one.handle, one.nodes, one.bandwidth}, now);
  if (one.bandwidth == before || !one.is_pending) return;
  charge(one, one.rate, now);
  want_decision(now);
}

void Core::attach(Connection& from, Application& own, double now) {
  own.connections.push_back(&from);
  own.expires = kNever;
  from.application = &own;
  if (own.connections.size() == 1) tell(joined(own, now), now);
}

Joined Core::joined(const Application& one, double now) {
  return {.handle = one.handle,
          .uid = one.key.first,
          .nodes = one.nodes,
          .bandwidth = one.bandwidth,
          .age = one.account.age(now),
          .delay = one.account.delay(now),
          .name = one.key.second};
}

bool Core::owns(Connection& from, std::uint64_t handle) {
  if (from.application != nullptr && from.application->handle == handle) return true;
  end(from, FaultCode::unknown_handle,
      fmt::format("found handle {}, expected {}", handle,
                  from.application == nullptr ? 0 : from.application->handle),
      from.heard);
  return false;
}

bool Core::take_moved(Connection& from, std::uint64_t operation, std::uint64_t moved, double now) {
  if (operation != from.operation) {
    if (operation < from.operation) return true;  // the client did not know yet that it is closed
    end(from, FaultCode::bad_value,
        fmt::format("found operation {}, expected {}", operation, from.operation), now);
    return false;
  }
  if (moved < from.moved || moved > kMostBytes) {
    end(from, FaultCode::bad_value, fmt::format("found {} bytes moved after {}", moved, from.moved),
        now);
    return false;
  }
  const std::uint64_t fresh = moved - from.moved;
  if (fresh == 0 || from.course == Course::none) return true;
  Application& own = *from.application;
  from.moved = moved;
  from.moved_at = now;
  from.allowed = 0;
  from.allowed_at = now;
  own.moved += fresh;
  if (own.is_pending) {
    own.capability.moved(now, static_cast<double>(fresh), static_cast<double>(own.rate));
  }
  return true;
}

void Core::open_operation(Connection& from, double now) {
  from.course = Course::suspended;
  from.moved = 0;
  start(from, now);
}

// Makes the connection's operation take part in decisions from now on.
void Core::start(Connection& from, double now) {
  assert(from.course == Course::suspended);
  Application& own = *from.application;
  from.course = Course::open;
  from.is_granted = false;
  from.rate = 0;
  from.allowed = 0;
  from.allowed_at = now;
  from.moved_at = now;
  const bool opens = !own.is_pending;
  if (opens) enqueue(own, now);
  const bool is_known = from.volume != kUnknownVolume && own.stated != kUnknownVolume;
  own.stated =
      is_known ? own.stated + (from.volume - std::min(from.volume, from.moved)) : kUnknownVolume;
  if (opens) tell(Posted{own.handle, own.stated}, now);
  want_decision(now);
}

// Inserts an application into the pending ones, in order of posting, then of arrival.
void Core::enqueue(Application& one, double now) {
  one.is_pending = true;
  one.posted = now;
  one.zero_since = now;
  one.rate = 0;
  one.is_overdue = false;
  one.stated = 0;
  one.moved_before = one.moved;
  one.iterations.posted(now);
  charge(one, 0, now);
  auto place = pending_.end();
  while (place != pending_.begin() && (*(place - 1))->posted == now &&
         (*(place - 1))->handle > one.handle) {
    --place;
  }
  pending_.insert(place, &one);
}

// Sets the rate from now on; the application is stalled by the bandwidth that it lacks.
void Core::charge(Application& one, std::uint64_t rate, double now) {
  if (std::exchange(one.rate, rate) != rate) {
    one.capability.interrupt();
    tell(Granted{one.handle, rate}, now);
  }
  one.account.open(now, std::min(static_cast<double>(rate) / one.bandwidth, 1.0));
}

// Ends the part of the connection's operation in decisions.
void Core::stop(Connection& from, double now) {
  if (from.course != Course::open) return;
  Application& own = *from.application;
  own.longest_wait = std::max(own.longest_wait, waiting_of(own, now));
  from.course = Course::suspended;
  from.set_rate(0, now);
  want_decision(now);
  const bool is_another_open =
      std::any_of(own.connections.begin(), own.connections.end(),
                  [](const Connection* one) { return one->course == Course::open; });
  if (is_another_open) {
    std::uint64_t sum = 0;
    for (const Connection* one : own.connections) sum += one->rate;
    return charge(own, sum, now);
  }
  own.is_pending = false;
  own.is_overdue = false;
  own.rate = 0;
  own.account.close(now);
  own.capability.interrupt();
  const std::uint64_t moved = own.moved - own.moved_before;
  own.iterations.ended(now, static_cast<double>(moved), own.bandwidth);
  own.volumes.ended(own.stated, moved);
  tell(Ended{own.handle, moved}, now);
  pending_.erase(std::find(pending_.begin(), pending_.end(), &own));
}

void Core::end_operation(Connection& from, double now) {
  stop(from, now);
  from.course = Course::none;
}

void Core::detach(Connection& from, double now) {
  Application* own = from.application;
  if (own == nullptr) return;
  end_operation(from, now);
  own->connections.erase(std::find(own->connections.begin(), own->connections.end(), &from));
  from.application = nullptr;
  if (own->connections.empty()) {
    tell(Left{own->handle}, now);
    own->expires = std::max(now + settings_.keep, own->registered_until);
    sweep_at_ = std::min(sweep_at_, now + cadence());
  }
}

}  // namespace holdfast::arbiter
