#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/pack.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace holdfast {

/// A file that appears complete or not at all (NewFile). It is compressed if its name asks for it (packing_of).
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path, Links links = Links::followed);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] Status write(std::string_view text);
  /// Moves the finished file to its name.
  [[nodiscard]] Status finish();

 private:
  Result<NewFile> file_;
  PackedSink packed_;
};

/// Refuses to replace a file unless `force`. The message says what to do.
[[nodiscard]] Status check_overwrite(const std::filesystem::path& path, bool force);

/// Writes a text as a file, under the same rule.
[[nodiscard]] Status write_new_file(const std::filesystem::path& path, std::string_view text,
                                    bool force);

/// Creates a directory and its parents; it may exist already. Errors name the path.
[[nodiscard]] Status make_directory(const std::filesystem::path& directory);

/// Returns the path for a document: the given path, or the file `name` inside it if it is a directory (one that exists, or a
/// path with a slash at its end). Creates the directory.
[[nodiscard]] Result<std::filesystem::path> place_for(const std::string& output,
                                                      const std::string& name);

}  // namespace holdfast
