#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// What to do if the file to be written is a symbolic link (docs/decisions/0044). A link to a missing file is always refused,
/// so that no file appears where nobody looks for it.
enum class Links : std::uint8_t {
  followed,  ///< the target of the link is replaced; for a path that somebody typed
  refused,   ///< the link is refused; for a name that Holdfast chose
};

/// A file that appears complete or not at all, and is on the disk when it appears. It is written under a temporary name in the
/// same folder and renamed at the end. It keeps the permissions of the file that it replaces. Anything that is not a regular
/// file (/dev/null, a pipe) is written directly.
///
/// The temporary files are called `.NAME.PROCESS-N.tmp`. If a killed process left one behind, the next process that writes the
/// same file removes it.
class NewFile {
 public:
  /// Starts a file. Errors name the path.
  /// @param mode  permissions that it gets even if the file that it replaces has others; 0: those of that file, or as usual
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path,
                                              Links links = Links::followed, mode_t mode = 0);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  /// Removes what has been written, unless finish() was called.
  ~NewFile();

  /// Appends a text.
  [[nodiscard]] Status write(std::string_view text);
  /// Returns the name that the file has until it is finished, under which a library may write it; empty if it is written directly.
  [[nodiscard]] const std::filesystem::path& unfinished() const { return temporary_; }
  /// Moves the finished file to its final name.
  [[nodiscard]] Status finish();

 private:
  explicit NewFile(std::filesystem::path path) : path_(std::move(path)) {}
  Status open_temporary();
  Status flush();
  [[nodiscard]] tl::unexpected<Error> failure(int code) const;

  std::filesystem::path path_;       ///< the path as it was given, for messages
  std::filesystem::path target_;     ///< the path after following links
  std::filesystem::path temporary_;  ///< empty: the file is written directly
  std::string buffer_;
  int file_ = -1;
};

/// Writes a file like write_file(), but refuses a link in its place. For files whose name Holdfast chose.
/// @param mode  as for NewFile::create()
[[nodiscard]] Status write_own_file(const std::filesystem::path& path, std::string_view text,
                                    mode_t mode = 0);

}  // namespace holdfast
