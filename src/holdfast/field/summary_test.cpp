// Journals whose older lines are replaced by a summary.
#include "holdfast/base/file.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/guard_status.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/report/schedule.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.hpp"
#include <csignal>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;

namespace {

namespace fs = std::filesystem;

Value head() {
  return Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})},
                        {"command", Value::list(std::vector<std::string>{"./solver"})}});
}

SeenFile file_of(std::int64_t number) {
  return {.path = fmt::format("state-{}", number % 3),
          .inode = static_cast<std::uint64_t>(number),
          .size = 100,
          .changed = number};
}

/// An entry of a job, whatever it did before.
JournalEntry any_entry(std::int64_t next) {
  const auto seconds = [] { return *rc::gen::inRange(0, 1000) / 8.0; };
  const auto number = [&] { return std::max<std::int64_t>(1, next - *rc::gen::inRange(1, 5)); };
  switch (*rc::gen::inRange(0, 21)) {
    case 0:
      return entry::Launch{.pid = 1, .start = 1, .from = "", .command = {"./solver"}};
    case 1:
      return entry::Ready{seconds()};
    case 2:
      return entry::Due{seconds()};
    case 3:
      return entry::Begun{seconds()};
    case 4:
      return entry::Snapshot{seconds(), seconds()};
    case 5:
      return entry::Durable{{.ok = *rc::gen::arbitrary<bool>(), .work = seconds()}};
    case 6:
      return entry::Failure{
          .signal = 9, .survived = *rc::gen::arbitrary<bool>(), .lost = seconds()};
    case 7:
      return entry::Failure{
          .code = 1, .quick = true, .saving = 1.5, .node = 3, .reason = "\x1b[2J"};
    case 8:
      return entry::Restart{
          .saved = true, .in_vain = *rc::gen::arbitrary<bool>(), .lost = seconds()};
    case 9:
      return entry::Stop{"a signal", seconds()};
    case 10:
      return entry::Progress{seconds(), 1000};
    case 11:
      return entry::Inputs{Value::object({{"a.dat", Value::object({{"size", 3}})}})};
    case 12:
      return entry::Warning{"no new checkpoint"};
    case 13:
      return Entry(Accepted{next, Evidence::moved, file_of(next)});
    case 14:
      return Entry(Kept{.generation = number(), .digest = "ab", .file = file_of(number())});
    case 15:
      return Entry(
          SetAside{.generation = *rc::gen::element<std::int64_t>(0, number()), .to = "aside/1"});
    case 16:
      return Entry(Noticed{.file = "state-1", .inode = 4, .changed = 4});
    case 17:
      return Entry(Lost{number()});
    case 18:
      return entry::Estimate{.due = seconds(), .checkpoint = seconds(), .checkpoints = {1, 2}};
    default:
      return entry::Checkpoint{.ok = *rc::gen::inRange(0, 5) > 0,
                               .work = seconds(),
                               .seconds = seconds() / 100,
                               .due = 9};
  }
}

std::string course_of(const History& history) {
  return to_compact_json(schedule_value(history.course.timeline()));
}

/// Everything that anybody reads of a history.
std::string told(const History& history) {
  std::string out = to_compact_json(report_document(history, {}));
  for (const std::string& line : status_lines(history, true, history.time + 5)) out += line + '\n';
  for (const Entry& entry : history.generations.entries()) out += to_compact_json(to_value(entry));
  out += course_of(history);
  return out + fmt::format("{} {} {} {} {}", history.tries, history.event_rows, history.saved_at,
                           to_compact_json(history.inputs), history.generations.spent().size());
}

void append(JournalWriter& journal, History& history, const JournalEntry& entry, double clock) {
  Value line = line_of(entry, {.time = 1e9 + clock, .clock = clock, .run = history.launches});
  history.take(line);
  REQUIRE(journal.append(std::move(line), Durable::soon));
}

}  // namespace

