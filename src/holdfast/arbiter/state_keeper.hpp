#pragma once

#include "holdfast/arbiter/background_file.hpp"
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/state_file.hpp"
#include "holdfast/base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::arbiter {

/// The state file of an arbiter. It is read once, for the state that an earlier arbiter left, and written in the background, at
/// most once a second and only if anything but the ages has changed.
class StateKeeper {
 public:
  /// Reads the file.
  /// @param path  path of the file; empty: nothing is kept
  /// @param zero  seconds since the machine was started, at the core's date 0
  [[nodiscard]] static Result<StateKeeper> open(const std::string& path, double zero);

  /// Returns the epoch of this arbiter, which is one more than that of the last.
  [[nodiscard]] std::uint32_t epoch() const { return before_.epoch + 1; }
  /// Gives the core the applications that the earlier arbiter left.
  void restore(Core& core, double now) const;
  /// Writes the state at once, and waits until it is written.
  [[nodiscard]] Status save_now(const Core& core, double now);
  /// Starts to write if a write is due.
  void keep(const Core& core, double now);
  /// Returns when keep() next has something to do; infinite: never.
  [[nodiscard]] double wake() const { return file_ ? next_ : Core::kNever; }
  /// Returns the error of the last write, once. The next write is then due a minute later.
  [[nodiscard]] std::optional<std::string> trouble(double now);

 private:
  [[nodiscard]] std::shared_ptr<const KeptState> state_at(std::vector<Memory> applications,
                                                          double now) const;

  std::unique_ptr<BackgroundFile> file_;  // null: nothing is kept
  std::string boot_;
  double zero_ = 0;
  KeptState before_;
  std::shared_ptr<const KeptState> written_;  // null: nothing, or unknown contents
  double next_ = 0;
};

}  // namespace holdfast::arbiter
