#include "holdfast/base/value.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace holdfast {
namespace {

using Dependency = WorkflowRun::Dependency;

/// A writer into one growing text: the text of a million tasks takes half a gigabyte, and a tree of values would take four
/// times as much.
class Writer {
 public:
  explicit Writer(const WorkflowRun& run) : run_{run} {
    quoted_.reserve(run.tasks.size());
    for (const MeasuredTask& task : run.tasks) quoted_.push_back(to_compact_json(Value(task.id)));
  }

  std::string text() && {
    put("{{\n  \"name\": {},\n  \"description\": \"written by Holdfast\",\n"
        "  \"schemaVersion\": \"1.5\",\n  \"workflow\": {{\n    \"specification\": {{\n"
        "      \"tasks\": [",
        to_compact_json(Value(run_.name)));
    specification();
    put("\n      ],\n      \"files\": [");
    files();
    put("\n      ]\n    }},\n    \"execution\": {{\n      \"makespanInSeconds\": {},\n"
        "      \"tasks\": [",
        run_.makespan.value_or(0));
    execution();
    put("\n      ]\n    }}\n  }}\n}}\n");
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }
  void separate(std::size_t index) { out_ += index == 0 ? "\n        " : ",\n        "; }

  void specification() {
    // Sorted by child to list the parents; the records themselves are sorted by parent.
    std::vector<Dependency> by_child = run_.dependencies;
    std::ranges::sort(by_child, [](const Dependency& a, const Dependency& b) {
      return a.child != b.child ? a.child < b.child : a.parent < b.parent;
    });
    auto parent = by_child.begin();
    auto child = run_.dependencies.begin();
    for (std::size_t i = 0; i < run_.tasks.size(); ++i) {
      const MeasuredTask& task = run_.tasks[i];
      separate(i);
      put("{{\"name\": {}, \"id\": {}, \"parents\": [", to_compact_json(Value(task.name)),
          quoted_[i]);
      for (const char* comma = ""; parent != by_child.end() && parent->child == i; ++parent) {
        put("{}{}", comma, quoted_[parent->parent]);
        comma = ", ";
      }
      put("], \"children\": [");
      for (const char* comma = ""; child != run_.dependencies.end() && child->parent == i;
           ++child) {
        put("{}{}", comma, quoted_[child->child]);
        comma = ", ";
      }
      put("]");
      if (task.input_bytes > 0) put(", \"inputFiles\": [{}]", file_name(i, "input"));
      if (task.output_bytes > 0) put(", \"outputFiles\": [{}]", file_name(i, "output"));
      put("}}");
    }
  }
  void files() {
    std::size_t written = 0;
    const auto file = [&](std::size_t task, const char* side, double bytes) {
      if (!(bytes > 0)) return;
      separate(written++);
      put("{{\"id\": {}, \"sizeInBytes\": {}}}", file_name(task, side), bytes);
    };
    for (std::size_t i = 0; i < run_.tasks.size(); ++i) {
      file(i, "input", run_.tasks[i].input_bytes);
      file(i, "output", run_.tasks[i].output_bytes);
    }
  }
  void execution() {
    std::size_t written = 0;
    for (std::size_t i = 0; i < run_.tasks.size(); ++i) {
      const MeasuredTask& task = run_.tasks[i];
      if (!task.runtime) continue;
      separate(written++);
      put("{{\"id\": {}, \"runtimeInSeconds\": {}", quoted_[i], *task.runtime);
      if (task.cores > 0) put(", \"coreCount\": {}", task.cores);
      put("}}");
    }
  }
  [[nodiscard]] std::string file_name(std::size_t task, const char* side) const {
    std::string name = quoted_[task];
    name.insert(name.size() - 1, fmt::format(".{}", side));
    return name;
  }

  const WorkflowRun& run_;
  std::vector<std::string> quoted_;
  std::string out_;
};

}  // namespace

std::string wfformat_text(const WorkflowRun& run) {
  return Writer(run).text();
}

Result<Oddities> write_wfformat(const WorkflowRun& run, const TextSink& sink) {
  HOLDFAST_CHECK(sink(wfformat_text(run)));
  Oddities lost;
  const auto unmeasured = std::ranges::count_if(
      run.tasks, [](const MeasuredTask& task) { return !task.runtime && task.cores > 0; });
  lost.add("tasks without a run time that say their cores", unmeasured,
           "the cores are not written: they stand in the execution");
  return lost;
}

}  // namespace holdfast
