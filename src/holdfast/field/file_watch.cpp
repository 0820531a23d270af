#include "holdfast/field/file_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kWatched = IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_ONLYDIR;

/// The device and the inode of a file.
using FileId = std::pair<dev_t, ino_t>;

std::set<FileId> inodes_of(const std::string& path) {
  std::set<FileId> out;
  const auto add = [&](const fs::path& one) {
    struct stat state {};
    if (::stat(one.c_str(), &state) == 0 && S_ISREG(state.st_mode))
      out.emplace(state.st_dev, state.st_ino);
  };
  add(path);
  std::error_code code;
  fs::recursive_directory_iterator each(fs::canonical(path, code), code);
  for (; !code && each != fs::recursive_directory_iterator(); each.increment(code))
    add(each->path());
  return out;
}

bool is_for_writing(pid_t pid, const std::string& number) {
  std::ifstream info(fmt::format("/proc/{}/fdinfo/{}", pid, number));
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("flags:"))
      return (std::strtoul(line.c_str() + 6, nullptr, 8) & O_ACCMODE) != O_RDONLY;
  }
  return false;
}

}  // namespace

FileWatch::FileWatch() : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

void FileWatch::add(const std::vector<std::string>& folders) {
  if (events_.get() < 0) return;
  for (const std::string& folder : folders) {
    const int watch = ::inotify_add_watch(events_.get(), folder.c_str(), kWatched);
    if (watch >= 0) folders_[watch] = folder;
  }
}

std::vector<FileWatch::Seen> FileWatch::read(bool& has_missed) {
  std::vector<Seen> out;
  alignas(inotify_event) std::array<char, 65536> buffer;
  for (;;) {
    const auto count = events_.get() < 0 ? -1 : ::read(events_.get(), buffer.data(), buffer.size());
    if (count <= 0) return out;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      if ((event.mask & IN_Q_OVERFLOW) != 0) has_missed = true;
      const auto folder = folders_.find(event.wd);
      if (event.len > 0 && folder != folders_.end()) {
        Seen seen{.folder = folder->second,
                  .name = buffer.data() + at + sizeof event,
                  .has_moved_in = (event.mask & IN_MOVED_TO) != 0};
        out.push_back(std::move(seen));
      }
      at += sizeof event + event.len;
    }
  }
}

bool is_open_for_writing(const std::string& path, std::span<const ProcessId> processes) {
  const auto files = inodes_of(path);
  return std::ranges::any_of(processes, [&](const ProcessId& process) {
    std::error_code code;
    fs::directory_iterator each(fmt::format("/proc/{}/fd", process.pid), code);
    for (; !code && each != fs::directory_iterator(); each.increment(code)) {
      struct stat state {};
      const bool is_it =
          ::stat(each->path().c_str(), &state) == 0 && files.contains({state.st_dev, state.st_ino});
      if (is_it && is_for_writing(process.pid, each->path().filename().string())) return true;
    }
    return false;
  });
}

}  // namespace holdfast::field
