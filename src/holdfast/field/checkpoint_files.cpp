#include "holdfast/field/checkpoint_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBad = ".bad";

Status cannot_keep(const std::string& path, int code) {
  return fail(
      ErrorCode::io_failure, path,
      fmt::format("cannot keep this checkpoint: {}", std::generic_category().message(code)));
}

Status copy_bytes(int from, int to, const std::string& path) {
  // If the file system can do so, both files share their blocks.
  if (::ioctl(to, FICLONE, from) == 0) return {};
  for (;;) {
    const auto count = ::copy_file_range(from, nullptr, to, nullptr, std::size_t{1} << 30, 0);
    if (count == 0) return {};
    if (count < 0 && errno != EINTR) break;
  }
  if (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) {
    return cannot_keep(path, errno);
  }
  std::array<char, 65536> buffer;
  ::lseek(from, 0, SEEK_SET);
  if (::ftruncate(to, 0) != 0 || ::lseek(to, 0, SEEK_SET) != 0) return cannot_keep(path, errno);
  for (;;) {
    const auto count = ::read(from, buffer.data(), buffer.size());
    if (count == 0) return {};
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || ::write(to, buffer.data(), static_cast<std::size_t>(count)) != count) {
      return cannot_keep(path, count < 0 ? errno : ENOSPC);
    }
  }
}

/// Copies a file to a temporary name, flushes it to the disk and renames it.
Status copy_to(const std::string& from, const std::string& to) {
  const std::string temporary = to + ".tmp";
  const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (source < 0) return cannot_keep(from, errno);
  struct stat state {};
  ::fstat(source, &state);
  const int target =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
             state.st_mode & 07777);
  Status done = target < 0 ? cannot_keep(temporary, errno) : copy_bytes(source, target, temporary);
  if (done && ::fdatasync(target) != 0) done = cannot_keep(temporary, errno);
  ::close(source);
  if (target >= 0) ::close(target);
  if (done && ::rename(temporary.c_str(), to.c_str()) != 0) done = cannot_keep(to, errno);
  if (!done) ::unlink(temporary.c_str());
  return done;
}

bool is_ours(const std::string& path) {
  return path.ends_with(kBad) || path.ends_with(".tmp");
}

}  // namespace

std::optional<SeenFile> look_at(const fs::path& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return std::nullopt;
  return SeenFile{.path = path.string(),
                  .inode = state.st_ino,
                  .size = static_cast<std::uint64_t>(state.st_size),
                  .changed = static_cast<std::int64_t>(state.st_mtim.tv_sec) * 1'000'000'000 +
                             state.st_mtim.tv_nsec};
}

CheckpointFiles::CheckpointFiles(std::string pattern, std::size_t keep)
    : pattern_(std::move(pattern)),
      is_pattern_(pattern_.find_first_of("*?[") != std::string::npos),
      keep_(std::max<std::size_t>(keep, 1)) {}

std::string CheckpointFiles::kept_name(std::size_t which) const {
  return fmt::format("{}.{}", pattern_, which);
}

std::size_t CheckpointFiles::kept_count() const {
  std::size_t out = 0;
  while (out < keep_ && look_at(kept_name(out + 1))) ++out;
  return out;
}

// Returns the files that match the pattern, newest first.
std::vector<SeenFile> CheckpointFiles::matches() const {
  std::vector<SeenFile> out;
  glob_t found{};
  if (::glob(pattern_.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
      const std::string path = found.gl_pathv[i];
      if (is_ours(path)) continue;
      if (auto file = look_at(path)) out.push_back(std::move(*file));
    }
  }
  ::globfree(&found);
  std::ranges::stable_sort(out, std::ranges::greater{}, &SeenFile::changed);
  return out;
}