TEST_CASE("journal: with summaries anywhere it says what it says without") {
  CHECK(rc::check([] {
    const Scratch scratch;
    auto plain = JournalWriter::open(scratch / "plain", {});
    auto short_one = JournalWriter::open(scratch / "short", {});
    RC_ASSERT(plain && short_one);
    RC_ASSERT(plain->append(head(), Durable::soon) && short_one->append(head(), Durable::soon));
    History history;
    History again;
    double clock = 0;
    for (int i = *rc::gen::inRange(0, 200); i > 0; --i) {
      clock += *rc::gen::inRange(0, 100) / 4.0;
      const JournalEntry entry = any_entry(history.generations.next());
      append(*plain, history, entry, clock);
      append(*short_one, again, entry, clock);
      if (*rc::gen::inRange(0, 20) != 0) continue;
      RC_ASSERT(compact(*short_one, again).has_value());
      const auto read = read_history(scratch / "short");
      RC_ASSERT(read.has_value());
      again = read->history;  // as a guard that was killed and goes on
      auto opened = JournalWriter::open(scratch / "short", read->journal);
      RC_ASSERT(opened.has_value());
      RC_ASSERT(opened->next() == plain->next());
    }
    const auto long_read = read_history(scratch / "plain");
    const auto short_read = read_history(scratch / "short");
    RC_ASSERT(long_read && short_read);
    RC_ASSERT(told(short_read->history) == told(long_read->history));
    RC_ASSERT(short_read->journal.next == long_read->journal.next);
    RC_ASSERT(*short_read->journal.head.find("command") == *head().find("command"));
  }));
}

namespace {

/// Writes the journal of a job that saved `checkpoints` times as a guard does, and returns its history.
History guarded(const fs::path& file, int checkpoints) {
  auto journal = JournalWriter::open(file, {});
  REQUIRE(journal);
  REQUIRE(journal->append(head(), Durable::soon));
  History history;
  double clock = 0;
  append(*journal, history, entry::Launch{.from = ""}, clock);
  for (std::int64_t i = 1; i <= checkpoints; ++i) {
    clock += 660;
    append(*journal, history, Entry(Accepted{i, Evidence::moved, file_of(i)}), clock);
    append(*journal, history, Entry(Kept{.generation = i, .place = "state.1", .file = file_of(i)}),
           clock);
    append(*journal, history, entry::Checkpoint{.ok = true, .work = 600, .seconds = 60, .due = 600},
           clock);
    append(*journal, history, entry::Estimate{.checkpoint = 60 + static_cast<double>(i % 7)},
           clock);
    if (i % 1000 == 0) append(*journal, history, entry::Failure{.signal = 9, .lost = 1}, clock + 1);
    if (i % 1000 == 0) append(*journal, history, entry::Launch{.from = "state"}, clock + 2);
    if (journal->is_long()) REQUIRE(compact(*journal, history));
  }
  return history;
}

}  // namespace

TEST_CASE("journal: its length does not grow with the job, and the lines are in a folder") {
  const Scratch scratch;
  constexpr int kCheckpoints = 6000;
  const History history = guarded(scratch / "journal", kCheckpoints);
  CHECK(fs::file_size(scratch / "journal") < (std::size_t{1} << 20));
  const auto read = read_history(scratch / "journal");
  REQUIRE(read);
  CHECK(told(read->history) == told(history));
  CHECK(history.checkpoints == kCheckpoints);
  CHECK(history.estimates.size() <= kMostEstimates);
  CHECK(history.course.stretches.size() <= 2000);
  // The folder and the journal together have all lines.
  std::string whole = sealed([&] {
                        Value first = head();
                        first.set("n", 0);
                        return first;
                      }()) +
                      '\n';
  for (std::int64_t next = 1; next < read->journal.first;) {
    const std::string lines =
        read_text(scratch / "journal-past" / fmt::format("{:09}.ndjson", next));
    whole += lines;
    next += std::ranges::count(lines, '\n');
  }
  whole += read_text(scratch / "journal").substr(read->journal.begin);
  const auto all = read_journal_text(whole, "journal");
  REQUIRE(all);
  CHECK(all->next == read->journal.next);
  CHECK(told(history_of(*all)) == told(history));
}

TEST_CASE(
    "journal: a guard that is killed while it writes a summary leaves the old journal or the new "
    "one") {
  const Scratch scratch;
  const fs::path file = scratch / "journal";
  const std::string before = told(guarded(file, 50));
  for (int trial = 0; trial < 60; ++trial) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) {
        const auto read = read_history(file);
        auto journal = JournalWriter::open(file, read->journal);
        if (!journal || !compact(*journal, read->history)) ::_exit(1);
      }
    }
    const timespec wait{.tv_sec = 0, .tv_nsec = 1'000'000 + 150'000L * trial};
    ::nanosleep(&wait, nullptr);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    const auto read = read_history(file);
    REQUIRE(read);
    CHECK(told(read->history) == before);
    CHECK(read->journal.cut == 0);
  }
}

