#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

/// The destinations for messages of a task that runs for a long time.
struct Voice {
  std::function<void(std::string_view)> say;   ///< takes a line about the progress
  std::function<void(std::string_view)> warn;  ///< takes a warning
};

}  // namespace holdfast
