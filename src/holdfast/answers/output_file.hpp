#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/pack.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// A file that appears as a whole or not at all (NewFile); one whose name ends in .gz or .zst is packed so.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path, Links links = Links::followed);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] Status write(std::string_view text);
  /// Gives the file its name.
  [[nodiscard]] Status finish();

 private:
  Result<NewFile> file_;
  PackedSink packed_;
};

/// Refuses to replace a file unless `force`; the message says what to do.
[[nodiscard]] Status check_overwrite(const std::filesystem::path& path, bool force);

/// The text as a file, under the rule above.
[[nodiscard]] Status write_new_file(const std::filesystem::path& path, std::string_view text,
                                    bool force);

/// Makes a directory and those above it; one that is there already is fine. Errors name the path.
[[nodiscard]] Status make_directory(const std::filesystem::path& directory);

/// Returns where a document goes: the path itself, or the file `name` inside it where it is a directory (an existing one, or
/// written with a slash at its end). Makes the directory.
[[nodiscard]] Result<std::filesystem::path> place_for(const std::string& output,
                                                      const std::string& name);

}  // namespace holdfast
