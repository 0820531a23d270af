#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace holdfast::arbiter {

/// What was asked of a command.
struct Request {
  Value options = Value::object();
  Voice voice;
  std::function<void(const Answer&)> show;  ///< on standard output
};

/// A verb that `holdfast io` has beside those of its domain.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::span<const Parameter> options;
  std::span<const Parameter> positionals = {};  ///< arguments without a name
  bool answers = false;  ///< it shows an answer, which --json makes a document
  Result<int> (*run)(const Request& request);  ///< the exit code, or why there is none
};

/// All of them.
[[nodiscard]] std::span<const Command> commands();

}  // namespace holdfast::arbiter
