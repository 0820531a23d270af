#include "holdfast/traces/jobs/jobs_csv.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/jobs/job_fields.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace holdfast {
namespace {

// The fields of a job, in the order of job_fields(), and others from which they follow.
struct JobAt {
  enum : std::size_t {
    job,
    submit,
    wait,
    run,
    processors,
    requested_processors = 7,
    gpus = 18,
    start,
    end,
    nodes,
    state,
    copies,
    tres,
    per_node
  };
};
constexpr auto kJobTableFields = std::to_array<TableField>({
    {.name = "job",
     .synonyms = "jobid jobidraw jobnumber id idjob clusterid cobaltjobid jobname pod podname"},
    {.name = "submit",
     .is = CellKind::time,
     .synonyms =
         "queuetime queued submittime submitted submittedat submission submissiontime subtime "
         "timesubmit "
         "created createdat creationtime queued queuedat qtime qdate timesubmission arrival "
         "arrivaltime release queuedtimestamp tsubmit eingereicht",
     .need = 1},
    {.name = "wait",
     .is = CellKind::duration,
     .synonyms = "waittime waitingtime queuetime queuewait queuewaittime"},
    {.name = "run",
     .is = CellKind::duration,
     .synonyms = "runtime elapsed elapsedraw duration walltime wall runningtime executiontime "
                 "elapsedtime remotewallclocktime length seconds laufzeit dauer",
     .need = 2},
    {.name = "processors",
     .is = CellKind::count,
     .synonyms = "procs nprocs numprocs nprocessors numprocessors vcpu vcpus totalcores totalcpus "
                 "proccnt tresallocatedcpu allocatedprocs cpus ncpus cores ncores "
                 "numcores numcpus corecount cpunum "
                 "cpucount alloccpus allocatedcpus allocatedprocessors usedprocs slots ranks "
                 "numberofprocessors ntasks nbresources cpu kerne prozessoren",
     .need = 3},
    {.name = "cpu_time", .is = CellKind::duration, .synonyms = "avgcputime cput cputimeraw"},
    {.name = "memory", .is = CellKind::number, .synonyms = "usedmem usedmemory"},
    {.name = "requested_processors",
     .is = CellKind::count,
     .synonyms = "reqprocs reqnprocs requiredcpus requestcpus reqcpus requestedprocs requestedcpus "
                 "requestedcores cpusreq cpurequest "
                 "requestednumberofprocessors requestednumberofresources",
     .need = 3},
    {.name = "requested_time",
     .is = CellKind::duration,
     .synonyms = "reqtime timelimit requestedwalltime walltimelimit walltimerequested"},
    {.name = "requested_memory", .is = CellKind::number, .synonyms = "reqmem"},
    {.name = "status", .is = CellKind::whole},
    {.name = "user", .synonyms = "userid uid username iduser owner"},
    {.name = "group", .synonyms = "groupid gid account project"},
    {.name = "executable", .synonyms = "appnum application app executablenumber"},
    {.name = "queue", .synonyms = "queuename queuenumber class"},
    {.name = "partition", .synonyms = "partitionnumber"},
    {.name = "preceding_job", .is = CellKind::whole, .synonyms = "prevjob precedingjobnumber"},
    {.name = "think_time", .is = CellKind::duration},
    {.name = "gpus",
     .is = CellKind::number,
     .synonyms = "gpunum ngpus numgpus gpucount gpu allocgpus gpurequest",
     .need = 3},
    {.name = "start",
     .is = CellKind::time,
     .synonyms = "starttime jobstartdate started startedat startingtime timestart begin begintime "
                 "starttimestamp trun beginn",
     .need = 1},
    {.name = "end",
     .is = CellKind::time,
     .synonyms = "endtime completiondate ended endedat finish finishtime finished finishedat "
                 "timeend completed "
                 "completiontime stop stoptime endtimestamp tinactive ende",
     .need = 2},
    {.name = "nodes",
     .synonyms = "nnodes nodecnt allocationnodes tresallocatednode numnodes nodecount nodenum "
                 "nodelist allocnodes numhosts nodesalloc hosts nodesused knoten",
     .need = 3},
    {.name = "state", .synonyms = "jobstate statecurrent finalstate exitstate exitstatus"},
    {.name = "copies", .is = CellKind::whole, .synonyms = "workernum instnum"},
    {.name = "tres", .synonyms = "alloctres", .need = 3},
    {.name = "per_node",
     .is = CellKind::whole,
     .synonyms = "ppn processorspernode procspernode corespernode cpuspernode taskspernode "
                 "ntaskspernode"},
});
constexpr TableKind kJobTable = {
    .records = "jobs",
    .fields = kJobTableFields,
    .strangers = "bytesread byteswritten down up efficiency speedup",
    .in_order = 18,  // the Standard Workload Format, with commas
};

class JobsReader {
 public:
  JobsReader(TableRows rows, const SettleJob& settle)
      : rows_{std::move(rows)}, settle_{settle}, is_exact_{rows_.reading().question.is_exact} {}

