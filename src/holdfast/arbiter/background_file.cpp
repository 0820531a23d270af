#include "holdfast/arbiter/background_file.hpp"

#include "holdfast/arbiter/quiet_thread.hpp"
#include "holdfast/base/new_file.hpp"

#include <utility>

namespace holdfast::arbiter {

BackgroundFile::BackgroundFile(std::filesystem::path path, mode_t mode)
    : path_(std::move(path)), mode_(mode), thread_(start_quiet_thread([this] { work(); })) {}

BackgroundFile::~BackgroundFile() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wanted_.notify_one();
  thread_.join();
}

bool BackgroundFile::is_busy() const {
  const std::lock_guard lock(mutex_);
  return text_ != nullptr;
}

void BackgroundFile::begin(std::function<std::string()> text) {
  {
    const std::lock_guard lock(mutex_);
    if (text_) return;
    text_ = std::move(text);
  }
  wanted_.notify_one();
}

Status BackgroundFile::write_now(std::string_view text) {
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return text_ == nullptr; });
    trouble_.reset();
  }
  return write_own_file(path_, text, mode_);
}

std::optional<std::string> BackgroundFile::trouble() {
  const std::lock_guard lock(mutex_);
  return std::exchange(trouble_, {});
}

void BackgroundFile::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [&] { return is_over_ || text_ != nullptr; });
    if (!text_) return;
    lock.unlock();
    // This thread alone resets the function.
    const Status status = write_own_file(path_, text_(), mode_);
    lock.lock();
    if (!status) trouble_ = status.error().text();
    text_ = nullptr;
    done_.notify_all();
  }
}

}  // namespace holdfast::arbiter
