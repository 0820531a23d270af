#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace holdfast::checkpoint {
namespace {

struct HazardOptions {
  std::vector<double> at;
};
constexpr auto kHazardOptions = std::to_array<Field<HazardOptions>>({
    {.name = "at",
     .summary = "ages of one processor, separated by commas",
     .member = member<&HazardOptions::at>,
     .unit = Unit::seconds,
     .range = non_negative()},
});

/// Returns the hazard of one processor at that age. At age 0 it is the limit, or an error if there is no limit.
Result<double> hazard_at(const Law& law, double age) {
  if (age > 0) return law.hazard(age);
  const double limit = law.hazard(1e-200 * law.mean());
  if (limit * law.mean() < 1e20) return limit;
  return fail(ErrorCode::bad_value, "/at",
              "found 0, where the hazard of this law is infinite, expected more");
}

Result<Answer> run_hazard(const HazardOptions& options, const Request& request) {
  if (options.at.empty()) {
    return fail(ErrorCode::usage, "/at", "is missing: ages, such as 1h,1d,1y");
  }
  HOLDFAST_TRY(instance, read_platform(request.parameters, request.directory));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), whose hazard is asked for");
  }
  Value cumulative = Value::array();
  Value hazard = Value::array();
  Table table{.title = instance.law->text(),
              .columns = {{.title = "age", .unit = Unit::seconds},
                          {.title = "cumulative hazard"},
                          {.title = "hazard (per second)"}}};
  for (const double age : options.at) {
    HOLDFAST_TRY(rate, hazard_at(*instance.law, age));
    const double total = instance.law->cumulative_hazard(age);
    cumulative.push(total);
    hazard.push(rate);
    table.rows.push_back({age, total, rate});
  }
  Answer answer;
  answer.document.set("at", Value::list(options.at));
  answer.document.set("cumulative_hazard", std::move(cumulative));
  answer.document.set("hazard", std::move(hazard));
  answer.tables.push_back(std::move(table));
  return answer;
}

// Only the law counts.
constexpr auto kUnusedByHazard = and_spares(std::to_array<std::string_view>({"work",
                                                                             "checkpoint",
                                                                             "recovery",
                                                                             "downtime",
                                                                             "relative_downtime",
                                                                             "no_final_checkpoint",
                                                                             "no_initial_recovery",
                                                                             "rejuvenation",
                                                                             "platform_age",
                                                                             "horizon",
                                                                             "planning_time",
                                                                             "iteration",
                                                                             "time_limit",
                                                                             "checkpoint_spread",
                                                                             "recovery_spread",
                                                                             "local_checkpoint",
                                                                             "local_recovery",
                                                                             "local_share",
                                                                             "belief_distribution",
                                                                             "belief_mtbf",
                                                                             "belief_shape",
                                                                             "belief_file"}));

constexpr auto kHazardResults =
    std::to_array<ResultField>({{"at[]", "ages", Unit::seconds},
                                {"cumulative_hazard[]", "cumulative hazard at each age"},
                                {"hazard[]", "hazard rate at each age", Unit::per_second}});

}  // namespace

Verb hazard_verb() {
  return {
      .name = "hazard",
      .summary = "cumulative hazard and hazard rate of one processor at given ages",
      .example =
          "holdfast checkpoint hazard --distribution weibull --shape 0.7 --mtbf 10y --at 1h,1d,1y",
      .options = fields_of<kHazardOptions>().parameters(),
      .results = kHazardResults,
      .takes_seed = false,
      .unused = kUnusedByHazard,
      .run = with_options<run_hazard, fields_of<kHazardOptions>>};
}

}  // namespace holdfast::checkpoint