  Result<JobLogFacts> read(const JobSink& sink) {
    for (const std::string& comment : rows_.comments()) {
      const std::size_t colon = comment.find(':');
      if (colon == std::string::npos) continue;
      facts_.header.emplace_back(trim(std::string_view(comment).substr(0, colon)),
                                 trim(std::string_view(comment).substr(colon + 1)));
    }
    HOLDFAST_CHECK(rows_.each([&]() -> Status {
      if (is_step()) return {};
      HOLDFAST_TRY(job, row());
      if (job.submit < latest_) ++disordered_;
      latest_ = job.submit;
      ++facts_.jobs;
      sink(job);
      return {};
    }));
    if (facts_.jobs == 0) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no job, expected at least one");
    }
    facts_.has_own_clock = true;
    if (rows_.is_dated() && !facts_.number("UnixStartTime")) {
      facts_.header.emplace_back("UnixStartTime", "0");
    }
    Oddities& odd = facts_.oddities;
    const auto unused = is_exact_ ? 0 : std::ssize(rows_.reading().unused());
    odd.add("columns of other names", unused, "not used");
    odd.add("jobs whose id is no number", renamed_, "numbered by their position");
    odd.add("jobs of which only the nodes are known", nodes_alone_, "a node counts as a processor");
    odd.add("jobs of which only the GPUs are known", gpus_alone_, "a GPU counts as a processor");
    odd.add("jobs of fractions of a processor", fractions_, "rounded up");
    odd.add("jobs of 0 processors", empty_, "their number is unknown");
    odd.add("jobs submitted before the one above", disordered_, "kept in the order of the file");
    odd.add("steps of jobs", steps_, "left out: the line of the job counts");
    odd.add("jobs whose submission is unknown", unsubmitted_, "submitted when they start: no wait");
    odd.add("jobs that never started", unstarted_, "no wait and no run time");
    odd.add("jobs that still ran", running_, "no run time");
    odd.add(
        fmt::format("jobs that the failure of a node ended (NODE_FAIL), in {:.6g} node hours of "
                    "all jobs",
                    node_seconds_ / 3600),
        lost_, "kept; read as failures they show how often nodes fail");
    odd.add("jobs that end before they start, or start before their submission", reversed_,
            "no wait or no run time");
    rows_.tell(odd);
    return std::move(facts_);
  }

 private:
  /// Returns true for a step of the job above: 70002.batch after 70002.
  bool is_step() {
    const std::string_view id = rows_.text(JobAt::job);
    const std::size_t dot = id.find('.');
    if (dot != id.npos && !above_.empty() && id.substr(0, dot) == above_) {
      ++steps_;
      return true;
    }
    above_ = id;
    return false;
  }

  Result<LoggedJob> row() {
    LoggedJob job;
    bool has_fraction = false;
    for (std::size_t i = 0; i < job_fields().size(); ++i) {
      if (!rows_.has(i) || i == JobAt::submit) continue;
      if (kJobTableFields[i].is == CellKind::text) {
        set(job, i, number_of(i));
        continue;
      }
      HOLDFAST_TRY(value, rows_.value(i));
      if (value) set(job, i, *value);
      const bool is_plain = rows_.text(i).find_first_not_of("0123456789") == std::string_view::npos;
      if (value && kJobTableFields[i].is == CellKind::count && !is_plain) {
        const bool has_decimal_comma = rows_.reading().table.has_decimal_comma;
        has_fraction = has_fraction || number_in(rows_.text(i), has_decimal_comma) != value;
      }
    }
    if (has_fraction) ++fractions_;
    if (!rows_.has(JobAt::job)) job.number = facts_.jobs;
    job.nodes = nodes_of_row();
    const bool had_none = job.forget_no_processors();
    if (rows_.has(JobAt::tres)) read_resources(rows_.text(JobAt::tres), job);
    HOLDFAST_CHECK(count_by_nodes(job));
    if (!is_exact_ && !has_counts() && job.gpus >= 1) {
      job.processors = static_cast<std::int64_t>(job.gpus);
      ++gpus_alone_;
    }
    if (had_none && job.width() < 1) ++empty_;
    HOLDFAST_CHECK(multiply(job));
    const std::string state = lower_case(rows_.text(JobAt::state));
    if (job.status == -1) job.status = status_of(state);
    HOLDFAST_CHECK(read_times(job));
    if (state.starts_with("running") && !is_exact_) {
      ++running_;
      job.run = -1;
    }
    if (state.starts_with("pending") && job.run == 0 && !is_exact_) {
      unstarted_ += rows_.has(JobAt::start) ? 0 : 1;
      job.run = -1;
    }
    job.is_end_of_node = state.starts_with("node_fail") || state.starts_with("nodefail");
    if (job.is_end_of_node) ++lost_;
    if (settle_) HOLDFAST_CHECK(settle_(rows_, job));
    if (job.run > 0)
      node_seconds_ += job.run * static_cast<double>(std::max<std::int64_t>(job.nodes, 1));
    return job;
  }

