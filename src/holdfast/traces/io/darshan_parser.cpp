#include "holdfast/base/text.hpp"
#include "holdfast/traces/io/darshan.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast {
namespace {

/// What a run moved according to the counters of POSIX and STDIO; MPI-IO and others make calls of these.
struct DarshanRun {
  IoLog log;
  double read = 0, read_time = 0, written = 0, write_time = 0;
  std::int64_t rows = 0;
  std::int64_t incomplete = 0;
};

constexpr double kMostOfCounter = 1e20;  // bytes or seconds

/// Adds the counter of one line; other counters, and those that were not recorded (-1), are skipped.
Status add_counter(const std::vector<std::string_view>& words, const std::string& place,
                   DarshanRun& run) {
  const std::string_view module = words[0];
  if (module != "POSIX" && module != "STDIO") return {};
  std::string_view counter = words[3];
  counter.remove_prefix(std::min(counter.size(), module.size()));
  const std::pair<std::string_view, double*> sums[] = {{"_BYTES_READ", &run.read},
                                                       {"_BYTES_WRITTEN", &run.written},
                                                       {"_F_READ_TIME", &run.read_time},
                                                       {"_F_WRITE_TIME", &run.write_time}};
  for (const auto& [name, sum] : sums) {
    if (counter != name) continue;
    const auto value = finite_number(words[4]);
    if (!value || *value > kMostOfCounter) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("{}: found {}, expected a number", words[3], in_quotes(words[4])));
    }
    if (*value > 0) *sum += *value;
    ++run.rows;
  }
  return {};
}

/// Times are sums over processes, which work at the same time: each took a share of them.
void finish_run(DarshanRun& run) {
  IoLog& log = run.log;
  const auto ranks = static_cast<double>(std::max<std::int64_t>(log.processes, 1));
  const double read_time = run.read_time / ranks, write_time = run.write_time / ranks;
  log.has_dates = false;
  if (run.read > 0) log.operations.push_back({0, false, run.read, 0, read_time});
  if (run.written > 0)
    log.operations.push_back({0, true, run.written, read_time, read_time + write_time});
  log.duration = std::max(log.duration, read_time + write_time);
  log.oddities.add(fmt::format("times that are sums over processes (read {} s, written {} s)",
                               to_text(run.read_time), to_text(run.write_time)),
                   log.processes > 1 ? log.processes : 0, "divided by the number of processes");
  log.oddities.add("modules with incomplete data", run.incomplete,
                   "kept: the run moved more than the log says");
}

}  // namespace

bool looks_like_darshan_parser(std::string_view head) {
  return head.find("#<module>\t<rank>") != std::string_view::npos;
}

Result<IoLogs> read_darshan_parser(LineReader lines) {
  std::vector<DarshanRun> runs(1);
  std::string_view line;
  std::vector<std::string_view> words;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (is_start_of_darshan_log(line) && runs.back().rows > 0) runs.emplace_back();
    DarshanRun& run = runs.back();
    if (line.starts_with('#')) {
      HOLDFAST_CHECK(read_darshan_note(line, lines.place(), run.log));
      if (line.find("contains incomplete data") != std::string_view::npos) ++run.incomplete;
      continue;
    }
    split_words(line, words);
    if (words.size() >= 5) HOLDFAST_CHECK(add_counter(words, lines.place(), run));
  }
  IoLogs logs;
  for (DarshanRun& run : runs) {
    finish_run(run);
    if (!run.log.operations.empty()) logs.push_back(std::move(run.log));
  }
  if (logs.empty()) {
    return fail(ErrorCode::bad_format, lines.place(),
                "found no byte read or written by POSIX or STDIO, expected some");
  }
  if (logs.size() == 1) logs.front().name.clear();
  return logs;
}

FormatOf<IoLogs> darshan_parser_format() {
  return {.facts = {.name = "darshan-parser",
                    .summary = "bytes and seconds of runs, as darshan-parser prints them",
                    .recognise = looks_like_darshan_parser},
          .read = read_darshan_parser};
}

}  // namespace holdfast
