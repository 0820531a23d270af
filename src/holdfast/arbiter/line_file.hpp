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

/// A file of lines that a thread of its own writes: whoever adds a line waits for no disk. Lines are refused while too
/// many wait, and lost where they cannot be written; those that are there are whole.
class LineFile {
 public:
  /// Bytes that may wait to be written.
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
  /// Lines are gathered for so many seconds, or until there are so many bytes of them.
  static constexpr double kGathered = 0.2;
  static constexpr std::size_t kGatheredBytes = std::size_t{64} << 10;

  /// Makes the file. One that stands there already gets another name first: FILE.1, or the next number that is free.
  [[nodiscard]] static Result<std::unique_ptr<LineFile>> open(const std::filesystem::path& path);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  /// Writes what waits.
  ~LineFile();

  /// Adds a line, without its end. @returns false if it does not fit
  [[nodiscard]] bool add(std::string_view line);
  /// Lines from now on go to a new file of the same name; the present one gets another name, as in open().
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
  Descriptor file_;  // of the thread alone
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::vector<Part> parts_;
  std::size_t waiting_ = 0;  // bytes of the parts, and of those that are being written
  std::uint64_t lost_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace holdfast::arbiter
