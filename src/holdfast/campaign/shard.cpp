#include "holdfast/campaign/shard.hpp"

#include "holdfast/base/file_lock.hpp"
#include "holdfast/base/regular_file.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/word_hash.hpp"
#include "holdfast/campaign/batch_bytes.hpp"
#include "holdfast/campaign/bytes.hpp"
#include "holdfast/campaign/design.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

namespace holdfast {
namespace {

constexpr std::string_view kMagic = "HFSHARD1";
constexpr std::size_t kHeadSize = 72;                     // magic, fingerprint (64 digits)
constexpr std::uint64_t kBlockMark = 0x314b434f4c424648;  // "HFBLOCK1" on a machine like this one
/// Appended blocks are on the disk, and visible to other machines, after this number of seconds.
constexpr double kBetweenFlushes = 5;

/// The largest size of a block in bytes. A block has the cells of about 20 ms, so a larger size means damage.
constexpr std::uint64_t kLongestBlock = std::uint64_t{1} << 30;

struct BlockHead {
  std::uint64_t mark = kBlockMark;
  std::uint64_t size = 0;
  std::uint64_t cells = 0;
  std::uint64_t checksum = 0;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string head_of(const Design& design) {
  return std::string(kMagic) + fingerprint(design);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a shard for reading; null, with errno, if that fails. Anything else than a file is ENOTSUP: a pipe would wait for a
/// writer.
File open_shard(const std::filesystem::path& path) {
  const int file = open_regular(path, O_RDONLY);
  return File(file < 0 ? nullptr : ::fdopen(file, "rb"));
}

/// Calls visit(head, file) for each block whose length fits into the file, which is positioned at the block's bytes; visit
/// returns whether to continue. Returns the end of the last accepted block.
template <class Visit>
std::uint64_t walk(std::FILE* file, Visit visit) {
  std::fseek(file, 0, SEEK_END);
  const auto size = static_cast<std::uint64_t>(std::ftell(file));
  std::uint64_t at = kHeadSize;
  for (;;) {
    BlockHead head;
    std::fseek(file, static_cast<long>(at), SEEK_SET);
    if (at + sizeof head > size || std::fread(&head, sizeof head, 1, file) != 1) return at;
    const std::uint64_t end = at + sizeof head + head.size;
    if (head.mark != kBlockMark || head.size > kLongestBlock || end > size) return at;
    if (!visit(head, file)) return at;
    at = end;
  }
}

bool read_bytes(std::FILE* file, std::string& bytes, std::size_t size) {
  bytes.resize(size);
  return std::fread(bytes.data(), 1, size, file) == size;
}

/// Reads the blocks with a valid checksum; `end` receives their end. An empty file has none.
Status read_blocks(const std::filesystem::path& path, const Design& design,
                   const std::function<Status(const Batch&)>& visit, std::uint64_t& end) {
  end = 0;
  const File file = open_shard(path);
  if (!file) {
    return fail(ErrorCode::io_failure, path.string(), why_not_opened(errno));
  }
  std::string bytes;
  if (!read_bytes(file.get(), bytes, kHeadSize)) return {};  // killed while it was created
  if (bytes != head_of(design)) {
    return fail(ErrorCode::bad_format, path.string(),
                "found cells of another campaign than the campaign.toml next to it, or of another "
                "version of holdfast; move it elsewhere and start again to compute them again");
  }
  Status status;
  end = walk(file.get(), [&](const BlockHead& head, std::FILE* at) {
    if (!read_bytes(at, bytes, head.size) || word_hash(bytes) != head.checksum) return false;
    const auto batch = parse_batch(bytes, design);
    status = batch ? visit(*batch) : fail(in_file(path.string(), batch.error()));
    return status.has_value();
  });
  return status;
}

}  // namespace

tl::unexpected<Error> ShardWriter::failure() const {
  const int code = errno;
  const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return fail(
      ErrorCode::io_failure, path_.string(),
      fmt::format("cannot write: {}; {}, and start the campaign again on the same directory: "
                  "what was finished is kept",
                  std::generic_category().message(code),
                  is_full ? "free some space" : "check the disk and the permissions"));
}

Result<ShardWriter> ShardWriter::open(const std::filesystem::path& path, const Design& design) {
  ShardWriter shard(open_regular(path, O_RDWR | O_CREAT | O_NOFOLLOW), path);
  if (shard.file_.get() < 0 && errno == ENOTSUP)
    return fail(ErrorCode::io_failure, path.string(), why_not_opened(errno));
  if (shard.file_.get() < 0) return shard.failure();
  const FileLock taken = lock_file(shard.file_.get());
  if (taken == FileLock::unavailable) {
    return fail(no_locks(path.string(), std::generic_category().message(errno)));
  }
  if (taken == FileLock::held) {
    return fail(ErrorCode::io_failure, path.string(),
                "another process writes this shard; wait until it ends");
  }
  std::uint64_t end = 0;
  HOLDFAST_CHECK(read_blocks(
      path, design, [](const Batch&) { return Status{}; }, end));
  shard.size_ = static_cast<std::int64_t>(end);
  if (::ftruncate(shard.file_.get(), shard.size_) != 0) return shard.failure();
  if (end == 0) HOLDFAST_CHECK(shard.write(head_of(design)));
  shard.flushed_ = now();
  return shard;
}

Status ShardWriter::write(const std::string& bytes) {
  if (write_at(file_.get(), bytes, size_) < bytes.size()) {
    auto error = failure();
    // A failure to cut off the partial block does no harm: readers skip it, and open() cuts it off.
    [[maybe_unused]] const int cut = ::ftruncate(file_.get(), size_);
    return error;
  }
  size_ += static_cast<std::int64_t>(bytes.size());
  return {};
}

Status ShardWriter::append(const Batch& batch) {
  if (!batch.empty()) {
    const std::string cells = to_bytes(batch);
    ByteWriter out;
    out.number(
        BlockHead{.size = cells.size(), .cells = batch.size(), .checksum = word_hash(cells)});
    HOLDFAST_CHECK(write(out.take() + cells));
    is_flushed_ = false;
  }
  return is_flushed_ || now() - flushed_ < kBetweenFlushes ? Status{} : flush();
}

Status ShardWriter::flush() {
  flushed_ = now();
  is_flushed_ = true;
  if (::fsync(file_.get()) != 0) return failure();
  return {};
}

Status read_shard(const std::filesystem::path& path, const Design& design,
                  const std::function<Status(const Batch&)>& visit) {
  std::uint64_t end = 0;
  return read_blocks(path, design, visit, end);
}

std::uint64_t count_cells(const std::filesystem::path& path) {
  const File file = open_shard(path);
  if (!file) return 0;
  std::uint64_t cells = 0;
  walk(file.get(), [&](const BlockHead& head, std::FILE*) {
    cells += head.cells;
    return true;
  });
  return cells;
}

bool is_being_written(const std::filesystem::path& path) {
  const int file = open_regular(path, O_RDONLY);
  if (file < 0) return false;
  const bool out = is_locked(file);
  ::close(file);
  return out;
}

}  // namespace holdfast
