#include "holdfast/answers/trace/info_records.hpp"

#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace holdfast {

Answer describe(const SpeedupTable& runs, Answer answer) {
  Value series = Value::array();
  Table table{.title = "series",
              .columns = {{.title = "series"},
                          {.title = "runs"},
                          {.title = "fewest processors"},
                          {.title = "time"},
                          {.title = "most processors"},
                          {.title = "time"}},
              .rows = {}};
  std::vector<double> times;
  std::int64_t count = 0;
  for (const SpeedupRuns& one : runs) {
    const auto fewest =
        static_cast<std::size_t>(std::ranges::min_element(one.processors) - one.processors.begin());
    const auto most =
        static_cast<std::size_t>(std::ranges::max_element(one.processors) - one.processors.begin());
    const auto points = static_cast<std::int64_t>(one.processors.size());
    count += points;
    times.insert(times.end(), one.seconds.begin(), one.seconds.end());
    series.push(Value::object({{"series", one.name},
                               {"runs", points},
                               {"fewest_processors", one.processors[fewest]},
                               {"most_processors", one.processors[most]},
                               {"time_on_fewest", one.seconds[fewest]},
                               {"time_on_most", one.seconds[most]}}));
    table.rows.push_back({one.name, points, one.processors[fewest],
                          format_duration(one.seconds[fewest]), one.processors[most],
                          format_duration(one.seconds[most])});
  }
  add_fact(answer, "runs", "runs", count, fmt::format("{}", count));
  answer.document.set("series", std::move(series));
  answer.tables.front().rows.push_back({"series", fmt::format("{}", runs.size())});
  if (runs.size() > 1) answer.tables.push_back(std::move(table));
  QuantityTable quantities;
  quantities.add("time", "run time", times);
  quantities.finish(answer);
  add_oddities(oddities_of(runs).list(), answer);
  return answer;
}

Answer describe(const MachineTable& table, Answer answer) {
  std::vector<double> cores, memory, gpus, observed;
  std::map<std::string, std::int64_t> count_of;
  for (const LoggedMachine& machine : table.machines) {
    ++count_of[machine.kind];
    if (machine.cores) cores.push_back(*machine.cores);
    if (machine.memory) memory.push_back(*machine.memory);
    if (machine.gpus) gpus.push_back(*machine.gpus);
    if (machine.from && machine.to) observed.push_back(*machine.to - *machine.from);
  }
  const auto total = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const auto count = static_cast<std::int64_t>(table.machines.size());
  add_fact(answer, "machines", "rows", count, fmt::format("{}", count));
  if (!cores.empty()) add_fact(answer, "cores", "cores", total(cores), to_text(total(cores)));
  if (!gpus.empty()) add_fact(answer, "gpus", "GPUs", total(gpus), to_text(total(gpus)));
  if (!memory.empty()) {
    add_fact(answer, "memory", "memory", total(memory),
             format_quantity(total(memory), Unit::bytes));
  }
  Value kinds = Value::array();
  Table listed{.title = "kinds", .columns = {{.title = "kind"}, {.title = "rows"}}, .rows = {}};
  for (const auto& [kind, rows] : count_of) {
    kinds.push(Value::object({{"kind", kind}, {"count", rows}}));
    listed.rows.push_back({kind.empty() ? "(not given)" : kind, rows});
  }
  answer.document.set("kinds", std::move(kinds));
  if (count_of.size() > 1) answer.tables.push_back(std::move(listed));
  QuantityTable quantities;
  quantities.add("cores", "cores", cores, Unit::none);
  quantities.add("memory", "memory (bytes)", memory, Unit::none);
  quantities.add("gpus", "GPUs", gpus, Unit::none);
  quantities.add("observed", "observed for", observed);
  quantities.finish(answer);
  add_oddities(table.oddities.list(), answer);
  return answer;
}

Answer describe(const IoLogs& logs, Answer answer) {
  double read = 0, written = 0;
  std::int64_t count = 0;
  std::vector<double> bytes, seconds, duration;
  std::vector<Oddity> oddities;  // in a file of many runs, the first run has those of the file
  for (const IoLog& log : logs) {
    const auto& odd = log.oddities.list();
    oddities.insert(oddities.end(), odd.begin(), odd.end());
    count += std::ssize(log.operations);
    duration.push_back(log.duration);
    for (const IoOperation& one : log.operations) {
      (one.is_write ? written : read) += one.bytes;
      bytes.push_back(one.bytes);
      seconds.push_back(one.end - one.start);
    }
  }
  const auto size = [](double value) { return format_quantity(value, Unit::bytes); };
  const auto runs = static_cast<std::int64_t>(logs.size());
  add_fact(answer, "runs", "runs", runs, fmt::format("{}", runs));
  add_fact(answer, "operations", "operations", count, fmt::format("{}", count));
  add_fact(answer, "bytes_read", "read", read, size(read));
  add_fact(answer, "bytes_written", "written", written, size(written));
  QuantityTable quantities;
  quantities.add("duration", "run", duration);
  quantities.add("time", "operation", seconds);
  quantities.finish(answer);
  add_oddities(oddities, answer);
  return answer;
}

}  // namespace holdfast
