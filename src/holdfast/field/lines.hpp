#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::field {

/// A reader that cuts bytes that arrive in pieces into lines. A line longer than `longest` is dropped and counted.
class Lines {
 public:
  explicit Lines(std::size_t longest) : longest_(longest) {}

  /// Calls visit(line) for each line that is complete.
  template <class Visit>
  void take(std::string_view bytes, Visit visit) {
    for (const char byte : bytes) {
      if (byte != '\n') {
        if (line_.size() < longest_) {
          line_ += byte;
        } else {
          is_too_long_ = true;
        }
        continue;
      }
      if (is_too_long_) {
        ++dropped_;
      } else {
        visit(std::string_view(line_));
      }
      line_.clear();
      is_too_long_ = false;
    }
  }
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

 private:
  std::size_t longest_;
  std::string line_;
  bool is_too_long_ = false;
  std::size_t dropped_ = 0;
};

}  // namespace holdfast::field
