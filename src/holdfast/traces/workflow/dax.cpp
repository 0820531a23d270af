#include "holdfast/base/text.hpp"
#include "holdfast/base/xml_scanner.hpp"
#include "holdfast/traces/text/words.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace holdfast {
namespace {

/// Reads Pegasus' DAX: elements job (id, name, runtime; uses: link, size) and child (ref; parent: ref).
class DaxReader {
 public:
  explicit DaxReader(std::string_view text) : scan_{text} {}

  Result<WorkflowRun> read() {
    for (;;) {
      HOLDFAST_TRY(event, scan_.next());
      if (event == XmlScanner::Event::none) break;
      if (event == XmlScanner::Event::begin) HOLDFAST_CHECK(begin());
    }
    if (run_.tasks.empty())
      return fail(ErrorCode::bad_format, {}, "found no job, expected at least one");
    for (const auto& [child, parent] : edges_) {
      HOLDFAST_TRY(from, task(parent));
      HOLDFAST_TRY(to, task(child));
      if (from == to) {
        return fail(
            ErrorCode::bad_value, {},
            fmt::format("found job {} as its own parent, expected another job", in_quotes(child)));
      }
      run_.dependencies.push_back({from, to});
    }
    finish_workflow(run_);
    return std::move(run_);
  }

 private:
  Status begin() {
    const auto attribute = [this](std::string_view name) {
      return scan_.attribute(name).value_or("");
    };
    if (scan_.name() == "adag") {
      run_.name = attribute("name");
      run_.schema_version = attribute("version");
    } else if (scan_.name() == "job") {
      const std::string id = attribute("id");
      if (id.empty() ||
          !places_.try_emplace(id, static_cast<std::uint32_t>(run_.tasks.size())).second) {
        return fail(ErrorCode::bad_value, "job",
                    fmt::format("found id {}, expected one of its own", in_quotes(id)));
      }
      run_.tasks.push_back({.id = id, .name = attribute("name"), .runtime = {}});
      if (run_.tasks.back().name.empty()) run_.tasks.back().name = id;
      const std::string runtime = attribute("runtime");
      const auto seconds = finite_number(trim(runtime));
      if (!runtime.empty() && (!seconds || *seconds < 0)) {
        return fail(ErrorCode::bad_value, fmt::format("job {}: runtime", in_quotes(id)),
                    fmt::format("found {}, expected seconds", in_quotes(runtime)));
      }
      run_.tasks.back().runtime = seconds;
    } else if (scan_.name() == "uses" && !run_.tasks.empty()) {
      const double size = std::clamp(finite_number(attribute("size")).value_or(0), 0.0, 1e18);
      const std::string link = attribute("link");
      if (link != "output") run_.tasks.back().input_bytes += size;
      if (link != "input") run_.tasks.back().output_bytes += size;
    } else if (scan_.name() == "child") {
      child_ = attribute("ref");
    } else if (scan_.name() == "parent") {
      edges_.emplace_back(child_, attribute("ref"));
    }
    return {};
  }

  [[nodiscard]] Result<std::uint32_t> task(const std::string& id) const {
    const auto found = places_.find(id);
    if (found != places_.end()) return found->second;
    return fail(ErrorCode::bad_value, "child",
                fmt::format("found ref {}, expected the id of a job", in_quotes(id)));
  }

  XmlScanner scan_;
  WorkflowRun run_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<std::pair<std::string, std::string>> edges_;
  std::string child_;
};

Result<WorkflowRun> read_dax(LineReader lines) {
  HOLDFAST_TRY(text, lines.rest());
  auto run = DaxReader(text).read();
  return run ? std::move(run) : fail(in_file(lines.name(), std::move(run).error()));
}

}  // namespace

FormatOf<WorkflowRun> dax_format() {
  return {
      .facts = {.name = "dax",
                .summary = "workflow in DAX of Pegasus (XML)",
                .recognise = [](std::string_view head) { return head.find("<adag") != head.npos; }},
      .read = read_dax};
}

}  // namespace holdfast
