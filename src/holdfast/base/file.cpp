#include "holdfast/base/file.hpp"

#include "holdfast/base/decoder.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/limits.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/pack.hpp"
#include "holdfast/base/system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
/// An archive may unpack to kAlwaysUnpacked bytes, or to kMostRatio times its size. Real logs reach 36 times their size.
constexpr std::size_t kAlwaysUnpacked = std::size_t{64} << 20;
constexpr std::size_t kMostRatio = 64;

/// Returns "64 MiB", or a number of bytes if it is not a whole number of MiB.
std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  return bytes % kMebi == 0 ? fmt::format("{} MiB", bytes / kMebi) : fmt::format("{} bytes", bytes);
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

/// The bytes of a file as they are stored. Without a descriptor of its own it reads standard input, which stays open.
class RawSource final : public ByteSource {
 public:
  RawSource(Descriptor own, std::string name) : own_{std::move(own)}, name_{std::move(name)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const int file = own_.get() < 0 ? STDIN_FILENO : own_.get();
    for (;;) {
      const ssize_t count = ::read(file, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EISDIR)
        return fail(ErrorCode::bad_format, name_, "found a directory, expected a file");
      if (errno != EINTR) {
        return fail(ErrorCode::bad_format, name_, fmt::format("cannot be read: {}", reason(errno)));
      }
    }
  }

 private:
  Descriptor own_;
  std::string name_;
};

/// The input of a decoder. The first bytes have already been taken from the source to recognise the format.
class Feed {
 public:
  Feed(std::unique_ptr<ByteSource> source, std::string first)
      : source_{std::move(source)}, bytes_{std::move(first)} {}

  [[nodiscard]] std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
  void drop(std::size_t count) { begin_ += count; }
  /// Fetches more if everything has been consumed; returns false at the end of the file.
  Result<bool> refill() {
    if (begin_ < bytes_.size()) return true;
    bytes_.resize(kChunk);
    begin_ = 0;
    auto count = source_->read(bytes_);
    bytes_.resize(count ? *count : 0);
    if (!count) return tl::make_unexpected(std::move(count).error());
    return *count > 0;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string bytes_;
  std::size_t begin_ = 0;
};

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(Feed feed) : feed_{std::move(feed)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    HOLDFAST_TRY(more, feed_.refill());
    if (!more) return std::size_t{0};
    const std::string_view rest = feed_.rest();
    const std::size_t count = std::min(rest.size(), buffer.size());
    std::copy_n(rest.data(), count, buffer.data());
    feed_.drop(count);
    return count;
  }

 private:
  Feed feed_;
};

class DecodedSource final : public ByteSource {
 public:
  DecodedSource(Feed feed, std::unique_ptr<Decoder> decoder, std::string name)
      : feed_{std::move(feed)}, decoder_{std::move(decoder)}, name_{std::move(name)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    for (;;) {
      HOLDFAST_TRY(more, feed_.refill());
      if (!more && frame_ended_) return std::size_t{0};
      if (more && frame_ended_) {
        HOLDFAST_TRY(goes_on, next_frame());
        if (!goes_on) return std::size_t{0};
      }
      // Without input the decoder may still hold output. If it produces none, the archive was truncated.
      const Decoder::Step step = decoder_->step(feed_.rest(), buffer);
      feed_.drop(step.consumed);
      if (!step.problem.empty()) return fail(ErrorCode::bad_format, name_, step.problem);
      HOLDFAST_CHECK(check_size(step));
      if (step.consumed > 0 || step.produced > 0) frame_ended_ = step.frame_ended;
      if (step.produced > 0) return step.produced;
      if (!more && !frame_ended_) {
        return fail(
            ErrorCode::bad_format, name_,
            fmt::format("found the end of the file inside {} data: the archive is truncated",
                        decoder_->format()));
      }
    }
  }

