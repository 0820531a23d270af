#include "holdfast/traces/formats.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/capacity/service_share.hpp"
#include "holdfast/traces/failures/lanl.hpp"
#include "holdfast/traces/failures/plain_failures.hpp"
#include "holdfast/traces/failures/site_logs.hpp"
#include "holdfast/traces/jobs/alibaba.hpp"
#include "holdfast/traces/jobs/batsim_csv.hpp"
#include "holdfast/traces/jobs/batsim_json.hpp"
#include "holdfast/traces/jobs/job_table.hpp"
#include "holdfast/traces/jobs/jobs_csv.hpp"
#include "holdfast/traces/jobs/swf.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr auto kFormats = std::to_array<Format>({
    {.name = "darshan-dxt",
     .summary = "I/O operations of one run (Darshan DXT, as text or as a table)",
     .holds = Holds::io,
     .recognise = looks_like_darshan_dxt,
     .read_io = read_darshan_dxt},
    {.name = "io-totals",
     .summary = "bytes and seconds of I/O per run and component (CSV)",
     .holds = Holds::io,
     .recognise = looks_like_io_totals,
     .read_io = read_io_totals},
    {.name = "lanl",
     .summary = "failure log of Los Alamos, LA-UR-05-7318 (CSV, 26 columns)",
     .holds = Holds::failures,
     .recognise = looks_like_lanl,
     .read_failures = read_lanl},
    {.name = "bluegene-ras",
     .summary = "fatal events of Blue Gene/L (RAS log)",
     .holds = Holds::failures,
     .recognise = looks_like_bluegene_ras,
     .read_failures = read_bluegene_ras},
    {.name = "alpine-disks",
     .summary = "disk failures of the file system Alpine (CSV)",
     .holds = Holds::failures,
     .recognise = looks_like_alpine_disks,
     .read_failures = read_alpine_disks},
    {.name = "wynton-incidents",
     .summary = "incidents of the cluster Wynton (CSV)",
     .holds = Holds::failures,
     .recognise = looks_like_wynton_incidents,
     .read_failures = read_wynton_incidents,
     .read_service = read_wynton_service},
    {.name = "service-windows",
     .summary = "windows in which a machine was out of service (start,end without a header)",
     .holds = Holds::failures,
     .recognise = looks_like_service_windows,
     .read_failures = read_service_windows},
    {.name = "titan-gpus",
     .summary = "lives of Titan's GPUs (CSV)",
     .holds = Holds::lifetimes,
     .recognise = looks_like_titan_gpus,
     .read_lifetimes = read_titan_gpus},
    {.name = "failures-csv",
     .summary = "failure log with columns node, down, up",
     .holds = Holds::failures,
     .recognise = looks_like_plain_failures,
     .read_failures = read_plain_failures,
     .write_failures = write_plain_failures},
    {.name = "lifetimes-csv",
     .summary = "lifetimes with columns low, high",
     .holds = Holds::lifetimes,
     .recognise = looks_like_lifetime_table,
     .read_lifetimes = read_lifetime_table,
     .write_lifetimes = write_lifetime_table},
    {.name = "wfformat",
     .summary = "workflow in WfFormat of WfCommons (JSON, versions 1.0 to 1.5)",
     .holds = Holds::workflow,
     .recognise = looks_like_wfformat,
     .read_workflow = read_wfformat_lines,
     .write_workflow = write_wfformat},
    {.name = "fta",
     .summary = "event table of the Failure Trace Archive (event_trace.tab)",
     .holds = Holds::availability,
     .recognise = looks_like_fta,
     .read_availability = read_fta},
    {.name = "fta-component",
     .summary = "component table of the Failure Trace Archive (component.tab)",
     .holds = Holds::machines,
     .recognise = looks_like_fta_components,
     .read_machines = read_fta_components},
    {.name = "fta-node",
     .summary = "node table of the Failure Trace Archive (node.tab)",
     .holds = Holds::machines,
     .recognise = looks_like_fta_nodes,
     .read_machines = read_fta_nodes},
    {.name = "fta-platform",
     .summary = "platform table of the Failure Trace Archive (platform.tab)",
     .holds = Holds::machines,
     .recognise = looks_like_fta_platforms,
     .read_machines = read_fta_platforms},
    {.name = "state-events",
     .summary = "states of workers with columns worker, time, state",
     .holds = Holds::availability,
     .recognise = looks_like_state_events,
     .read_availability = read_state_events,
     .write_availability = write_state_events},
    {.name = "states",
     .summary = "states of workers, one letter u, r or d per slot",
     .holds = Holds::availability,
     .recognise = looks_like_state_letters,
     .read_availability = read_state_letters},
    {.name = "avt",
     .summary = "intervals in which hosts were up (.avt)",
     .holds = Holds::availability,
     .recognise = looks_like_avt,
     .read_availability = read_avt,
     .write_availability = write_avt},
    {.name = "swf",
     .summary = "batch log in the Standard Workload Format (18 numbers per job)",
     .holds = Holds::jobs,
     .recognise = looks_like_swf,
     .read_jobs = read_swf,
     .write_jobs = write_swf},
    {.name = "job-table",
     .summary = "jobs as lines of release, cores, length",
     .holds = Holds::jobs,
     .recognise = looks_like_job_table,
     .read_jobs = read_job_table},
    {.name = "borg-jobs",
     .summary = "jobs of a Borg cell as lines of id, release, length, cores and a word",
     .holds = Holds::jobs,
     .recognise = looks_like_borg_jobs,
     .read_jobs = read_borg_jobs},
    {.name = "batsim-json",
     .summary = "workload of Batsim (JSON with jobs and profiles)",
     .holds = Holds::jobs,
     .recognise = looks_like_batsim_json,
     .read_jobs = read_batsim_json,
     .write_jobs = write_batsim_json},
    {.name = "batsim-csv",
     .summary = "jobs as Batsim ran them (prefix_jobs.csv; schedules have these columns too)",
     .holds = Holds::jobs,
     .recognise = looks_like_batsim_csv,
     .read_jobs = read_batsim_csv,
     .write_jobs = write_batsim_csv},
    {.name = "jobs-csv",
     .summary = "jobs with columns submit, run, processors and others",
     .holds = Holds::jobs,
     .recognise = looks_like_jobs_csv,
     .read_jobs = read_jobs_csv,
     .write_jobs = write_jobs_csv},
    {.name = "alibaba-pods",
     .summary = "pods of Alibaba's GPU cluster, 2023 (CSV)",
     .holds = Holds::jobs,
     .recognise = looks_like_alibaba_pods,
     .read_jobs = read_alibaba_pods},
    {.name = "alibaba-nodes",
     .summary = "nodes of Alibaba's GPU cluster, 2023 (CSV)",
     .holds = Holds::machines,
     .recognise = looks_like_alibaba_nodes,
     .read_machines = read_alibaba_nodes},
    {.name = "machines-csv",
     .summary = "machines with columns machine, cores and others",
     .holds = Holds::machines,
     .recognise = looks_like_machines_csv,
     .read_machines = read_machines_csv,
     .write_machines = write_machines_csv},
    {.name = "mira-reservations",
     .summary = "reservations of Mira (CSV, 16 columns without a header)",
     .holds = Holds::jobs,
     .recognise = looks_like_mira_reservations,
     .read_jobs = read_mira_reservations,
     .read_service = read_mira_service},
    {.name = "spot-json",
     .summary = "instances alive, sampled at a fixed step (JSON with gap_seconds and data)",
     .holds = Holds::capacity,
     .recognise = looks_like_spot_series,
     .read_capacity = read_spot_series},
    {.name = "capacity-csv",
     .summary = "instances alive as steps time,value without a header",
     .holds = Holds::capacity,
     .recognise = looks_like_step_series,
     .read_capacity = read_step_series,
     .write_capacity = write_step_series},
    {.name = "series-csv",
     .summary = "generation or carbon intensity by date (CSV with a header)",
     .holds = Holds::capacity,
     .recognise = looks_like_dated_series,
     .read_capacity = read_dated_series,
     .has_columns = true,
     .write_capacity = write_dated_series},
    {.name = "extrap",
     .summary = "measurements in the text format of Extra-P",
     .holds = Holds::speedup,
     .recognise = looks_like_extrap,
     .read_speedup = read_extrap},
    {.name = "scaling-blocks",
     .summary = "run times by number of nodes in blocks with titles (>>>)",
     .holds = Holds::speedup,
     .recognise = looks_like_scaling_blocks,
     .read_speedup = read_scaling_blocks},
    {.name = "speedup-table",
     .summary = "run times by number of processors (table with a header)",
     .holds = Holds::speedup,
     .recognise = looks_like_speedup_runs,
     .read_speedup = read_speedup_runs,
     .write_speedup = write_speedup_runs},
});

