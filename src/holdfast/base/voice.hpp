#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

/// The destinations for messages of a task that runs for a long time.
struct Voice {
  std::function<void(std::string_view)> say;   ///< takes a line about the progress
  std::function<void(std::string_view)> warn;  ///< takes a warning
  /// Takes a detail that few users want; may be empty.
  std::function<void(std::string_view)> detail = {};
  /// Takes a text of the answer that is shown at once, before the verb ends; may be empty.
  std::function<void(std::string_view)> print = {};
};

}  // namespace holdfast
