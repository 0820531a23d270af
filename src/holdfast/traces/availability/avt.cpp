#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/interval_history.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

namespace holdfast {
namespace {

/// Returns the number of words of a line whose second word is this number of intervals; nothing if it is not a number.
std::optional<std::size_t> words_for(std::string_view word) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return 2 + 2 * std::size_t{count};
}

bool looks_like_avt(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 2) return false;
  const auto expected = words_for(words[1]);
  if (!expected || words.size() > *expected) return false;
  // The head may end inside the first line; the part of the line that it contains must consist of numbers.
  const bool is_whole = line.size() < head.size();
  if (is_whole && words.size() != *expected) return false;
  return std::all_of(words.begin() + 2, words.end() - (is_whole || words.size() == 2 ? 0 : 1),
                     [](std::string_view word) { return finite_number(word).has_value(); });
}

/// Reads lines "host count start end start end ..." in seconds. A host without an interval was never up.
Result<AvailabilityRecord> read_avt(LineReader lines, AvailabilityReading reading) {
  IntervalHistories histories;
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();
  std::string_view line;
  std::size_t hosts = 0;
  while (true) {
    HOLDFAST_TRY(is_line, lines.next(line));
    if (!is_line) break;
    const auto words = words_of(line);
    if (words.empty()) continue;
    const auto expected = words.size() < 2 ? std::nullopt : words_for(words[1]);
    if (!expected || words.size() != *expected) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} words, expected a host, the number of its intervals, and a "
                              "start and an end of each",
                              words.size()));
    }
    std::vector<IntervalHistories::Interval> up;
    for (std::size_t i = 2; i < words.size(); i += 2) {
      const auto start = finite_number(words[i]), end = finite_number(words[i + 1]);
      if (!start || !end || *end < *start) {
        return fail(ErrorCode::bad_format, lines.place(),
                    fmt::format("found the interval '{} {}', expected two numbers in order",
                                words[i], words[i + 1]));
      }
      up.emplace_back(*start, *end);
      from = std::min(from, *start);
      to = std::max(to, *end);
    }
    histories.add(std::string(words[0]), std::move(up));
    ++hosts;
  }
  if (!(from < to)) {
    return fail(ErrorCode::bad_format, "",
                fmt::format("found {} hosts and no time in which one was up", hosts));
  }
  return histories.finish("avt", from, to, reading.unavailable);
}

}  // namespace

Result<Oddities> write_avt(const AvailabilityRecord& record, const TextSink& sink) {
  SinkBuffer out(sink);
  std::int64_t reclaimed = 0, renamed = 0, gaps = 0;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const WorkerHistory& worker : record.workers) {
    std::string name = worker.name;
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '\t'; }, '_');
    if (name != worker.name || name.empty()) ++renamed;
    if (name.empty()) name = "_";
    std::string intervals;
    std::int64_t count = 0;
    double watched = record.from;
    for (const StateInterval& interval : worker.intervals) {
      if (interval.start > watched) ++gaps;
      watched = interval.end;
      if (interval.state == WorkerState::reclaimed) ++reclaimed;
      if (interval.state != WorkerState::up) continue;
      intervals += fmt::format(" {} {}", to_text(interval.start), to_text(interval.end));
      first = std::min(first, interval.start);
      last = std::max(last, interval.end);
      ++count;
    }
    if (watched < record.to) ++gaps;
    out << name << fmt::format(" {}", count) << intervals << "\n";
  }
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  if (!record.is_two_state) {
    lost.add("intervals in which a worker was reclaimed", reclaimed, "written as not up");
  }
  lost.add("gaps in which a worker was not observed", gaps, "written as not up");
  lost.add("names with blanks, or none", renamed, "written with _");
  lost.add("ends of the record at which no worker was up",
           (first > record.from) + (last < record.to),
           "not written: a host's intervals are all that the format has");
  return lost;
}

FormatOf<AvailabilityRecord> avt_format() {
  return {.facts = {.name = "avt",
                    .summary = "intervals in which hosts were up (.avt)",
                    .recognise = looks_like_avt},
          .read = read_avt,
          .write = write_avt};
}

}  // namespace holdfast
