#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::field {

/// The state of a file when it was last looked at.
struct SeenFile {
  std::string path;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;  ///< bytes
  /// Time of the last change, in nanoseconds on the clock of the file system.
  std::int64_t changed = 0;
  friend bool operator==(const SeenFile&, const SeenFile&) = default;
};

/// Looks at a file. Returns nothing if it does not exist or is not a regular file.
[[nodiscard]] std::optional<SeenFile> look_at(const std::filesystem::path& path);

/// The checkpoints that a program writes: one path that it writes again and again, or a pattern whose newest match counts.
/// Copies of a single path are kept as PATH.1 (the newest), PATH.2 and so on.
class CheckpointFiles {
 public:
  /// @param pattern  a path, or one with the wildcards of a shell
  /// @param keep     number of checkpoints to keep, at least 1
  CheckpointFiles(std::string pattern, std::size_t keep);

  /// Returns the newest file that the program wrote.
  [[nodiscard]] std::optional<SeenFile> newest() const;
  /// Keeps a verified file. If the program replaces the old file with a new one, the file is hard-linked. If it writes into the
  /// same file, the file is copied.
  [[nodiscard]] Status keep(const SeenFile& file);
  /// Sets the file that an earlier guard kept last.
  void remember(const SeenFile& kept) { kept_ = kept; }
  [[nodiscard]] const std::optional<SeenFile>& kept() const { return kept_; }

  /// Prepares a start. If the current file is not the one that was kept last, `is_good` decides whether it is a valid
  /// checkpoint. A file that was half written when the program died is replaced by the one kept before.
  template <class IsGood>
  [[nodiscard]] Status prepare(IsGood is_good) {
    const auto file = newest();
    if (!needs_look(file)) return {};
    if (file && is_good(*file)) return {};
    return restore();
  }

  /// The result of set_aside().
  struct Aside {
    std::string file;      ///< the bad file; empty: there was none
    std::size_t left = 0;  ///< number of remaining checkpoints
  };
  /// Sets the newest checkpoint aside as bad, if there is another one or `may_be_last`.
  [[nodiscard]] Result<Aside> set_aside(bool may_be_last);
  /// Undoes set_aside().
  void put_back();

 private:
  [[nodiscard]] bool needs_look(const std::optional<SeenFile>& file) const;
  [[nodiscard]] Status restore();
  [[nodiscard]] std::string kept_name(std::size_t which) const;
  [[nodiscard]] std::size_t kept_count() const;
  [[nodiscard]] std::vector<SeenFile> matches() const;

  std::string pattern_;
  bool is_pattern_ = false;
  std::size_t keep_;
  std::optional<SeenFile> kept_;
  std::vector<std::pair<std::string, std::string>> moved_;  ///< pairs of old and new name
};

/// Returns a file as the members of a journal entry.
[[nodiscard]] Value to_value(const SeenFile& file);
/// Returns the file of such an entry; nothing if the entry has none.
[[nodiscard]] std::optional<SeenFile> seen_file(const Value& entry);

}  // namespace holdfast::field
