#include "holdfast/traces/wfformat.hpp"

#include "holdfast/base/json_scanner.hpp"
#include "holdfast/base/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// A part of one of the reader's arrays.
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;

  template <class T>
  [[nodiscard]] std::span<const T> of(const std::vector<T>& array) const {
    return std::span(array).subspan(begin, end - begin);
  }
};

/// A task as the file writes it; all texts are views into the document.
struct RawTask {
  std::string_view id;
  std::string_view name;
  double runtime = -1;  ///< -1: none
  double cores = 0;
  bool has_parents = false;
  bool has_children = false;
  Slice parents;
  Slice children;
  Slice inputs;            ///< names of files
  Slice outputs;           ///< names of files
  double input_bytes = 0;  ///< of files described in the task itself
  double output_bytes = 0;
};

/// Positions by name; a name that comes twice is remembered as such.
class Names {
 public:
  void reserve(std::size_t count) { positions_.reserve(count); }
  /// @returns  false where the name was there already
  bool add(std::string_view name, std::size_t position) {
    const auto [found, is_new] = positions_.try_emplace(name, static_cast<std::uint32_t>(position));
    if (!is_new) found->second = kTwice;
    return is_new;
  }
  static constexpr std::uint32_t kTwice = kNowhere - 1;
  /// The position, kTwice or kNowhere.
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    const auto found = positions_.find(name);
    return found == positions_.end() ? kNowhere : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> positions_;
};

/// What stands in the document, by structure: `workflow.specification` and `.execution` since 1.5,
/// `workflow.tasks` or `.jobs` before.
class Document {
 public:
  explicit Document(std::string_view text) : scan_{text} {}

