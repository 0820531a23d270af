#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/policy.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A core with clients, and a clock that the test controls.
namespace holdfast::arbiter::testing {

/// Returns settings under which nothing happens by itself; a test changes the ones that it is about.
inline Settings quiet(double bandwidth) {
  return {.bandwidth = bandwidth,
          .coalesce = 0,
          .min_grant = 0,
          .max_pause = 1e5,
          .report = 1e5,
          .idle = 1e5,
          .grace = 0};
}

class World {
 public:
  explicit World(const Settings& settings, std::string_view policy = "fcfs")
      : settings_(settings),
        core_(settings, std::move(make_policy(policy).value().strategy),
              [this] { return Token{static_cast<std::uint8_t>(++tokens_)}; }) {}

  [[nodiscard]] Core& core() { return core_; }
  [[nodiscard]] const Core& core() const { return core_; }
  [[nodiscard]] double now() const { return now_; }

  /// Connects and sends HELLO. @returns the connection
  ConnectionId connect(Hello hello = {}, Peer peer = {.uid = 1000}) {
    const ConnectionId id = ++ids_;
    if (peer.pid == 0) peer.pid = static_cast<std::uint32_t>(id);
    core_.on_connect(id, std::move(peer), now_);
    say(id, std::move(hello));
    return id;
  }
  ConnectionId join(const std::string& label, std::uint64_t bandwidth = 0) {
    return connect({.bandwidth_max = bandwidth, .label = label});
  }
  void say(ConnectionId id, const Frame& frame) {
    core_.on_frame(id, frame, ++said_[id], now_);
    settle();
  }
  std::uint64_t post(ConnectionId id, std::uint64_t volume = kUnknownVolume) {
    const std::uint64_t operation = ++operations_[id];
    say(id, Post{.handle = handle(id), .operation = operation, .volume = volume});
    return operation;
  }
  void report(ConnectionId id, std::uint64_t moved) {
    say(id, Report{.handle = handle(id), .operation = operations_[id], .moved = moved});
  }
  void done(ConnectionId id, std::uint64_t moved) {
    say(id, Done{.handle = handle(id), .operation = operations_[id], .moved = moved});
  }
  void close(ConnectionId id) {
    core_.on_close(id, now_);
    settle();
  }
  /// Lets time pass until a date, with ticks when the core needs them.
  void pass_to(double date) {
    int ticks = 0;
    while (core_.wake() <= date) {
      now_ = std::max(now_, core_.wake());
      core_.on_tick(now_);
      settle();
      if (++ticks > 1'000'000) throw std::logic_error("time does not go on");
    }
    now_ = date;
  }
  void change(const Settings& settings, std::string_view policy) {
    settings_ = settings;
    core_.change(settings, std::move(make_policy(policy).value().strategy), now_);
    settle();
  }
  /// Takes the decisions that are due now.
  void settle_now() { pass_to(now_); }

  [[nodiscard]] std::uint64_t handle(ConnectionId id) const {
    const Welcome* welcome = last<Welcome>(id);
    return welcome == nullptr ? 0 : welcome->handle;
  }
  /// Returns the last frame of a kind that a connection received, or null.
  template <class Kind>
  [[nodiscard]] const Kind* last(ConnectionId id) const {
    const auto found = got_.find(id);
    if (found == got_.end()) return nullptr;
    for (auto at = found->second.rbegin(); at != found->second.rend(); ++at) {
      if (const Kind* one = std::get_if<Kind>(&*at)) return one;
    }
    return nullptr;
  }
  [[nodiscard]] std::uint64_t rate(ConnectionId id) const {
    const Grant* grant = last<Grant>(id);
    return grant == nullptr || grant->operation != operations_.at(id) ? 0 : grant->rate;
  }
  [[nodiscard]] bool is_open(ConnectionId id) const {
    return std::find(closed_.begin(), closed_.end(), id) == closed_.end();
  }
  [[nodiscard]] Standing standing(const std::string& name) const {
    for (const Standing& one : core_.standings(now_)) {
      if (one.name == name) return one;
    }
    return {};
  }
  [[nodiscard]] double granted_at(ConnectionId id) const { return granted_at_.at(id); }

 private:
  void settle() {
    const Effects effects = core_.take();
    for (const Outgoing& out : effects.frames) {
      got_[out.to].push_back(out.frame);
      if (std::holds_alternative<Grant>(out.frame)) granted_at_[out.to] = now_;
    }
    for (const ConnectionId id : effects.closes) {
      closed_.push_back(id);
      core_.on_close(id, now_);
    }
    if (core_.granted() > settings_.bandwidth)
      throw std::logic_error("the rates in force exceed the bandwidth");
    if (core_.floors() > settings_.bandwidth)
      throw std::logic_error("the floors exceed the bandwidth");
  }

  Settings settings_;
  int tokens_ = 0;
  Core core_;
  double now_ = 0;
  ConnectionId ids_ = 0;
  std::map<ConnectionId, std::uint32_t> said_;
  std::map<ConnectionId, std::uint64_t> operations_;
  std::map<ConnectionId, std::vector<Frame>> got_;
  std::map<ConnectionId, double> granted_at_;
  std::vector<ConnectionId> closed_;
};

}  // namespace holdfast::arbiter::testing
