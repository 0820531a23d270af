#include "holdfast/base/pack.hpp"

#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

using namespace holdfast;

namespace {

constexpr Packing kPackings[] = {Packing::none, Packing::gzip, Packing::zstd, Packing::xz,
                                 Packing::bzip2};

/// Text that does not compress to almost nothing: 1.5 MB of numbers.
std::string long_text() {
  std::string text;
  std::uint64_t number = 1;
  while (text.size() < 1'500'000) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    text += std::to_string(number) + "\n";
  }
  return text;
}

std::string packed(Packing packing, std::string_view text, std::size_t part) {
  std::string bytes;
  PackedSink sink(packing, [&](std::string_view some) -> Status {
    bytes += some;
    return {};
  });
  while (!text.empty()) {
    REQUIRE(sink.write(text.substr(0, part)));
    text.remove_prefix(std::min(part, text.size()));
  }
  REQUIRE(sink.finish());
  return bytes;
}

std::string unpacked(std::string bytes) {
  auto source = decompressed(open_text(std::move(bytes)), "packed");
  REQUIRE(source);
  return LineReader(std::move(*source), "packed").rest(std::size_t{1} << 24).value();
}

}  // namespace

TEST_CASE("packing: packed text is read back unchanged, whatever parts it was written in") {
  const std::string text = long_text();
  for (const Packing packing : kPackings) {
    const std::string bytes = packed(packing, text, 100'003);
    CHECK(unpacked(bytes) == text);
    CHECK(unpacked(packed(packing, text, text.size())) == text);
    CHECK(packed(packing, text, 100'003) == bytes);
    CHECK(unpacked(packed(packing, "", 1)).empty());
    if (packing != Packing::none) CHECK(bytes.size() < text.size() * 6 / 10);
  }
  CHECK(packed(Packing::gzip, "", 1).starts_with("\x1f\x8b"));
  CHECK(packed(Packing::zstd, "", 1).starts_with("\x28\xb5\x2f\xfd"));
  CHECK(packed(Packing::xz, "", 1)
            .starts_with("\xfd"
                         "7zXZ"));
  CHECK(packed(Packing::bzip2, "", 1).starts_with("BZh9"));
}

TEST_CASE("packing: the name chooses the format, and the error of a full disk is passed on") {
  CHECK(packing_of("a/log.swf.gz") == Packing::gzip);
  CHECK(packing_of("log.zst") == Packing::zstd);
  CHECK(packing_of("log.xz") == Packing::xz);
  CHECK(packing_of("log.bz2") == Packing::bzip2);
  CHECK(packing_of("log.gz.swf") == Packing::none);
  CHECK(packing_of("gz") == Packing::none);
  CHECK(unpacked_name("a/log.swf.xz") == "a/log.swf");
  CHECK(unpacked_name("a.gz/log.swf") == "a.gz/log.swf");
  for (const Packing packing : kPackings) {
    PackedSink sink(packing, [](std::string_view) -> Status {
      return fail(ErrorCode::io_failure, "disk", "full");
    });
    const Status written = sink.write(long_text());
    const Status finished = sink.finish();
    CHECK((!written || !finished));
  }
}
