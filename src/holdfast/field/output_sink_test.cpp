#include "holdfast/field/output_sink.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

using namespace holdfast::field;

namespace {

struct OpenPipe {
  OpenPipe() { REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0); }
  OpenPipe(const OpenPipe&) = delete;
  OpenPipe& operator=(const OpenPipe&) = delete;
  ~OpenPipe() {
    for (const int end : ends) ::close(end);
  }
  std::string read(std::size_t most) const {
    std::string out(most, '\0');
    const auto count = ::read(ends[0], out.data(), out.size());
    out.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return out;
  }
  std::array<int, 2> ends{};
};

}  // namespace

TEST_CASE("output sink: what is not read waits, holds the program back, and is dropped at last") {
  const OpenPipe pipe;
  OutputSink sink(pipe.ends[1]);
  const std::string block(65536, 'x');
  std::size_t taken = 0;
  while (sink.can_take(0)) {
    sink.take(block, 0);
    taken += block.size();
  }
  CHECK(taken >= OutputSink::kLimit);
  CHECK(sink.dropped() == 0);
  CHECK_FALSE(sink.can_take(0.99));
  REQUIRE(sink.can_take(1));
  sink.take("lost", 1);
  CHECK(sink.dropped() == 4);
  // A reader that goes on gets everything else, in order.
  std::size_t read = 0;
  while (!sink.is_empty()) {
    read += pipe.read(block.size()).size();
    sink.flush(2);
  }
  sink.take("end", 2);
  std::string last;
  while (read < taken + 3) {
    last = pipe.read(block.size());
    read += last.size();
    sink.flush(2);
  }
  CHECK(last.back() == 'd');
  CHECK(read == taken + 3);
}

TEST_CASE(
    "output sink: the flags of the shared file stay, and a pipe without a reader is no error") {
  OpenPipe pipe;
  OutputSink sink(pipe.ends[1]);
  CHECK((::fcntl(pipe.ends[1], F_GETFL) & O_NONBLOCK) == 0);
  sink.take("a", 0);
  CHECK(pipe.read(9) == "a");
  CHECK(has_room(pipe.ends[1]));
}
