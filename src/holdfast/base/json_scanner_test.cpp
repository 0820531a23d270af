#include "holdfast/base/json_scanner.hpp"

#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;

TEST_CASE("json scanner: takes what is asked for and skips the rest") {
  const std::string text = R"( {"a": [1, -2.5e3, 0], "skip": {"x": [{}, [], "}]\"", null, true]},
      "text": "caf\u00e9 \"\ud83d\ude00\"\n", "last": 7} )";
  JsonScanner scan(text);
  std::vector<double> numbers;
  std::string found;
  double last = 0;
  std::string_view key;
  for (scan.begin_object(); scan.next_member(key);) {
    if (key == "a") {
      for (scan.begin_array(); scan.next_element();) numbers.push_back(scan.number());
    } else if (key == "text") {
      found = scan.string();
    } else if (key == "last") {
      last = scan.number();
    } else {
      scan.skip();
    }
  }
  REQUIRE(scan.finish());
  CHECK(numbers == std::vector<double>{1, -2500, 0});
  CHECK(found == "caf\xC3\xA9 \"\xF0\x9F\x98\x80\"\n");
  CHECK(last == 7);
}

TEST_CASE(
    "json scanner: what the strict reader refuses, skipping refuses too, at a line and column") {
  struct Row {
    std::string text;
    std::string where;
  };
  const Row rows[] = {
      {"{\"a\": 1,}", "1, column 9"},  // a comma before the end
      {"{\"a\" 1}", "1, column 6"},    // no colon
      {"[1 2]", "1, column 4"},        // no comma
      {"[1,\n 01]", "2, column 2"},    // a leading zero
      {"[nul]", "1, column 2"},        // half a word
      {"[\"a\nb\"]", "1, column 4"},   // a line end inside a text
      {"{\"a\": [}", "1, column 8"},   // the wrong bracket
      {"[1]\n x", "2, column 2"},      // text after the document
      {"[\"abc", "1, column 6"},       // no end
      {"", "1, column 1"},             // nothing at all
      {"[-]", "1, column 2"},          // no digits
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    JsonScanner scan(row.text);
    scan.skip();
    const Status status = scan.finish();
    REQUIRE(!status);
    CHECK(status.error().where == row.where);
    CHECK(!parse_json(row.text));
  }
}

TEST_CASE("json scanner: after an error everything ends") {
  const std::string text = R"({"a": "x", "b": 1})";
  JsonScanner scan(text);
  std::string_view key;
  int members = 0;
  for (scan.begin_object(); scan.next_member(key); ++members) scan.number();
  CHECK(members == 1);
  REQUIRE(!scan.finish());
  CHECK(scan.status().error().message == "found '\"', expected a number");
  CHECK(scan.kind() == JsonScanner::Kind::none);
  CHECK(!scan.begin_array());
}

TEST_CASE("json scanner: deep nesting is refused, not followed") {
  const std::string text(100'000, '[');
  JsonScanner scan(text);
  scan.skip();
  CHECK(!scan.finish());
}