  /// A job of which only the nodes are known has the processors that its row says of each node, or one.
  Status count_by_nodes(LoggedJob& job) {
    HOLDFAST_TRY(per_node, rows_.value(JobAt::per_node));
    if (job.width() >= 1 || job.nodes < 1) return {};
    const bool is_known = per_node && *per_node >= 1 && *per_node < 1e6;
    job.processors = job.nodes * (is_known ? static_cast<std::int64_t>(*per_node) : 1);
    if (!is_known) ++nodes_alone_;
    return {};
  }

  /// Returns true if the table has a column that says how many processors or nodes a job has.
  [[nodiscard]] bool has_counts() const {
    return rows_.has(JobAt::processors) || rows_.has(JobAt::requested_processors) ||
           rows_.has(JobAt::nodes) || rows_.has(JobAt::tres);
  }

  /// Returns the number of nodes of the row, which may be a list of their names; -1: unknown.
  std::int64_t nodes_of_row() const {
    const std::string_view text = rows_.text(JobAt::nodes);
    if (is_missing(text)) return -1;
    if (const auto number = number_in(text, false))
      return *number >= 1 && *number < 1e9 ? static_cast<std::int64_t>(*number) : -1;
    const auto names = expand_nodes(text);
    return names ? std::ssize(*names) : -1;
  }

  /// Takes what Slurm's list of resources says and the table does not: "cpu=128,gres/gpu=4,node=2".
  static void read_resources(std::string_view list, LoggedJob& job) {
    for (const std::string_view one : split(list, ',')) {
      const std::size_t mark = one.find('=');
      const auto number = mark == one.npos ? std::nullopt : finite_number(one.substr(mark + 1));
      if (!number || !(*number >= 1 && *number <= kMostWhole)) continue;
      const std::string_view what = one.substr(0, mark);
      if (what == "cpu" && job.width() < 1) job.processors = static_cast<std::int64_t>(*number);
      if (what == "node" && job.nodes < 1) job.nodes = static_cast<std::int64_t>(*number);
      if (what == "gres/gpu" && job.gpus < 0) job.gpus = *number;
    }
  }

  /// A row may be of several equal workers, each with the processors and GPUs that it states.
  Status multiply(LoggedJob& job) {
    HOLDFAST_TRY(copies, rows_.value(JobAt::copies));
    if (!copies || !(*copies > 1) || *copies > 1e6) return {};
    const auto times = static_cast<std::int64_t>(*copies);
    for (std::int64_t* width : {&job.processors, &job.requested_processors}) {
      if (*width > 0 && *width < static_cast<std::int64_t>(kMostWhole) / times) *width *= times;
    }
    if (job.gpus > 0) job.gpus *= *copies;
    return {};
  }

