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

/// A file as it was at one look at it.
struct SeenFile {
  std::string path;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t changed = 0;  ///< nanoseconds, on the clock of the file system
  friend bool operator==(const SeenFile&, const SeenFile&) = default;
};

/// Looks at a file; nothing if there is none, or no regular one.
[[nodiscard]] std::optional<SeenFile> look_at(const std::filesystem::path& path);

/// The checkpoints that a program writes: one path that it writes again and again, or a pattern whose newest match counts.
/// Those of one path are kept as PATH.1 (the newest), PATH.2 and so on.
class CheckpointFiles {
 public:
  /// @param pattern  a path, or one with the wildcards of a shell
  /// @param keep     how many stay, at least 1
  CheckpointFiles(std::string pattern, std::size_t keep);

  /// Returns the newest file that the program wrote.
  [[nodiscard]] std::optional<SeenFile> newest() const;
  /// Keeps a file that was verified. A program that puts a new file instead of the old one has its file linked, one that
  /// writes into the same file has it copied.
  [[nodiscard]] Status keep(const SeenFile& file);
  /// Tells which file was kept last, by an earlier guard.
  void remember(const SeenFile& kept) { kept_ = kept; }
  [[nodiscard]] const std::optional<SeenFile>& kept() const { return kept_; }

  /// Before a start: where the file is not the one that was kept, `is_good` says whether it is a checkpoint all the same. A file
  /// that was being written when the program died is replaced by the one kept before.
  template <class IsGood>
  [[nodiscard]] Status prepare(IsGood is_good) {
    const auto file = newest();
    if (!needs_look(file)) return {};
    if (file && is_good(*file)) return {};
    return restore();
  }

  /// Puts the newest aside as bad, where there is another one or `may_be_last`.
  struct Aside {
    std::string file;      ///< that was bad; empty: there was none
    std::size_t left = 0;  ///< others
  };
  [[nodiscard]] Result<Aside> set_aside(bool may_be_last);
  /// Undoes what set_aside() did.
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
  std::vector<std::pair<std::string, std::string>> moved_;  ///< from, to
};

/// Returns the members of a journal's entry, and back.
[[nodiscard]] Value to_value(const SeenFile& file);
[[nodiscard]] std::optional<SeenFile> seen_file(const Value& entry);

}  // namespace holdfast::field
