#include "holdfast/arbiter/calibrate.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

Value options_for(const std::string& directory,
                  std::vector<std::pair<std::string, Value>> others = {}) {
  Value out = Value::object({{"directory", directory}});
  for (auto& [name, value] : others) out.set(name, std::move(value));
  return out;
}

std::string refused_option(const Value& values) {
  const auto options = read_calibrate_options(values);
  return options ? "" : options.error().where;
}

}  // namespace

TEST_CASE("the advised bandwidth is below what any number of writers from the plateau on reached") {
  const auto advised = [](std::vector<CalibratedPoint> points) {
    return advised_bandwidth(points);
  };
  CHECK(advised({{1, 100}}) == doctest::Approx(97));
  // One writer alone does not fill it.
  CHECK(advised({{1, 50}, {2, 90}, {4, 100}, {8, 100}}) == doctest::Approx(97));
  // What differs by little is the plateau, too.
  CHECK(advised({{1, 80}, {2, 100}, {4, 98}, {8, 101}}) == doctest::Approx(0.97 * 98));
  // Many disturb each other.
  CHECK(advised({{1, 50}, {8, 64}, {64, 40}}) == doctest::Approx(0.97 * 40));
}

TEST_CASE(
    "calibrating: what writers reach in a folder is more with time, and nothing stays there") {
  const Scratch folder;
  CalibrateOptions options = read_calibrate_options(options_for(folder.path().string())).value();
  CHECK(options.writers == std::vector<std::int64_t>{1, 2, 4, 8});
  options.writers = {1, 3};
  options.time = 0.1;
  options.warm_up = 0;
  options.size = 1 << 20;
  options.piece = 65536;
  const auto answer = calibrate(options);
  REQUIRE(answer);
  CHECK(answer->tables.at(0).rows.size() == 2);
  const Value& document = answer->document;
  CHECK(document.at("/measured/1/writers")->number() == 3);
  CHECK(document.at("/bandwidth")->number() > 0);
  CHECK(document.at("/bandwidth")->number() <= document.at("/measured/1/bandwidth")->number());
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("calibrating: what cannot be measured is refused") {
  const Scratch folder;
  const std::string place = folder.path().string();
  CHECK(refused_option(Value()) == "/directory");
  CHECK(refused_option(options_for(place, {{"writers", "1,zero"}})) == "/writers");
  CHECK(refused_option(options_for(place, {{"writers", "0"}})) == "/writers");
  CHECK(refused_option(options_for(place, {{"piece", 1e6}, {"size", 1e5}})) == "/piece");
  CHECK(refused_option(options_for(place, {{"writers", "4,1,4"}})).empty());
  CHECK(read_calibrate_options(options_for(place, {{"writers", "4,1,4"}}))->writers ==
        std::vector<std::int64_t>{1, 4});

  CHECK(calibrate({.directory = place + "/none"}).error().where == "/directory");
  CHECK(calibrate({.directory = place, .size = 1e18}).error().where == "/size");
  // What is no file system for files says so, and not after an hour.
  const auto found = calibrate({.directory = "/proc", .time = 3600, .size = 1});
  REQUIRE_FALSE(found);
}