  // Submission, start and end give the wait and the run time that the table does not have.
  Status read_times(LoggedJob& job) {
    HOLDFAST_TRY(submit, rows_.time(JobAt::submit));
    HOLDFAST_TRY(start, rows_.time(JobAt::start));
    HOLDFAST_TRY(end, rows_.time(JobAt::end));
    if (is_exact_ && !submit) {
      return fail(ErrorCode::bad_value, rows_.place(JobAt::submit),
                  "found nothing, expected when the job was submitted");
    }
    // Unix times of 0, and others of -1, are those of jobs that have not started or ended.
    const bool is_unix = submit && submit->seconds > 1e8;
    for (auto* time : {&start, &end}) {
      if (*time && ((*time)->seconds == -1 || (is_unix && (*time)->seconds == 0))) time->reset();
    }
    if (submit || start) job.submit = submit ? submit->seconds : start->seconds;
    if (!submit && start) ++unsubmitted_;
    if (rows_.has(JobAt::start) && !start) {
      ++unstarted_;
      if (job.run == 0 || is_exact_) job.run = -1;
    }
    bool is_reversed = false;
    const auto between = [&](double from, double to) {
      is_reversed = is_reversed || to < from;
      return to < from ? -1 : to - from;
    };
    if (job.wait < 0 && start && submit) job.wait = between(submit->seconds, start->seconds);
    const bool has_begin = start || (submit && job.wait >= 0);
    if (job.run < 0 && end && has_begin) {
      job.run = between(start ? start->seconds : submit->seconds + job.wait, end->seconds);
    }
    if (is_reversed) ++reversed_;
    return {};
  }

  static void set(LoggedJob& job, std::size_t field, double value) {
    std::visit(
        [&](auto member) {
          job.*member = static_cast<std::remove_reference_t<decltype(job.*member)>>(value);
        },
        job_fields()[field].member);
  }

  /// Returns a number for a text: the number that it is, or for names the order of their appearance; for a job its row.
  double number_of(std::size_t field) {
    const std::string_view text = rows_.text(field);
    const auto number = number_in(text, false);
    const bool is_whole =
        number && *number == std::trunc(*number) && std::abs(*number) <= kMostWhole;
    if (is_whole) return *number;
    if (is_missing(text)) return -1;
    if (field == JobAt::job) ++renamed_;
    if (field == JobAt::job) return static_cast<double>(facts_.jobs);
    auto& known = names_[field];
    const auto next = static_cast<double>(known.size() + 1);
    return known.try_emplace(std::string(text), next).first->second;
  }

  TableRows rows_;
  const SettleJob& settle_;
  bool is_exact_;
  JobLogFacts facts_;
  std::map<std::size_t, std::unordered_map<std::string, double>> names_;
  double latest_ = -1;
  std::int64_t disordered_ = 0, unstarted_ = 0, reversed_ = 0, steps_ = 0, running_ = 0, lost_ = 0,
               renamed_ = 0, empty_ = 0, fractions_ = 0, unsubmitted_ = 0, nodes_alone_ = 0,
               gpus_alone_ = 0;
  double node_seconds_ = 0;
  std::string above_;  ///< the name of the job above
};

}  // namespace

Result<JobLogFacts> read_job_rows(TraceText text, const JobSink& sink, const SettleJob& settle) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kJobTable));
  return JobsReader(std::move(rows), settle).read(sink);
}

Result<JobLogFacts> read_jobs_csv(TraceText text, const JobSink& sink) {
  return read_job_rows(std::move(text), sink);
}

Result<Oddities> write_jobs_csv(const JobLog& log, const TextSink& sink) {
  std::vector<const JobField*> fields;
  for (const JobField& field : job_fields()) {
    const bool is_needed = field.name == "job" || field.name == "submit" || field.name == "run" ||
                           field.name == "processors" ||
                           std::ranges::any_of(log.jobs, [&](const LoggedJob& job) {
                             return value_of(job, field) != -1;
                           });
    if (is_needed) fields.push_back(&field);
  }
  SinkBuffer out(sink);
  for (const auto& [name, value] : log.facts.header) out << fmt::format("# {}: {}\n", name, value);
  double latest = 0;
  for (const LoggedJob& job : log.jobs) latest = std::max(latest, std::abs(job.submit));
  out << note_of_times(latest);
  std::string line;
  for (const JobField* field : fields) line += (line.empty() ? "" : ",") + std::string(field->name);
  out << line << "\n";
  for (const LoggedJob& job : log.jobs) {
    line.clear();
    for (const JobField* field : fields) {
      if (field != fields.front()) line += ',';
      const double value = value_of(job, *field);
      if (value != -1) line += to_text(value);
    }
    out << line << "\n";
  }
  HOLDFAST_CHECK(out.finish());
  return Oddities{};
}

FormatOf<JobLog> jobs_csv_format() {
  return {.facts = {.name = "jobs-csv",
                    .summary = "jobs with columns submit, run, processors and others",
                    .columns = "submit,run",
                    .table = &kJobTable},
          .read = read_jobs_csv,
          .write = write_jobs_csv};
}

}  // namespace holdfast
