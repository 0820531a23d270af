#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace holdfast::arbiter {

/// A file of lines that a separate thread writes, so that adding a line never waits for the disk. Lines are refused while too
/// many are waiting, and lost if they cannot be written. The lines in the file are complete.
class LineFile {
 public:
  /// The largest number of bytes that may wait to be written.
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
  /// Lines are collected for this many seconds, or until they have this many bytes.
  static constexpr double kGathered = 0.2;
  static constexpr std::size_t kGatheredBytes = std::size_t{64} << 10;

  /// Creates the file. An existing file is renamed first: to FILE.1, or to the next free number.
  [[nodiscard]] static Result<std::unique_ptr<LineFile>> open(const std::filesystem::path& path);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  /// Writes the waiting lines.
  ~LineFile();

  /// Adds a line, without its line end. @returns false if it does not fit
  [[nodiscard]] bool add(std::string_view line);
  /// Starts a new file with the same name for the following lines. The current file is renamed as in open().
  void begin_anew();
  /// Returns how many lines could not be written since the last call.
  [[nodiscard]] std::uint64_t take_lost();

 private:
  struct Part {
    std::string bytes;
    bool is_anew = false;
  };

  LineFile(std::filesystem::path path, Descriptor file);
  void work();
  [[nodiscard]] std::vector<Part> wait_for_parts();
  void write(const Part& part);
  void lose(std::string_view lines);

  std::filesystem::path path_;
  Descriptor file_;  // used only by the thread
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::vector<Part> parts_;
  std::size_t waiting_ = 0;  // bytes of the parts, and of those that are being written
  std::uint64_t lost_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace holdfast::arbiter
