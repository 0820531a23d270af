#pragma once

#include "holdfast/arbiter/core.hpp"

#include <vector>

/// What a Core keeps of each connection and each application; the core's own files alone know it.
namespace holdfast::arbiter {

/// What happened to a connection's operation.
enum class Course : std::uint8_t {
  none,       ///< it has none
  open,       ///< it has one
  suspended,  ///< it has one, and gave no sign of life
};

struct Core::Connection {
  ConnectionId id = 0;
  Peer peer = {};
  bool is_greeted = false;
  bool is_ended = false;  // it was told so, and is about to be closed
  ClientKind kind = ClientKind::library;
  Application* application = nullptr;
  double connected = 0;
  double heard = 0;  // last sign of life

  Course course = Course::none;
  std::uint64_t operation = 0;  // number of the present or last one
  std::uint64_t volume = kUnknownVolume;
  std::uint64_t moved = 0;
  double moved_at = 0;
  double allowed = 0;  // bytes that its rates would have let it move since then, until allowed_at
  double allowed_at = 0;
  std::uint64_t rate = 0;  // in force
  bool is_granted = false;
  double sent_at = 0;

  double watch_interval = 0;  // 0: it does not watch
  double watch_at = Core::kNever;

  [[nodiscard]] double allowance(double now) const {
    return allowed + static_cast<double>(rate) * (now - allowed_at);
  }
  void set_rate(std::uint64_t bytes, double now) {
    if (rate == 0 && bytes > 0) {  // what it did not move while it had nothing says nothing
      moved_at = now;
      allowed = 0;
    } else {
      allowed = allowance(now);
    }
    allowed_at = now;
    rate = bytes;
  }
};

struct Core::Application {
  Key key = {};
  std::uint64_t handle = 0;
  Token resume = {};
  Account account = Account();
  Volumes volumes = {};
  Capability capability = {};
  Iterations iterations = {};
  std::uint32_t nodes = 0;
  double declared = 0;   // bytes/s, at most B
  double bandwidth = 0;  // b: what counts
  std::uint64_t moved = 0;
  std::vector<Connection*> connections = {};
  double expires = Core::kNever;  // where no connection is left
  double registered_until = 0;

  // Of the present operation, which is open while one of its connections' is.
  bool is_pending = false;
  double posted = 0;
  std::uint64_t stated = 0;
  std::uint64_t moved_before = 0;
  std::uint64_t rate = 0;
  double rate_since = 0;
  double zero_since = 0;
  bool is_overdue = false;
};

}  // namespace holdfast::arbiter
