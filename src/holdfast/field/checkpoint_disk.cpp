#include "holdfast/field/checkpoint_disk.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/crc32.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr std::uint64_t kLongestPointer = 4096;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// The hash FNV-1a, 64 bits.
struct Hash {
  std::uint64_t value = 14695981039346656037U;
  Hash& add(std::string_view bytes) {
    for (const char byte : bytes) {
      value = (value ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    return *this;
  }
  Hash& add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      value = (value ^ (number >> shift & 255)) * 1099511628211U;
    return *this;
  }
};

/// Calls visit(name, state) for everything in a folder, each folder before what is in it. What vanishes meanwhile is left out.
void walk(const fs::path& folder,
          const std::function<void(const fs::path&, const struct stat&)>& visit) {
  std::error_code code;
  fs::recursive_directory_iterator each(folder, code);
  for (; !code && each != fs::recursive_directory_iterator(); each.increment(code)) {
    struct stat state {};
    if (::lstat(each->path().c_str(), &state) == 0) visit(each->path(), state);
  }
}

/// Returns the text of a small file that is the name of something beside it; empty if it is none.
std::string named_neighbour(const std::string& path, const struct stat& state) {
  const auto size = static_cast<std::uint64_t>(state.st_size);
  if (!S_ISREG(state.st_mode) || size == 0 || size >= kLongestPointer) return {};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, kLongestPointer> buffer;
  const auto count = file.get() < 0 ? -1 : ::read(file.get(), buffer.data(), buffer.size());
  if (count <= 0) return {};
  std::string name(trim({buffer.data(), static_cast<std::size_t>(count)}));
  if (name.empty() || name.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos ||
      name == "." || name == ".." || fs::path(name).is_absolute()) {
    return {};
  }
  const fs::path neighbour = fs::path(path).parent_path() / name;
  struct stat found {};
  return ::lstat(neighbour.c_str(), &found) == 0 && found.st_ino != state.st_ino ? name
                                                                                 : std::string();
}

void look_into(const std::string& folder, std::string_view marker, SeenFile& out) {
  walk(folder, [&](const fs::path& path, const struct stat& state) {
    const std::string name = path.lexically_relative(folder).string();
    out.touched += Hash()
                       .add(name)
                       .add(state.st_ino)
                       .add(static_cast<std::uint64_t>(nanoseconds(state.st_ctim)))
                       .value;
    Hash print;
    print.add(name);
    if (S_ISREG(state.st_mode)) {
      const auto size = static_cast<std::uint64_t>(state.st_size);
      const auto changed = nanoseconds(state.st_mtim);
      print.add(size).add(static_cast<std::uint64_t>(changed));
      out.size += size;
      out.changed = std::max(out.changed, changed);
      out.empty += size == 0 ? 1 : 0;
      if (name == marker && size > 0) out.marked = changed;
    }
    out.print += print.value;
  });
}

struct stat state_of_file(int file) {
  struct stat out {};
  ::fstat(file, &out);
  return out;
}

// Copies the bytes of one extent after the other, so that holes stay holes.
int copy_extents(int from, int to, off_t size) {
  std::vector<char> buffer;
  off_t at = 0;
  while (at < size) {
    const off_t begin = ::lseek(from, at, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) break;  // only a hole is left
    off_t end = begin < 0 ? size : ::lseek(from, begin, SEEK_HOLE);
    if (end < 0) end = size;
    at = std::max(begin, at);
    while (at < end) {
      off_t source = at;
      off_t target = at;
      auto count =
          ::copy_file_range(from, &source, to, &target,
                            static_cast<std::size_t>(std::min<off_t>(end - at, 1 << 30)), 0);
      if (count <= 0) {
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && (errno == ENOSPC || errno == EIO || errno == EDQUOT)) return errno;
        buffer.resize(kBlock);
        count = ::pread(from, buffer.data(),
                        std::min<std::size_t>(kBlock, static_cast<std::size_t>(end - at)), at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) return ESTALE;  // it became shorter
        if (::pwrite(to, buffer.data(), static_cast<std::size_t>(count), at) != count)
          return ENOSPC;
      }
      at += count;
    }
  }
  return ::ftruncate(to, size) == 0 ? 0 : errno;
}

