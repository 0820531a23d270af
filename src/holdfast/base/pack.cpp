#include "holdfast/base/pack.hpp"

#include <bzlib.h>
#include <lzma.h>
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

constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib and bzip2 count in 32 bits

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

  Step step(std::string_view in, std::span<char> out, bool is_end) override {
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

class XzEncoder final : public PackedSink::Encoder {
 public:
  XzEncoder() {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) {
      throw std::bad_alloc{};
    }
  }
  ~XzEncoder() override { lzma_end(&stream_); }

  Step step(std::string_view in, std::span<char> out, bool is_end) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, is_end ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc{};
    return {.consumed = in.size() - stream_.avail_in,
            .produced = out.size() - stream_.avail_out,
            .is_done = status == LZMA_STREAM_END};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Bzip2Encoder final : public PackedSink::Encoder {
 public:
  Bzip2Encoder() {
    constexpr int kBlock = 9;  // times 100 kB, as the program bzip2 does
    if (BZ2_bzCompressInit(&stream_, kBlock, 0, 0) != BZ_OK) throw std::bad_alloc{};
  }
  ~Bzip2Encoder() override { BZ2_bzCompressEnd(&stream_); }

  Step step(std::string_view in, std::span<char> out, bool is_end) override {
    const auto given = static_cast<unsigned>(std::min(in.size(), kMost));
    const auto room = static_cast<unsigned>(std::min(out.size(), kMost));
    // bzip2 reads through this pointer alone, but takes it as one to what may change.
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = given;
    stream_.next_out = out.data();
    stream_.avail_out = room;
    const int status = BZ2_bzCompress(&stream_, is_end ? BZ_FINISH : BZ_RUN);
    return {.consumed = given - stream_.avail_in,
            .produced = room - stream_.avail_out,
            .is_done = status == BZ_STREAM_END};
  }

 private:
  bz_stream stream_{};
};

std::unique_ptr<PackedSink::Encoder> encoder_for(Packing packing) {
  switch (packing) {
    case Packing::gzip:
      return std::make_unique<GzipEncoder>();
    case Packing::zstd:
      return std::make_unique<ZstdEncoder>();
    case Packing::xz:
      return std::make_unique<XzEncoder>();
    case Packing::bzip2:
      return std::make_unique<Bzip2Encoder>();
    case Packing::none:
      break;
  }
  return nullptr;
}

constexpr std::size_t kRoom = std::size_t{1} << 16;

}  // namespace

Packing packing_of(const std::filesystem::path& name) {
  const std::filesystem::path ending = name.extension();
  if (ending == ".gz") return Packing::gzip;
  if (ending == ".zst") return Packing::zstd;
  if (ending == ".xz") return Packing::xz;
  return ending == ".bz2" ? Packing::bzip2 : Packing::none;
}

std::filesystem::path unpacked_name(const std::filesystem::path& name) {
  std::filesystem::path out = name;
  if (packing_of(name) != Packing::none) out.replace_extension();
  return out;
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