  Status read() {
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "workflow") {
        read_workflow();
      } else if (key == "name" && scan_.kind() == JsonScanner::Kind::string) {
        name = scan_.string();
      } else if (key == "schemaVersion" && scan_.kind() == JsonScanner::Kind::string) {
        version = scan_.string();
      } else {
        scan_.skip();
      }
    }
    HOLDFAST_CHECK(refused_);
    return scan_.finish();
  }

  std::string_view name;
  std::string_view version;
  std::string tasks_at;  ///< pointer to the list of tasks; empty: there was none
  std::vector<RawTask> tasks;
  bool is_split = false;  ///< 1.5: structure and measures apart
  bool has_execution = false;
  std::vector<RawTask> executions;
  double makespan = -1;
  std::vector<std::string_view> names;  ///< parents, children and files of all tasks
  std::vector<std::pair<std::string_view, double>> files;

 private:
  void read_workflow() {
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "specification") {
        is_split = true;
        read_specification();
      } else if (key == "execution") {
        has_execution = true;
        read_execution();
      } else if (key == "tasks" || key == "jobs") {
        read_tasks("/workflow/" + std::string(key), tasks);
      } else if (key == "makespan" || key == "makespanInSeconds") {
        read_makespan();
      } else {
        scan_.skip();
      }
    }
  }

  void read_specification() {
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "tasks") {
        read_tasks("/workflow/specification/tasks", tasks);
      } else if (key == "files" && scan_.kind() == JsonScanner::Kind::array) {
        read_files();
      } else {
        scan_.skip();
      }
    }
  }

  void read_execution() {
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) {
      if (key == "tasks") {
        for (scan_.begin_array(); scan_.next_element();) read_task(executions, execution_at_);
      } else if (key == "makespan" || key == "makespanInSeconds") {
        read_makespan();
      } else {
        scan_.skip();
      }
    }
  }

  void read_makespan() {
    if (scan_.kind() == JsonScanner::Kind::number) {
      makespan = scan_.number();
    } else {
      scan_.skip();
    }
  }

  void read_tasks(std::string pointer, std::vector<RawTask>& out) {
    if (!tasks_at.empty()) {
      refuse(pointer, fmt::format("found a second list of tasks beside {}", tasks_at));
    }
    tasks_at = std::move(pointer);
    for (scan_.begin_array(); scan_.next_element();) read_task(out, tasks_at);
  }

  void read_files() {
    std::string_view key;
    for (scan_.begin_array(); scan_.next_element();) {
      std::string_view id;
      double size = 0;
      for (scan_.begin_object(); scan_.next_member(key);) {
        if (key == "id" || (key == "name" && id.empty())) {
          id = scan_.string();
        } else if ((key == "sizeInBytes" || key == "size") &&
                   scan_.kind() == JsonScanner::Kind::number) {
          size = scan_.number();
        } else {
          scan_.skip();
        }
      }
      files.emplace_back(id, size);
    }
  }

  void read_task(std::vector<RawTask>& out, const std::string& list) {
    if (scan_.ok() && scan_.kind() != JsonScanner::Kind::object) {
      refuse(pointer_to(list, out.size()), "found no object, expected a task");
    }
    RawTask task;
    std::string_view key;
    for (scan_.begin_object(); scan_.next_member(key);) read_member(task, key, list, out.size());
    out.push_back(task);
  }

  void read_member(RawTask& task, std::string_view key, const std::string& list,
                   std::size_t index) {
    const auto is = [this](JsonScanner::Kind kind) { return scan_.kind() == kind; };
    if (key == "id" || key == "name") {
      std::string_view& text = key == "id" ? task.id : task.name;
      if (is(JsonScanner::Kind::string)) {
        text = scan_.string();
      } else {
        refuse_member(list, index, key, task, "a text");
      }
    } else if (key == "runtimeInSeconds" || key == "runtime") {
      if (is(JsonScanner::Kind::number)) {
        task.runtime = scan_.number();
        if (task.runtime < 0) {
          refuse_value(list, index, key, task, fmt::format("{}", task.runtime),
                       "a number of seconds, 0 or more");
        }
      } else if (is(JsonScanner::Kind::null)) {
        scan_.skip();
      } else {
        refuse_member(list, index, key, task, "a number of seconds, 0 or more");
      }
    } else if ((key == "coreCount" || key == "cores") && is(JsonScanner::Kind::number)) {
      task.cores = scan_.number();
    } else if (key == "parents") {
      task.has_parents = true;
      task.parents = read_names(list, index, key, task);
    } else if (key == "children") {
      task.has_children = true;
      task.children = read_names(list, index, key, task);
    } else if (key == "inputFiles" && is(JsonScanner::Kind::array)) {
      task.inputs = read_names(list, index, key, task);
    } else if (key == "outputFiles" && is(JsonScanner::Kind::array)) {
      task.outputs = read_names(list, index, key, task);
    } else if (key == "files" && is(JsonScanner::Kind::array)) {
      read_task_files(task);
    } else {
      scan_.skip();
    }
  }

  Slice read_names(const std::string& list, std::size_t index, std::string_view key,
                   const RawTask& task) {
    if (scan_.ok() && scan_.kind() != JsonScanner::Kind::array) {
      refuse_member(list, index, key, task, "an array of texts");
      return {};
    }
    Slice out{names.size(), names.size()};
    for (scan_.begin_array(); scan_.next_element();) {
      if (scan_.kind() == JsonScanner::Kind::string) {
        names.push_back(scan_.string());
      } else {
        refuse_member(list, index, key, task, "an array of texts");
      }
    }
    out.end = names.size();
    return out;
  }

  void read_task_files(RawTask& task) {
    std::string_view key;
    for (scan_.begin_array(); scan_.next_element();) {
      if (scan_.kind() != JsonScanner::Kind::object) {
        scan_.skip();
        continue;
      }
      bool is_output = false;
      double size = 0;
      for (scan_.begin_object(); scan_.next_member(key);) {
        if (key == "link" && scan_.kind() == JsonScanner::Kind::string) {
          is_output = scan_.string() == "output";
        } else if ((key == "sizeInBytes" || key == "size") &&
                   scan_.kind() == JsonScanner::Kind::number) {
          size = scan_.number();
        } else {
          scan_.skip();
        }
      }
      (is_output ? task.output_bytes : task.input_bytes) += size;
    }
  }

  /// Of the two names the one that was read already; the message helps those who look for the task.
  static std::string called(const RawTask& task) {
    const std::string_view name = task.name.empty() ? task.id : task.name;
    return name.empty() ? std::string() : fmt::format("task '{}': ", name);
  }
  void refuse_value(const std::string& list, std::size_t index, std::string_view key,
                    const RawTask& task, std::string_view found, std::string_view expected) {
    refuse(pointer_to(pointer_to(list, index), key),
           fmt::format("{}found {}, expected {}", called(task), found, expected));
  }
  void refuse_member(const std::string& list, std::size_t index, std::string_view key,
                     const RawTask& task, std::string_view expected) {
    static constexpr auto kKinds = std::to_array<std::string_view>(
        {"an object", "an array", "a text", "a number", "true or false", "null", "no value"});
    refuse_value(list, index, key, task, kKinds[static_cast<std::size_t>(scan_.kind())], expected);
    scan_.skip();
  }
  void refuse(std::string pointer, std::string message) {
    if (refused_) refused_ = fail(ErrorCode::bad_value, std::move(pointer), std::move(message));
  }

  JsonScanner scan_;
  Status refused_;
  std::string execution_at_ = "/workflow/execution/tasks";
};

