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

/// Bytes of a file in order, decompressed on the way.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the buffer from its start; 0 at the end of the data. Errors name the file.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

/// Opens a file for reading; gzip and zstd are recognised by their first bytes and decompressed. "-" is standard
/// input. Constant memory. A truncated or damaged archive is an error at the read that meets it.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_input(const std::filesystem::path& path);
/// The same over any source of bytes. @param name  what errors call it
[[nodiscard]] Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> source,
                                                               std::string name);
/// Text in memory as a source, as it is.
[[nodiscard]] std::unique_ptr<ByteSource> open_text(std::string text);

/// Splits a source into lines, without their line ends (LF or CRLF); lines longer than 1 MiB are an error.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<ByteSource> source, std::string name = {});
  /// The next line, valid until the next call; false at the end.
  Result<bool> next(std::string_view& line);
  /// Number of the line last returned, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// All that has not been returned yet, for formats that are not made of lines; refuses more than `limit` bytes.
  Result<std::string> rest(std::size_t limit = std::size_t{1} << 31);
  /// What errors call the source.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// "FILE:LINE" of the line last returned, "FILE" before the first.
  [[nodiscard]] std::string place() const;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
  bool at_end_ = false;
};

/// The whole of a file, decompressed; refuses more than `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t limit = std::size_t{1} << 31);

/// A document read by its name's ending: .toml is TOML, everything else JSON (.gz and .zst may follow).
[[nodiscard]] Result<Value> read_document(const std::filesystem::path& path);

/// Writes a file as a whole or not at all: to a temporary neighbour, then renamed. "-" is standard output.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace holdfast
