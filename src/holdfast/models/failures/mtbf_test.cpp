#include "holdfast/models/failures/mtbf.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("mtbf: of one processor, or of all together, never both") {
  const auto read = [](std::string_view text) {
    const Value document = parse_json(text).value();
    ObjectReader reader(document, "");
    const auto mean = read_mtbf(reader, 8000);
    return std::pair(mean, reader.finish());
  };
  CHECK(read(R"({"mtbf": "1d"})").first == 86400);
  CHECK(read(R"({"platform_mtbf": "1d"})").first == 86400.0 * 8000);
  CHECK(read("{}").first == std::nullopt);
  const auto both = read(R"({"mtbf": "1d", "platform_mtbf": "1d"})").second;
  REQUIRE(!both);
  CHECK(both.error().text() ==
        "/platform_mtbf: found both 'mtbf' and 'platform_mtbf', expected one of them");
  CHECK_FALSE(read(R"({"platform_mtbf": 0})").second.has_value());
}
