#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// A file that appears as a whole or not at all, and is on the disk when it appears: it grows under a name of its own
/// beside its place, and takes its own name at the end. What it replaces hands on its permissions. A link is followed:
/// the file that it names is replaced, or made. What is no regular file (/dev/null, a pipe) is written directly.
///
/// Names of files that grow are `.NAME.PROCESS-N.tmp`. One that a killed process left is removed by the next that writes
/// the same file.
class NewFile {
 public:
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  /// Without finish() nothing is left behind.
  ~NewFile();

  [[nodiscard]] Status write(std::string_view text);
  [[nodiscard]] Status finish();

 private:
  explicit NewFile(std::filesystem::path path) : path_(std::move(path)) {}
  Status open_temporary();
  Status flush();
  [[nodiscard]] tl::unexpected<Error> failure(int code) const;

  std::filesystem::path path_;       ///< as it was asked for, for messages
  std::filesystem::path target_;     ///< after links
  std::filesystem::path temporary_;  ///< empty: written directly
  std::string buffer_;
  int file_ = -1;
};

}  // namespace holdfast
