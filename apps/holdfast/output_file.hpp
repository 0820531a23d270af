#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/pack.hpp"

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast::cli {

/// A file that appears as a whole or not at all: text goes to a neighbour, which takes the name at the end. What is no
/// regular file (/dev/null, a pipe) is written directly. A name that ends in .gz or .zst is packed so.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] Status write(std::string_view text);
  /// Gives the file its name.
  [[nodiscard]] Status finish();

 private:
  [[nodiscard]] tl::unexpected<Error> failed() const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<std::ofstream> stream_;
  PackedSink packed_;
  bool finished_ = false;
};

/// Refuses to replace a file unless `force`; the message says what to do.
[[nodiscard]] Status check_overwrite(const std::filesystem::path& path, bool force);

/// The text as a file, under the rule above.
[[nodiscard]] Status write_new_file(const std::filesystem::path& path, std::string_view text,
                                    bool force);

/// Where a document goes: the path itself, or the file `name` inside it where it is a directory (an existing one, or
/// written with a slash at its end). Makes the directory.
[[nodiscard]] Result<std::filesystem::path> place_for(const std::string& output,
                                                      const std::string& name);

}  // namespace holdfast::cli
