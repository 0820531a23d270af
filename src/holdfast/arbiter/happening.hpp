#pragma once

#include "holdfast/arbiter/frames.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>

/// The events of a Core, for code that counts or records them.
namespace holdfast::arbiter {

/// The first process of an application connected, or one connected again after all had gone. `name` is valid only during the
/// call of the observer.
struct Joined {
  std::uint64_t handle = 0;
  std::uint32_t uid = 0;
  std::uint32_t nodes = 0;
  double bandwidth = 0;  ///< bytes/s that it can move
  double age = 0;        ///< seconds since its release
  double delay = 0;      ///< seconds of its age for which it was stalled
  std::string_view name;
};
/// The last process of an application has gone.
struct Left {
  std::uint64_t handle = 0;
};
/// An application declared another bandwidth, another one was measured, or its nodes changed.
struct Changed {
  std::uint64_t handle = 0;
  std::uint32_t nodes = 0;
  double bandwidth = 0;  ///< bytes/s
};
/// An operation of an application opened. From now on the application is stalled by the bandwidth that it lacks.
struct Posted {
  std::uint64_t handle = 0;
  std::uint64_t volume = kUnknownVolume;  ///< bytes
};
/// The rate of an application changed. It is 0 when an operation opens.
struct Granted {
  std::uint64_t handle = 0;
  std::uint64_t rate = 0;  ///< bytes/s
};
/// An operation of an application ended, or its program went silent. The application is no longer stalled.
struct Ended {
  std::uint64_t handle = 0;
  std::uint64_t moved = 0;  ///< bytes of this operation
};
/// The strategy took a decision.
struct Decided {
  std::size_t pending = 0;  ///< applications with an open operation
};
/// A connection with an open operation missed three reports, and its bandwidth was freed.
struct Expired {
  std::uint64_t handle = 0;
};
/// A frame arrived.
struct Taken {
  std::uint8_t type = 0;  ///< type of the frame on the wire
};
/// A frame is sent.
struct Sent {
  std::uint8_t type = 0;  ///< type of the frame on the wire
};
/// A connection or an operation was ended with an ERROR, which is also counted as a sent frame.
struct Refused {
  FaultCode code = FaultCode::bad_frame;
};

using Happening = std::variant<Joined, Left, Changed, Posted, Granted, Ended, Decided, Expired,
                               Taken, Sent, Refused>;

/// A function that receives each event and its date, in seconds on the core's clock, in order. It must not call the core.
using Observer = std::function<void(const Happening& happening, double now)>;

}  // namespace holdfast::arbiter
