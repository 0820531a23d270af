#include "holdfast/traces/workflow/wfformat_document.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

namespace holdfast::wfformat {
namespace {

constexpr std::string_view kRunTime = "a number of seconds, 0 or more";
constexpr std::string_view kNames = "an array of texts";

std::string_view text_in(const Value& object, std::string_view name) {
  const Value* const value = object.find(name);
  return value == nullptr || value->string() == nullptr ? std::string_view()
                                                        : std::string_view(*value->string());
}

/// Returns the first of these members that is a number; `fallback` if none is.
double number_in_object(const Value& object, std::initializer_list<std::string_view> names,
                        double fallback) {
  for (const std::string_view name : names) {
    const Value* const value = object.find(name);
    if (value != nullptr && value->is_number()) return value->number();
  }
  return fallback;
}

double size_in(const Value& file) {
  return number_in_object(file, {"sizeInBytes", "size"}, 0);
}

class DocumentReader {
 public:
  explicit DocumentReader(Document& out) : out_{out} {}

  Status read() {
    const Value& root = out_.value;
    out_.name = text_in(root, "name");
    out_.version = text_in(root, "schemaVersion");
    const Value* const workflow = root.find("workflow");
    if (workflow == nullptr) return {};
    const Value* const execution = workflow->find("execution");
    out_.is_split = workflow->find("specification") != nullptr;
    out_.has_execution = execution != nullptr;
    for (const Value* const place : {workflow, execution}) {
      if (place == nullptr) continue;
      out_.makespan = number_in_object(*place, {"makespan", "makespanInSeconds"}, out_.makespan);
    }
    for (const char* const list :
         {"/workflow/specification/tasks", "/workflow/tasks", "/workflow/jobs"}) {
      const Value* const tasks = root.at(list);
      if (tasks == nullptr) continue;
      if (!out_.tasks_at.empty()) {
        return fail(ErrorCode::bad_value, list,
                    fmt::format("found a second list of tasks in addition to {}", out_.tasks_at));
      }
      out_.tasks_at = list;
      HOLDFAST_CHECK(read_tasks(*tasks, list, out_.tasks));
    }
    constexpr const char* kExecutions = "/workflow/execution/tasks";
    if (const Value* const tasks = root.at(kExecutions))
      HOLDFAST_CHECK(read_tasks(*tasks, kExecutions, out_.executions));
    const Value* const files = root.at("/workflow/specification/files");
    if (files == nullptr || files->array_items() == nullptr) return {};
    for (const Value& file : *files->array_items()) {
      const std::string_view id = text_in(file, "id");
      out_.files.emplace_back(id.empty() ? text_in(file, "name") : id, size_in(file));
    }
    return {};
  }

 private:
  Status read_tasks(const Value& list, const std::string& where, std::vector<RawTask>& out) {
    if (list.array_items() == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected an array of tasks", list.described()));
    }
    for (const Value& item : *list.array_items()) {
      const std::string place = pointer_to(where, out.size());
      if (item.members() == nullptr)
        return fail(ErrorCode::bad_value, place, "found no object, expected a task");
      RawTask task;
      for (const auto& [key, member] : *item.members())
        HOLDFAST_CHECK(read_member(task, key, member, place));
      out.push_back(task);
    }
    return {};
  }

  Status read_member(RawTask& task, std::string_view key, const Value& value,
                     const std::string& place) {
    const auto refuse = [&](std::string_view expected) {
      // The name or the id, whichever was read already, helps to find the task.
      const std::string_view name = task.name.empty() ? task.id : task.name;
      const std::string called = name.empty() ? "" : fmt::format("task {}: ", in_quotes(name));
      return fail(ErrorCode::bad_value, pointer_to(place, key),
                  fmt::format("{}found {}, expected {}", called, value.described(), expected));
    };
    const auto names = [&](Slice& out) -> Status {
      out = {out_.names.size(), out_.names.size()};
      if (value.array_items() == nullptr) return refuse(kNames);
      for (const Value& item : *value.array_items()) {
        if (item.string() == nullptr) return refuse(kNames);
        out_.names.emplace_back(*item.string());
      }
      out.end = out_.names.size();
      return {};
    };
    const bool is_list = value.array_items() != nullptr;
    if (key == "id" || key == "name") {
      if (value.string() == nullptr) return refuse("a text");
      (key == "id" ? task.id : task.name) = *value.string();
    } else if (key == "runtimeInSeconds" || key == "runtime") {
      if (value.is_null()) return {};
      // Some converters write numbers as texts.
      const auto seconds = value.is_number()           ? std::optional(value.number())
                           : value.string() != nullptr ? finite_number(*value.string())
                                                       : std::nullopt;
      if (!seconds || *seconds < 0) return refuse(kRunTime);
      task.runtime = *seconds;
    } else if ((key == "coreCount" || key == "cores") && value.is_number()) {
      task.cores = value.number();
    } else if (key == "parents") {
      task.has_parents = true;
      return names(task.parents);
    } else if (key == "children") {
      task.has_children = true;
      return names(task.children);
    } else if (key == "inputFiles" && is_list) {
      return names(task.inputs);
    } else if (key == "outputFiles" && is_list) {
      return names(task.outputs);
    } else if (key == "files" && is_list) {
      for (const Value& file : *value.array_items()) {
        const bool is_output = text_in(file, "link") == "output";
        (is_output ? task.output_bytes : task.input_bytes) += size_in(file);
      }
    }
    return {};
  }

  Document& out_;
};

}  // namespace

Status read_document(Document& out) {
  return DocumentReader(out).read();
}

}  // namespace holdfast::wfformat