bool has_room(int folder_of, const struct stat& source) {
  constexpr double kReserve = 1.1;
  struct statvfs room {};
  if (::fstatvfs(folder_of, &room) != 0) return true;
  return static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize) >=
         kReserve * 512 * static_cast<double>(source.st_blocks);
}

// Copies one file. It is opened once: whatever happens to its name, the copy is that of one file.
int copy_file(const std::string& from, const std::string& to) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (source.get() < 0) return errno;
  const struct stat before = state_of_file(source.get());
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                                 before.st_mode & 07777));
  if (target.get() < 0) return errno;
  if (::ioctl(target.get(), FICLONE, source.get()) != 0) {
    if (!has_room(target.get(), before)) return ENOSPC;
    if (const int code = copy_extents(source.get(), target.get(), before.st_size); code != 0)
      return code;
  }
  const struct stat after = state_of_file(source.get());
  const bool is_same = before.st_size == after.st_size &&
                       nanoseconds(before.st_mtim) == nanoseconds(after.st_mtim) &&
                       (nanoseconds(before.st_ctim) == nanoseconds(after.st_ctim) ||
                        before.st_nlink != after.st_nlink);
  if (!is_same) return ESTALE;
  const std::array<timespec, 2> times = {after.st_atim, after.st_mtim};
  ::futimens(target.get(), times.data());
  return ::fsync(target.get()) == 0 ? 0 : errno;
}

void flush_one(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() >= 0) ::fsync(file.get());
}

// Makes a tree like another one; `make` makes each file from its model.
int make_tree(const std::string& from, const std::string& to,
              const std::function<int(const std::string&, const std::string&)>& make) {
  struct stat top {};
  std::error_code code;
  fs::create_directories(fs::path(to).parent_path(), code);
  if (::stat(from.c_str(), &top) != 0) return errno;
  if (!S_ISDIR(top.st_mode)) return make(from, to);
  const std::string folder = fs::canonical(from, code).string();
  if (::mkdir(to.c_str(), 0700 | (top.st_mode & 0777)) != 0) return errno;
  int failed = 0;
  walk(folder, [&](const fs::path& path, const struct stat& state) {
    if (failed != 0) return;
    const std::string target = (fs::path(to) / path.lexically_relative(folder)).string();
    if (S_ISREG(state.st_mode)) {
      failed = make(path.string(), target);
    } else if (S_ISDIR(state.st_mode)) {
      failed = ::mkdir(target.c_str(), 0700 | (state.st_mode & 0777)) == 0 ? 0 : errno;
    } else if (S_ISLNK(state.st_mode)) {
      failed = ::symlink(fs::read_symlink(path, code).c_str(), target.c_str()) == 0 ? 0 : errno;
    }
  });
  // Some programs choose the newest folder by its time.
  const std::array<timespec, 2> times = {top.st_atim, top.st_mtim};
  ::utimensat(AT_FDCWD, to.c_str(), times.data(), 0);
  return failed;
}

}  // namespace

std::optional<SeenFile> look_at(const std::string& path, std::string_view marker) {
  struct stat own {};
  struct stat state {};
  if (::lstat(path.c_str(), &own) != 0 || ::stat(path.c_str(), &state) != 0) return std::nullopt;
  if (!S_ISREG(state.st_mode) && !S_ISDIR(state.st_mode)) return std::nullopt;
  SeenFile out{.path = path,
               .inode = state.st_ino,
               .changed = nanoseconds(state.st_mtim),
               .is_folder = S_ISDIR(state.st_mode)};
  std::error_code code;
  if (S_ISLNK(own.st_mode)) out.target = fs::read_symlink(path, code).string();
  if (out.is_folder) {
    out.changed = 0;
    look_into(fs::canonical(path, code).string(), marker, out);
    return out;
  }
  out.size = static_cast<std::uint64_t>(state.st_size);
  out.empty = out.size == 0 ? 1 : 0;
  out.touched = static_cast<std::uint64_t>(nanoseconds(state.st_ctim));
  if (!S_ISLNK(own.st_mode)) out.target = named_neighbour(path, state);
  if (!S_ISLNK(own.st_mode) && !out.target.empty()) {
    const std::string neighbour = (fs::path(path).parent_path() / out.target).string();
    if (const auto named = look_at(neighbour, marker)) {
      out.print = Hash()
                      .add(out.target)
                      .add(named->print)
                      .add(named->size)
                      .add(static_cast<std::uint64_t>(named->changed))
                      .value;
      out.touched += named->touched;
      out.marked = named->marked;
    }
  }
  return out;
}

