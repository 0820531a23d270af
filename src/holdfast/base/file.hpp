#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// A source of the bytes of a file, in order and already decompressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the buffer from its start and returns the number of bytes; 0 at the end of the data. Errors name the file.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

/// Opens a file for reading; "-" is standard input. Data compressed by gzip, zstd, xz or bzip2 is recognised by its first bytes
/// and decompressed. Memory use is constant. A truncated or damaged archive is an error at the read that reaches the damage.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_input(const std::filesystem::path& path);
/// Decompresses another source in the same way.
/// @param name  the name of the source in error messages
[[nodiscard]] Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> source,
                                                               std::string name);
/// Returns a text in memory as a source, without decompression.
[[nodiscard]] std::unique_ptr<ByteSource> open_text(std::string text);

/// A reader of the lines of a source, without their line ends (LF or CRLF) and without a byte order mark. Lines longer than 1 MiB are an error.
class LineReader {
 public:
  /// Reads a source whose errors name `name`.
  explicit LineReader(std::unique_ptr<ByteSource> source, std::string name = {});
  /// Reads the next line, which is valid until the next call; returns false at the end.
  Result<bool> next(std::string_view& line);
  /// Returns the text that follows, at most `size` bytes of it (fewer only at the end), which stays unread. It is valid until
  /// the next call of any member.
  Result<std::string_view> head(std::size_t size);
  /// Returns the number of the line last returned, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// Returns everything that has not been returned yet, for formats that do not consist of lines. More than `limit` bytes are
  /// an error.
  Result<std::string> rest(std::size_t limit = std::size_t{1} << 31);
  /// Returns the name of the source in error messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns "FILE:LINE" of the line last returned, or "FILE" before the first line.
  [[nodiscard]] std::string place() const;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
  bool at_end_ = false;

  /// Appends the next bytes of the source to the buffer.
  Status fill(std::size_t size);
};

/// Reads a whole file, decompressed. More than `limit` bytes are an error.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t limit = std::size_t{1} << 31);

/// Reads a document by the ending of its name, without that of a compression: .toml is TOML, everything else JSON.
[[nodiscard]] Result<Value> read_document(const std::filesystem::path& path);

/// Writes a whole file or nothing: it writes a temporary file in the same folder and then renames it. "-" is standard output.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace holdfast
