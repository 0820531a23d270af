#include "holdfast/base/pack.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace holdfast {

/// A compressor that takes text and produces bytes. step() consumes and produces; at the end it is called until nothing is
/// left.
class PackedSink::Encoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool is_done = false;  ///< at the end: nothing is left
  };
  Encoder() = default;
  virtual ~Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  virtual Step step(std::string_view in, std::span<char> out, bool is_end) = 0;
};

namespace {

class GzipEncoder final : public PackedSink::Encoder {
 public:
  GzipEncoder() {
    constexpr int kGzip = 16, kMemory = 8;  // zlib's own default for memory
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc{};
    }
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  Step step(std::string_view in, std::span<char> out, bool is_end) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto given = static_cast<uInt>(std::min(in.size(), kMost));
    const auto room = static_cast<uInt>(std::min(out.size(), kMost));
    // zlib only reads through this pointer, but declares it as a pointer to data that may change.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int status = deflate(&stream_, is_end ? Z_FINISH : Z_NO_FLUSH);
    return {.consumed = given - stream_.avail_in,
            .produced = room - stream_.avail_out,
            .is_done = status == Z_STREAM_END};
  }

 private:
  z_stream stream_{};
};

class ZstdEncoder final : public PackedSink::Encoder {
 public:
  ZstdEncoder() : context_{ZSTD_createCCtx()} {
    if (context_ == nullptr) throw std::bad_alloc{};
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);  // as the program zstd does
  }
  ~ZstdEncoder() override { ZSTD_freeCCtx(context_); }
  ZstdEncoder(const ZstdEncoder&) = delete;
  ZstdEncoder& operator=(const ZstdEncoder&) = delete;

  Step step(std::string_view in, std::span<char> out, bool is_end) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(context_, &output, &input, is_end ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) throw std::bad_alloc{};  // it fails only for lack of memory
    return {.consumed = input.pos, .produced = output.pos, .is_done = left == 0};
  }

 private:
  ZSTD_CCtx* context_;
};

std::unique_ptr<PackedSink::Encoder> encoder_for(Packing packing) {
  switch (packing) {
    case Packing::gzip:
      return std::make_unique<GzipEncoder>();
    case Packing::zstd:
      return std::make_unique<ZstdEncoder>();
    case Packing::none:
      break;
  }
  return nullptr;
}

constexpr std::size_t kRoom = std::size_t{1} << 16;

}  // namespace

Packing packing_of(const std::filesystem::path& name) {
  const std::filesystem::path ending = name.extension();
  return ending == ".gz" ? Packing::gzip : ending == ".zst" ? Packing::zstd : Packing::none;
}

PackedSink::PackedSink(Packing packing, TextSink sink)
    : sink_{std::move(sink)}, encoder_{encoder_for(packing)} {}
PackedSink::~PackedSink() = default;
PackedSink::PackedSink(PackedSink&&) noexcept = default;
PackedSink& PackedSink::operator=(PackedSink&&) noexcept = default;

Status PackedSink::write(std::string_view part) {
  if (!encoder_) return sink_(part);
  std::array<char, kRoom> room;
  while (!part.empty()) {
    const Encoder::Step step = encoder_->step(part, room, false);
    part.remove_prefix(step.consumed);
    if (step.produced > 0) HOLDFAST_CHECK(sink_({room.data(), step.produced}));
  }
  return {};
}

Status PackedSink::finish() {
  if (!encoder_) return {};
  std::array<char, kRoom> room;
  for (;;) {
    const Encoder::Step step = encoder_->step({}, room, true);
    if (step.produced > 0) HOLDFAST_CHECK(sink_({room.data(), step.produced}));
    if (step.is_done) return {};
  }
}

}  // namespace holdfast