constexpr std::size_t kHeadSize = std::size_t{1} << 16;

/// A source that gives back what was read ahead of it.
class Replayed final : public ByteSource {
 public:
  Replayed(std::string head, std::unique_ptr<ByteSource> rest)
      : head_{std::move(head)}, rest_{std::move(rest)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (begin_ == head_.size()) return rest_->read(buffer);
    const std::size_t count = std::min(buffer.size(), head_.size() - begin_);
    std::copy_n(head_.data() + begin_, count, buffer.data());
    begin_ += count;
    return count;
  }

 private:
  std::string head_;
  std::size_t begin_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

Result<std::string> read_head(ByteSource& source) {
  std::string head(kHeadSize, '\0');
  std::size_t have = 0;
  while (have < head.size()) {
    HOLDFAST_TRY(count, source.read(std::span(head).subspan(have)));
    if (count == 0) break;
    have += count;
  }
  head.resize(have);
  return head;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  names.reserve(kFormats.size());
  for (const Format& format : kFormats) names.push_back(format.name);
  return names;
}

Result<const Format*> named_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  const auto names = format_names();
  return fail(ErrorCode::unknown_name, "format",
              fmt::format("found no format {}, {}", in_quotes(name), suggestion(name, names)));
}

/// Refuses what no reader of text reads, saying what it is, and drops a byte order mark.
Status check_text(std::string& head, const std::string& file) {
  struct Kind {
    std::string_view begin;
    std::string_view message;
  };
  constexpr auto kKinds = std::to_array<Kind>({
      {"BZh", "found data packed by bzip2, expected gzip, zstd or text: unpack it first"},
      {"\xFD"
       "7zXZ",
       "found data packed by xz, expected gzip, zstd or text: unpack it first"},
      {"PK\x03\x04", "found a zip archive, expected gzip, zstd or text: unpack it first"},
      {"\xFF\xFE", "found text in UTF-16, expected UTF-8: convert it (iconv -f UTF-16 -t UTF-8)"},
      {"\xFE\xFF", "found text in UTF-16, expected UTF-8: convert it (iconv -f UTF-16 -t UTF-8)"},
  });
  for (const Kind& kind : kKinds) {
    if (head.starts_with(kind.begin)) {
      return fail(ErrorCode::bad_format, file, std::string(kind.message));
    }
  }
  if (const std::size_t zero = head.find('\0'); zero != std::string::npos) {
    return fail(ErrorCode::bad_format, file,
                fmt::format("found a binary file (byte {} is zero), expected text", zero + 1));
  }
  const std::size_t end = head.find('\r');
  if (end != std::string::npos && end + 1 < head.size() && head.find('\n') == std::string::npos) {
    return fail(ErrorCode::bad_format, file,
                "found lines that end in CR alone, expected LF or CR LF: convert them (tr '\\r' "
                "'\\n')");
  }
  if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
  return {};
}

