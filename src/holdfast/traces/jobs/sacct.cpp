#include "holdfast/traces/jobs/sacct.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/jobs/jobs_csv.hpp"
#include "holdfast/traces/text/sniff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast {
namespace {

/// Returns the plain names of the columns of sacct's header; empty if the text does not begin with one.
std::vector<std::string> columns_of_sacct(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line).empty() || line.starts_with('#')) continue;
    const char delimiter = line.find('|') != line.npos   ? '|'
                           : line.find(',') != line.npos ? ','
                                                         : ' ';
    std::vector<std::string> names;
    for (const std::string_view name : split(line, delimiter)) {
      if (!trim(name).empty()) names.push_back(plain_name(name));
    }
    const auto has = [&](std::string_view name) {
      return std::ranges::find(names, name) != names.end();
    };
    // Of many batch systems, only Slurm's columns have these names together.
    const bool is_sacct = (has("jobid") || has("jobidraw")) && has("state") &&
                          (has("alloccpus") || has("elapsedraw") || has("exitcode") ||
                           has("nnodes") || has("ncpus") || has("reqcpus"));
    return is_sacct ? names : std::vector<std::string>();
  }
  return {};
}

bool is_sacct_document(std::string_view head) {
  const auto has = [&](std::string_view word) { return head.find(word) != head.npos; };
  return trim(head).starts_with('{') && has("\"jobs\"") && has("\"job_id\"") &&
         has("\"submission\"") && has("\"elapsed\"");
}

}  // namespace

bool looks_like_sacct(std::string_view head) {
  return !columns_of_sacct(head).empty() || is_sacct_document(head);
}

Result<JobLogFacts> read_sacct(TraceText text, const JobSink& sink) {
  constexpr std::size_t kHeader = 1 << 16;
  HOLDFAST_TRY(head, text.lines.head(kHeader));
  const auto columns = columns_of_sacct(head);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(columns, name) != columns.end();
  };
  const bool has_times = has("submit") || has("start") || has("eligible");
  if (!columns.empty() && !has_times && text.table.is_empty()) {
    return fail(
        ErrorCode::bad_format, text.name(),
        "found sacct's usual columns, without times, expected Submit, Start and End: sacct -X -P "
        "--format=JobID,Submit,Start,End,Elapsed,AllocCPUS,NNodes,State,User,Account");
  }
  return read_jobs_csv(std::move(text), sink);
}

FormatOf<JobLog> sacct_format() {
  return {.facts = {.name = "sacct",
                    .summary = "jobs as Slurm's accounting prints them (sacct)",
                    .recognise = looks_like_sacct},
          .read = read_sacct};
}

}  // namespace holdfast
