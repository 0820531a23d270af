#pragma once

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/field/journal.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::steward {

/// Names in the folder of a steward.
inline constexpr std::string_view kStateFile = "state.json";
inline constexpr std::string_view kLockFile = "serve.lock";

/// The folder of a steward that acts: what it knows, from which it goes on after a kill, and what it did.
class Folder {
 public:
  struct Use {
    std::string_view what;   ///< the command, for the journal
    std::string_view doing;  ///< what it does, for a second one that is refused
  };
  [[nodiscard]] static Result<Folder> open(const std::filesystem::path& path, const Use& use);

  /// Returns the state that was kept, if there is one.
  [[nodiscard]] Result<std::optional<Value>> kept() const { return kept_in(path_); }
  /// The same for a folder that nobody opened.
  [[nodiscard]] static Result<std::optional<Value>> kept_in(const std::filesystem::path& path);
  [[nodiscard]] std::string state_file() const { return (path_ / kStateFile).string(); }
  /// Puts the state on the disk, unless it is there already.
  Status keep(const Value& state);
  /// Adds an entry to the journal.
  void write(std::string_view kind, Value members);

 private:
  Folder(std::filesystem::path path, DirectoryLock lock, field::JournalWriter journal)
      : path_{std::move(path)}, lock_{std::move(lock)}, journal_{std::move(journal)} {}

  std::filesystem::path path_;
  DirectoryLock lock_;
  field::JournalWriter journal_;
  std::int64_t run_ = 0;
  std::string last_;
};

/// Returns the time of a clock that is never set, in seconds.
[[nodiscard]] double seconds_since_boot();

/// Waits for the next look. Returns true if the steward is to stop.
[[nodiscard]] bool rest(double seconds, const Stop& stop);

}  // namespace holdfast::steward