/// How a text begins, for a message: of its first line that is not blank, at most 40 characters.
std::string beginning(std::string_view head) {
  constexpr std::size_t kMost = 40;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  std::string text(trim(head.substr(first, head.find_first_of("\r\n", first) - first)));
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, '?');
  return text;
}

Result<const Format*> recognised_format(std::string_view head, const std::string& file) {
  for (const Format& format : kFormats) {
    if (format.recognise(head)) return &format;
  }
  if (head.empty())
    return fail(ErrorCode::bad_format, file, "found an empty file, expected a trace");
  const std::string begin = beginning(head);
  if (begin.empty()) {
    return fail(ErrorCode::bad_format, file, "found nothing but blank lines, expected a trace");
  }
  return fail(ErrorCode::bad_format, file,
              fmt::format("found a file of no known kind, beginning with {}, expected one of {} "
                          "(say which with --format)",
                          in_quotes(begin), join(format_names(), ", ")));
}

Status check_format(std::string_view name) {
  if (auto format = named_format(name); !format) return fail(std::move(format).error());
  return {};
}

Result<OpenTrace> recognise(std::unique_ptr<ByteSource> source, std::string name,
                            std::string_view format_name) {
  HOLDFAST_TRY(head, read_head(*source));
  HOLDFAST_CHECK(check_text(head, name));
  HOLDFAST_TRY(format,
               format_name.empty() ? recognised_format(head, name) : named_format(format_name));
  auto replayed = std::make_unique<Replayed>(std::move(head), std::move(source));
  return OpenTrace{format, LineReader{std::move(replayed), std::move(name)}};
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

Status check_columns(const Format& format, const SeriesQuestion& question) {
  if (format.has_columns || question.column.empty() || question.column == "*") return {};
  return fail(ErrorCode::bad_value, "column",
              fmt::format("found {}, expected none: format {} has no columns to choose from",
                          in_quotes(question.column), format.name));
}

Result<OpenTrace> open_trace(const std::filesystem::path& path, std::string_view format_name) {
  if (!format_name.empty())
    HOLDFAST_CHECK(check_format(format_name));  // before the file is looked for
  HOLDFAST_TRY(source, open_input(path));
  return recognise(std::move(source), path == "-" ? "standard input" : path.string(), format_name);
}

Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name,
                             std::string_view format_name) {
  HOLDFAST_TRY(source, decompressed(std::move(bytes), name));
  return recognise(std::move(source), std::move(name), format_name);
}

