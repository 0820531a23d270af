#include "holdfast/campaign/design.hpp"

#include "holdfast/campaign/fake_domain.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

namespace {

Campaign campaign_over(const std::string& parameters, const std::string& more = "") {
  auto parsed = parse_campaign("[campaign]\nname = 'x'\ndomain = 'walk'\nscenarios = 3\n" + more +
                                   "[parameters]\n" + parameters,
                               "walk.toml", ".", fake::known());
  REQUIRE(parsed);
  return std::move(*parsed);
}

}  // namespace

TEST_CASE("design: the full product, the first parameter of the file varies slowest") {
  const Campaign file = campaign_over("steps = [5, 6]\nlimit = 100\nstride = ['1s', '2s', '3s']\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  REQUIRE(design->positions() == 6);
  CHECK(design->cells() == 6 * 3 * 2);
  CHECK(design->label(0) == R"(steps = 5, stride = "1s")");
  CHECK(design->label(1) == R"(steps = 5, stride = "2s")");
  CHECK(design->label(5) == R"(steps = 6, stride = "3s")");
  CHECK(to_compact_json(design->parameters(4)) == R"({"limit":100,"steps":6,"stride":"2s"})");
  CHECK(design->cell(1, 0, 2, 1) == 6 + 2 * 2 + 1);
}

TEST_CASE("design: nothing swept is one point") {
  const Campaign file = campaign_over("steps = 5\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  CHECK(design->positions() == 1);
  CHECK(design->label(0).empty());
}

TEST_CASE("design: a list of points, beside a swept parameter") {
  const Campaign file =
      campaign_over("steps = 5\npoints = [{steps = 6}, {stride = 2}]\nlimit = [100, 200]\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  REQUIRE(design->positions() == 4);
  CHECK(to_compact_json(design->parameters(1)) == R"({"steps":6,"limit":200})");
  CHECK(to_compact_json(design->parameters(2)) == R"({"steps":5,"stride":2,"limit":100})");
  CHECK(design->label(2) == R"(points = {"stride":2}, limit = 100)");
}

TEST_CASE("design: points that are equal are run once") {
  const Campaign file = campaign_over("stride = ['60s', '1min', 61]\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  CHECK(design->positions() == 3);
  CHECK(design->points().size() == 2);
  CHECK(design->point_of(0) == design->point_of(1));
  CHECK(design->cells() == 2 * 3 * 2);
}

TEST_CASE("design: a point that is fixed has one instance and one scenario") {
  const Campaign file = campaign_over("fixed = [true, false]\n", "instances = 4\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  CHECK(design->points()[0].instances * design->points()[0].scenarios == 1);
  CHECK(design->points()[1].instances * design->points()[1].scenarios == 12);
  CHECK(design->cells() == 13 * 2);
}

TEST_CASE("design: the digest names domain and definition, nothing else") {
  const Campaign one = campaign_over("stride = '1min'\n");
  const Campaign other = campaign_over("stride = 60\nbusy = '1us'\n", "seed = 9\n");
  const Campaign third = campaign_over("stride = 61\n");
  const auto digest = [](const Campaign& file) { return Design::make(file)->points()[0].digest; };
  CHECK(digest(one) == digest(other));
  CHECK(digest(one) != digest(third));
}

TEST_CASE("design: the error of a point is placed in the file and names the point") {
  struct Row {
    std::string parameters;
    std::string error;
  };
  const Row rows[] = {
      {"steps = 5\nstride = [1, 2,\n -3]\n",
       "walk.toml:8: /parameters/stride: found -3, expected a duration greater than 0 (at "
       "stride = -3)"},
      {"steps = 5\nstrid = 7\n",
       "walk.toml:7: /parameters/strid: unknown field 'strid'; did you mean 'stride'?"},
      {"steps = [5]\nfile = 'nowhere.csv'\n",
       "walk.toml:7: /parameters/file: there is no such file (at steps = 5)"},
      {"steps = [5]\na = [1]\nb = [1]\nc = [1]\nd = [1]\ne = [1]\nf = [1]\ng = [1]\nh = [1]\n"
       "i = [1]\nj = [1]\nk = [1]\nl = [1]\nm = ['x']\n",
       "walk.toml:7: /parameters/a: unknown field 'a'; known: stride, steps, busy, rest, limit, "
       "fails_from, counts_failed, fixed, file, unreadable (at steps = 5, a = 1, b = 1, c = 1, d = "
       "1, e = 1, f = 1, g = 1, h = 1, i = 1, j = 1, k = 1 and "
       "2 others)"},
      {"steps = ['" + std::string(100, 'x') + "']\n",
       "walk.toml:6: /parameters/steps: found the string \"" + std::string(60, 'x') +
           "...\", expected a whole number from 1 to 1000000 (at steps = '\"" +
           std::string(59, 'x') + "...')"},
  };
  for (const Row& row : rows) {
    const Campaign file = campaign_over(row.parameters);
    const auto design = Design::make(file);
    REQUIRE_FALSE(design);
    CHECK(design.error().text() == row.error);
  }
}

TEST_CASE("design: the error of a data file distinguishes the field from the file") {
  struct Row {
    std::string directory, written, error;
  };
  const Row rows[] = {
      {"/data", "log.csv", "/data/log.csv: cannot be read (at steps = 5)"},
      {"/data", "/else/../log.csv", "/log.csv: cannot be read (at steps = 5)"},
      {"", "log.csv", "log.csv: cannot be read (at steps = 5)"},
      {".", "../log.csv", "../log.csv: cannot be read (at steps = 5)"},
  };
  for (const Row& row : rows) {
    Campaign file = campaign_over("steps = [5]\nunreadable = '" + row.written + "'\n");
    file.directory = row.directory;
    const auto design = Design::make(file);
    REQUIRE_FALSE(design);
    CHECK(design.error().text() == "walk.toml:7: /parameters/unreadable: " + row.error);
  }
}

TEST_CASE("design: files are looked for beside the campaign file") {
  Campaign file = campaign_over("file = 'design_test.cpp'\n");
  CHECK_FALSE(Design::make(file));
  file.directory = "src/holdfast/campaign";
  CHECK(Design::make(file));
}

TEST_CASE("design: more than a billion cells are refused before anything is opened") {
  const Campaign file = campaign_over("steps = [1, 2]\nstride = [1, 2]\n", "instances = 1000000\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  const Campaign more =
      campaign_over("steps = [1, 2]\nstride = [1, 2]\n", "instances = 1000000000\n");
  const auto refused = Design::make(more);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() ==
        "walk.toml: the full product asks for 2.4e+10 cells (4 points), expected at most 1e+09");
}

TEST_CASE("design: warnings are given once") {
  const Campaign file = campaign_over("stride = [1, 2e6, 3e6]\n");
  const auto design = Design::make(file);
  REQUIRE(design);
  CHECK(design->warnings() == std::vector<std::string>{"giant strides"});
}

TEST_CASE("design: a point can be taken again") {
  const Campaign file = campaign_over("stride = 2\n");
  auto design = Design::make(file);
  REQUIRE(design);
  CHECK(design->peek(0) != nullptr);
  const auto first = design->take(0);
  CHECK(design->peek(0) == nullptr);
  const auto second = design->take(0);
  REQUIRE(second);
  CHECK((*first)->definition() == (*second)->definition());
}
