#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::arbiter {

/// The input of a command.
struct Request {
  Value options = Value::object();
  std::vector<std::string> words = {};  ///< a program and its arguments, after "--"
  bool is_verbose = false;
  Voice voice;
  std::function<void(Answer)> show;             ///< prints an answer on standard output
  std::function<void(std::string_view)> print;  ///< prints a text on standard output
};

/// A verb of `holdfast io` in addition to those of its domain.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::span<const Parameter> options;
  std::span<const Parameter> positionals = {};  ///< positional arguments
  bool answers = false;      ///< true: it prints an answer, with --json as a document
  bool takes_words = false;  ///< true: a program and its arguments follow "--"
  Result<int> (*run)(const Request& request);  ///< returns the exit code, or an error
};

/// Returns all these commands.
[[nodiscard]] std::span<const Command> commands();

}  // namespace holdfast::arbiter
