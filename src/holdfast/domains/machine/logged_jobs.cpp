#include "holdfast/domains/machine/logged_jobs.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast::machine {
namespace {

constexpr auto kWork = std::to_array<std::string_view>({"run"});

/// What may be asked about a log.
struct JobQuestion {
  std::filesystem::path file;
  std::string format;
  double compress = 1;
  double cores_per_node = 1;
  double checkpoint = 0, input = 0, output = 0;  // of a node, bytes
};

Result<JobQuestion> read_question(const Value& value, const std::string& where,
                                  const std::filesystem::path& directory) {
  const Value object = value.string() == nullptr ? value : Value::object({{"file", value}});
  ObjectReader read(object, where);
  JobQuestion out;
  out.file = (directory / read.text("file")).lexically_normal();
  out.format = read.text_or("format", "");
  out.compress = read.number_or("compress", 1, positive());
  out.cores_per_node = read.number_or("cores_per_node", 1, positive());
  out.checkpoint = read.quantity_or("checkpoint_per_node", Unit::bytes, 0, non_negative());
  out.input = read.quantity_or("input_per_node", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output_per_node", Unit::bytes, 0, non_negative());
  static_cast<void>(read.choice_or("work", kWork, 0));
  HOLDFAST_CHECK(read.finish());
  return out;
}

/// Jobs that were left out for one reason.
struct LeftOut {
  std::string_view why;
  std::int64_t jobs = 0;
};

double first_submit(const std::vector<LoggedJob>& jobs) {
  double first = std::numeric_limits<double>::max();
  for (const LoggedJob& job : jobs) {
    if (job.submit >= 0) first = std::min(first, job.submit);
  }
  return first;
}

Job job_of(const LoggedJob& logged, const JobQuestion& question, double origin,
           std::int64_t nodes) {
  const auto count = static_cast<double>(nodes);
  Job out{.id = fmt::format("{}", logged.number),
          .submit = (logged.submit - origin) / question.compress,
          .nodes = nodes,
          .work = logged.run,
          .input = count * question.input,
          .output = count * question.output,
          .checkpoint = count * question.checkpoint,
          .recovery = count * question.checkpoint};
  if (logged.requested_time > 0) out.estimate = logged.requested_time;
  return out;
}

}  // namespace

Status read_logged_jobs(const Value& value, const std::string& where,
                        const std::filesystem::path& directory, Instance& instance) {
  HOLDFAST_TRY(question, read_question(value, where, directory));
  HOLDFAST_TRY(log, read_job_log(question.file, question.format));
  const std::string file = question.file.string();
  for (const Oddity& oddity : log.facts.oddities.list()) {
    instance.notes.push_back(
        fmt::format("{}: {} ({}): {}", file, oddity.what, oddity.count, oddity.action));
  }
  LeftOut unknown{"without a submission, a run time or processors"};
  LeftOut wider{"wider than the machine"};
  const double origin = first_submit(log.jobs);
  for (const LoggedJob& logged : log.jobs) {
    if (logged.submit < 0 || !(logged.run > 0) || logged.width() < 1) {
      ++unknown.jobs;
      continue;
    }
    const auto nodes = static_cast<std::int64_t>(
        std::ceil(static_cast<double>(logged.width()) / question.cores_per_node * (1 - 1e-12)));
    if (nodes > instance.nodes) {
      ++wider.jobs;
      continue;
    }
    instance.jobs.push_back(job_of(logged, question, origin, nodes));
  }
  for (const LeftOut& left_out : {unknown, wider}) {
    if (left_out.jobs == 0) continue;
    instance.notes.push_back(fmt::format("{}: {} of {} left out: {}", file, left_out.jobs,
                                         counted(log.jobs.size(), "job"), left_out.why));
  }
  if (instance.jobs.empty()) {
    return fail(ErrorCode::bad_value, file, "found no job that this machine could run");
  }
  instance.groups = {"all"};
  std::stable_sort(instance.jobs.begin(), instance.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  return {};
}

}  // namespace holdfast::machine
