#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/batch.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace holdfast {

class Design;

/// A file of finished cells to which one process appends while any machine may read it. It consists of blocks with a checksum
/// each. Unlike a database it needs only one thing from a shared file system: that written data can be read. It serves one
/// design, until its cells are in results.sqlite.
class ShardWriter {
 public:
  /// Creates the file or continues it; if a killed process left a partial block at its end, that block is cut off. Errors:
  /// io_failure if another process writes to it or if it cannot be written; bad_format if it belongs to another design.
  [[nodiscard]] static Result<ShardWriter> open(const std::filesystem::path& path,
                                                const Design& design);

  /// Appends a batch completely or not at all. The data survive the end of this process at once, and a crash of the machine
  /// after a few seconds. A batch without cells also makes sure of the latter.
  Status append(const Batch& batch);
  /// Writes everything to the disk, so that other machines see it.
  Status flush();

 private:
  ShardWriter(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
  [[nodiscard]] tl::unexpected<Error> failure() const;
  Status write(const std::string& bytes);

  Descriptor file_;
  std::filesystem::path path_;
  std::int64_t size_ = 0;
  double flushed_ = 0;
  bool is_flushed_ = true;
};

/// Reads the cells in a shard, block by block; a partial block at the end is ignored. The result is bad_format if the file is
/// not a shard of that design.
[[nodiscard]] Status read_shard(const std::filesystem::path& path, const Design& design,
                                const std::function<Status(const Batch&)>& visit);
/// Returns the number of cells according to the block headers; 0 if the file cannot be read.
[[nodiscard]] std::uint64_t count_cells(const std::filesystem::path& path);
/// Returns true while a process, on this or another machine, has the file open for appending.
[[nodiscard]] bool is_being_written(const std::filesystem::path& path);

}  // namespace holdfast
