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

TEST_CASE("wrap: code points stay whole") {
  CHECK(wrap("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == Lines{"\xC3\xA9\xC3\xA9", "\xC3\xA9"});
}

}  // namespace holdfast