std::optional<SeenFile> CheckpointFiles::newest() const {
  if (!is_pattern_) return look_at(pattern_);
  auto all = matches();
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

Status CheckpointFiles::keep(const SeenFile& file) {
  if (is_pattern_) {  // every checkpoint has its own name
    kept_ = file;
    return {};
  }
  // The checkpoint kept before stays until its successor is complete, which is therefore copied or linked to another name
  // first.
  const std::string fresh = pattern_ + ".new.tmp";
  ::unlink(fresh.c_str());
  const bool is_replaced = kept_ && kept_->inode != file.inode;
  if (!is_replaced || ::link(file.path.c_str(), fresh.c_str()) != 0) {
    HOLDFAST_CHECK(copy_to(file.path, fresh));
  }
  for (std::size_t which = std::min(keep_ - 1, kept_count()); which > 0; --which) {
    // A second name is used, so that the newest checkpoint is never missing.
    const std::string older = pattern_ + ".old.tmp";
    ::unlink(older.c_str());
    if (::link(kept_name(which).c_str(), older.c_str()) == 0) {
      ::rename(older.c_str(), kept_name(which + 1).c_str());
    }
  }
  if (::rename(fresh.c_str(), kept_name(1).c_str()) != 0) return cannot_keep(kept_name(1), errno);
  kept_ = file;
  return {};
}

// Returns true if a checkpoint was kept and the file is not the same. If none was kept, the file comes from the user.
bool CheckpointFiles::needs_look(const std::optional<SeenFile>& file) const {
  return kept_ && (!file || *file != *kept_);
}

Status CheckpointFiles::restore() {
  if (is_pattern_ || !look_at(kept_name(1))) return {};
  HOLDFAST_CHECK(copy_to(kept_name(1), pattern_));
  kept_ = look_at(pattern_);
  return {};
}

Result<CheckpointFiles::Aside> CheckpointFiles::set_aside(bool may_be_last) {
  const auto file = newest();
  if (!file) return Aside{};
  const std::size_t older =
      is_pattern_ ? matches().size() - 1 : kept_count() - std::min<std::size_t>(kept_count(), 1);
  if (older == 0 && !may_be_last) return Aside{.file = file->path, .left = 0};
  const auto move = [&](const std::string& from, const std::string& to) {
    if (::rename(from.c_str(), to.c_str()) == 0) moved_.emplace_back(from, to);
  };
  move(file->path, fmt::format("{}{}", file->path, kBad));
  if (!is_pattern_) {
    // The copy is bad too; the one before takes its place.
    ::unlink(kept_name(1).c_str());
    for (std::size_t which = 2; look_at(kept_name(which)); ++which) {
      ::rename(kept_name(which).c_str(), kept_name(which - 1).c_str());
    }
    kept_.reset();
    if (older > 0) HOLDFAST_CHECK(restore());
  } else {
    kept_ = newest();
  }
  return Aside{.file = file->path, .left = older};
}

void CheckpointFiles::put_back() {
  for (auto move = moved_.rbegin(); move != moved_.rend(); ++move) {
    const auto& [from, to] = *move;
    // The older checkpoint that took its place becomes the second newest.
    if (!is_pattern_ && look_at(from)) {
      for (std::size_t which = kept_count(); which > 0; --which) {
        ::rename(kept_name(which).c_str(), kept_name(which + 1).c_str());
      }
    }
    ::rename(to.c_str(), from.c_str());
    kept_ = look_at(from);
    if (!is_pattern_ && kept_) static_cast<void>(copy_to(from, kept_name(1)));
  }
  moved_.clear();
}

Value to_value(const SeenFile& file) {
  return Value::object({{"file", file.path},
                        {"inode", std::to_string(file.inode)},
                        {"size", static_cast<std::int64_t>(file.size)},
                        {"changed", std::to_string(file.changed)}});
}

std::optional<SeenFile> seen_file(const Value& entry) {
  const auto text = [&](std::string_view name) -> const std::string* {
    const Value* member = entry.find(name);
    return member == nullptr ? nullptr : member->string();
  };
  const std::string* path = text("file");
  const std::string* inode = text("inode");
  const std::string* changed = text("changed");
  const Value* size = entry.find("size");
  SeenFile out;
  if (path == nullptr || inode == nullptr || changed == nullptr || size == nullptr ||
      !size->get_unsigned(out.size)) {
    return std::nullopt;
  }
  out.path = *path;
  out.inode = std::strtoull(inode->c_str(), nullptr, 10);
  out.changed = std::strtoll(changed->c_str(), nullptr, 10);
  return out;
}

}  // namespace holdfast::field
