#include "holdfast/traces/workflow/wfformat_document.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <array>

namespace holdfast::wfformat {
namespace {

class DocumentReader {
 public:
  explicit DocumentReader(Document& out) : out_{out} {}

  Status read() {
    std::string_view key;
    for (out_.scan.begin_object(); out_.scan.next_member(key);) {
      if (key == "workflow") {
        read_workflow();
      } else if (key == "name" && out_.scan.kind() == JsonScanner::Kind::string) {
        out_.name = out_.scan.string();
      } else if (key == "schemaVersion" && out_.scan.kind() == JsonScanner::Kind::string) {
        out_.version = out_.scan.string();
      } else {
        out_.scan.skip();
      }
    }
    HOLDFAST_CHECK(refused_);
    return out_.scan.finish();
  }

 private:
  void read_workflow() {
    std::string_view key;
    for (out_.scan.begin_object(); out_.scan.next_member(key);) {
      if (key == "specification") {
        out_.is_split = true;
        read_specification();
      } else if (key == "execution") {
        out_.has_execution = true;
        read_execution();
      } else if (key == "tasks" || key == "jobs") {
        read_tasks("/workflow/" + std::string(key), out_.tasks);
      } else if (key == "makespan" || key == "makespanInSeconds") {
        read_makespan();
      } else {
        out_.scan.skip();
      }
    }
  }

  void read_specification() {
    std::string_view key;
    for (out_.scan.begin_object(); out_.scan.next_member(key);) {
      if (key == "tasks") {
        read_tasks("/workflow/specification/tasks", out_.tasks);
      } else if (key == "files" && out_.scan.kind() == JsonScanner::Kind::array) {
        read_files();
      } else {
        out_.scan.skip();
      }
    }
  }

  void read_execution() {
    std::string_view key;
    for (out_.scan.begin_object(); out_.scan.next_member(key);) {
      if (key == "tasks") {
        for (out_.scan.begin_array(); out_.scan.next_element();)
          read_task(out_.executions, execution_at_);
      } else if (key == "makespan" || key == "makespanInSeconds") {
        read_makespan();
      } else {
        out_.scan.skip();
      }
    }
  }

  void read_makespan() {
    if (out_.scan.kind() == JsonScanner::Kind::number) {
      out_.makespan = out_.scan.number();
    } else {
      out_.scan.skip();
    }
  }

  void read_tasks(std::string pointer, std::vector<RawTask>& out) {
    if (!out_.tasks_at.empty()) {
      refuse(pointer, fmt::format("found a second list of tasks in addition to {}", out_.tasks_at));
    }
    out_.tasks_at = std::move(pointer);
    for (out_.scan.begin_array(); out_.scan.next_element();) read_task(out, out_.tasks_at);
  }

  void read_files() {
    std::string_view key;
    for (out_.scan.begin_array(); out_.scan.next_element();) {
      std::string_view id;
      double size = 0;
      for (out_.scan.begin_object(); out_.scan.next_member(key);) {
        if (key == "id" || (key == "name" && id.empty())) {
          id = out_.scan.string();
        } else if ((key == "sizeInBytes" || key == "size") &&
                   out_.scan.kind() == JsonScanner::Kind::number) {
          size = out_.scan.number();
        } else {
          out_.scan.skip();
        }
      }
      out_.files.emplace_back(id, size);
    }
  }

  void read_task(std::vector<RawTask>& out, const std::string& list) {
    if (out_.scan.ok() && out_.scan.kind() != JsonScanner::Kind::object) {
      refuse(pointer_to(list, out.size()), "found no object, expected a task");
    }
    RawTask task;
    std::string_view key;
    for (out_.scan.begin_object(); out_.scan.next_member(key);)
      read_member(task, key, list, out.size());
    out.push_back(task);
  }

  void read_member(RawTask& task, std::string_view key, const std::string& list,
                   std::size_t index) {
    const auto is = [this](JsonScanner::Kind kind) { return out_.scan.kind() == kind; };
    if (key == "id" || key == "name") {
      std::string_view& text = key == "id" ? task.id : task.name;
      if (is(JsonScanner::Kind::string)) {
        text = out_.scan.string();
      } else {
        refuse_member(list, index, key, task, "a text");
      }
    } else if (key == "runtimeInSeconds" || key == "runtime") {
      if (is(JsonScanner::Kind::number)) {
        task.runtime = out_.scan.number();
        if (task.runtime < 0) {
          refuse_value(list, index, key, task, fmt::format("{}", task.runtime),
                       "a number of seconds, 0 or more");
        }
      } else if (is(JsonScanner::Kind::null)) {
        out_.scan.skip();
      } else if (is(JsonScanner::Kind::string)) {  // some converters write numbers as texts
        const std::string text(out_.scan.string());
        const auto seconds = finite_number(text);
        if (seconds && *seconds >= 0) {
          task.runtime = *seconds;
        } else {
          refuse_value(list, index, key, task, in_quotes(text), "a number of seconds, 0 or more");
        }
      } else {
        refuse_member(list, index, key, task, "a number of seconds, 0 or more");
      }
    } else if ((key == "coreCount" || key == "cores") && is(JsonScanner::Kind::number)) {
      task.cores = out_.scan.number();
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
      out_.scan.skip();
    }
  }

  Slice read_names(const std::string& list, std::size_t index, std::string_view key,
                   const RawTask& task) {
    if (out_.scan.ok() && out_.scan.kind() != JsonScanner::Kind::array) {
      refuse_member(list, index, key, task, "an array of texts");
      return {};
    }
    Slice out{out_.names.size(), out_.names.size()};
    for (out_.scan.begin_array(); out_.scan.next_element();) {
      if (out_.scan.kind() == JsonScanner::Kind::string) {
        out_.names.push_back(out_.scan.string());
      } else {
        refuse_member(list, index, key, task, "an array of texts");
      }
    }
    out.end = out_.names.size();
    return out;
  }

  void read_task_files(RawTask& task) {
    std::string_view key;
    for (out_.scan.begin_array(); out_.scan.next_element();) {
      if (out_.scan.kind() != JsonScanner::Kind::object) {
        out_.scan.skip();
        continue;
      }
      bool is_output = false;
      double size = 0;
      for (out_.scan.begin_object(); out_.scan.next_member(key);) {
        if (key == "link" && out_.scan.kind() == JsonScanner::Kind::string) {
          is_output = out_.scan.string() == "output";
        } else if ((key == "sizeInBytes" || key == "size") &&
                   out_.scan.kind() == JsonScanner::Kind::number) {
          size = out_.scan.number();
        } else {
          out_.scan.skip();
        }
      }
      (is_output ? task.output_bytes : task.input_bytes) += size;
    }
  }

  /// Returns the name or the id, whichever was read already, for messages that help to find the task.
  static std::string called(const RawTask& task) {
    const std::string_view name = task.name.empty() ? task.id : task.name;
    return name.empty() ? std::string() : fmt::format("task {}: ", in_quotes(name));
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
    refuse_value(list, index, key, task, kKinds[static_cast<std::size_t>(out_.scan.kind())],
                 expected);
    out_.scan.skip();
  }
  void refuse(std::string pointer, std::string message) {
    if (refused_) refused_ = fail(ErrorCode::bad_value, std::move(pointer), std::move(message));
  }

  Status refused_;
  std::string execution_at_ = "/workflow/execution/tasks";
  Document& out_;
};

}  // namespace

Status read_document(Document& out) {
  return DocumentReader(out).read();
}

}  // namespace holdfast::wfformat
