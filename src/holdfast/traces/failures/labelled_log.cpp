#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace holdfast {
namespace {

/// A line "LABEL EPOCH YYYY.MM.DD NODE ...", in which the label - means no alert.
struct LabelledLine {
  std::string_view label;
  double time = 0;
  std::string_view node;
};

bool is_labelled(std::string_view line, LabelledLine& out) {
  constexpr double kLeast = 1e8, kMost = 1e10;  // seconds since 1970, from 1973 on
  constexpr std::string_view kDayForm = "dddd.dd.dd";
  std::vector<std::string_view> words;
  split_words(line.substr(0, 256), words);
  if (words.size() < 4 || words[2].size() != kDayForm.size()) return false;
  for (std::size_t i = 0; i < kDayForm.size(); ++i) {
    const bool is_digit = words[2][i] >= '0' && words[2][i] <= '9';
    if (kDayForm[i] == 'd' ? !is_digit : words[2][i] != kDayForm[i]) return false;
  }
  const auto time = finite_number(words[1]);
  if (!time || *time < kLeast || *time > kMost) return false;
  out = {words[0], *time, words[3]};
  return true;
}

Result<FailureLog> read_labelled_log(LineReader lines, std::optional<std::string> system) {
  FailureLogBuilder builder{std::move(system)};
  LogNotes notes;
  std::int64_t others = 0, strange = 0;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    LabelledLine one;
    if (trim(line).empty()) continue;
    if (line.front() == '#') {
      HOLDFAST_CHECK(notes.read(line.substr(1)));
    } else if (!is_labelled(line, one)) {
      ++strange;
    } else if (one.label == "-") {
      ++others;
    } else {
      builder.add({.system = "", .node = one.node, .down = one.time, .up = one.time, .line = line});
    }
  }
  HOLDFAST_TRY(log, notes.finish(builder, "labelled-log", 1, true));
  log.oddities.add("lines that are no alert (label -)", others, "left out");
  log.oddities.add("lines of another form", strange, "left out");
  return log;
}

bool looks_like_labelled_log(std::string_view head) {
  LabelledLine line;
  return is_labelled(first_row_of(head), line);
}

}  // namespace

FormatOf<FailureLog> labelled_log_format() {
  return {.facts = {.name = "labelled-log",
                    .summary = "system log with a label for each alert (LogHub: BGL, Thunderbird, "
                               "Spirit, Liberty)",
                    .recognise = looks_like_labelled_log},
          .read = read_labelled_log};
}

}  // namespace holdfast
