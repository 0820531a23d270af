#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::size_t kDateSize = 26;  // 2005-06-05-01.55.06.697467

/// Returns the local time at the start of a line; nothing if there is none.
std::optional<double> time_of(std::string_view line) {
  if (line.size() < kDateSize || line[10] != '-' || line[13] != '.' || line[16] != '.') {
    return std::nullopt;
  }
  std::string iso(line.substr(0, kDateSize));
  iso[10] = 'T';
  iso[13] = iso[16] = ':';
  const auto instant = parse_instant(iso);
  if (!instant || !instant->is_date) return std::nullopt;
  return instant->seconds;
}

/// Returns the words after the time: location, RAS or NULL, part of the machine, severity.
std::array<std::string_view, 4> words_behind(std::string_view line) {
  std::array<std::string_view, 4> out;
  std::size_t at = kDateSize;
  for (std::string_view& word : out) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) return out;
    at = std::min(line.find(' ', begin), line.size());
    word = line.substr(begin, at - begin);
  }
  return out;
}

bool is_fatal(std::string_view severity) {
  return severity == "FATAL" || severity == "FAILURE";
}

/// Reads the fatal events of Blue Gene/L, each as an outage of length 0 at its location. Many chips report the same fault: 98 % of
/// the events follow another one within a second, so they must be merged before any fit.
Result<FailureLog> read_bluegene_ras(LineReader lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  LogNotes notes;
  std::int64_t within_second = 0, within_minutes = 0, others = 0;
  std::optional<double> before;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    if (line.front() == '#') {
      HOLDFAST_CHECK(notes.read(line.substr(1)));
      continue;
    }
    const auto time = time_of(line);
    const auto words = words_behind(line);
    if (!time || words[3].empty()) {
      return fail(ErrorCode::bad_format, lines.place(),
                  "found no event, expected a time such as 2005-06-05-01.55.06.697467, a location, "
                  "RAS, a part of the machine and a severity");
    }
    if (!is_fatal(words[3])) {
      ++others;
      continue;
    }
    if (before && *time - *before <= 1) ++within_second;
    if (before && *time - *before <= 1200) ++within_minutes;
    before = time;
    builder.add({.system = "", .node = words[0], .down = *time, .up = *time, .line = line});
  }
  HOLDFAST_TRY(log, notes.finish(builder, "bluegene-ras", 1e-6, true));
  log.oddities.add("events within a second of the one above", within_second,
                   "kept as failures of their own; merging makes them one");
  log.oddities.add("events within 20 minutes of the one above", within_minutes,
                   "kept as failures of their own; merging makes them one");
  log.oddities.add("events that are not fatal", others, "left out");
  return log;
}

bool looks_like_bluegene_ras(std::string_view head) {
  const std::string_view line = first_row_of(head);
  return time_of(line).has_value() && !words_behind(line)[3].empty();
}

}  // namespace

FormatOf<FailureLog> bluegene_ras_format() {
  return {.facts = {.name = "bluegene-ras",
                    .summary = "fatal events of Blue Gene/L (RAS log)",
                    .recognise = looks_like_bluegene_ras},
          .read = read_bluegene_ras};
}

}  // namespace holdfast
