#pragma once

#include "holdfast/arbiter/frames.hpp"
#include "holdfast/arbiter/standing.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::arbiter {

/// The states that an arbiter sends to a watcher at one moment.
struct Round {
  Totals totals;
  std::vector<Standing> applications;
};

/// A reader that assembles rounds from the bytes that an arbiter sends.
class RoundReader {
 public:
  void take(std::string_view bytes) { reader_.take(bytes); }
  /// Returns a round once it is complete, and nothing until then. An invalid frame, a round without an end or an ERROR from the
  /// arbiter is an error.
  [[nodiscard]] Result<std::optional<Round>> next();

 private:
  FrameReader reader_;
  Round round_;
  std::uint32_t epoch_ = 0;
};

/// A connection to an arbiter that watches it.
class WatchClient {
 public:
  /// @param interval  seconds between rounds, 0.1 to 60
  [[nodiscard]] static Result<WatchClient> connect(const std::string& path, double interval);
  WatchClient(WatchClient&&) noexcept = default;

  /// Returns a descriptor that can be read when there is something for read().
  [[nodiscard]] int get() const { return socket_.get(); }
  /// Reads what has arrived, without waiting for more. @returns the last complete round, if there is one
  [[nodiscard]] Result<std::optional<Round>> read();

 private:
  WatchClient(std::string path, Descriptor socket)
      : path_(std::move(path)), socket_(std::move(socket)) {}

  std::string path_;
  Descriptor socket_;
  RoundReader rounds_;
};

}  // namespace holdfast::arbiter