 private:
  /// Refuses a small file that unpacks to gigabytes: it was probably made to exhaust memory.
  Status check_size(const Decoder::Step& step) {
    packed_ += step.consumed;
    unpacked_ += step.produced;
    if (unpacked_ <= std::max(kAlwaysUnpacked, kMostRatio * packed_)) return {};
    return fail(
        ErrorCode::bad_format, name_,
        fmt::format("found {} data that unpack to more than {} times their size, expected at "
                    "most {} or {} times; if they are meant, unpack them with {} first",
                    decoder_->format(), kMostRatio, size_text(kAlwaysUnpacked), kMostRatio,
                    decoder_->program()));
  }

  /// Moves to the next frame. A frame may be followed only by another one, or by zeros, which tapes and block devices append.
  /// Returns false at the end.
  Result<bool> next_frame() {
    for (;;) {
      const std::string_view rest = feed_.rest();
      const std::size_t zeros = std::min(rest.find_first_not_of('\0'), rest.size());
      if (zeros == 0 && !in_zeros_) return true;
      in_zeros_ = true;
      feed_.drop(zeros);
      if (zeros < rest.size()) {
        return fail(
            ErrorCode::bad_format, name_,
            fmt::format("found something after the end of the {} data: the archive is damaged",
                        decoder_->format()));
      }
      HOLDFAST_TRY(more, feed_.refill());
      if (!more) return false;
    }
  }