Result<FailureLog> read_failure_log(const std::filesystem::path& path,
                                    std::optional<std::string> system,
                                    std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  if (trace.format->read_failures == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected a failure log", trace.format->summary));
  }
  auto log = trace.format->read_failures(std::move(trace.lines), std::move(system));
  if (!log && log.error().where.find(path.string()) == std::string::npos) {
    return fail(in_file(path.string(), std::move(log).error()));
  }
  return log;
}

namespace {

// The error of a reader, with the file's name where the reader did not know it.
Error in_trace(const std::filesystem::path& path, Error error) {
  const bool is_placed = error.where.find(path.string()) != std::string::npos;
  return is_placed ? error : in_file(path.string(), std::move(error));
}

// A series that the file holds, else what its outages leave.
Result<CapacitySeries> read_series(OpenTrace trace, const SeriesQuestion& question) {
  const Format& format = *trace.format;
  HOLDFAST_CHECK(check_columns(format, question));
  if (format.read_capacity) return format.read_capacity(std::move(trace.lines), question);
  if (format.read_service) return format.read_service(std::move(trace.lines));
  if (format.read_failures) {
    HOLDFAST_TRY(log, format.read_failures(std::move(trace.lines), {}));
    return service_of(log);
  }
  if (format.read_availability) {
    HOLDFAST_TRY(record, format.read_availability(std::move(trace.lines), {}));
    return service_of(record);
  }
  return fail(ErrorCode::bad_format, "",
              fmt::format("found {}, expected a series of capacity, outages or availability",
                          format.summary));
}

}  // namespace

Result<JobLog> read_job_log(const std::filesystem::path& path, std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  if (trace.format->read_jobs == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected a batch log", trace.format->summary));
  }
  JobLog log;
  auto facts = trace.format->read_jobs(std::move(trace.lines),
                                       [&](const LoggedJob& job) { log.jobs.push_back(job); });
  if (!facts) return fail(in_trace(path, std::move(facts).error()));
  log.facts = std::move(*facts);
  return log;
}

Result<CapacitySeries> read_capacity_series(const std::filesystem::path& path,
                                            const SeriesQuestion& question,
                                            std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  auto series = read_series(std::move(trace), question);
  if (!series) return fail(in_trace(path, std::move(series).error()));
  return series;
}

}  // namespace holdfast
