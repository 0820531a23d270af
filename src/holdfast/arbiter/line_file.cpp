#include "holdfast/arbiter/line_file.hpp"

#include "holdfast/arbiter/quiet_thread.hpp"
#include "holdfast/base/system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr int kMostNames = 100'000;

// Renames an existing file to the first free name of FILE.1, FILE.2, ... Devices and pipes are not renamed.
void set_aside(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return;
  for (int number = 1; number < kMostNames; ++number) {
    std::filesystem::path other = path;
    other += fmt::format(".{}", number);
    if (std::filesystem::exists(other, none)) continue;
    std::filesystem::rename(path, other, none);
    return;
  }
}

Descriptor opened(const std::filesystem::path& path) {
  set_aside(path);
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
}

}  // namespace

Result<std::unique_ptr<LineFile>> LineFile::open(const std::filesystem::path& path) {
  Descriptor file = opened(path);
  if (file.get() < 0) {
    return fail(ErrorCode::io_failure, path.string(),
                fmt::format("cannot be made: {}", std::generic_category().message(errno)));
  }
  return std::unique_ptr<LineFile>(new LineFile(path, std::move(file)));
}

LineFile::LineFile(std::filesystem::path path, Descriptor file)
    : path_(std::move(path)), file_(std::move(file)) {
  thread_ = start_quiet_thread([this] { work(); });
}

LineFile::~LineFile() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wanted_.notify_one();
  thread_.join();
}

bool LineFile::add(std::string_view line) {
  const std::size_t size = line.size() + 1;
  std::unique_lock lock(mutex_);
  const std::size_t waiting = waiting_ + size;
  if (waiting > kMostWaiting) return false;
  const bool wakes = parts_.empty() || (waiting_ < kGatheredBytes && waiting >= kGatheredBytes);
  if (parts_.empty()) parts_.emplace_back();
  parts_.back().bytes.append(line).push_back('\n');
  waiting_ = waiting;
  lock.unlock();
  if (wakes) wanted_.notify_one();
  return true;
}

void LineFile::begin_anew() {
  {
    const std::lock_guard lock(mutex_);
    parts_.push_back({.bytes = {}, .is_anew = true});
  }
  wanted_.notify_one();
}

std::uint64_t LineFile::take_lost() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, 0);
}

void LineFile::work() {
  for (;;) {
    const std::vector<Part> parts = wait_for_parts();
    if (parts.empty()) return;
    for (const Part& part : parts) write(part);
  }
}

// Returns the waiting parts; none once the file is to be closed.
std::vector<LineFile::Part> LineFile::wait_for_parts() {
  std::unique_lock lock(mutex_);
  wanted_.wait(lock, [&] { return is_over_ || !parts_.empty(); });
  wanted_.wait_for(lock, std::chrono::duration<double>(kGathered),
                   [&] { return is_over_ || waiting_ >= kGatheredBytes; });
  return std::exchange(parts_, {});
}

void LineFile::write(const Part& part) {
  if (part.is_anew) file_ = opened(path_);
  const auto before = ::lseek(file_.get(), 0, SEEK_END);
  if (!write_whole(file_.get(), part.bytes)) {
    // A line that was written in part is removed, so that the lines in the file are complete.
    if (before >= 0 && ::ftruncate(file_.get(), before) != 0) file_ = Descriptor();
    lose(part.bytes);
  }
  const std::lock_guard lock(mutex_);
  waiting_ -= part.bytes.size();
}

void LineFile::lose(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  lost_ += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

}  // namespace holdfast::arbiter
