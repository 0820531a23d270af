#include "holdfast/traces/workflow/wfformat.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>

namespace {

using namespace holdfast;

std::string task_id(std::size_t i) {
  return fmt::format("mDiffFit_ID{:07}", i);
}

// Starts a line; documents of WfCommons are indented by four blanks per level.
void open_line(std::string& out, int level, bool is_indented) {
  if (!is_indented) return;
  out += '\n';
  out.append(static_cast<std::size_t>(4 * level), ' ');
}

void add_names(std::string& out, std::string_view key, std::initializer_list<std::string> names,
               bool is_indented) {
  fmt::format_to(std::back_inserter(out), "\"{}\": [", key);
  bool is_first = true;
  for (const std::string& name : names) {
    if (!is_first) out += is_indented ? "," : ", ";
    is_first = false;
    open_line(out, 6, is_indented);
    fmt::format_to(std::back_inserter(out), "\"{}\"", name);
  }
  open_line(out, 5, is_indented);
  out += ']';
}

/// Returns a document of version 1.5 as WfCommons writes them, with 1.4 kilobytes per task (0.9 without indentation): a binary
/// tree of dependencies, named in both directions, two files per task, and the members that the reader skips.
std::string large_document(std::size_t tasks, bool is_indented) {
  std::string out =
      R"({"name": "large", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [)";
  const auto member = [&](std::string_view text) {
    out += is_indented ? "," : ", ";
    open_line(out, 5, is_indented);
    out += text;
  };
  for (std::size_t i = 0; i < tasks; ++i) {
    out += i == 0 ? "{" : ", {";
    open_line(out, 5, is_indented);
    out += fmt::format("\"name\": \"{0}\", \"id\": \"{0}\"", task_id(i));
    member("");
    if (2 * i + 2 < tasks) {
      add_names(out, "children", {task_id(2 * i + 1), task_id(2 * i + 2)}, is_indented);
    } else if (2 * i + 1 < tasks) {
      add_names(out, "children", {task_id(2 * i + 1)}, is_indented);
    } else {
      out += "\"children\": []";
    }
    member("");
    if (i > 0) {
      add_names(out, "parents", {task_id((i - 1) / 2)}, is_indented);
    } else {
      out += "\"parents\": []";
    }
    member("");
    add_names(out, "inputFiles", {fmt::format("p2mass-atlas-{:07}.fits", i)}, is_indented);
    member("");
    add_names(out, "outputFiles", {fmt::format("diff-{:07}.fits", i)}, is_indented);
    open_line(out, 4, is_indented);
    out += '}';
  }
  out += "], \"files\": [";
  for (std::size_t i = 0; i < tasks; ++i) {
    out += i == 0 ? "{" : ", {";
    out += fmt::format("\"id\": \"p2mass-atlas-{:07}.fits\", \"sizeInBytes\": 4233600}}, ", i);
    out += fmt::format("{{\"id\": \"diff-{:07}.fits\", \"sizeInBytes\": {}}}", i, 1000 + i);
  }
  out += "]}, \"execution\": {\"makespanInSeconds\": 1000, \"tasks\": [";
  for (std::size_t i = 0; i < tasks; ++i) {
    out += i == 0 ? "{" : ", {";
    open_line(out, 5, is_indented);
    out += fmt::format("\"id\": \"{}\"", task_id(i));
    member(fmt::format("\"runtimeInSeconds\": {}.{:03}", i % 100, i % 1000));
    member(R"("command": {"program": "mDiffFit", "arguments": ["-d", "-s", "fit.0001.0002.txt"]})");
    member(R"("coreCount": 1, "avgCPU": 97.5, "readBytes": 139236642, "writtenBytes": 4380167)");
    member(R"("machines": ["worker-1.novalocal"])");
    open_line(out, 4, is_indented);
    out += '}';
  }
  out += "]}}}";
  return out;
}

constexpr std::size_t kTasks = 20'000;

void read_document(benchmark::State& run) {
  const std::string text = large_document(kTasks, run.range(0) != 0);
  const auto read = read_wfformat_text(text);
  if (!read || read->tasks.size() != kTasks || read->dependencies.size() != kTasks - 1 ||
      read->tasks[7].runtime != 7.007 || read->tasks[7].output_bytes != 1007) {
    return run.SkipWithError("wrong answer: not worth timing");
  }
  for (auto _ : run) benchmark::DoNotOptimize(read_wfformat_text(text));
  run.SetBytesProcessed(run.iterations() * static_cast<std::int64_t>(text.size()));
  run.SetItemsProcessed(run.iterations() * static_cast<std::int64_t>(kTasks));
}
BENCHMARK(read_document)->ArgName("indented")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
