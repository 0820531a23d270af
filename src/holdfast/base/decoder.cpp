#include "holdfast/base/decoder.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace holdfast {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib and bzip2 count in 32 bits

std::string damaged(std::string_view format, std::string_view reason) {
  return fmt::format("found damaged {} data: {}", format, reason);
}

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc{};
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    if (between_members_) {
      inflateReset(&stream_);
      between_members_ = false;
    }
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(std::min(in.size(), kMostAtOnce));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    const auto room = static_cast<uInt>(std::min(out.size(), kMostAtOnce));
    stream_.avail_out = room;
    const uInt given = stream_.avail_in;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc{};
    Step done{.consumed = given - stream_.avail_in, .produced = room - stream_.avail_out};
    done.frame_ended = status == Z_STREAM_END;
    between_members_ = done.frame_ended;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      done.problem = damaged(format(), stream_.msg != nullptr ? stream_.msg : "unknown error");
    }
    return done;
  }
  [[nodiscard]] std::string_view format() const override { return "gzip"; }
  [[nodiscard]] std::string_view program() const override { return "gunzip"; }

 private:
  z_stream stream_{};
  bool between_members_ = false;
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : stream_{ZSTD_createDStream()} {
    if (stream_ == nullptr) throw std::bad_alloc{};
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &output, &input);
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc{};
    Step done{.consumed = input.pos, .produced = output.pos};
    if (ZSTD_isError(status) != 0) {
      done.problem = damaged(format(), ZSTD_getErrorName(status));
    } else {
      done.frame_ended = status == 0;
    }
    return done;
  }
  [[nodiscard]] std::string_view format() const override { return "zstd"; }
  [[nodiscard]] std::string_view program() const override { return "unzstd"; }

 private:
  ZSTD_DStream* stream_;
};

// The error codes of liblzma and of libbz2 have no texts of their own.
constexpr std::string_view kWrong = "a checksum or the structure is wrong";

class XzDecoder final : public Decoder {
 public:
  XzDecoder() { begin(); }
  ~XzDecoder() override { lzma_end(&stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    if (between_streams_) begin();
    between_streams_ = false;
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc{};
    Step done{.consumed = in.size() - stream_.avail_in,
              .produced = out.size() - stream_.avail_out,
              .frame_ended = status == LZMA_STREAM_END};
    between_streams_ = done.frame_ended;
    if (status == LZMA_MEMLIMIT_ERROR) {
      done.problem = fmt::format(
          "found xz data that take more than {} MiB of memory to unpack; if they are meant, unpack "
          "them with {} first",
          kMostMemory >> 20U, program());
    } else if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) {
      done.problem = damaged(format(), kWrong);
    }
    return done;
  }
  [[nodiscard]] std::string_view format() const override { return "xz"; }
  [[nodiscard]] std::string_view program() const override { return "unxz"; }

 private:
  void begin() {
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) throw std::bad_alloc{};
  }

  static constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20U;  // xz -9 takes 65 MiB
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool between_streams_ = false;
};

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  Step step(std::string_view in, std::span<char> out) override {
    if (between_streams_) {
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    between_streams_ = false;
    const auto given = static_cast<unsigned>(std::min(in.size(), kMostAtOnce));
    const auto room = static_cast<unsigned>(std::min(out.size(), kMostAtOnce));
    // bzip2 reads through this pointer alone, but takes it as one to what may change.
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = given;
    stream_.next_out = out.data();
    stream_.avail_out = room;
    const int status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc{};
    Step done{.consumed = given - stream_.avail_in,
              .produced = room - stream_.avail_out,
              .frame_ended = status == BZ_STREAM_END};
    between_streams_ = done.frame_ended;
    if (status != BZ_OK && status != BZ_STREAM_END) done.problem = damaged(format(), kWrong);
    return done;
  }
  [[nodiscard]] std::string_view format() const override { return "bzip2"; }
  [[nodiscard]] std::string_view program() const override { return "bunzip2"; }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc{};
  }

  bz_stream stream_{};
  bool between_streams_ = false;
};

}  // namespace

std::unique_ptr<Decoder> decoder_for(std::string_view first) {
  if (first.starts_with("\x1f\x8b")) return std::make_unique<GzipDecoder>();
  if (first.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<ZstdDecoder>();
  if (first.starts_with("\xfd"
                        "7zXZ")) {
    return std::make_unique<XzDecoder>();
  }
  if (first.starts_with("BZh")) return std::make_unique<Bzip2Decoder>();
  return nullptr;
}

}  // namespace holdfast
