#include "holdfast/base/new_file.hpp"

#include "holdfast/base/file_lock.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 16;
/// Temporary files use at most this many bytes of a long name, which is enough to distinguish them: a name has at most 255
/// bytes.
constexpr std::size_t kLongestStem = 200;
constexpr int kMostLinks = 40;
constexpr int kMostAttempts = 100;

/// Returns the file to which a link leads, possibly through other links.
Result<fs::path> without_links(const fs::path& path) {
  fs::path at = path;
  std::error_code code;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(at, code)); ++i) {
    const fs::path next = fs::read_symlink(at, code);
    if (code) break;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  if (!fs::is_symlink(fs::symlink_status(at, code))) return at;
  return fail(ErrorCode::io_failure, path.string(),
              fmt::format("cannot be written: {}", std::generic_category().message(ELOOP)));
}

/// Returns the file to be written, or an error that says why a link in its place is not followed.
Result<fs::path> target_of(const fs::path& path, bool exists, Links links) {
  std::error_code code;
  if (!fs::is_symlink(fs::symlink_status(path, code))) return path;
  if (links == Links::refused) {
    return fail(ErrorCode::io_failure, path.string(),
                "found a link, expected a regular file or none; remove the link");
  }
  HOLDFAST_TRY(target, without_links(path));
  if (exists) return target;
  return fail(
      ErrorCode::io_failure, path.string(),
      fmt::format("found a link to {}, where no file can be found; remove the link, or name "
                  "the file itself",
                  in_quotes(target.string())));
}

fs::path folder_of(const fs::path& file) {
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

std::string stem_of(const fs::path& target) {
  return fmt::format(".{}.", target.filename().string().substr(0, kLongestStem));
}

/// Returns true for names of the form `.NAME.PROCESS-N.tmp`.
bool is_temporary_of(const std::string& name, const std::string& stem) {
  constexpr std::string_view kEnd = ".tmp";
  if (!name.starts_with(stem) || !name.ends_with(kEnd)) return false;
  if (name.size() <= stem.size() + kEnd.size()) return false;
  const std::string_view middle =
      std::string_view(name).substr(stem.size(), name.size() - stem.size() - kEnd.size());
  return middle.find_first_not_of("0123456789-") == std::string_view::npos;
}

/// Removes temporary files of killed processes. A process keeps its temporary file locked while it writes it, so a file that
/// can be locked was left behind. Without locks this is unknown, and the file stays.
void remove_left_over(const fs::path& target) {
  const std::string stem = stem_of(target);
  std::vector<fs::path> found;
  std::error_code code;
  for (fs::directory_iterator entry(folder_of(target), code), end; !code && entry != end;
       entry.increment(code)) {
    if (is_temporary_of(entry->path().filename().string(), stem)) found.push_back(entry->path());
  }
  for (const fs::path& path : found) {
    const int file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (lock_file(file) == FileLock::taken) ::unlink(path.c_str());
    ::close(file);
  }
}

/// Returns false if another process took the file, which was just made, for one that was left behind, and removed it.
bool is_still_there(int file) {
  if (lock_file(file) == FileLock::held) return false;
  struct stat found {};
  return ::fstat(file, &found) == 0 && found.st_nlink > 0;
}

/// Some file systems and devices cannot sync; any other error is one of the disk.
bool is_on_disk(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ||
         errno == EROFS;
}

/// Syncs the folder, so that the new name survives a crash. The contents survive anyway, under one name or the other.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(is_on_disk(file));
  ::close(file);
}

}  // namespace

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::move(other.buffer_)),
      file_(std::exchange(other.file_, -1)) {}

NewFile::~NewFile() {
  if (file_ < 0) return;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(file_);
}

tl::unexpected<Error> NewFile::failure(int code) const {
  const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return fail(ErrorCode::io_failure, path_.string(),
              fmt::format("cannot be written: {}{}", std::generic_category().message(code),
                          is_full ? "; free some space and run the same command again" : ""));
}

Result<NewFile> NewFile::create(const fs::path& path, Links links, mode_t mode) {
  NewFile out(path);
  struct stat found {};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) {
    return fail(ErrorCode::io_failure, path.string(), "found a directory, expected a file");
  }
  HOLDFAST_TRY(target, target_of(path, exists, links));
  if (exists && !S_ISREG(found.st_mode)) {
    out.file_ = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (out.file_ < 0) return out.failure(errno);
    return out;
  }
  out.target_ = std::move(target);
  remove_left_over(out.target_);
  HOLDFAST_CHECK(out.open_temporary());
  if (mode != 0 && ::fchmod(out.file_, mode) != 0) return out.failure(errno);
  if (!exists) return out;
  // The file keeps its permissions, whatever the umask, and also its owner if the system allows it.
  if (found.st_uid != ::geteuid() || found.st_gid != ::getegid()) {
    [[maybe_unused]] const int given = ::fchown(out.file_, found.st_uid, found.st_gid);
  }
  if (mode == 0 && ::fchmod(out.file_, found.st_mode & 0777) != 0) return out.failure(errno);
  return out;
}

Status NewFile::open_temporary() {
  static std::atomic<unsigned> counter{0};  // makes names of temporary files unique among threads
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const fs::path name =
        folder_of(target_) / fmt::format("{}{}-{}.tmp", stem_of(target_), ::getpid(),
                                         counter.fetch_add(1, std::memory_order_relaxed));
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return failure(errno);
    file_ = file;
    temporary_ = name;
    if (is_still_there(file)) return {};
    ::close(std::exchange(file_, -1));
    ::unlink(name.c_str());
  }
  return failure(EEXIST);
}

Status NewFile::write(std::string_view text) {
  buffer_.append(text);
  return buffer_.size() < kBuffer ? Status{} : flush();
}

Status NewFile::flush() {
  if (!write_whole(file_, buffer_)) return failure(errno);
  buffer_.clear();
  return {};
}

Status NewFile::finish() {
  HOLDFAST_CHECK(flush());
  if (temporary_.empty()) {
    return ::close(std::exchange(file_, -1)) == 0 ? Status{} : failure(errno);
  }
  if (!is_on_disk(file_)) return failure(errno);
  // The file is renamed while it is open and therefore locked, so nobody takes it for one that was left behind.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  const bool is_closed = ::close(std::exchange(file_, -1)) == 0;
  if (!is_closed) return failure(errno);
  sync_folder(folder_of(target_));
  return {};
}

Status write_own_file(const fs::path& path, std::string_view text, mode_t mode) {
  HOLDFAST_TRY(file, NewFile::create(path, Links::refused, mode));
  HOLDFAST_CHECK(file.write(text));
  return file.finish();
}

}  // namespace holdfast
