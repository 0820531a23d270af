#include "holdfast/traces/formats.hpp"

#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/records.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace holdfast;

namespace {

Result<std::string> text_of(const TraceRecords& records, const Format& format) {
  std::string text;
  HOLDFAST_TRY(lost, write_records(records, format, [&](std::string_view part) {
                 text += part;
                 return Status{};
               }));
  return text;
}

/// A file that is gone when the test ends.
struct TemporaryFile {
  std::filesystem::path path;
  TemporaryFile(const char* name, const std::string& text)
      : path{std::filesystem::temp_directory_path() / name} {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("formats: every sample is recognised by its content as what its name says, and is read") {
  std::size_t samples = 0;
  for (const auto& entry : std::filesystem::directory_iterator("src/holdfast/traces/samples")) {
    const std::string file = entry.path().filename().string();
    CAPTURE(file);
    auto trace = open_trace(entry.path());
    REQUIRE(trace);
    CHECK(file.starts_with(trace->format->name));
    const RecordsQuestion question{.system = {}, .series = {.column = "*", .time_unit = 3600}};
    CHECK(std::visit(
        [&](const auto& format) {
          return format.read_all(std::move(trace->lines), question).has_value();
        },
        trace->format->of));
    ++samples;
  }
  CHECK(samples >= formats().size());
}

TEST_CASE("formats: rows can be recognised and read, and have names of their own") {
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK((format.recognise != nullptr || !format.columns.empty()));
    CHECK(std::visit([](const auto& of) { return of.read != nullptr; }, format.of));
    CHECK(std::count_if(formats().begin(), formats().end(),
                        [&](const Format& other) { return other.name == format.name; }) == 1);
  }
}

TEST_CASE(
    "formats: a sample that is written reads back as the same records, and writes the same text") {
  std::size_t written = 0;
  for (const auto& entry : std::filesystem::directory_iterator("src/holdfast/traces/samples")) {
    CAPTURE(entry.path().filename().string());
    const RecordsQuestion question{.system = {}, .series = {.column = "*", .time_unit = 1}};
    auto trace = open_trace(entry.path());
    REQUIRE(trace);
    const Format& own = *trace->format;
    if (own.as<IoLogs>() != nullptr) continue;  // read by `io`, written by nobody
    const auto first = read_records(std::move(*trace), question);
    REQUIRE(first);
    CHECK(first->index() == own.of.index());
    for (const Format& format : formats()) {
      if (format.of.index() != own.of.index() || !is_writable(format)) continue;
      CAPTURE(format.name);
      const auto text = text_of(*first, format);
      if (!text) {  // a series without dates, jobs without starts
        CHECK(text.error().message.find("expected") != std::string::npos);
        continue;
      }
      auto again = open_trace(open_text(*text), "again");
      REQUIRE(again);
      CHECK(again->format->name == format.name);
      const auto second = read_records(std::move(*again), question);
      REQUIRE(second);
      const auto twice = text_of(*second, format);
      REQUIRE(twice);
      CHECK(*twice == *text);
      ++written;
    }
  }
  CHECK(written > 20);
}

TEST_CASE("formats: what cannot be opened or recognised is refused") {
  const TemporaryFile unknown("holdfast-formats-unknown", "a,b,c\n1,2,3\n");
  const TemporaryFile empty("holdfast-formats-empty", "");
  const TemporaryFile table("holdfast-formats-table", "low,high\n1,2\n");
  const std::string message = open_trace(unknown.path).error().message;
  CHECK(message.starts_with("found 3 columns (a, b, c), 1 row, expected a trace; nearest is "));
  CHECK(open_trace(empty.path).error().message == "found an empty file, expected a trace");
  CHECK(open_trace(unknown.path, "lanI").error().text() ==
        "format: found no format 'lanI', did you mean 'lanl'?");
  CHECK(open_trace("no-such-file").error().text() ==
        "no-such-file: cannot be opened: No such file or directory");
  CHECK(read_failure_log(table.path).error().message ==
        "found lifetimes with columns low, high, expected a failure log");
  const auto forced = read_failure_log(unknown.path, {}, "failures-csv");
  REQUIRE(!forced);
  CHECK(forced.error().text() ==
        unknown.path.string() +
            ": found columns a, b, c, expected one for node and down; try columns node=a,down=b");
}

TEST_CASE(
    "formats: a sample reads the same with CR LF, a byte order mark, without its last line end") {
  const RecordsQuestion question{.system = {}, .series = {.column = "*", .time_unit = 1}};
  const auto records_of = [&](std::string text) -> Result<std::string> {
    HOLDFAST_TRY(trace, open_trace(open_text(std::move(text)), "sample"));
    if (const auto* format = trace.format->as<IoLogs>()) {
      HOLDFAST_TRY(logs, format->read(std::move(trace.lines)));
      std::string out;
      for (const IoLog& log : logs) out += std::to_string(log.operations.size()) + "\n";
      return out;
    }
    HOLDFAST_TRY(records, read_records(std::move(trace), question));
    return text_of(records, plain_format(records));
  };
  for (const auto& entry : std::filesystem::directory_iterator("src/holdfast/traces/samples")) {
    CAPTURE(entry.path().filename().string());
    const std::string text = read_file(entry.path()).value();
    const auto plain = records_of(text);
    REQUIRE(plain);
    std::string with_returns, unended = text;
    for (const char c : text) {
      if (c != '\r') with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    while (unended.ends_with('\n') || unended.ends_with('\r')) unended.pop_back();
    CHECK(records_of(with_returns).value_or("refused") == *plain);
    CHECK(records_of("\xEF\xBB\xBF" + text).value_or("refused") == *plain);
    CHECK(records_of(unended).value_or("refused") == *plain);
    CHECK(records_of(text + "\n").value_or("refused") == *plain);
  }
}

TEST_CASE("formats: what is no text is refused by what it is, whatever format is named") {
  const struct {
    std::string bytes;
    const char* message;
  } rows[] = {
      {"PK\x03\x04 and so on",
       "found a zip archive, expected text or a compressed text: unpack it first"},
      {"SQLite format 3",
       "found a SQLite database, expected text: sqlite3 -header -csv FILE 'select * from TABLE'"},
      {"3.10" + std::string(4, '\0'), "found a binary file (byte 5 is zero), expected text"},
      {"1 2\r3 4\r",
       "found lines that end in CR alone, expected LF or CR LF: convert them (tr '\\r' '\\n')"},
  };
  for (const auto& row : rows) {
    for (const char* format : {"", "swf"}) {
      const auto trace = open_trace(open_text(row.bytes), "log", format);
      REQUIRE(!trace);
      CHECK(trace.error().text() == std::string("log: ") + row.message);
    }
  }
  CHECK(open_trace(open_text("\n \n"), "log").error().text() ==
        "log: found nothing but blank lines, expected a trace");
  const auto text =
      open_trace(open_text("\x1b[31m" + std::string(60, 'x') + "\nand a word\n"), "log");
  CHECK(text.error().message.find("beginning with '?[31m" + std::string(35, 'x') + "...'") !=
        std::string::npos);
}

TEST_CASE("lifetimes-csv: exact, censored, between inspections, truncated, counted") {
  const auto read = [](const char* text) {
    return read_lifetime_table(LineReader{open_text(text), "t.csv"});
  };
  const auto lives =
      read("# a table\nlow,high,entry,count\n10,10,,2\n1h,,,1\n1,10,0.5,1\n5,inf,2,1\n");
  REQUIRE(lives);
  CHECK(lives->lifetimes == std::vector{Lifetime::exact(10), Lifetime::exact(10),
                                        Lifetime::censored(3600), Lifetime::between(1, 10, 0.5),
                                        Lifetime::censored(5, 2)});
  const auto again =
      read_lifetime_table(LineReader{open_text(write_lifetime_table(lives->lifetimes)), "t.csv"});
  REQUIRE(again);
  CHECK(again->lifetimes == lives->lifetimes);

  const auto message = [&](const char* text) {
    const auto table = read(text);
    return table ? "no error" : table.error().text();
  };
  CHECK(message("low,high\n") == "t.csv:1: found no lifetime, expected at least one");
  CHECK(message("low,high\n-1,2\n") ==
        "t.csv:2: low: found '-1', expected a duration of 0 or more");
  CHECK(message("low,high\n1,x\n") == "t.csv:2: high: found 'x', expected a duration of 0 or more");
  CHECK(message("low,high\nnan,2\n") ==
        "t.csv:2: low: found 'nan', expected a duration of 0 or more");
  CHECK(message("low,high\ninf,\n") == "t.csv:2: low: found 'inf', expected a finite duration");
  CHECK(message("low,high\n3,2\n") ==
        "t.csv:2: high: found '2', expected at least the value under 'low'");
  CHECK(message("low,high,entry\n3,4,5\n") ==
        "t.csv:2: entry: found '5', expected at most the value under 'low'");
  CHECK(message("low,high\n0,0\n") ==
        "t.csv:2: found failures at age 0 and no other age, expected ages above 0");
  CHECK(message("low,high,entry\n3,3,3\n") ==
        "t.csv:2: entry: found '3', expected less than the age at failure");
  CHECK(message("low,high,count\n3,4,0\n") ==
        "t.csv:2: count: found '0', expected a whole number of 1 or more");
  CHECK(message("low,high,count\n3,4,1e12\n") ==
        "t.csv:2: count: found '1e12', expected at most 10000000 lifetimes in all");
}
