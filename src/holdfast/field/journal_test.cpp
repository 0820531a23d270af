#include "holdfast/field/journal.hpp"

#include "holdfast/base/crc32.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include "support/scratch.hpp"
#include <algorithm>
#include <csignal>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;

namespace {

Value head() {
  return Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})},
                        {"command", Value::list(std::vector<std::string>{"mpirun", "./solver"})}});
}

Value line(std::string_view kind, double clock) {
  return Value::object({{"time", 1795374212.475},
                        {"clock", clock},
                        {"boot", "0d6f"},
                        {"run", 2},
                        {"kind", kind},
                        {"file", "state.ckpt"}});
}

void write_five(const std::filesystem::path& file) {
  auto journal = JournalWriter::open(file, {});
  REQUIRE(journal);
  REQUIRE(journal->append(head(), Durable::now));
  for (int i = 1; i < 5; ++i) {
    REQUIRE(journal->append(line("checkpoint", 60.25 * i), Durable::soon));
  }
  CHECK(journal->next() == 5);
}

std::string five_lines() {
  const Scratch scratch;
  write_five(scratch / "journal");
  return read_text(scratch / "journal");
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

TEST_CASE("journal: what was appended is read back, line by line") {
  const Scratch scratch;
  write_five(scratch / "journal");
  const auto journal = read_journal(scratch / "journal");
  REQUIRE(journal);
  CHECK(journal->head.at("/command/0")->described() == "the string \"mpirun\"");
  REQUIRE(journal->entries.size() == 4);
  CHECK(journal->entries[3].find("clock")->number() == 241.0);
  CHECK(journal->cut == 0);
  CHECK(journal->size == read_text(scratch / "journal").size());
  CHECK(read_journal(scratch / "nothing")->head.is_null());
}

TEST_CASE("journal: every prefix holds the lines that are whole") {
  const std::string text = five_lines();
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view prefix = std::string_view(text).substr(0, size);
    const auto journal = read_journal_text(prefix, "journal");
    REQUIRE(journal);
    const std::size_t whole = lines_in(prefix);
    CHECK(journal->entries.size() + (journal->head.is_null() ? 0 : 1) == whole);
    CHECK(journal->size + journal->cut == size);
  }
}

TEST_CASE(
    "journal: every flipped bit of the last line costs that line, of another one it is an error "
    "that names it") {
  const std::string text = five_lines();
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const auto journal = read_journal_text(changed, "journal");
      // A new end of line ends a line whose checksum fails; one that is lost joins two lines.
      const bool splits = changed[at] == '\n';
      const bool joins_last = at + 1 == last;
      const bool is_cut = (at >= last && !splits) || joins_last;
      REQUIRE(journal.has_value() == is_cut);
      if (is_cut) {
        CHECK(journal->entries.size() == (joins_last ? 2 : 3));
      } else {
        const std::size_t line = lines_in(std::string_view(text).substr(0, at)) + 1;
        CHECK(journal.error().where == fmt::format("journal:{}", line));
        CHECK(journal.error().code == ErrorCode::bad_format);
      }
    }
  }
}

TEST_CASE("journal: a changed line is reported with both checksums") {
  std::string text = five_lines();
  const std::size_t at = text.find("60.25");
  const std::size_t seal = text.find("\"crc\":\"", at) + 7;
  const std::string written = text.substr(seal, 8);
  text[at] = '7';
  const auto journal = read_journal_text(text, "journal.ndjson");
  REQUIRE_FALSE(journal);
  CHECK(journal.error().text().starts_with(
      fmt::format("journal.ndjson:2: checksum: found {}, expected ", written)));
}

TEST_CASE("journal: lines whose checksum holds are read strictly all the same") {
  const auto refusal = [](const Value& first, const Value& second) {
    const auto journal = read_journal_text(sealed(first) + '\n' + sealed(second) + '\n', "journal");
    return journal ? std::string() : journal.error().text();
  };
  Value good = head();
  good.set("n", 0);
  Value next = line("ready", 1);
  next.set("n", 1);
  CHECK(refusal(good, next).empty());
  Value again = next;
  again.set("n", 2);
  CHECK(refusal(good, again) ==
        "journal:2: /n: found 2, expected 1: a line is missing, or stands twice");
  Value nameless = next;
  nameless.set("kind", "re\x1b[2Jady");
  CHECK(refusal(good, nameless).starts_with("journal:2: /kind: found"));
  Value other = good;
  other.set("holdfast", Value::object({{"kind", "results"}, {"version", 1}}));
  CHECK(refusal(other, next).starts_with("journal:1: "));
  Value bare = next;
  bare.set("n", 0);
  CHECK(refusal(bare, next) == "journal:1: found no header, expected that of a journal");
}

