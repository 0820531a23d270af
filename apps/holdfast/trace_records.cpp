#include "holdfast/trace_records.hpp"

#include "holdfast/trace_answer.hpp"
#include "holdfast/trace_verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace holdfast::cli {

Answer describe_speedup(std::span<const SpeedupRuns> runs, Answer answer) {
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

}  // namespace holdfast::cli
