#include "holdfast/traces/workflow/wfformat.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/workflow/wfformat_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

using wfformat::Document;
using wfformat::RawTask;
using wfformat::Slice;

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// Positions by name. A name that occurs twice is marked as such.
class Names {
 public:
  void reserve(std::size_t count) { positions_.reserve(count); }
  /// Adds a name. @returns false if it existed already
  bool add(std::string_view name, std::size_t position) {
    const auto [found, is_new] = positions_.try_emplace(name, static_cast<std::uint32_t>(position));
    if (!is_new) found->second = kTwice;
    return is_new;
  }
  static constexpr std::uint32_t kTwice = kNowhere - 1;
  /// Returns the position of a name, kTwice or kNowhere.
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    const auto found = positions_.find(name);
    return found == positions_.end() ? kNowhere : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> positions_;
};

/// A converter from the contents of a document to plain records.
class Joiner {
 public:
  explicit Joiner(Document& document) : document_{document} {}

  Result<WorkflowRun> join() {
    if (document_.tasks_at.empty()) {
      return fail(ErrorCode::bad_format, "/workflow",
                  "found no list of tasks (specification.tasks, tasks or jobs), expected a "
                  "workflow in WfFormat");
    }
    if (document_.tasks.empty()) {
      return fail(ErrorCode::bad_value, document_.tasks_at,
                  "found an empty array, expected one task or more");
    }
    run_.name = document_.name;
    run_.schema_version = document_.version;
    if (document_.makespan >= 0) run_.makespan = document_.makespan;
    HOLDFAST_CHECK(index_tasks());
    if (document_.is_split) HOLDFAST_CHECK(join_executions());
    make_tasks();
    HOLDFAST_CHECK(make_dependencies());
    tell_oddities();
    return std::move(run_);
  }

 private:
  using Dependency = WorkflowRun::Dependency;

  [[nodiscard]] std::string pointer(std::size_t task, std::string_view field) const {
    return pointer_to(pointer_to(document_.tasks_at, task), field);
  }
  [[nodiscard]] std::string_view called(std::size_t task) const {
    const RawTask& raw = document_.tasks[task];
    return raw.name.empty() ? raw.id : raw.name;
  }

  Status index_tasks() {
    ids_.reserve(document_.tasks.size());
    names_.reserve(document_.tasks.size());
    for (std::size_t i = 0; i < document_.tasks.size(); ++i) {
      RawTask& task = document_.tasks[i];
      if (task.id.empty() && task.name.empty()) {
        return fail(ErrorCode::bad_value, pointer_to(document_.tasks_at, i),
                    "found a task without id and name, expected one of them");
      }
      if (task.name.empty()) task.name = task.id;
      if (!task.id.empty() && !ids_.add(task.id, i)) return twice(i, "id", task.id);
      if (!names_.add(task.name, i) && task.id.empty()) return twice(i, "name", task.name);
    }
    return {};
  }
  [[nodiscard]] Status twice(std::size_t task, std::string_view field,
                             std::string_view text) const {
    return fail(ErrorCode::bad_value, pointer(task, field),
                fmt::format("task {}: found the {} {} twice, expected different ones",
                            in_quotes(called(task)), field, in_quotes(text)));
  }

  Status join_executions() {
    if (!document_.has_execution) return {};
    std::vector<bool> is_measured(document_.tasks.size(), false);
    for (std::size_t i = 0; i < document_.executions.size(); ++i) {
      const RawTask& measured = document_.executions[i];
      const std::uint32_t at = ids_.find(measured.id.empty() ? measured.name : measured.id);
      if (at >= Names::kTwice) {
        ++unknown_executions_;
        continue;
      }
      if (is_measured[at]) {
        return fail(
            ErrorCode::bad_value, fmt::format("/workflow/execution/tasks/{}/id", i),
            fmt::format("task {}: found a second execution, expected one", in_quotes(measured.id)));
      }
      is_measured[at] = true;
      document_.tasks[at].runtime = measured.runtime;
      document_.tasks[at].cores = measured.cores;
    }
    return {};
  }

  void make_tasks() {
    std::unordered_map<std::string_view, double> sizes;
    sizes.reserve(document_.files.size());
    for (const auto& [id, size] : document_.files) sizes.emplace(id, size);
    const auto total = [&](const Slice& slice) {
      double bytes = 0;
      for (const std::string_view file : slice.of(document_.names)) {
        if (const auto found = sizes.find(file); found != sizes.end()) bytes += found->second;
      }
      return bytes;
    };
    run_.tasks.reserve(document_.tasks.size());
    for (const RawTask& raw : document_.tasks) {
      MeasuredTask& task = run_.tasks.emplace_back();
      task.id = raw.id.empty() ? raw.name : raw.id;
      task.name = raw.name;
      if (raw.runtime >= 0) task.runtime = raw.runtime;
      task.cores = raw.cores >= 1 && raw.cores <= 1e9 ? static_cast<std::int64_t>(raw.cores) : 0;
      task.input_bytes = raw.input_bytes + total(raw.inputs);
      task.output_bytes = raw.output_bytes + total(raw.outputs);
    }
  }

