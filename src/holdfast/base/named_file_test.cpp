#include "holdfast/base/named_file.hpp"

#include <doctest/doctest.h>

using namespace holdfast;

TEST_CASE("field that names a file: absolute or relative, whole names only") {
  const Value document =
      parse_json(R"({"job": 5, "failures": {"log": "logs/a.csv"}, "more": ["x", "/job/b.csv"]})")
          .value();
  CHECK(field_that_names(document, "/data", "/data/logs/a.csv:12") == "/failures/log");
  CHECK(field_that_names(document, ".", "logs/a.csv") == "/failures/log");
  CHECK(field_that_names(document, ".", "/job/b.csv:3: column") == "/more/1");
  CHECK(field_that_names(document, ".", "/job/b.csv.gz:3").empty());
  CHECK(field_that_names(document, ".", "/job").empty());
}
