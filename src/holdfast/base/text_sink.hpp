#pragma once

#include "holdfast/base/error.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

/// A function that takes the next part of a text that is too long for memory. It may write to a file or a stream, or to a
/// string in tests.
using TextSink = std::function<Status(std::string_view)>;

/// A buffer that gathers small pieces of text and hands them on in blocks. After the first error it drops everything.
class SinkBuffer {
 public:
  /// Starts a text that goes to `sink`.
  explicit SinkBuffer(TextSink sink) : sink_(std::move(sink)) { block_.reserve(kBlock + 512); }

  /// Adds a piece.
  SinkBuffer& operator<<(std::string_view text) {
    block_ += text;
    if (block_.size() >= kBlock) flush();
    return *this;
  }
  /// Hands on the rest, and returns the first error if there was one.
  [[nodiscard]] Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

  void flush() {
    if (status_ && !block_.empty()) status_ = sink_(block_);
    block_.clear();
  }

  TextSink sink_;
  std::string block_;
  Status status_;
};

}  // namespace holdfast
