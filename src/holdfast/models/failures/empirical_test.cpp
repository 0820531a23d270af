#include "holdfast/base/file.hpp"
#include "holdfast/models/failures/law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("empirical: the Nelson-Aalen estimate, by hand") {
  // Deaths at 1, 2, 2, 4; watched without failure until 3 and 9. At risk: 6 at 1, 5 at 2, 2 at 4.
  const double lifetimes[] = {2, 9, 1, 3, 2, 4};
  const std::uint8_t observed[] = {1, 0, 1, 0, 1, 1};
  const auto law = empirical_law_of_lifetimes(lifetimes, observed);
  REQUIRE(law.has_value());
  const double h1 = 1.0 / 6;
  const double h2 = h1 + 2.0 / 5;
  const double h4 = h2 + 1.0 / 2;
  CHECK(law->cumulative_hazard(0.5) == doctest::Approx(h1 / 2));
  CHECK(law->cumulative_hazard(1) == doctest::Approx(h1));
  CHECK(law->cumulative_hazard(2) == doctest::Approx(h2));
  CHECK(law->cumulative_hazard(3) == doctest::Approx((h2 + h4) / 2));
  CHECK(law->cumulative_hazard(4) == doctest::Approx(h4));
  CHECK(law->cumulative_hazard(12) == doctest::Approx(3 * h4));  // the mean hazard goes on
  CHECK(law->hazard(1.5) == doctest::Approx(0.4));
  CHECK_FALSE(law->is_smooth());
}

TEST_CASE("empirical: many lifetimes come close to the law they were drawn from") {
  const Law truth = weibull_law_of_mean(0.6, 1000);
  Stream stream({.seed = 3, .purpose = Purpose::tool});
  std::vector<double> lifetimes;
  std::vector<std::uint8_t> observed;
  for (int i = 0; i < 200000; ++i) {
    const double x = truth.draw(stream);
    const double watched = stream.uniform(0, 5000);
    lifetimes.push_back(std::min(x, watched));
    observed.push_back(x <= watched ? 1 : 0);
  }
  const auto law = empirical_law_of_lifetimes(lifetimes, observed);
  REQUIRE(law.has_value());
  CHECK(law->description().find("hazards")->array_items()->size() <= 258);
  for (const double x : {50.0, 200.0, 1000.0, 3000.0}) {
    CHECK(law->cumulative_hazard(x) == doctest::Approx(truth.cumulative_hazard(x)).epsilon(0.02));
  }
}

TEST_CASE("empirical: plateaus of the hazard") {
  const double breakpoints[] = {0, 10, 20};
  const double hazards[] = {0.1, 0, 0.2};
  const Law law = empirical_law(breakpoints, hazards);
  CHECK(law.cumulative_hazard(15) == 1);
  CHECK(law.inverse_cumulative_hazard(1) == 10);
  CHECK(law.inverse_cumulative_hazard(0.5) == doctest::Approx(5));
  CHECK(law.inverse_cumulative_hazard(1.2) == doctest::Approx(21));
}

TEST_CASE("empirical: files of lifetimes and of pieces") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "holdfast empirical test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, std::string_view text) {
    REQUIRE(write_file(folder / name, text).has_value());
  };
  const auto read = [&](const char* name) {
    return read_law(Value::object({{"distribution", "empirical"}, {"file", name}}), "/failures",
                    folder);
  };
  write("lifetimes.csv", "# node lifetimes\nlifetime,observed\n1h,1\n7200, 1\n3h,0\n");
  const auto sample = read("lifetimes.csv");
  REQUIRE(sample.has_value());
  CHECK(sample->cumulative_hazard(3600) == doctest::Approx(1.0 / 3));
  CHECK(sample->cumulative_hazard(7200) == doctest::Approx(1.0 / 3 + 1.0 / 2));
  CHECK(sample->description().find("file") == nullptr);

  // As `trace convert --to lifetimes-csv` writes them.
  write("converted.csv", "low,high,entry\n3600,3600,0\n3600,10800,0\n10800,,0\n0,,0\n");
  const auto converted = read("converted.csv");
  REQUIRE(converted.has_value());
  CHECK(converted->cumulative_hazard(7200) == sample->cumulative_hazard(7200));
  write("often.csv", "count,low,high\n2,3600,3600\n1,7200,inf\n");
  CHECK(read("often.csv")->cumulative_hazard(3600) == doctest::Approx(2.0 / 3));
  write("entered.csv", "low,high,entry\n5,5,0\n7,7,2\n");
  CHECK(read("entered.csv").error().text() ==
        (folder / "entered.csv").string() +
            ":3: found a life observed from the age of '2', expected lives observed from the start "
            "for the empirical law");
  write("backwards.csv", "low,high\n7,5\n");
  CHECK(read("backwards.csv").error().text() ==
        (folder / "backwards.csv").string() +
            ":2: found '7,5', expected the ages between which a life ended: low, and high or "
            "nothing");

  write("pieces.json", R"({"breakpoints": [0, 5], "hazards": [1, 2]})");
  const auto pieces = read("pieces.json");
  REQUIRE(pieces.has_value());
  CHECK(pieces->cumulative_hazard(6) == 7);

  write("bad.csv", "5\n-1\n");
  CHECK(read("bad.csv").error().where == (folder / "bad.csv").string() + ":2");
  write("control.csv", "low,high\n1,\x1b[31m" + std::string(100, 'x') + "\n");
  CHECK(read("control.csv").error().message ==
        "found '1,\\x1b[31m" + std::string(53, 'x') +
            "...', expected the ages between which a life ended: low, and high or nothing");
  write("few.csv", "5\n7,0\n");
  CHECK(read("few.csv").error().text() ==
        (folder / "few.csv").string() +
            ": found 1 lifetime that ended in a failure, expected at least 2");
  write("bad.json", R"({"breakpoints": [0, 5], "hazards": [1, 2], "more": 1})");
  CHECK(read("bad.json").error().where.find("bad.json: /more") != std::string::npos);
  CHECK_FALSE(read("absent.csv").has_value());
  std::filesystem::remove_all(folder);
}
