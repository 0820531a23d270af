#include "holdfast/domains/volatile/offline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/headline.hpp"
#include "holdfast/domains/volatile/instance_io.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace holdfast::volatile_workers {
namespace {

struct OfflineOptions {
  std::int64_t most_nodes = Effort{}.most_nodes;
};
constexpr auto kOfflineOptions = std::to_array<Field<OfflineOptions>>({
    {.name = "most_nodes",
     .summary = "number of sets to try before giving up",
     .member = member<&OfflineOptions::most_nodes>,
     .range = at_least(1)},
});

Value members_value(const std::vector<Found>& iterations) {
  Value out = Value::array();
  for (const Found& found : iterations) {
    std::vector<std::int64_t> members(found.members.begin(), found.members.end());
    std::sort(members.begin(), members.end());
    out.push(Value::object({{"finish", found.finish}, {"workers", Value::list(members)}}));
  }
  return out;
}

Status check_effort(const Effort& effort) {
  if (!effort.is_over()) return {};
  return fail(ErrorCode::infeasible, "",
              fmt::format("not finished after {} sets of workers: the problem is NP-hard; "
                          "--most-nodes allows more",
                          effort.most_nodes));
}

Result<Answer> run_offline(const OfflineOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, read_offline(request.parameters));
  const KnownStates states(instance.states);
  Effort effort{.most_nodes = options.most_nodes};
  // iterations = 0: as many as possible; their number is the answer.
  const std::int64_t wanted =
      instance.iterations > 0 ? instance.iterations : std::numeric_limits<std::int64_t>::max();
  Answer answer;
  answer.headline = headline(instance);
  Value& out = answer.document;
  Table table{.title = fmt::format("{}, all states known", counted(instance.tasks, "task")),
              .columns = {{.title = "tasks per worker"},
                          {.title = "iterations"},
                          {.title = "makespan (slots)"},
                          {.title = "last workers"}},
              .rows = {}};
  struct Case {
    std::string_view label, makespan, iterations;
    std::int64_t most_tasks;
  };
  const Case cases[] = {
      {"one", "makespan_one_task", "iterations_one_task", 1},
      {"any", "makespan_unbounded", "iterations_unbounded", instance.tasks},
  };
  answer.is_no = true;
  for (const Case& each : cases) {
    const auto found = best_iterations(states, instance, each.most_tasks, wanted, effort);
    HOLDFAST_CHECK(check_effort(effort));
    const auto count = static_cast<std::int64_t>(found.size());
    const bool is_done = count > 0 && (instance.iterations == 0 || count == wanted);
    std::string workers;
    if (!found.empty()) {
      std::vector<std::uint32_t> members = found.back().members;
      std::sort(members.begin(), members.end());
      for (const std::uint32_t q : members)
        workers += fmt::format("{}{}", workers.empty() ? "" : " ", q);
    }
    if (is_done) {
      out.set(each.makespan, found.back().finish + 1);
      answer.is_no = false;
    }
    answer.verdict.push_back(
        fmt::format("with {} per worker: {}", each.most_tasks == 1 ? "one task" : "any tasks",
                    is_done ? fmt::format("{} after {}", counted(count, "iteration"),
                                          counted(found.back().finish + 1, "slot"))
                            : std::string("no way to end in these slots")));
    out.set(each.iterations, members_value(found));
    table.rows.push_back({each.label, count,
                          is_done ? Value(found.back().finish + 1) : Value("infeasible"), workers});
  }
  const std::int64_t common = most_common_up(states, instance.tasks, effort);
  HOLDFAST_CHECK(check_effort(effort));
  out.set("common_up_slots", common);
  out.set("nodes", effort.nodes);
  answer.tables.push_back(std::move(table));
  answer.lines.push_back(
      fmt::format("most slots with {} up together: {}", counted(instance.tasks, "worker"), common));
  return answer;
}

constexpr auto kOfflineResults = std::to_array<ResultField>(
    {{"makespan_one_task?", "best makespan if each worker takes at most one task", Unit::slots},
     {"iterations_one_task?[].finish", "last slot of an iteration", Unit::slots},
     {"iterations_one_task?[].workers[]", "workers that run it", Holds::integer},
     {"makespan_unbounded?", "best makespan if a worker takes any number of tasks", Unit::slots},
     {"iterations_unbounded?[].finish", "last slot of an iteration", Unit::slots},
     {"iterations_unbounded?[].workers[]", "workers that run it", Holds::integer},
     {"common_up_slots", "largest number of slots that enough workers have in common", Unit::slots},
     {"nodes", "nodes of the search", Holds::integer}});

}  // namespace

Verb offline_verb() {
  return {.name = "offline",
          .summary = "exact optimum if all states are known beforehand, without communication",
          .example = "holdfast volatile offline --instance examples/data/volatile-states.json",
          .options = fields_of<kOfflineOptions>().parameters(),
          .results = kOfflineResults,
          .takes_seed = false,
          .unused = names_of_drawn(),
          .run = with_options<run_offline, fields_of<kOfflineOptions>>};
}

}  // namespace holdfast::volatile_workers
