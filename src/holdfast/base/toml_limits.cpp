#include "holdfast/base/toml_limits.hpp"

#include "holdfast/base/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 21;  // about 700 MB while they are read

/// Counts dots and brackets outside texts and comments.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_{text} {}

  Status check() {
    for (; at_ < text_.size(); ++at_) {
      step();
      if (header_ + dots_ + levels_.size() > kDeepestNesting) {
        return refuse(fmt::format("found nesting deeper than {} levels", kDeepestNesting));
      }
      if (values_ > kMostValues) {
        return refuse(
            fmt::format("found more than {} values, expected at most so many", kMostValues));
      }
    }
    return {};
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (c == '"' || c == '\'') {
      pass_string(c);
    } else if (c == '\n') {
      end_line();
    } else if (c == '.') {
      ++levels_.back();
      ++dots_;
    } else if (c == '=') {
      ++values_;
    } else if (c == ',') {
      ++values_;
      forget_dots();
    } else if (c == '[' || c == '{') {
      begin_bracket();
    } else if ((c == ']' || c == '}') && levels_.size() > 1) {
      forget_dots();
      levels_.pop_back();
    }
    is_fresh_ = c == '\n' || (is_fresh_ && (c == ' ' || c == '\t'));
  }

  void forget_dots() { dots_ -= std::exchange(levels_.back(), 0); }

  void begin_bracket() {
    ++values_;
    if (levels_.size() == 1 && is_fresh_) {  // [table] or [[table]]
      in_header_ = true;
      header_ = 0;
    } else if (!in_header_) {
      levels_.push_back(0);
    }
  }

  void end_line() {
    if (levels_.size() > 1) return;
    if (std::exchange(in_header_, false)) header_ = levels_.back();
    forget_dots();
  }

  /// Moves to the last quotation mark of a text, or before the end of the line if the text is not closed on it.
  void pass_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    for (at_ += is_long ? 3 : 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (!is_long && text_[at_] == '\n') {
        --at_;
        return;
      } else if (is_long ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        if (!is_long) return;
        at_ += 2;
        // Up to two more quotation marks belong to the text itself.
        for (int i = 0; i < 2 && text_.substr(at_ + 1, 1).starts_with(quote); ++i) ++at_;
        return;
      }
    }
  }

  tl::unexpected<Error> refuse(std::string message) const {
    const std::string_view head = text_.substr(0, at_);
    const auto line = 1 + std::count(head.begin(), head.end(), '\n');
    return fail(ErrorCode::bad_format, fmt::format("{}", line), std::move(message));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t header_ = 0;  ///< dots of the [table] that this line belongs to
  std::vector<std::size_t> levels_ = {
      0};                 ///< dots of this line, then of the element in each open bracket
  std::size_t dots_ = 0;  ///< their sum
  std::size_t values_ = 0;
  bool in_header_ = false;
  bool is_fresh_ = true;  ///< nothing but blanks on this line so far
};

}  // namespace

Status check_toml_limits(std::string_view text) {
  return Walk(text).check();
}

}  // namespace holdfast
