#include "holdfast/kernel/packing.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace holdfast {
namespace {

std::string text_of(std::span<const ResourceRange> ranges) {
  std::string out;
  for (const ResourceRange range : ranges) {
    out += (out.empty() ? "" : " ") + std::to_string(range.from) + "-" + std::to_string(range.to);
  }
  return out;
}

}  // namespace

TEST_CASE("packing: the tightest range that holds a bar, else the lowest pieces") {
  Packer packer(10);
  CHECK(text_of(packer.place({0, 5}, 4, "a")) == "0-4");
  CHECK(text_of(packer.place({0, 9}, 2, "b")) == "4-6");
  CHECK(text_of(packer.place({0, 7}, 2, "c")) == "6-8");
  CHECK(text_of(packer.place({0, 9}, 2, "d")) == "8-10");
  CHECK(text_of(packer.place({7, 8}, 2, "e")) == "6-8");  // not in two of the four of a
  CHECK(text_of(packer.place({8, 9}, 6, "f")) == "0-4 6-8");
  CHECK(text_of(packer.place({8.5, 8.5}, 3, "g")).empty());
}

TEST_CASE("packing: a job that runs again stays where it was, if that is free") {
  Packer packer(6);
  CHECK(text_of(packer.place({0, 5}, 2, "a")) == "0-2");
  CHECK(text_of(packer.place({0, 5}, 2, "b")) == "2-4");
  CHECK(text_of(packer.place({5, 6}, 2, "b")) == "2-4");
  CHECK(text_of(packer.place({5, 6}, 3, "a")) == "0-2 4-5");
}

TEST_CASE("packing: the most at once, where bars that end make room for those that start then") {
  const WideBar bars[] = {{{0, 5}, 4}, {{5, 9}, 6}, {{4, 6}, 3}, {{1, 1}, 99}, {{1, 2}, 0}};
  CHECK(most_at_once(bars) == 9);  // from 5 to 6: 6 + 3
  CHECK(most_at_once({}) == 0);
}

TEST_CASE("packing: sets of resources as Batsim writes them") {
  const ResourceRange ranges[] = {{0, 4}, {7, 8}};
  CHECK(interval_set_text(ranges) == "0-3 7");
  CHECK(interval_set_text(ranges, 10) == "10-13 17");
}

}  // namespace holdfast
