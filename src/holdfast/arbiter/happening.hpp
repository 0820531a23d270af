#pragma once

#include "holdfast/arbiter/frames.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>

/// What happens in a Core, for whoever counts or records it.
namespace holdfast::arbiter {

/// A first process of an application connected, or one came back after all had gone. Its texts live as long as the call.
struct Joined {
  std::uint64_t handle = 0;
  std::uint32_t uid = 0;
  std::uint32_t nodes = 0;
  double bandwidth = 0;  ///< bytes/s that it can move
  double age = 0;        ///< seconds since its release
  double delay = 0;      ///< seconds of them that it was stalled for
  std::string_view name;
};
/// Its last process has gone.
struct Left {
  std::uint64_t handle = 0;
};
/// It declared, or was measured to move, another bandwidth; or it has other nodes.
struct Changed {
  std::uint64_t handle = 0;
  std::uint32_t nodes = 0;
  double bandwidth = 0;  ///< bytes/s
};
/// Its operation opened: from now on it is stalled by what it lacks of its bandwidth.
struct Posted {
  std::uint64_t handle = 0;
  std::uint64_t volume = kUnknownVolume;  ///< bytes
};
/// Its rate in force is another one; it is 0 when an operation opens.
struct Granted {
  std::uint64_t handle = 0;
  std::uint64_t rate = 0;  ///< bytes/s
};
/// Its operation ended, or gave no sign of life: it is not stalled any more.
struct Ended {
  std::uint64_t handle = 0;
  std::uint64_t moved = 0;  ///< bytes of this operation
};
/// The strategy was asked.
struct Decided {
  std::size_t pending = 0;  ///< applications with an operation open
};
/// A connection with an open operation missed three reports, and its bandwidth was freed.
struct Expired {
  std::uint64_t handle = 0;
};
/// A frame arrived or leaves: its type on the wire.
struct Taken {
  std::uint8_t type = 0;
};
struct Sent {
  std::uint8_t type = 0;
};
/// A connection, or an operation, was ended with an ERROR, which is counted among the frames sent too.
struct Refused {
  FaultCode code = FaultCode::bad_frame;
};

using Happening = std::variant<Joined, Left, Changed, Posted, Granted, Ended, Decided, Expired,
                               Taken, Sent, Refused>;

/// Is told what happened and when, in seconds on the core's clock, in order. It must not call the core.
using Observer = std::function<void(const Happening& happening, double now)>;

}  // namespace holdfast::arbiter