TEST_CASE("journal: a summary that was cut short, damaged or forged is refused, or harms nothing") {
  const Scratch scratch;
  guarded(scratch / "journal", 1500);
  const std::string text = read_text(scratch / "journal");
  const auto whole = read_journal_text(text, "journal");
  REQUIRE(whole);
  REQUIRE(whole->begin > 0);
  // Cut anywhere in the summary, it is no journal.
  for (std::size_t size = 400; size < whole->begin; size += 997) {
    const auto cut = read_journal_text(std::string_view(text).substr(0, size), "journal");
    REQUIRE_FALSE(cut);
    CHECK(cut.error().message.starts_with("found no end of the summary"));
  }
  for (std::size_t at = 0; at < whole->begin; at += 1013) {
    std::string changed = text;
    changed[at] ^= 1;
    CHECK_FALSE(read_journal_text(changed, "journal"));
  }
  // Lines whose checksums hold, but whose numbers are anything.
  CHECK(rc::check([&] {
    std::vector<Value> lines;
    for (const Value& one : whole->entries) lines.push_back(one);
    const auto past = std::ranges::find_if(
        lines, [](const Value& line) { return *line.find("kind") == Value("past"); });
    RC_ASSERT(past != lines.end());
    const auto& members = *past->members();
    const std::string name = members[*rc::gen::inRange<std::size_t>(5, members.size())].first;
    past->set(name, *rc::gen::element<Value>(-1, 0, 1e300, 9e15, "\x1b[2J", Value::array(), Value(),
                                             true));
    Journal journal;
    journal.entries = std::move(lines);
    const History history = history_of(journal);
    static_cast<void>(told(history));
    static_cast<void>(
        replay(history, {.instance = Value::object({{"failures", Value::object({{"mtbf", 1e6}})}}),
                         .advice = Value::object()}));
  }));
}

TEST_CASE(
    "journal: an older program refuses a journal with a summary, and its head must be right") {
  const Scratch scratch;
  guarded(scratch / "journal", 1500);
  const auto read = read_journal(scratch / "journal");
  REQUIRE(read);
  CHECK(*read->head.at("/holdfast/version") == Value(2));
  const auto refusal = [&](std::string_view name, const Value& value) {
    Value changed = read->head;
    changed.set_at(fmt::format("/{}", name), value);
    return read_journal_text(sealed(changed) + '\n', "journal").error().text();
  };
  CHECK(refusal("holdfast/version", 3) ==
        "journal:1: /holdfast/version: found 3, expected 1: this file needs a newer holdfast");
  CHECK(refusal("summary", -1).starts_with("journal:1: /summary: found -1"));
  CHECK(refusal("summary", 0).starts_with("journal:1: /holdfast/version: found 2"));
  CHECK(refusal("after", -1).starts_with("journal:1: /after: found -1"));
  CHECK(refusal("summary", 5) == "journal:2: found no end of the summary, which has 5 lines");
}

TEST_CASE(
    "generations: of many the newest are remembered, and good ones longer than those that are "
    "gone") {
  Generations known;
  known.take(Accepted{1, Evidence::moved, file_of(1)});
  known.take(Kept{.generation = 1, .file = file_of(1)});
  for (std::int64_t i = 2; i <= 5000; ++i) {
    known.take(Accepted{i, Evidence::moved, file_of(i)});
    known.take(Lost{i});
  }
  CHECK(known.newest()->number == 1);  // the only one that is there
  CHECK(known.next() == 5001);
  CHECK(known.all().size() <= 1100);
  CHECK_FALSE(known.is_forgotten(file_of(2)));
  for (std::int64_t i = 5001; i <= 8000; ++i) known.take(Accepted{i, Evidence::moved, file_of(i)});
  CHECK(known.numbered(1) == nullptr);
  CHECK(known.all().front().number == 6901);
  CHECK(known.is_forgotten(file_of(6900)));
  CHECK_FALSE(known.is_forgotten(file_of(6902)));
}
