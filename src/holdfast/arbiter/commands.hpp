#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/contract/parameter.hpp"

#include <span>
#include <string_view>

namespace holdfast::arbiter {

/// What was asked of a command.
struct Request {
  Value options = Value::object();
  Voice voice;
};

/// A verb that `holdfast io` has beside those of its domain.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::span<const Parameter> options;
  Result<int> (*run)(const Request& request);  ///< the exit code, or why there is none
};

/// All of them.
[[nodiscard]] std::span<const Command> commands();

}  // namespace holdfast::arbiter
