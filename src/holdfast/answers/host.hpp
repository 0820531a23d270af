#pragma once

#include "holdfast/answers/command_runner.hpp"
#include "holdfast/answers/files/places.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/contract/domain.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace holdfast {

/// The program around a verb, for verbs that are about the program itself.
struct Host {
  std::span<const Domain* const> domains;  ///< the domains that it knows
  Places places;                           ///< where its files lie
  std::string command = {};                ///< the command that runs, as a user would type it
  CommandRunner run = {};                  ///< runs a command from a file in memory
  std::function<Value()> commands = {};    ///< describes its commands
  /// Returns the schemas of the documents of all verbs, as the members of an object: "checkpoint plan".
  std::function<Value()> schemas = {};
  Control control = {};                        ///< shows the progress of long runs and stops them
  std::function<void()> end_progress = [] {};  ///< removes the progress
  /// Returns a variable of the process's environment; empty if it is not set.
  std::function<std::string(const char* name)> environment = [](const char*) {
    return std::string();
  };
};

/// Returns the number of threads as Control has it. @param asked  0: all cores
[[nodiscard]] inline unsigned threads_of(std::int64_t asked) {
  constexpr std::int64_t kMost = 4096;
  return static_cast<unsigned>(std::min(asked, kMost));
}

}  // namespace holdfast
