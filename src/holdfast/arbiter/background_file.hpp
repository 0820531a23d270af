#pragma once

#include "holdfast/base/error.hpp"

#include <sys/types.h>

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace holdfast::arbiter {

/// A file that is replaced again and again by a separate thread, so that the server does not wait for a disk.
class BackgroundFile {
 public:
  /// @param mode  permissions of the file; 0: as usual
  explicit BackgroundFile(std::filesystem::path path, mode_t mode = 0);
  BackgroundFile(const BackgroundFile&) = delete;
  BackgroundFile& operator=(const BackgroundFile&) = delete;
  /// Waits for the end of a write in progress.
  ~BackgroundFile();

  /// Returns true while a write is in progress.
  [[nodiscard]] bool is_busy() const;
  /// Starts to write the text that the function returns. The thread calls it, so it must own everything that it reads. The call
  /// has no effect while another write is in progress.
  void begin(std::function<std::string()> text);
  /// Waits for the end of a write in progress, then writes in the calling thread.
  [[nodiscard]] Status write_now(std::string_view text);
  /// Returns the error of the last write of the thread, once.
  [[nodiscard]] std::optional<std::string> trouble();

 private:
  void work();

  std::filesystem::path path_;
  mode_t mode_;
  mutable std::mutex mutex_;
  std::condition_variable wanted_;
  std::condition_variable done_;
  std::function<std::string()> text_;  // null: no write is in progress
  std::optional<std::string> trouble_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace holdfast::arbiter
