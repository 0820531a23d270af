#include "holdfast/base/file.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"

#include <bzlib.h>
#include <doctest/doctest.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

using namespace holdfast;

namespace {

/// A directory of its own for one test, removed afterwards.
struct Scratch {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("holdfast-file-test-" + std::to_string(::getpid()));
  Scratch() { std::filesystem::create_directories(path); }
  ~Scratch() { std::filesystem::remove_all(path); }
  std::filesystem::path put(const char* name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return path / name;
  }
  std::string get(const char* name) const {
    std::ifstream in(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string in = text;
  std::string out(deflateBound(&stream, in.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);  // as the program zstd does
  const std::size_t size =
      ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  REQUIRE(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                  reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

std::string bzip2(const std::string& text) {
  std::string in = text;
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);  // the most it takes
  std::string out(size, '\0');
  REQUIRE(BZ2_bzBuffToBuffCompress(out.data(), &size, in.data(), static_cast<unsigned>(in.size()),
                                   9, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

struct Compression {
  const char* name;
  const char* program;  // decompresses on a command line
  std::string (*pack)(const std::string& text);
};
constexpr Compression kCompressions[] = {{"gzip", "gunzip", gzip},
                                         {"zstd", "unzstd", zstd},
                                         {"xz", "unxz", xz},
                                         {"bzip2", "bunzip2", bzip2}};

/// Lines that compress badly enough to need several chunks.
std::string many_lines(int count) {
  std::string text;
  std::uint64_t state = 1;
  for (int i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(state) + "," + std::to_string(i) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE(
    "read_file: plain and compressed files of the same text read the same, whatever their name") {
  const Scratch scratch;
  const std::string text = many_lines(20000);
  CHECK(read_file(scratch.put("a.csv", text)).value() == text);
  for (const Compression& one : kCompressions) {
    CAPTURE(one.name);
    CHECK(read_file(scratch.put("b.csv", one.pack(text))).value() == text);
    CHECK(read_file(scratch.put("two-frames", one.pack(text) + one.pack("end\n"))).value() ==
          text + "end\n");
  }
}

TEST_CASE("read_file: zeros after an archive are not part of it, anything else is damage") {
  const Scratch scratch;
  const std::string text = many_lines(500);
  for (const Compression& one : kCompressions) {
    CAPTURE(one.name);
    const std::string bytes = one.pack(text);
    for (const std::size_t zeros : {std::size_t{1}, std::size_t{512}, std::size_t{1} << 20}) {
      CHECK(read_file(scratch.put("padded", bytes + std::string(zeros, '\0'))).value() == text);
    }
    const auto followed = read_file(scratch.put("followed", bytes + std::string(9, '\0') + bytes));
    REQUIRE(!followed);
    CHECK(followed.error().message.find("after the end of the") != std::string::npos);
    CHECK(!read_file(scratch.put("garbage", bytes + "more")));
  }
}

TEST_CASE("decompressed: any source of bytes, whatever size its pieces have") {
  // One byte at a time, as a slow pipe would.
  struct Drip final : ByteSource {
    std::string bytes;
    std::size_t begin = 0;
    Result<std::size_t> read(std::span<char> buffer) override {
      if (begin == bytes.size() || buffer.empty()) return std::size_t{0};
      buffer[0] = bytes[begin++];
      return std::size_t{1};
    }
  };
  const std::string text = many_lines(300);
  for (const std::string& bytes : {text, gzip(text), zstd(text), xz(text), bzip2(text)}) {
    auto drip = std::make_unique<Drip>();
    drip->bytes = bytes;
    auto source = decompressed(std::move(drip), "pipe");
    REQUIRE(source);
    LineReader lines{std::move(*source)};
    std::string_view line;
    std::string again;
    while (lines.next(line).value()) again += std::string(line) + "\n";
    CHECK((again == text));
  }
}

TEST_CASE("read_file: empty files and empty archives hold nothing") {
  const Scratch scratch;
  CHECK(read_file(scratch.put("empty", "")).value().empty());
  for (const Compression& one : kCompressions) {
    CHECK(read_file(scratch.put("packed", one.pack(""))).value().empty());
  }
  CHECK(read_file(scratch.put("three-bytes", "\x28\xb5\x2f")).value().size() == 3);
}

TEST_CASE("read_file: damaged and truncated archives are refused, wherever they are cut") {
  const Scratch scratch;
  const std::string text = many_lines(3000);
  for (const Compression& one : kCompressions) {
    CAPTURE(one.name);
    const std::string whole = one.pack(text);
    for (const std::size_t kept :
         {whole.size() - 1, whole.size() - 9, whole.size() / 2, std::size_t{5}}) {
      CAPTURE(kept);
      const auto path = scratch.put("cut", whole.substr(0, kept));
      const auto read = read_file(path);
      REQUIRE(!read);
      CHECK(read.error().code == ErrorCode::bad_format);
      CHECK(read.error().where == path.string());
      CHECK(read.error().message == std::string("found the end of the file inside ") + one.name +
                                        " data: the archive is truncated");
    }
    std::string bent = whole;
    bent[whole.size() / 2] = static_cast<char>(bent[whole.size() / 2] ^ 0x55);
    CHECK(!read_file(scratch.put("bent", bent)));
  }
  const auto trailing = read_file(scratch.put("trailing.gz", gzip("a\n") + "not gzip"));
  REQUIRE(!trailing);
  CHECK(trailing.error().message == "found damaged gzip data: incorrect header check");
  CHECK(read_file(scratch.put("trailing.xz", xz("a\n") + "more bytes than a header has"))
            .error()
            .message == "found damaged xz data: a checksum or the structure is wrong");
}

TEST_CASE("read_file: what cannot be read says why") {
  const Scratch scratch;
  const auto missing = read_file(scratch.path / "missing");
  REQUIRE(!missing);
  CHECK(exit_code(missing.error().code) == 3);
  CHECK(missing.error().message == "cannot be opened: No such file or directory");
  CHECK(read_file(scratch.path).error().message == "found a directory, expected a file");
  const auto large = read_file(scratch.put("bomb.gz", gzip(std::string(1000000, 'x'))), 1000);
  REQUIRE(!large);
  CHECK(large.error().message == "found more than 1000 bytes, expected at most 1000 bytes");
}

TEST_CASE(
    "LineReader: lines without their ends, with numbers, the last one with or without an end") {
  for (const char* text : {"a\r\n\nbc\n", "a\n\r\nbc"}) {
    LineReader lines{open_text(text), "log.csv"};
    std::string_view line;
    REQUIRE(lines.next(line).value());
    CHECK(line == "a");
    REQUIRE(lines.next(line).value());
    CHECK(line.empty());
    REQUIRE(lines.next(line).value());
    CHECK(line == "bc");
    CHECK(lines.number() == 3);
    CHECK(lines.place() == "log.csv:3");
    CHECK_FALSE(lines.next(line).value());
    CHECK_FALSE(lines.next(line).value());
  }
}

TEST_CASE("read_file: an archive that is made to fill memories is refused, a large one is not" *
          doctest::test_suite("slow")) {
  const Scratch scratch;
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  const std::string zeros(65 * kMebi, '0');
  const auto bomb = scratch.put("bomb.gz", gzip(zeros));
  const auto refused = read_file(bomb);
  REQUIRE(!refused);
  CHECK(refused.error().text() ==
        bomb.string() +
            ": found gzip data that unpack to more than 64 times their size, expected at most "
            "64 MiB or 64 times; if they are meant, unpack them with gunzip first");
  for (const Compression& one : kCompressions) {
    CHECK(read_file(scratch.put("bomb", one.pack(zeros)))
              .error()
              .message.ends_with(std::string("unpack them with ") + one.program + " first"));
  }
  // Up to 64 MiB anything is read, and beyond that what compresses as logs do.
  const auto regular = scratch.put("regular.gz", gzip(zeros.substr(0, 64 * kMebi)));
  CHECK(read_file(regular)->size() == 64 * kMebi);
  const auto log = scratch.put("log.zst", zstd(many_lines(2'500'000)));
  CHECK(read_file(log)->size() > 65 * kMebi);
  // The same zeros, unpacked, and as a document.
  const auto plain = scratch.put("plain", zeros);
  CHECK(read_file(plain)->size() == 65 * kMebi);
  CHECK(read_file(plain, 65 * kMebi - 1).error().message ==
        "found more than 68157439 bytes, expected at most 68157439 bytes");
  CHECK(read_document(scratch.put("long.toml", zeros)).error().message ==
        "found more than 64 MiB, expected at most 64 MiB");
}

TEST_CASE("LineReader: lines across chunks are whole; one of more than a mebibyte is refused") {
  const std::string text = many_lines(50000);
  LineReader lines{open_text(text)};
  std::string_view line;
  std::string again;
  while (lines.next(line).value()) again += std::string(line) + "\n";
  CHECK(again == text);
  CHECK(lines.place() == "line 50000");

  const std::string longest(std::size_t{1} << 20, 'x');
  LineReader fits{open_text("a\n" + longest + "\nb")};
  for (int i = 0; i < 3; ++i) REQUIRE(fits.next(line).value());
  CHECK(line == "b");
  LineReader too_long{open_text("a\n" + longest + "x\nb"), "f"};
  REQUIRE(too_long.next(line).value());
  const auto refused = too_long.next(line);
  REQUIRE(!refused);
  CHECK(refused.error().text() ==
        "f:2: found a line longer than 1048576 bytes, expected a text file");
}

TEST_CASE("LineReader: a truncated archive gives its whole lines, then the error") {
  const Scratch scratch;
  const std::string archive = gzip(many_lines(20000));
  const auto path = scratch.put("cut.gz", archive.substr(0, archive.size() / 2));
  LineReader lines{open_input(path).value(), path.string()};
  std::string_view line;
  Result<bool> more = true;
  while ((more = lines.next(line)) && *more) {
  }
  REQUIRE(!more);
  CHECK(lines.number() > 1000);
  CHECK(more.error().where == path.string());
}

TEST_CASE(
    "write_file: replaces the file as a whole, keeps its permissions, leaves nothing else behind") {
  const Scratch scratch;
  const auto path = scratch.put("out.json", "old and longer");
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(write_file(path, "new"));
  CHECK(scratch.get("out.json") == "new");
  struct stat found {};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0640);
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path), {}) == 1);
}

TEST_CASE("write_file: follows links, and writes into what cannot be replaced") {
  const Scratch scratch;
  const auto real = scratch.put("real", "old");
  std::filesystem::create_symlink(real, scratch.path / "link");
  REQUIRE(write_file(scratch.path / "link", "new"));
  CHECK(std::filesystem::is_symlink(scratch.path / "link"));
  CHECK(scratch.get("real") == "new");
  REQUIRE(write_file("/dev/null", "gone"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("write_file: permissions are those of what is replaced, whatever the umask") {
  const Scratch scratch;
  const mode_t before = ::umask(0077);
  for (const mode_t mode : {0666U, 0604U, 0755U, 0200U}) {
    const auto path = scratch.put("out", "old");
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    REQUIRE(write_file(path, "new"));
    struct stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    CHECK((found.st_mode & 0777U) == mode);
    std::filesystem::remove(path);
  }
  REQUIRE(write_file(scratch.path / "fresh", "new"));
  struct stat found {};
  REQUIRE(::stat((scratch.path / "fresh").c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0600);
  ::umask(before);
}

TEST_CASE("write_file: a link to nothing is refused, and nothing is made where it leads") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path / "there");
  std::filesystem::create_symlink("there/real", scratch.path / "link");
  std::filesystem::create_symlink("link", scratch.path / "longer");
  const Status refused = write_file(scratch.path / "longer", "new");
  REQUIRE_FALSE(refused);
  CHECK(exit_code(refused.error().code) == 4);
  CHECK(refused.error().text() ==
        (scratch.path / "longer").string() + ": found a link to " +
            in_quotes((scratch.path / "there/real").string()) +
            ", where no file can be found; remove the link, or name the file itself");
  CHECK(std::filesystem::is_empty(scratch.path / "there"));
  scratch.put("there/real", "old");
  REQUIRE(write_file(scratch.path / "longer", "new"));
  CHECK(std::filesystem::is_symlink(scratch.path / "longer"));
  CHECK(std::filesystem::is_symlink(scratch.path / "link"));
  CHECK(scratch.get("there/real") == "new");
  std::filesystem::create_symlink("round", scratch.path / "about");
  std::filesystem::create_symlink("about", scratch.path / "round");
  CHECK_FALSE(write_file(scratch.path / "round", "new"));
}

TEST_CASE("write_own_file: a link in place of a name that we chose is refused, wherever it leads") {
  const Scratch scratch;
  const auto precious = scratch.put("precious", "precious");
  for (const std::filesystem::path& leads_to :
       {precious, scratch.path / "nothing", std::filesystem::path("/dev/null")}) {
    CAPTURE(leads_to.string());
    std::filesystem::create_symlink(leads_to, scratch.path / "results.csv");
    const Status refused = write_own_file(scratch.path / "results.csv", "new");
    REQUIRE_FALSE(refused);
    CHECK(exit_code(refused.error().code) == 4);
    CHECK(refused.error().message ==
          "found a link, expected a regular file or none; remove the link");
    std::filesystem::remove(scratch.path / "results.csv");
  }
  CHECK(scratch.get("precious") == "precious");
  CHECK_FALSE(std::filesystem::exists(scratch.path / "nothing"));
  REQUIRE(write_own_file(scratch.path / "results.csv", "new"));
  CHECK(scratch.get("results.csv") == "new");
}

TEST_CASE(
    "NewFile: what a killed process left is removed by the next, what another one writes is not") {
  const Scratch scratch;
  const auto target = scratch.path / "out.csv";
  scratch.put(".out.csv.123-0.tmp", "half of it");
  scratch.put(".out.csv.notes.tmp", "a name that is not ours");
  scratch.put(".out.csv.old.123-0.tmp", "of another file");
  auto growing = NewFile::create(target);
  REQUIRE(growing);
  CHECK_FALSE(std::filesystem::exists(scratch.path / ".out.csv.123-0.tmp"));
  CHECK(std::filesystem::exists(scratch.path / ".out.csv.notes.tmp"));
  CHECK(std::filesystem::exists(scratch.path / ".out.csv.old.123-0.tmp"));
  REQUIRE(growing->write("first"));
  REQUIRE(write_file(target, "second"));
  CHECK(scratch.get("out.csv") == "second");
  REQUIRE(growing->finish());
  CHECK(scratch.get("out.csv") == "first");
  // A name that is taken, by a link to another file: nothing is written through it.
  const auto precious = scratch.put("precious", "precious");
  for (int i = 0; i < 50; ++i) {
    const std::string name =
        ".out.csv." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp";
    std::filesystem::create_symlink(precious, scratch.path / name);
  }
  REQUIRE(write_file(target, "third"));
  CHECK(scratch.get("out.csv") == "third");
  CHECK(scratch.get("precious") == "precious");
}

TEST_CASE("NewFile: a file that was not finished leaves nothing behind") {
  const Scratch scratch;
  {
    auto file = NewFile::create(scratch.path / "out");
    REQUIRE(file->write("half"));
  }
  CHECK(std::filesystem::is_empty(scratch.path));
}

TEST_CASE(
    "write_file: what cannot be written is an output failure (exit code 4) that names the file") {
  const Scratch scratch;
  const auto nowhere = write_file(scratch.path / "no" / "such" / "folder", "x");
  REQUIRE(!nowhere);
  CHECK(exit_code(nowhere.error().code) == 4);
  CHECK(nowhere.error().message == "cannot be written: No such file or directory");
  CHECK(write_file(scratch.path, "x").error().message == "found a directory, expected a file");
}

TEST_CASE("read_file: a pipe without a writer is refused, and one with a slow writer is read") {
  const Scratch scratch;
  const auto path = scratch.path / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const auto refused = read_file(path);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("found a pipe into which nothing writes"));
  const auto write = [&] {
    std::ofstream out(path);
    out << "first" << std::flush;
    ::usleep(50'000);
    out << ", second";
  };
  std::thread writer(write);
  const auto text = read_file(path);
  writer.join();
  CHECK(text.value() == "first, second");
}
