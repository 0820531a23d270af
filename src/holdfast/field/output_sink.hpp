#pragma once

#include "holdfast/base/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::field {

/// Returns true if something can be written to a file without waiting for a reader.
[[nodiscard]] bool has_room(int file);

/// Our standard output, for what a guarded program writes. It never waits for a reader: what is not read at once waits in
/// memory, up to a limit. While the reader reads, however slowly, a full memory holds the program back; a reader that takes
/// nothing for a second does not, and what comes then is dropped and counted. Dates are in seconds.
class OutputSink {
 public:
  static constexpr std::size_t kLimit = std::size_t{1} << 20;
  static constexpr double kPatience = 1;

  /// @param file  the file to write to; it stays open
  explicit OutputSink(int file);

  /// Returns true if more can be taken now; otherwise it can from patient_until() on.
  [[nodiscard]] bool can_take(double now) const {
    return waiting_.size() < kLimit || now >= patient_until();
  }
  [[nodiscard]] double patient_until() const { return moved_at_ + kPatience; }
  /// Takes bytes, or drops them, and writes what can be written.
  void take(std::string_view bytes, double now);
  void flush(double now);
  [[nodiscard]] bool is_empty() const { return waiting_.empty(); }
  /// Returns the file that can be written again when the reader goes on.
  [[nodiscard]] int descriptor() const { return own_.get() >= 0 ? own_.get() : file_; }
  /// Returns the number of bytes that were dropped.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  /// Drops what still waits.
  void give_up();

 private:
  int file_;
  Descriptor
      own_;  ///< the same file, opened so that writing never waits; -1: it cannot be opened so
  bool is_gone_ = false;
  std::string waiting_;
  double moved_at_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace holdfast::field