bool is_text_pointer(const SeenFile& file) {
  return !file.target.empty() && !file.is_folder && file.print != 0;
}

std::string folder_of(const std::string& path) {
  const std::string out = fs::path(path).parent_path().string();
  return out.empty() ? "." : out;
}

std::string trouble_of(int code) {
  return std::generic_category().message(code);
}

std::vector<std::string> RealDisk::matches(const std::string& pattern) {
  std::vector<std::string> out;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) out.emplace_back(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return out;
}

int RealDisk::copy(const std::string& from, const std::string& to) {
  const auto before = look(from);
  if (!before) return ENOENT;
  const int done = make_tree(from, to, copy_file);
  if (done != 0) return done;
  if (before->is_folder) {
    const auto after = look(from);
    if (!after || !same(*before, *after)) return ESTALE;
    walk(to, [](const fs::path& path, const struct stat& state) {
      if (S_ISDIR(state.st_mode)) flush_one(path.string());
    });
  }
  flush_one(fs::path(to).parent_path().string());
  return 0;
}

int RealDisk::link(const std::string& from, const std::string& to) {
  return make_tree(from, to, [](const std::string& one, const std::string& other) {
    return ::link(one.c_str(), other.c_str()) == 0 ? 0 : errno;
  });
}

int RealDisk::point(const std::string& text, const std::string& path) {
  const std::string temporary = path + ".tmp";
  ::unlink(temporary.c_str());
  if (::symlink(text.c_str(), temporary.c_str()) != 0) return errno;
  return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

int RealDisk::move(const std::string& from, const std::string& to) {
  struct stat state {};
  if (::lstat(from.c_str(), &state) != 0) return errno;
  std::error_code code;
  fs::create_directories(fs::path(to).parent_path(), code);
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void RealDisk::remove(const std::string& path) {
  std::error_code code;
  fs::remove_all(path, code);
}

void RealDisk::flush(const std::string& path) {
  flush_one(path);
  walk(path, [](const fs::path& one, const struct stat& state) {
    if (S_ISREG(state.st_mode) || S_ISDIR(state.st_mode)) flush_one(one.string());
  });
  flush_one(fs::path(path).parent_path().string());
}

std::string RealDisk::digest(const std::string& path) {
  std::uint64_t sum = 0;
  int failed = 0;
  std::vector<char> buffer(kBlock);
  const auto add = [&](const std::string& name, const std::string& inner) {
    const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return errno;
    Hash hash;
    hash.add(inner);
    off_t at = 0;
    for (;;) {
      const off_t data = ::lseek(file.get(), at, SEEK_DATA);
      if (data < 0 && errno == ENXIO) break;
      at = std::max(at, data) / static_cast<off_t>(kBlock) * static_cast<off_t>(kBlock);
      const auto count = ::pread(file.get(), buffer.data(), kBlock, at);
      if (count < 0) return errno;
      if (count == 0) break;
      const std::string_view block(buffer.data(), static_cast<std::size_t>(count));
      if (std::ranges::any_of(block, [](char byte) { return byte != 0; })) {
        hash.add(static_cast<std::uint64_t>(at)).add(crc32_of(block));
      }
      at += count;
    }
    hash.add(static_cast<std::uint64_t>(state_of_file(file.get()).st_size));
    sum += hash.value;
    return 0;
  };
  struct stat top {};
  if (::stat(path.c_str(), &top) != 0) return {};
  if (S_ISDIR(top.st_mode)) {
    std::error_code code;
    const fs::path folder = fs::canonical(path, code);
    walk(folder, [&](const fs::path& one, const struct stat& state) {
      if (S_ISREG(state.st_mode))
        failed |= add(one.string(), one.lexically_relative(folder).string());
    });
  } else {
    failed = add(path, {});
  }
  return failed != 0 ? std::string() : fmt::format("{:016x}", sum);
}

int RealDisk::verify(const std::string& path) {
  const auto done = run_command(
      {"/usr/bin/env", fmt::format("HOLDFAST_CHECKPOINT={}", path), "/bin/sh", "-c", verify_});
  return done ? done->status : 127;
}

}  // namespace holdfast::field
