#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/words.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// Workflows as plain lines: HTCondor's DAGMan, and the Standard Task Graph set.
namespace holdfast {
namespace {

constexpr std::int64_t kMostTasks = 10'000'000;

tl::unexpected<Error> wrong_line(const LineReader& lines, std::string_view line,
                                 std::string_view expected) {
  return fail(ErrorCode::bad_format, lines.place(),
              fmt::format("found {}, expected {}", in_quotes(line), expected));
}

/// Returns the whole numbers of a line; nothing if it has other words.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  std::vector<double> out;
  for (const std::string_view word : words_of(line)) {
    const auto number = finite_number(word);
    if (!number || *number < 0) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

/// Returns true for a line "task time count predecessor...".
bool is_stg_task(const std::vector<double>& row) {
  return row.size() >= 3 && row.size() == 3 + static_cast<std::size_t>(std::min(row[2], 1e9));
}

bool is_word(std::string_view word, std::string_view upper) {
  return std::ranges::equal(
      word, upper, {}, [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); });
}

Result<WorkflowRun> read_stg(LineReader lines) {
  WorkflowRun run;
  std::string_view line;
  bool has_count = false;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more || trim(line).starts_with('#')) break;  // the notes at the end
    if (trim(line).empty()) continue;
    const auto row = numbers_of(line);
    if (!std::exchange(has_count, true)) continue;
    const auto task = static_cast<double>(run.tasks.size());
    const bool fits =
        row && is_stg_task(*row) && row->front() == task &&
        std::all_of(row->begin() + 3, row->end(), [task](double parent) { return parent < task; });
    if (!fits || task >= static_cast<double>(kMostTasks))
      return wrong_line(
          lines, line,
          fmt::format(
              "task {}, its time, and the number and numbers of earlier tasks that it waits for",
              task));
    run.tasks.push_back({.id = fmt::format("{}", task), .name = {}, .runtime = (*row)[1]});
    run.tasks.back().name = run.tasks.back().id;
    for (auto parent = row->begin() + 3; parent != row->end(); ++parent) {
      run.dependencies.push_back(
          {static_cast<std::uint32_t>(*parent), static_cast<std::uint32_t>(task)});
    }
  }
  if (run.tasks.empty())
    return fail(ErrorCode::bad_format, lines.place(), "found no task, expected at least one");
  finish_workflow(run);
  return run;
}

bool looks_like_stg(std::string_view head) {
  std::vector<std::vector<double>> rows;
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line).empty()) continue;
    auto row = numbers_of(line);
    if (!row) return false;
    rows.push_back(std::move(*row));
    if (rows.size() == 3) break;
  }
  return rows.size() == 3 && rows[0].size() == 1 && is_stg_task(rows[1]) && is_stg_task(rows[2]) &&
         rows[1][0] == 0 && rows[2][0] == 1 && rows[1][2] == 0;
}

Result<WorkflowRun> read_dagman(LineReader lines) {
  WorkflowRun run;
  std::unordered_map<std::string, std::uint32_t> known;
  std::vector<std::string> edges;  // lines PARENT ... CHILD ...; jobs may come after them
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (is_word(words[0], "PARENT")) edges.emplace_back(line);
    if (!is_word(words[0], "JOB") || words.size() < 3) continue;
    const std::string name(words[1]);
    if (!known.try_emplace(name, static_cast<std::uint32_t>(run.tasks.size())).second)
      return wrong_line(lines, line, "each job once");
    run.tasks.push_back({.id = name, .name = name, .runtime = {}});
  }
  for (const std::string& edge : edges) {
    std::vector<std::uint32_t> parents;
    bool is_child = false;
    for (const std::string_view word : words_of(edge)) {
      if (is_word(word, "PARENT") || is_word(word, "CHILD")) {
        is_child = is_word(word, "CHILD");
        continue;
      }
      const auto found = known.find(std::string(word));
      if (found == known.end()) {
        return fail(ErrorCode::bad_format, lines.name(),
                    fmt::format("found {} in {}, expected the name of a JOB", in_quotes(word),
                                in_quotes(edge)));
      }
      if (!is_child) parents.push_back(found->second);
      for (const std::uint32_t parent : parents) {
        if (!is_child) break;
        if (parent == found->second) {
          return fail(ErrorCode::bad_value, "tasks",
                      fmt::format("found '{}' as its own parent in {}, expected another JOB", word,
                                  in_quotes(edge)));
        }
        run.dependencies.push_back({parent, found->second});
      }
    }
  }
  if (run.tasks.empty())
    return fail(ErrorCode::bad_format, lines.place(), "found no JOB, expected at least one");
  finish_workflow(run);
  return run;
}

bool looks_like_dagman(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    // "Job <7>, ..." and "Job Step Id: ..." begin reports of batch systems, "Job ID,Queue,..." and the like tables.
    if (is_word(words[0], "JOB") && words.size() >= 3 && !is_word(words[1], "ID")) {
      return line.find_first_of("\t<:,;|") == line.npos;
    }
    if (!is_word(words[0], "CONFIG") && !is_word(words[0], "DOT")) return false;
  }
  return false;
}

}  // namespace

FormatOf<WorkflowRun> stg_format() {
  return {.facts = {.name = "stg",
                    .summary = "task graph of the Standard Task Graph set",
                    .recognise = looks_like_stg},
          .read = read_stg};
}

FormatOf<WorkflowRun> dagman_format() {
  return {.facts = {.name = "dagman",
                    .summary = "workflow of HTCondor's DAGMan, without run times",
                    .recognise = looks_like_dagman},
          .read = read_dagman};
}

}  // namespace holdfast
