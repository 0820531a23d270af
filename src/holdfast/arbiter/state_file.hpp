#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::arbiter {

/// What an arbiter leaves for the one that is started after it: a document of the kind io-state.
struct KeptState {
  std::string boot = {};    ///< the machine's name for the time since it was started
  double date = 0;          ///< when this was true, in seconds since then
  std::uint32_t epoch = 0;  ///< of the arbiter that wrote it
  std::vector<Memory> applications = {};

  /// Returns how long nobody served, where that can be known: on the same boot. Otherwise 0.
  [[nodiscard]] double downtime(const std::string& boot_now, double date_now) const;
};

[[nodiscard]] Value state_document(const KeptState& state);
[[nodiscard]] Result<KeptState> read_state_document(const Value& document);

/// Reads a state. Where there is no file nothing is kept, and the epoch is 0. Errors name the file, and what to do.
[[nodiscard]] Result<KeptState> read_state_file(const std::filesystem::path& path);

/// Returns the kernel's name for the time since the machine was started; empty where it does not say.
[[nodiscard]] std::string boot_id();

}  // namespace holdfast::arbiter
