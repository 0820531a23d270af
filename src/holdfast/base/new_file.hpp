#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// What becomes of a link in the place of a file that is written (docs/decisions/0044). None makes a file where nobody
/// looks: a link to nothing is refused in any case.
enum class Links : std::uint8_t {
  followed,  ///< somebody typed the path: the file that the link names is replaced
  refused,   ///< we chose the name, so a link there was put in our way
};

/// A file that appears as a whole or not at all, and is on the disk when it appears: it grows under a name of its own
/// beside its place, and takes its own name at the end. What it replaces hands on its permissions. What is no regular
/// file (/dev/null, a pipe) is written directly.
///
/// Names of files that grow are `.NAME.PROCESS-N.tmp`. One that a killed process left is removed by the next that writes
/// the same file.
class NewFile {
 public:
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path,
                                              Links links = Links::followed);
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

/// write_file() where the name is ours: a link in its place is refused.
[[nodiscard]] Status write_own_file(const std::filesystem::path& path, std::string_view text);

}  // namespace holdfast
