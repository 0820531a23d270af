#pragma once

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// The protocol between programs that move data and the arbiter, version 1. A frame has a header of 16 bytes and a body whose
/// length depends on its type. Whole numbers are little-endian, and there are no dates. docs/reference/arbiter-protocol.md
/// defines the layout.
namespace holdfast::arbiter {

inline constexpr std::uint8_t kProtocolVersion = 1;
inline constexpr std::size_t kHeaderSize = 16;
inline constexpr std::size_t kLongestBody = 480;
/// A rate without limit, and an unknown volume.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kUnknownVolume = std::numeric_limits<std::uint64_t>::max();

/// A secret that identifies an application to its server after a lost connection.
using Token = std::array<std::uint8_t, 16>;

enum class ClientKind : std::uint8_t { library = 1, shim, mpi_io, relay, watcher };
enum class Direction : std::uint32_t { write = 1, read = 2 };

/// The reason why a connection or an operation was ended.
enum class FaultCode : std::uint32_t {
  bad_frame = 1,
  bad_version,
  not_permitted,
  too_many,
  too_fast,
  unknown_handle,
  bad_value,
  idle_operation,
  shutting_down,
};

struct Hello {
  std::uint64_t bandwidth_max = 0;  ///< bytes/s; 0: unknown
  std::uint32_t nodes = 0;
  std::uint32_t ranks = 0;
  std::uint32_t pid = 0;
  ClientKind kind = ClientKind::library;
  std::string label = {};  ///< UTF-8, at most 64 bytes
  Token resume = {};       ///< token from an earlier WELCOME, or zero
};
struct Welcome {
  std::uint64_t handle = 0;
  std::uint32_t epoch = 0;
  std::uint32_t lease_ms = 0;
  std::uint32_t report_ms = 0;
  std::uint64_t floor = 0;  ///< bytes/s
  Token resume = {};
};
struct Post {
  std::uint64_t handle = 0;
  std::uint64_t operation = 0;
  std::uint64_t volume = kUnknownVolume;  ///< bytes
  Direction direction = Direction::write;
};
struct Grant {
  std::uint64_t operation = 0;
  std::uint64_t rate = 0;  ///< bytes/s; 0: pause
  std::uint32_t epoch = 0;
  std::uint32_t lease_ms = 0;
  std::uint64_t floor = 0;  ///< bytes/s
};
/// The bytes moved so far, also used as a sign of life. Operation 0 means alive without an operation.
struct Report {
  std::uint64_t handle = 0;
  std::uint64_t operation = 0;
  std::uint64_t moved = 0;
  std::uint64_t reserved = 0;
};
struct Done {
  std::uint64_t handle = 0;
  std::uint64_t operation = 0;
  std::uint64_t moved = 0;
  std::uint64_t stalled_ns = 0;
};
struct Bye {
  std::uint64_t handle = 0;
};
struct Ping {
  std::uint64_t cookie = 0;
};
struct Pong {
  std::uint64_t cookie = 0;
};
struct Refusal {
  FaultCode code = FaultCode::bad_frame;
  std::uint32_t sequence = 0;  ///< sequence number of the frame that it answers; 0: none
  std::string text = {};       ///< at most 120 bytes
};
struct Watch {
  std::uint32_t interval_ms = 0;
};
/// The state of an application. A list of these ends with handle 0.
struct State {
  std::uint64_t handle = 0;
  std::uint64_t rate = 0;   ///< bytes/s
  std::uint64_t moved = 0;  ///< bytes
  std::uint64_t delay_ns = 0;
  std::uint64_t age_ns = 0;
  std::uint32_t uid = 0;
  std::uint32_t nodes = 0;
  std::uint32_t phase = 0;  ///< a value of `Stage`
  std::uint32_t flags = 0;
  std::string label = {};
};
/// Fixes release date and nodes of an application before its processes start.
struct Register {
  std::uint32_t uid = 0;
  std::uint32_t nodes = 0;
  std::string label = {};
  std::uint64_t ttl_ms = 0;
};

/// A frame of any type. The type on the wire is the position in this list, counted from 1.
using Frame = std::variant<Hello, Welcome, Post, Grant, Report, Done, Bye, Ping, Pong, Refusal,
                           Watch, State, Register>;

/// Returns the type that the frame has on the wire, from 1.
[[nodiscard]] inline std::uint8_t type_of(const Frame& frame) {
  return static_cast<std::uint8_t>(frame.index() + 1);
}

/// Returns the frame as bytes, including the header. Texts that are too long are cut between characters.
[[nodiscard]] std::string encode(const Frame& frame, std::uint32_t sequence);

/// An error in the data that a peer sent.
struct Fault {
  FaultCode code = FaultCode::bad_frame;
  std::uint32_t sequence = 0;
  std::string text = {};
};

/// A reader that cuts the bytes of one direction of a connection into frames, and refuses invalid ones.
class FrameReader {
 public:
  /// Adds bytes that arrived.
  void take(std::string_view bytes) { buffer_.append(bytes); }
  /// Returns the next frame, or nothing until more bytes arrive. After a fault it returns no more frames.
  [[nodiscard]] tl::expected<std::optional<Frame>, Fault> next();
  /// Returns the sequence number of the last frame.
  [[nodiscard]] std::uint32_t sequence() const { return sequence_; }
  /// Returns the number of bytes that have not been read yet.
  [[nodiscard]] std::size_t waiting() const { return buffer_.size() - begin_; }

 private:
  [[nodiscard]] tl::unexpected<Fault> refuse(FaultCode code, std::string text);

  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint32_t sequence_ = 0;
  bool is_over_ = false;
};

}  // namespace holdfast::arbiter
