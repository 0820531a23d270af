#include "holdfast/arbiter/frames.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <string>

using namespace holdfast::arbiter;

namespace {

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

FrameReader reader_at(std::uint32_t sequence) {
  FrameReader out;
  for (std::uint32_t i = 1; i < sequence; ++i) {
    out.take(encode(Ping{i}, i));
    REQUIRE(out.next());
  }
  return out;
}

Fault fault_of(const std::string& bytes) {
  FrameReader reader;
  reader.take(bytes);
  const auto read = reader.next();
  REQUIRE(!read);
  const auto after = reader.next();
  CHECK((after && !*after));  // nothing more comes after a fault
  return read.error();
}

struct Vector {
  Frame frame;
  std::uint32_t sequence;
  const char* bytes;
};

}  // namespace

TEST_CASE("frames are the bytes of the specification") {
  const std::uint64_t gibibyte = std::uint64_t{1} << 30;
  const Vector kVectors[] = {
      {Post{.handle = 7, .operation = 1, .volume = gibibyte}, 2,
       "4846494f0103000020000000020000000700000000000000010000000000000000000040000000000100000000"
       "000000"},
      {Grant{.operation = 1,
             .rate = 250'000'000,
             .epoch = 3,
             .lease_ms = 10'000,
             .floor = 125'000'000},
       9,
       "4846494f010400002000000009000000010000000000000080b2e60e0000000003000000102700004059730700"
       "000000"},
      {Done{.handle = 7, .operation = 1, .moved = gibibyte, .stalled_ns = 1'500'000'000}, 5,
       "4846494f010600002000000005000000070000000000000001000000000000000000004000000000002f685900"
       "000000"},
      {Bye{.handle = 7}, 6, "4846494f0107000008000000060000000700000000000000"},
  };
  for (const Vector& vector : kVectors) {
    const std::string bytes = encode(vector.frame, vector.sequence);
    CHECK(hex(bytes) == vector.bytes);
    FrameReader reader = reader_at(vector.sequence);
    reader.take(bytes);
    const auto read = reader.next();
    REQUIRE((read && *read));
    CHECK(encode(**read, vector.sequence) == bytes);
  }
}

TEST_CASE("bodies have the lengths of the specification") {
  const std::size_t kLengths[] = {104, 48, 32, 32, 32, 32, 8, 8, 8, 128, 8, 120, 80};
  const Frame kFrames[] = {Hello{}, Welcome{}, Post{},    Grant{}, Report{}, Done{},    Bye{},
                           Ping{},  Pong{},    Refusal{}, Watch{}, State{},  Register{}};
  for (std::size_t i = 0; i < std::size(kFrames); ++i) {
    CHECK(kFrames[i].index() == i);
    CHECK(encode(kFrames[i], 1).size() == kHeaderSize + kLengths[i]);
  }
}

TEST_CASE("frames are read however their bytes arrive") {
  const std::string bytes = encode(Hello{.bandwidth_max = 5, .nodes = 3, .label = "wörk"}, 1) +
                            encode(Post{.handle = 1, .operation = 1}, 2) + encode(Bye{1}, 3);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    FrameReader reader;
    std::string again;
    std::uint32_t count = 0;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.take(std::string_view(bytes).substr(at, piece));
      for (;;) {
        const auto read = reader.next();
        REQUIRE(read);
        if (!*read) break;
        again += encode(**read, ++count);
      }
    }
    REQUIRE(again == bytes);
    REQUIRE(reader.waiting() == 0);
  }
}

TEST_CASE("what is no frame is refused, with the reason") {
  const std::string good = encode(Post{.handle = 1, .operation = 1}, 1);
  const auto with = [&](std::size_t at, char byte) {
    std::string out = good;
    out[at] = byte;
    return out;
  };
  CHECK(fault_of("GET / HTTP/1.1\r\n").code == FaultCode::bad_frame);
  CHECK(fault_of("HG").code == FaultCode::bad_frame);  // as soon as it cannot become one
  CHECK(fault_of(with(4, 2)).code == FaultCode::bad_version);
  CHECK(fault_of(with(4, 2)).text == "found version 2, this server speaks version 1");
  CHECK(fault_of(with(5, 0)).text == "found a frame of unknown type 0");
  CHECK(fault_of(with(5, 14)).text == "found a frame of unknown type 14");
  CHECK(fault_of(with(6, 1)).text == "found flags 1");
  CHECK(fault_of(with(8, 33)).text == "found 33 bytes of body in type 3, expected 32");
  CHECK(fault_of(with(11, 127)).code == FaultCode::bad_frame);  // 2 GB are not waited for
  CHECK(fault_of(with(12, 2)).text == "found sequence number 2, expected 1");
  CHECK(fault_of(with(40, 3)).code == FaultCode::bad_value);  // direction 3
  CHECK(fault_of(with(44, 1)).text == "found something in reserved bytes, expected zeros");
  std::string label = encode(Hello{.label = "abc"}, 1);
  label[kHeaderSize + 24 + 1] = '\0';
  CHECK(fault_of(label).text == "found a zero inside a text, expected zeros behind it alone");
  label[kHeaderSize + 24 + 1] = '\xFF';
  CHECK(fault_of(label).text == "found a text that is not UTF-8");
}

TEST_CASE("texts that are too long are cut at a character") {
  std::string text(119, 'x');
  text += "\u00e9\u00e9";
  FrameReader reader;
  reader.take(encode(Refusal{.code = FaultCode::too_many, .text = text}, 1));
  const auto read = reader.next();
  REQUIRE((read && *read));
  CHECK(std::get<Refusal>(**read).text == std::string(119, 'x'));
}

TEST_CASE("any bytes are frames or a fault, and frames are the same bytes again") {
  CHECK(rc::check([] {
    auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    const auto type = *rc::gen::inRange<std::size_t>(0, 13);
    // A header that is good, so that bodies are reached too.
    const Frame kinds[] = {Hello{}, Welcome{}, Post{},    Grant{}, Report{}, Done{},    Bye{},
                           Ping{},  Pong{},    Refusal{}, Watch{}, State{},  Register{}};
    std::string input = encode(kinds[type], 1);
    for (std::size_t i = 0; i < bytes.size() && kHeaderSize + i < input.size(); ++i) {
      input[kHeaderSize + i] = bytes[i];
    }
    FrameReader reader;
    reader.take(input);
    const auto read = reader.next();
    if (read) {
      RC_ASSERT(read->has_value());
      RC_ASSERT(encode(**read, 1) == input);
    } else {
      RC_ASSERT(read.error().code == FaultCode::bad_value);
      RC_ASSERT(!read.error().text.empty());
    }
  }));
}
