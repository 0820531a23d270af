#include "holdfast/campaign/paged_file.hpp"

#include "holdfast/base/system.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 14;
constexpr std::size_t kWindows = 32;
constexpr std::size_t kHints = 256;
constexpr unsigned kHintShift = 64 - 8;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

struct Window {
  std::uint64_t file = 0;
  std::uint64_t number = 0;
  std::array<std::byte, kWindowBytes> bytes;
};

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

PagedFile::PagedFile(int file) : file_(file), id_(next_id()) {}

std::unique_ptr<PagedFile> PagedFile::make(const std::filesystem::path& folder,
                                           std::uint64_t bytes) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  std::unique_ptr<PagedFile> out(new PagedFile(file));
  const std::uint64_t whole = (bytes / kWindowBytes + 1) * kWindowBytes;
  return ::ftruncate(file, static_cast<off_t>(whole)) == 0 ? std::move(out) : nullptr;
}

bool PagedFile::write(std::uint64_t at, const void* from, std::size_t bytes) const {
  return write_at(file_.get(), {static_cast<const char*>(from), bytes}, static_cast<off_t>(at)) ==
         bytes;
}

bool PagedFile::read(std::uint64_t at, void* to, std::size_t bytes) const {
  return read_at(file_.get(), {static_cast<char*>(to), bytes}, static_cast<off_t>(at)) == bytes;
}

const std::byte* PagedFile::window(std::uint64_t at) const {
  thread_local std::vector<Window> windows;
  thread_local std::array<std::uint8_t, kHints> hints{};  // where a window was found before
  thread_local std::size_t oldest = 0;
  const std::uint64_t number = at / kWindowBytes;
  const auto holds = [&](const Window& one) { return one.number == number && one.file == id_; };
  if (windows.empty()) windows.resize(kWindows);
  std::uint8_t& hint = hints[number * kMix >> kHintShift];
  if (!holds(windows[hint])) {
    hint = 0;
    while (hint < kWindows && !holds(windows[hint])) ++hint;
    if (hint == kWindows) {
      hint = static_cast<std::uint8_t>(oldest++ % kWindows);
      Window& fresh = windows[hint];
      fresh.file = id_;
      fresh.number = number;
      if (!read(number * kWindowBytes, fresh.bytes.data(), kWindowBytes)) {
        fresh.bytes.fill({});
        has_failed_ = true;
      }
    }
  }
  return windows[hint].bytes.data() + at % kWindowBytes;
}

}  // namespace holdfast