  Feed feed_;
  std::unique_ptr<Decoder> decoder_;
  std::string name_;
  std::size_t packed_ = 0;
  std::size_t unpacked_ = 0;
  bool frame_ended_ = false;
  bool in_zeros_ = false;
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_{std::move(text)} {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min(text_.size() - begin_, buffer.size());
    std::copy_n(text_.data() + begin_, count, buffer.data());
    begin_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t begin_ = 0;
};

/// Reads as many bytes as the longest magic number has, or all of a shorter file.
Result<std::string> first_bytes(ByteSource& source) {
  std::string first(kChunk, '\0');
  std::size_t have = 0;
  while (have < kLongestMagic) {
    HOLDFAST_TRY(count, source.read(std::span(first).subspan(have)));
    if (count == 0) break;
    have += count;
  }
  first.resize(have);
  return first;
}

std::string name_of(const std::filesystem::path& path) {
  return path == "-" ? std::string("standard input") : path.string();
}

/// Returns false for a pipe that nothing has opened for writing for a while. Everything else is read as usual from now on, so
/// that a process may write into a pipe at any pace.
bool has_writer(int file) {
  constexpr int kPatienceMilliseconds = 2000;
  struct stat found {};
  if (::fstat(file, &found) == 0 && S_ISFIFO(found.st_mode)) {
    pollfd look{.fd = file, .events = POLLIN, .revents = 0};
    char byte = 0;
    if (::poll(&look, 1, kPatienceMilliseconds) == 0 && ::read(file, &byte, 1) >= 0) return false;
  }
  const int flags = ::fcntl(file, F_GETFL);
  ::fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
  return true;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_input(const std::filesystem::path& path) {
  const std::string name = name_of(path);
  Descriptor file;
  if (path != "-") {
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
      return fail(ErrorCode::bad_format, name, fmt::format("cannot be opened: {}", reason(errno)));
    if (!has_writer(file.get())) {
      return fail(
          ErrorCode::bad_format, name,
          "found a pipe into which nothing writes, expected a file, or a pipe with a writer");
    }
  }
  return decompressed(std::make_unique<RawSource>(std::move(file), name), name);
}

Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> source,
                                                 std::string name) {
  HOLDFAST_TRY(first, first_bytes(*source));
  auto decoder = decoder_for(first);
  Feed feed{std::move(source), std::move(first)};
  if (decoder) {
    return std::make_unique<DecodedSource>(std::move(feed), std::move(decoder), std::move(name));
  }
  return std::make_unique<PlainSource>(std::move(feed));
}

std::string longer_than(std::size_t limit) {
  return fmt::format("found more than {0}, expected at most {0}", size_text(limit));
}

std::unique_ptr<ByteSource> open_text(std::string text) {
  return std::make_unique<TextSource>(std::move(text));
}

namespace {

/// Appends the rest of a source. The buffer grows only when it is full: an archive returns one chunk at a time, and growing for
/// each of them would fill the text with zeros again and again.
Status append_all(ByteSource& source, std::string& text, std::size_t limit,
                  const std::string& name) {
  std::size_t have = text.size();
  for (;;) {
    if (text.size() - have < kChunk) text.resize(have + std::max(4 * kChunk, have / 2));
    HOLDFAST_TRY(count, source.read(std::span(text).subspan(have)));
    have += count;
    if (count == 0) break;
    if (have > limit) {
      return fail(ErrorCode::bad_format, name, longer_than(limit));
    }
  }
  text.resize(have);
  return {};
}

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_{std::move(source)}, name_{std::move(name)} {}

Result<bool> LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    const bool last = end == std::string::npos && at_end_;
    if (last && begin_ == buffer_.size()) return false;
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - begin_;
    if (length > kLongestLine) {
      ++number_;
      return fail(
          ErrorCode::bad_format, place(),
          fmt::format("found a line longer than {} bytes, expected a text file", kLongestLine));
    }
    if (end != std::string::npos || last) {
      line = std::string_view(buffer_).substr(begin_, length);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin_ += length + (last ? 0 : 1);
      ++number_;
      return true;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    HOLDFAST_CHECK(fill(kChunk));
  }
}

Status LineReader::fill(std::size_t size) {
  const std::size_t have = buffer_.size();
  buffer_.resize(have + size);
  auto count = source_->read(std::span(buffer_).subspan(have));
  buffer_.resize(have + (count ? *count : 0));
  if (!count) return tl::make_unexpected(std::move(count).error());
  at_end_ = *count == 0;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (have == 0 && number_ == 0 && begin_ == 0 && buffer_.starts_with(kByteOrderMark)) {
    buffer_.erase(0, kByteOrderMark.size());
  }
  return {};
}

Result<std::string_view> LineReader::head(std::size_t size) {
  while (!at_end_ && buffer_.size() - begin_ < size) {
    HOLDFAST_CHECK(fill(size - (buffer_.size() - begin_)));
  }
  return std::string_view(buffer_).substr(begin_, size);
}

std::string LineReader::place() const {
  if (number_ == 0) return name_;
  return name_.empty() ? fmt::format("line {}", number_) : fmt::format("{}:{}", name_, number_);
}

Result<std::string> LineReader::rest(std::size_t limit) {
  std::string text = std::exchange(buffer_, {});
  text.erase(0, std::exchange(begin_, 0));
  if (std::exchange(at_end_, true)) return text;
  HOLDFAST_CHECK(append_all(*source_, text, limit, name_));
  return text;
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  HOLDFAST_TRY(source, open_input(path));
  std::string text;
  HOLDFAST_CHECK(append_all(*source, text, limit, name_of(path)));
  return text;
}

Result<Value> read_document(const std::filesystem::path& path) {
  const bool is_toml = unpacked_name(path).extension() == ".toml";
  HOLDFAST_TRY(text, read_file(path, is_toml ? kMostToml : kMostJson));
  auto document = is_toml ? parse_toml(text) : parse_json(text);
  if (!document) return fail(in_file(name_of(path), std::move(document).error()));
  return document;
}

Status write_file(const std::filesystem::path& path, std::string_view text) {
  if (path == "-") {
    if (write_whole(STDOUT_FILENO, text)) return {};
    return fail(ErrorCode::io_failure, "standard output",
                fmt::format("cannot be written: {}", reason(errno)));
  }
  HOLDFAST_TRY(file, NewFile::create(path));
  HOLDFAST_CHECK(file.write(text));
  return file.finish();
}

}  // namespace holdfast
