#pragma once

#include "holdfast/arbiter/core.hpp"

#include <vector>

/// The data that a Core keeps for each connection and each application. Only the core's own files use it.
namespace holdfast::arbiter {

/// The state of a connection's operation.
enum class Course : std::uint8_t {
  none,       ///< it has no operation
  open,       ///< it has an operation
  suspended,  ///< it has an operation but gave no sign of life
};

struct Core::Connection {
  ConnectionId id = 0;
  Peer peer = {};
  bool is_greeted = false;
  bool is_ended = false;  // its ERROR was sent, and it will be closed
  ClientKind kind = ClientKind::library;
  Application* application = nullptr;
  double connected = 0;
  double heard = 0;  // last sign of life

  Course course = Course::none;
  std::uint64_t operation = 0;  // number of the current or the last operation
  std::uint64_t volume = kUnknownVolume;
  std::uint64_t moved = 0;
  double moved_at = 0;
  double allowed = 0;  // bytes that its rates allowed since then, until allowed_at
  double allowed_at = 0;
  std::uint64_t rate = 0;  // current rate
  bool is_granted = false;
  double sent_at = 0;

  double watch_interval = 0;  // 0: it does not watch
  double watch_at = Core::kNever;

  [[nodiscard]] double allowance(double now) const {
    return allowed + static_cast<double>(rate) * (now - allowed_at);
  }
  void set_rate(std::uint64_t bytes, double now) {
    if (rate == 0 && bytes > 0) {  // bytes not moved without a grant prove nothing
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
  double bandwidth = 0;  // b: the bandwidth that counts
  std::uint64_t moved = 0;
  std::vector<Connection*> connections = {};
  double expires = Core::kNever;  // set if it has no connection left
  double registered_until = 0;

  // The following belong to the current operation, which is open while one of its connections' is.
  bool is_pending = false;
  double posted = 0;
  std::uint64_t stated = 0;
  std::uint64_t moved_before = 0;
  std::uint64_t rate = 0;
  double rate_since = 0;
  double zero_since = 0;
  double longest_wait = 0;  // of all operations, until the last change of the rate
  bool is_overdue = false;
};

}  // namespace holdfast::arbiter