/// Makes plain records of what a document says.
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
                fmt::format("task '{}': found the {} '{}' twice, expected different ones",
                            called(task), field, text));
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
        return fail(ErrorCode::bad_value, fmt::format("/workflow/execution/tasks/{}/id", i),
                    fmt::format("task '{}': found a second execution, expected one", measured.id));
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

  /// The task that a name means: since 1.5 an id, before a name; each also the other.
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
        fmt::format("task '{}': found '{}', which is {}", called(task), text,
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
                        fmt::format("task '{}' waits for itself", called(i)));
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
  /// Sorts, drops repetitions and counts them.
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
    const auto tasks = [&](auto test) {
      return count(static_cast<std::size_t>(std::ranges::count_if(run_.tasks, test)));
    };
    std::vector<bool> is_joined(run_.tasks.size(), false);
    for (const Dependency& edge : run_.dependencies) {
      is_joined[edge.parent] = is_joined[edge.child] = true;
    }
    odd.add("tasks without a run time", tasks([](const MeasuredTask& t) { return !t.runtime; }),
            "kept: a schedule needs a value in its place");
    odd.add("tasks of run time 0",
            tasks([](const MeasuredTask& t) { return t.runtime && *t.runtime == 0; }), "kept");
    if (run_.tasks.size() > 1) {
      odd.add("tasks that wait for nobody and that nobody waits for",
              count(static_cast<std::size_t>(std::ranges::count(is_joined, false))), "kept");
    }
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
  Document document(text);
  HOLDFAST_CHECK(document.read());
  return Joiner(document).join();
}

Result<WorkflowRun> read_wfformat(const std::filesystem::path& file) {
  HOLDFAST_TRY(text, read_file(file));
  auto run = read_wfformat_text(text);
  if (run) return run;
  return fail(in_file(file == "-" ? "standard input" : file.string(), std::move(run).error()));
}

Result<WorkflowRun> read_wfformat_lines(LineReader lines) {
  HOLDFAST_TRY(text, lines.rest());
  auto run = read_wfformat_text(text);
  if (run) return run;
  return fail(in_file(lines.name(), std::move(run).error()));
}

bool looks_like_wfformat(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  if (head.find("\"holdfast\"") != std::string_view::npos) return false;
  return head.find("\"schemaVersion\"") != std::string_view::npos ||
         head.find("\"workflow\"") != std::string_view::npos;
}

}  // namespace holdfast
