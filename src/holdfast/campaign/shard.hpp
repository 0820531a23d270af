#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/batch.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace holdfast {

class Design;

/// A file of finished cells that one process appends to and any machine may read meanwhile: blocks
/// with a checksum each. Unlike a database it needs nothing of a shared file system but that what
/// was written can be read. It serves one design, and only until its cells are in results.sqlite.
class ShardWriter {
 public:
  /// Makes the file, or continues it: what a killed process left half written at its end is cut off.
  /// io_failure if another process writes it, or it cannot be written; bad_format if it
  /// belongs to another design.
  [[nodiscard]] static Result<ShardWriter> open(const std::filesystem::path& path,
                                                const Design& design);
  ShardWriter(ShardWriter&& other) noexcept;
  ShardWriter& operator=(ShardWriter&& other) = delete;
  ~ShardWriter();

  /// As a whole or not at all. Whatever was appended survives the process at once, and the machine
  /// a few seconds later, to which a batch without cells sees as well.
  Status append(const Batch& batch);
  /// On the disk, so that other machines see it.
  Status flush();

 private:
  ShardWriter(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
  [[nodiscard]] tl::unexpected<Error> failure() const;
  Status write(const std::string& bytes);

  int file_ = -1;
  std::filesystem::path path_;
  std::int64_t size_ = 0;
  double flushed_ = 0;
  bool is_flushed_ = true;
};

/// Reads the cells that are there, block by block; half a block at the end is none. bad_format if
/// the file is no shard of that design.
[[nodiscard]] Status read_shard(const std::filesystem::path& path, const Design& design,
                                const std::function<Status(const Batch&)>& visit);
/// Returns how many cells there are, by the heads of the blocks; 0 if it cannot be read.
[[nodiscard]] std::uint64_t count_cells(const std::filesystem::path& path);
/// Returns true while some process, perhaps on another machine, has the file open for appending.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

}  // namespace holdfast
