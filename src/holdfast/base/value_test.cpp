#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace holdfast;

TEST_CASE("JSON is read strictly: what is refused says where and why") {
  struct Row {
    std::string text, where, message;
  };
  const Row rows[] = {
      {R"({"a": 1, "a": 2})", "", R"(found the key "a" twice in one object)"},
      {R"({"x": [{"b": 1, "b": 2}]})", "/x/0", R"(found the key "b" twice in one object)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto value = parse_json(row.text);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::bad_format);
    CHECK(value.error().where == row.where);
    CHECK(value.error().message == row.message);
  }
  for (const std::string text : {"", "{", "[1,]", "{} x", "NaN", "[Infinity]", "1e999", "[-1e999]",
                                 "{'a':1}", "// c\n1", "\"\xff\"", "01", "nul"}) {
    CAPTURE(text);
    const auto value = parse_json(text);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::bad_format);
    CHECK_FALSE(value.error().message.empty());
  }
}

TEST_CASE("documents are UTF-8: what is read must be, what is written is") {
  for (const auto& parse : {parse_json, parse_toml}) {
    const auto value = parse("# one\n\"name\" = \"caf\xe9\"\n");
    REQUIRE_FALSE(value);
    CHECK(value.error().text() == "2, column 14: found the byte \\xe9, expected text in UTF-8");
  }
  CHECK(to_compact_json(Value("caf\xe9 \xc3\xa9")) == "\"caf\xef\xbf\xbd \xc3\xa9\"");
}

TEST_CASE("a message shows no control characters, and only the beginning of a long token") {
  const auto value = parse_json("[tr" + std::string(1000, 'x') + "]");
  REQUIRE_FALSE(value);
  CHECK(value.error().message.size() < 200);
  const auto key = parse_json(R"({"a\u001b": 1, "a\u001b": 2})");
  CHECK(key.error().message == R"(found the key "a\x1b" twice in one object)");
  CHECK(Value("\x1b[2J" + std::string(100, 'y')).described() ==
        "the string \"\\x1b[2J" + std::string(56, 'y') + "...\"");
}

TEST_CASE("a parse error names line and column") {
  const auto value = parse_json("{\n  \"a\": 1,\n  oops\n}");
  REQUIRE_FALSE(value);
  CHECK(value.error().where == "3, column 3");
}

TEST_CASE("a hundred megabytes of nesting are refused, not followed") {
  const auto value = parse_json(std::string(100'000'000, '['));
  REQUIRE_FALSE(value);
  CHECK(value.error().message == "found nesting deeper than 200 levels");
}

TEST_CASE("many members in one object are read in linear time, and duplicates still found") {
  std::string text = "{";
  for (int i = 0; i < 50'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  CHECK(parse_json(text + "\"z\":1}")->members()->size() == 50'001);
  CHECK_FALSE(parse_json(text + "\"k7\":1}"));
}

TEST_CASE("more values than memory should be asked for are refused" * doctest::test_suite("slow")) {
  std::string many = "[";
  for (int i = 0; i < (1 << 23); ++i) many += "1,";
  CHECK(parse_json(many + "1]").error().message ==
        "found more than 8388608 values, expected at most so many");
  std::string natural = "[0";
  for (int i = 0; i < (1 << 23); ++i) natural += ",10000000";
  CHECK(parse_json(natural + "]")->array_items()->size() == (1 << 23) + 1);
  CHECK(parse_toml("x = " + many + "1]").error().text() ==
        "1: found more than 2097152 values, expected at most so many");
}

