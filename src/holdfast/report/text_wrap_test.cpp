#include "holdfast/report/text_wrap.hpp"

#include <doctest/doctest.h>

namespace holdfast {
namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("wrap: between words, as many as fit") {
  CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrap("one two three", 8) == Lines{"one two", "three"});
  CHECK(wrap("one two three", 13) == Lines{"one two three"});
  CHECK(wrap("one two three", 0) == Lines{"one two three"});
  CHECK(wrap("", 5) == Lines{""});
}

TEST_CASE("wrap: a word that is too long is broken behind a mark, else where the line ends") {
  CHECK(wrap("next-step:quantum=1h", 12) == Lines{"next-step:", "quantum=1h"});
  CHECK(wrap("abcdefgh", 3) == Lines{"abc", "def", "gh"});
  CHECK(wrap("a bcdefgh", 4) == Lines{"a", "bcde", "fgh"});
}

TEST_CASE("wrap: a number stays with its unit") {
  CHECK(wrap("ends sooner by 63 %", 18) == Lines{"ends sooner by", "63 %"});
  CHECK(wrap("(95 % interval 0.2 to 63 %)", 24) == Lines{"(95 % interval 0.2 to", "63 %)"});
  CHECK(wrap("after 1 h 30 min of work", 13) == Lines{"after 1 h", "30 min of", "work"});
  CHECK(wrap("more than 20 000 jobs", 14) == Lines{"more than", "20 000 jobs"});
  CHECK(wrap("a disk of 2.5 GB/s.", 14) == Lines{"a disk of", "2.5 GB/s."});
  // A word is no unit because it is short.
  CHECK(wrap("one of 12 jobs", 10) == Lines{"one of 12", "jobs"});
  // Where there is no room for both, they part.
  CHECK(wrap("123456 %", 6) == Lines{"123456", "%"});
}

TEST_CASE("wrap: code points stay whole") {
  CHECK(wrap("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == Lines{"\xC3\xA9\xC3\xA9", "\xC3\xA9"});
}

}  // namespace holdfast
