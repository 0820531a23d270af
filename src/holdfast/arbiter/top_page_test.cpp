#include "holdfast/arbiter/top_page.hpp"

#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <string>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

std::string nobody(std::uint32_t) {
  return "eva";
}

Round busy() {
  return {
      .totals = {.bandwidth = 60e6, .granted = 40e6, .pending = 2, .policy = "fcfs"},
      .applications = {
          {.handle = 1, .name = "calm", .stage = Stage::idle, .yield = 0.9},
          {.handle = 2, .name = "<b>bold", .stage = Stage::write, .rate = 40'000'000, .yield = 0.5},
          {.handle = 3, .name = "patient", .stage = Stage::wait, .yield = 0.7}}};
}

}  // namespace

TEST_CASE("page of top: who writes, how many wait, and whose yield is worst") {
  const Page page =
      top_page(busy(), {}, nobody, {{.at = 5, .granted = 40e6, .rates = {{2, 40e6}}}});
  CHECK(page.answers[0] == "40 MB/s of 60 MB/s in use by 1 of 3 applications; 1 waiting.");
  CHECK(page.answers[1] == "The lowest yield is 0.500, of <b>bold.");
  REQUIRE(page.answer_table);
  CHECK(*page.answer_table->rows[0][0].string() == "<b>bold");
  CHECK(*page.answer_table->rows[2][0].string() == "calm");
  // One that wrote has a line, an idle one has none.
  const std::string drawn = page.sections[0].charts[0].draw({.width = 380, .is_page = true});
  CHECK(drawn.find(">&lt;b&gt;bold<") != std::string::npos);
  CHECK(drawn.find(">calm<") == std::string::npos);
}

TEST_CASE("page of top: it reloads itself until the last one, and is written seldom") {
  const Scratch scratch;
  const auto file = scratch / "live.html";
  TopPage page(file, "holdfast io top");
  REQUIRE(page.take(busy(), {}, nobody, 1, false));
  const std::string first = read_file(file).value();
  CHECK(first.find("http-equiv=\"refresh\"") != std::string::npos);
  CHECK(first.find("<b>bold") == std::string::npos);
  Round later = busy();
  later.applications[0].name = "renamed";
  REQUIRE(page.take(later, {}, nobody, 1.1, false));  // too early to be written
  CHECK(read_file(file).value() == first);
  REQUIRE(page.take(later, {}, nobody, 1.2, true));
  const std::string last = read_file(file).value();
  CHECK(last.find("http-equiv=\"refresh\"") == std::string::npos);
  CHECK(last.find("renamed") != std::string::npos);
  const auto refused = TopPage(scratch / "none" / "x.html", "").take(busy(), {}, nobody, 1, true);
  REQUIRE_FALSE(refused);
}