TEST_CASE("journal: what a killed writer left is cut off, and the numbers go on") {
  const Scratch scratch;
  write_five(scratch / "journal");
  write_text(scratch / "journal", read_text(scratch / "journal") + "{\"n\":5,\"ti");
  const auto torn = read_journal(scratch / "journal");
  REQUIRE(torn);
  CHECK(torn->cut == 10);
  {
    auto journal = JournalWriter::open(scratch / "journal", *torn);
    REQUIRE(journal);
    REQUIRE(journal->append(line("failure", 300), Durable::now));
  }
  const auto journal = read_journal(scratch / "journal");
  REQUIRE(journal);
  CHECK(journal->entries.size() == 5);
  CHECK(journal->entries.back().find("n")->number() == 5);
}

TEST_CASE(
    "journal: a disk that is full keeps lines waiting, and they are written when there is room") {
  const Scratch scratch;
  auto journal = JournalWriter::open(scratch / "journal", {});
  REQUIRE(journal);
  REQUIRE(journal->append(head(), Durable::soon));
  const auto before = std::filesystem::file_size(scratch / "journal");
  // A limit on the size of files is a full disk for this process.
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{.rlim_cur = before + 100, .rlim_max = limit.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  const Status refused = journal->append(line("checkpoint", 1), Durable::soon);
  const bool was_waiting = !journal->flush();
  const auto meanwhile = read_journal(scratch / "journal");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(refused);
  CHECK(was_waiting);
  REQUIRE(meanwhile);
  CHECK(meanwhile->entries.empty());
  REQUIRE(journal->append(line("checkpoint", 2), Durable::now));
  CHECK_FALSE(journal->has_lost());
  CHECK(read_journal(scratch / "journal")->entries.size() == 2);
}

TEST_CASE("journal: opening 100 000 lines takes less than twice as long as parsing them" *
          doctest::test_suite("slow")) {
  const Scratch scratch;
  {
    auto journal = JournalWriter::open(scratch / "journal", {});
    REQUIRE(journal);
    REQUIRE(journal->append(head(), Durable::soon));
    for (int i = 0; i < 100'000; ++i) {
      REQUIRE(journal->append(line("checkpoint", 60.125 * i), Durable::soon));
    }
  }
  // Processor time, because the time spent waiting for a processor says nothing about the journal; compared with the parser,
  // because a slow machine says nothing about it either; the least of five turns each, because the first turn tidies up the
  // memory that earlier tests have left.
  const std::string text = read_file(scratch / "journal").value();
  double opening = std::numeric_limits<double>::infinity();
  double parsing = opening;
  const auto take_turn = [](double& least, const auto& what) {
    const std::clock_t begin = std::clock();
    const std::size_t count = what();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    return count;
  };
  for (int turn = 0; turn < 5; ++turn) {
    CHECK(take_turn(opening, [&] { return read_journal(scratch / "journal")->entries.size(); }) ==
          100'000);
    CHECK(take_turn(parsing, [&] {
            std::vector<Value> values;
            for (const std::string_view line : split(text, '\n')) {
              if (!line.empty()) values.push_back(parse_json(line).value());
            }
            return values.size();
          }) == 100'001);
  }
  MESSAGE("100 000 lines open in " << opening << " s of a processor, and are parsed in "
                                   << parsing);
#ifdef NDEBUG
  CHECK(opening < 2 * parsing);
#endif
}

TEST_CASE(
    "journal: what is handed over line by line is what is kept, across all pieces of a file") {
  const Scratch scratch;
  const auto file = scratch / "journal";
  {
    auto journal = JournalWriter::open(file, {});
    REQUIRE(journal);
    REQUIRE(journal->append(head(), Durable::soon));
    for (int i = 1; i < 1500; ++i) {
      Value entry = line("note", i);
      entry.set("text", std::string(static_cast<std::size_t>(37 * i % 5000), 'x'));
      REQUIRE(journal->append(std::move(entry), Durable::soon));
    }
  }
  const std::string whole = read_text(file);
  REQUIRE(whole.size() > (std::size_t{3} << 20));
  for (const std::string tail : {"", "{\"n\":1500,\"ti"}) {
    write_text(file, whole + tail);
    const auto kept = read_journal(file);
    REQUIRE(kept);
    REQUIRE(kept->entries.size() == 1499);
    std::size_t next = 0;
    const auto streamed =
        read_journal(file, [&](const Value& entry) { CHECK(entry == kept->entries[next++]); });
    REQUIRE(streamed);
    CHECK(next == 1499);
    CHECK(streamed->head == kept->head);
    CHECK(streamed->lines == 1500);
    CHECK(streamed->entries.empty());
    CHECK(streamed->size == whole.size());
    CHECK(streamed->cut == tail.size());
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  write_text(file, damaged);
  CHECK(read_journal(file).error().where == read_journal(file, [](const Value&) {}).error().where);
  write_text(file, whole + std::string(std::size_t{3} << 20, 'x'));
  CHECK(read_journal(file).error().message == "found a line of more than 1 MiB");
}
