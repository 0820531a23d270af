#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

/// The destinations for messages of a task that runs for a long time.
struct Voice {
  std::function<void(std::string_view)> say;
  std::function<void(std::string_view)> warn;
};

}  // namespace holdfast