  /// Returns the task to which a text refers: from version 1.5 on its id, before that its name; if that is not found, the
  /// other.
  Result<std::uint32_t> resolved(std::string_view text, std::size_t task, std::string_view field,
                                 std::size_t index) const {
    const Names& first = document_.is_split ? ids_ : names_;
    const Names& second = document_.is_split ? names_ : ids_;
    std::uint32_t at = first.find(text);
    if (at >= Names::kTwice) {
      const std::uint32_t other = second.find(text);
      if (other != kNowhere) at = other;
    }
    if (at < Names::kTwice) return at;
    return fail(
        ErrorCode::bad_value, pointer_to(pointer(task, field), index),
        fmt::format("task {}: found {}, which is {}", in_quotes(called(task)), in_quotes(text),
                    at == Names::kTwice ? "the name of several tasks" : "no task of the workflow"));
  }

  Status make_dependencies() {
    std::vector<Dependency> by_parents;
    std::vector<Dependency> by_children;
    for (std::size_t i = 0; i < document_.tasks.size(); ++i) {
      const RawTask& task = document_.tasks[i];
      const auto here = static_cast<std::uint32_t>(i);
      for (const bool up : {true, false}) {
        const Slice& slice = up ? task.parents : task.children;
        const std::string_view field = up ? "parents" : "children";
        std::size_t index = 0;
        for (const std::string_view text : slice.of(document_.names)) {
          HOLDFAST_TRY(other, resolved(text, i, field, index));
          if (other == here) {
            return fail(ErrorCode::bad_value, pointer_to(pointer(i, field), index),
                        fmt::format("task {} waits for itself", in_quotes(called(i))));
          }
          if (up) {
            by_parents.push_back({other, here});
          } else {
            by_children.push_back({here, other});
          }
          ++index;
        }
      }
    }
    repeated_ = tidy(by_parents) + tidy(by_children);
    std::vector<Dependency>& all = run_.dependencies;
    all.reserve(std::max(by_parents.size(), by_children.size()));
    std::ranges::set_union(by_parents, by_children, std::back_inserter(all));
    if (!by_parents.empty() && !by_children.empty()) {
      one_sided_ = 2 * all.size() - by_parents.size() - by_children.size();
    }
    return {};
  }
  /// Sorts the list and drops repetitions. @returns their number
  static std::size_t tidy(std::vector<Dependency>& list) {
    if (!std::ranges::is_sorted(list)) std::ranges::sort(list);
    const auto rest = std::ranges::unique(list);
    const std::size_t repeated = rest.size();
    list.erase(rest.begin(), rest.end());
    return repeated;
  }

  void tell_oddities() {
    Oddities& odd = run_.oddities;
    const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    finish_workflow(run_);
    odd.add("dependencies given twice", count(repeated_), "taken once");
    odd.add("dependencies that only one of parents and children states", count(one_sided_), "kept");
    odd.add("executions of tasks that the specification does not have", count(unknown_executions_),
            "left out");
  }

  Document& document_;
  WorkflowRun run_;
  Names ids_;
  Names names_;
  std::size_t unknown_executions_ = 0;
  std::size_t repeated_ = 0;
  std::size_t one_sided_ = 0;
};

}  // namespace

Result<WorkflowRun> read_wfformat_text(std::string_view text) {
  HOLDFAST_TRY(value, parse_json(text));
  Document document(std::move(value));
  HOLDFAST_CHECK(read_document(document));
  return Joiner(document).join();
}

Result<WorkflowRun> read_wfformat_lines(LineReader lines) {
  HOLDFAST_TRY(text, lines.rest());
  auto run = read_wfformat_text(text);
  if (run) return run;
  return fail(in_file(lines.name(), std::move(run).error()));
}

Status check_measured(const WorkflowRun& run) {
  const bool is_measured = std::ranges::any_of(
      run.tasks, [](const MeasuredTask& task) { return task.runtime.value_or(1) > 0; });
  if (is_measured) return {};
  return fail(ErrorCode::bad_value, "/workflow",
              fmt::format("found run time 0 for all of {}, expected measured times: a benchmark "
                          "that was not run yet has none",
                          counted(run.tasks.size(), "task")));
}

bool looks_like_wfformat(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  if (head.find("\"holdfast\"") != std::string_view::npos) return false;
  return head.find("\"schemaVersion\"") != std::string_view::npos ||
         head.find("\"workflow\"") != std::string_view::npos;
}

FormatOf<WorkflowRun> wfformat_format() {
  return {.facts = {.name = "wfformat",
                    .summary = "workflow in WfFormat of WfCommons (JSON, versions 1.0 to 1.6)",
                    .recognise = looks_like_wfformat},
          .read = read_wfformat_lines,
          .write = write_wfformat};
}

}  // namespace holdfast
