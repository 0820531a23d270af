#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::arbiter {

/// The state that an arbiter leaves for the next one: a document of the kind io-state.
struct KeptState {
  std::string boot = {};    ///< the kernel's identifier of the boot
  double date = 0;          ///< seconds from that boot to this state
  std::uint32_t epoch = 0;  ///< epoch of the arbiter that wrote it
  std::vector<Memory> applications = {};

  /// Returns for how many seconds no arbiter ran; 0 if that is unknown because the machine was booted since then.
  [[nodiscard]] double downtime(const std::string& boot_now, double date_now) const;
};

/// Returns a state as a document.
[[nodiscard]] Value state_document(const KeptState& state);
/// Reads such a document. Errors name the field.
[[nodiscard]] Result<KeptState> read_state_document(const Value& document);

/// Reads a state from a file. If there is no file, the state is empty and its epoch is 0. Errors name the file and say what to
/// do.
[[nodiscard]] Result<KeptState> read_state_file(const std::filesystem::path& path);

}  // namespace holdfast::arbiter
