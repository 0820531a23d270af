#pragma once

#include "holdfast/base/descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>

namespace holdfast {

/// Bytes in a file without a name, which ends with the process. They are written first, and then read by any threads, each through a
/// few windows of its own, so that memory does not grow with the file. What was never written is 0 and takes no room.
class PagedFile {
 public:
  /// Makes one in a folder; nothing if the folder cannot have it.
  [[nodiscard]] static std::unique_ptr<PagedFile> make(const std::filesystem::path& folder,
                                                       std::uint64_t bytes);

  /// Return false if the disk refuses.
  [[nodiscard]] bool write(std::uint64_t at, const void* from, std::size_t bytes) const;
  [[nodiscard]] bool read(std::uint64_t at, void* to, std::size_t bytes) const;
  /// Returns a number at a multiple of its size, through a window. @pre nothing is written any more
  template <class Number>
  [[nodiscard]] Number get(std::uint64_t at) const {
    Number out;
    std::memcpy(&out, window(at), sizeof out);
    return out;
  }
  /// Returns true if something could not be read through a window, and was 0 instead.
  [[nodiscard]] bool has_failed() const { return has_failed_.load(); }

 private:
  explicit PagedFile(int file);
  [[nodiscard]] const std::byte* window(std::uint64_t at) const;

  Descriptor file_;
  std::uint64_t id_;
  mutable std::atomic<bool> has_failed_{false};
};

}  // namespace holdfast
