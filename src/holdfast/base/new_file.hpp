#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// How a link in the place of a written file is treated (docs/decisions/0044). A link to nothing is refused in any case, so
/// that no file appears where nobody looks.
enum class Links : std::uint8_t {
  followed,  ///< the file that the link names is replaced, for a path that somebody typed
  refused,   ///< the link is refused, for a name that Holdfast chose
};

/// A file that appears as a whole or not at all, and is on the disk when it appears: it grows under a name of its own
/// beside its place, and takes its own name at the end. It takes over the permissions of the file that it replaces. What is
/// not a regular file (/dev/null, a pipe) is written directly.
///
/// Files that grow are called `.NAME.PROCESS-N.tmp`. If a killed process left one, the next process that writes the same file
/// removes it.
class NewFile {
 public:
  /// Begins a file. Errors name the path.
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path,
                                              Links links = Links::followed);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  /// Removes what has been written, unless finish() was called.
  ~NewFile();

  /// Appends a text.
  [[nodiscard]] Status write(std::string_view text);
  /// Puts the file in its place.
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

/// Writes a file whose name Holdfast chose as write_file() does, but refuses a link in its place.
[[nodiscard]] Status write_own_file(const std::filesystem::path& path, std::string_view text);

}  // namespace holdfast
