#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/steward/pack/core.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::steward::pack {

/// What an application runs.
struct Work {
  std::string command;              ///< a line of shell
  std::vector<std::string> guard;   ///< options of its guard: "trigger=pipe"
  std::filesystem::path directory;  ///< where it runs; absolute
};

/// Returns how the guard of an application is started. Its folder, its output and its claim are in the folder of the pack.
[[nodiscard]] field::Start start_of(const State& state, std::size_t application, const Work& work,
                                    const Charge& charge, const std::filesystem::path& folder);

/// Looks at an application. Errors name the journal of its guard.
[[nodiscard]] Result<Seen> look_at(const Application& application,
                                   const std::filesystem::path& folder);

/// Asks the guard of an application to let it save and to end. A guard that would not understand yet is not asked.
void ask_to_stop(const Application& application, const std::filesystem::path& folder);

}  // namespace holdfast::steward::pack
