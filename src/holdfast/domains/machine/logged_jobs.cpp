#include "holdfast/domains/machine/logged_jobs.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/inputs/logged_jobs.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace holdfast::machine {
namespace {

constexpr auto kWork = std::to_array<std::string_view>({"run"});

/// The options with which a log is read.
struct JobQuestion {
  JobLogQuestion log;
  double cores_per_node = 1;
  double checkpoint = 0, input = 0, output = 0;  // bytes per node
};

Result<JobQuestion> read_question(const Value& value, const std::string& where,
                                  const std::filesystem::path& directory) {
  const Value object = file_question(value);
  ObjectReader read(object, where);
  JobQuestion out{.log = read_job_log_question(read, directory)};
  out.cores_per_node = read.number_or("cores_per_node", 1, positive());
  out.checkpoint = read.quantity_or("checkpoint_per_node", Unit::bytes, 0, non_negative());
  out.input = read.quantity_or("input_per_node", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output_per_node", Unit::bytes, 0, non_negative());
  static_cast<void>(read.choice_or("work", kWork, 0));
  HOLDFAST_CHECK(read.finish());
  return out;
}

constexpr auto kReasons = std::to_array<std::string_view>(
    {"without a submission, a run time or processors", "wider than the machine"});

std::int64_t nodes_of(const LoggedJob& logged, double cores_per_node) {
  return static_cast<std::int64_t>(
      std::ceil(static_cast<double>(logged.width()) / cores_per_node * (1 - 1e-12)));
}

Job job_of(const LoggedJob& logged, const JobQuestion& question, double origin) {
  const std::int64_t nodes = nodes_of(logged, question.cores_per_node);
  const auto count = static_cast<double>(nodes);
  Job out{.id = fmt::format("{}", logged.number),
          .submit = (logged.submit - origin) / question.log.compress,
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
  HOLDFAST_TRY(log, read_job_log(question.log.file, question.log.as));
  const std::string file = question.log.file.string();
  if (const std::string& how = log.facts.oddities.reading(); !how.empty()) {
    instance.notes.push_back(fmt::format("{}: {}", file, how));
  }
  for (const Oddity& oddity : log.facts.oddities.list()) {
    instance.notes.push_back(
        fmt::format("{}: {} ({}): {}", file, oddity.what, oddity.count, oddity.action));
  }
  const LogSelection selection =
      select_jobs(log, file, kReasons, [&](const LoggedJob& logged) -> std::optional<std::size_t> {
        if (logged.submit < 0 || !(logged.run > 0) || logged.width() < 1) return 0;
        if (nodes_of(logged, question.cores_per_node) > instance.nodes) return 1;
        return std::nullopt;
      });
  const double origin = first_submission(log.jobs);
  for (const LoggedJob* logged : selection.jobs) {
    instance.jobs.push_back(job_of(*logged, question, origin));
  }
  instance.notes.insert(instance.notes.end(), selection.notes.begin(), selection.notes.end());
  if (instance.jobs.empty()) {
    return fail(ErrorCode::bad_value, file, "found no job that this machine could run");
  }
  instance.groups = {"all"};
  std::stable_sort(instance.jobs.begin(), instance.jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  return {};
}

}  // namespace holdfast::machine
