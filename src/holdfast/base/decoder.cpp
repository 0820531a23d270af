#include "holdfast/base/decoder.hpp"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

namespace holdfast {
namespace {

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
    stream_.avail_in = static_cast<uInt>(std::min(in.size(), kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    const auto room = static_cast<uInt>(std::min(out.size(), kMost));
    stream_.avail_out = room;
    const uInt given = stream_.avail_in;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc{};
    Step done{.consumed = given - stream_.avail_in, .produced = room - stream_.avail_out};
    done.frame_ended = status == Z_STREAM_END;
    between_members_ = done.frame_ended;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      done.problem = stream_.msg != nullptr ? stream_.msg : "unknown error";
    }
    return done;
  }
  [[nodiscard]] std::string_view format() const override { return "gzip"; }
  [[nodiscard]] std::string_view program() const override { return "gunzip"; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
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
      done.problem = ZSTD_getErrorName(status);
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

}  // namespace

std::unique_ptr<Decoder> decoder_for(std::string_view first) {
  if (first.starts_with("\x1f\x8b")) return std::make_unique<GzipDecoder>();
  if (first.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<ZstdDecoder>();
  return nullptr;
}

}  // namespace holdfast
