#pragma once

#include <functional>
#include <string_view>

namespace holdfast {

/// Where something speaks that runs for long.
struct Voice {
  std::function<void(std::string_view)> say;
  std::function<void(std::string_view)> warn;
};

}  // namespace holdfast