TEST_CASE("TOML: keys of many parts are refused, not followed") {
  const auto parts = [](std::size_t count) {
    std::string key = "a";
    for (std::size_t i = 1; i < count; ++i) key += ".a";
    return key;
  };
  const std::string deep = parts(100'000);
  const std::string texts[] = {
      deep + " = 1",
      "[" + deep + "]",
      "[[" + deep + "]]\nb = 1",
      "x = { " + deep + " = 1 }",
      // After texts that contain the characters that end texts.
      "# \"\n'a\"' = 1\n\"b'\" = '''\n.\"'''\n" + deep + " = 1",
      "x = \"\"\"a\\\"\"\"\"\"\"\ny = [ { b = \"\\\"\", " + deep + " = 1 } ]",
  };
  for (const std::string& text : texts) {
    const auto value = parse_toml(text);
    REQUIRE_FALSE(value);
    CHECK(value.error().message == "found nesting deeper than 200 levels");
  }
  // The levels of a header, a key and its value add up.
  CHECK_FALSE(parse_toml("[" + parts(120) + "]\nb = 1\n" + parts(90) + " = 1"));
  std::string nested = "1";
  for (int i = 0; i < 10; ++i) nested = "{ " + parts(25) + " = " + nested + " }";
  CHECK_FALSE(parse_toml("x = " + nested));
  CHECK(parse_toml(deep + " = 1").error().where == "1");
  CHECK(parse_toml("x = 1\n\n" + deep + " = 1").error().where == "3");
}

TEST_CASE("TOML: dots that do not separate levels do not count") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "k" + std::to_string(i) + ".x = 1.5 # a.b.c\n";
  text += "\"" + std::string(300, '.') + "\" = '" + std::string(300, '.') + "'\nl = [\n";
  for (int i = 0; i < 300; ++i) text += "  1.5, { a.b = 0.5 }, [0.5],\n";
  text += "]\n";
  for (int i = 0; i < 300; ++i) text += "[[t.u]]\nv.w = 1.5\n[s" + std::to_string(i) + ".s]\n";
  const auto value = parse_toml(text);
  REQUIRE(value);
  CHECK(value->at("/l")->array_items()->size() == 900);
  CHECK(value->at("/t/u")->array_items()->size() == 300);
}

TEST_CASE("TOML: a long key costs its length once, not for each value below it") {
  const std::string key(100'000, 'k');
  std::string list = "[";
  for (int i = 0; i < 200'000; ++i) list += "1,";
  CHECK(parse_toml(key + " = " + list + "1]"));
  CHECK(parse_toml(key + " = " + list + "nan]").error().where == "1: /" + key + "/200000");
}

TEST_CASE("numbers keep their kind: 64 bits whole, doubles to the last digit") {
  std::uint64_t large = 0;
  CHECK(parse_json("18446744073709551615")->get_unsigned(large));
  CHECK(large == 18446744073709551615u);
  CHECK(to_json(*parse_json("18446744073709551615")) == "18446744073709551615");
  CHECK(to_json(*parse_json("0.1")) == "0.1");
  CHECK(to_json(Value(3.0)) == "3");
  CHECK(to_json(Value(1e300)) == "1e+300");
  std::int64_t whole = 0;
  CHECK(parse_json("3.0")->get_integer(whole));
  CHECK_FALSE(parse_json("3.5")->get_integer(whole));
  CHECK_FALSE(parse_json("1e19")->get_integer(whole));
}

TEST_CASE("what is written reads back the same") {
  CHECK(rc::check([](double number, std::string text, std::int64_t whole) {
    RC_PRE(std::isfinite(number));
    for (char& c : text) c = static_cast<char>(c & 0x7f);
    const Value value = Value::object(
        {{"n", number}, {text, Value::list(std::vector<double>{number, 1})}, {"whole", whole}});
    RC_PRE(text != "n" && text != "whole");
    RC_ASSERT(parse_json(to_json(value)) == value);
    RC_ASSERT(parse_json(to_compact_json(value)) == value);
  }));
}

TEST_CASE("pointers reach and write members, with ~ and / escaped") {
  Value value = parse_json(R"({"a": {"b/c": [10, {"~": 7}]}})").value();
  CHECK(value.at("/a/b~1c/1/~0")->number() == 7);
  CHECK(value.at("/a/b~1c/2") == nullptr);
  CHECK(value.at("/a/x") == nullptr);
  CHECK(pointer_to("/a", "b/c~") == "/a/b~1c~0");
  value.set_at("/new/deep", 5);
  CHECK(value.at("/new/deep")->number() == 5);
}

TEST_CASE("TOML: order and lines are kept, what JSON cannot say is refused") {
  const auto value = parse_toml("z = 1\na = [1, 2]\n[t]\nx = \"600s\"\n");
  REQUIRE(value);
  CHECK(value->members()->front().first == "z");
  CHECK(value->at("/t/x")->line() == 4);
  CHECK(place_in(*value, "/t/x") == "4: /t/x");
  CHECK(place_in(*value, "/t/missing") == "3: /t/missing");
  CHECK(parse_toml("a = nan").error().message == "found nan or inf, expected a finite number");
  CHECK(parse_toml("\na = 2020-01-01").error().where == "2: /a");
  const auto broken = parse_toml("a = 1\nb = = 2\n");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().where == "2, column 5");
  CHECK_FALSE(parse_toml("a = 1\na = 2"));
}
