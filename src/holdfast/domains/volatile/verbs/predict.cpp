#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/instance_io.hpp"
#include "holdfast/domains/volatile/set_values.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

struct PredictOptions {
  std::optional<std::int64_t> workload;
  std::vector<double> survival;
};
constexpr auto kPredictOptions = std::to_array<Field<PredictOptions>>({
    {.name = "workload",
     .summary =
         "number of slots in which all must be up together (default: the document's, else 1)",
     .member = member<&PredictOptions::workload>,
     .range = kSlots},
    {.name = "survival",
     .summary =
         "numbers of slots; for each, give the probability of each worker not to be down by then",
     .member = member<&PredictOptions::survival>,
     .range = non_negative()},
});

// A number of the answer. Absence in the document means infinity.
struct Quantity {
  std::string_view name;
  std::string_view label;
  double value;
};

std::vector<Quantity> quantities_of(const SetValues& set, double workload) {
  const auto expected = [&](Estimator by) { return expected_slots(set, workload, by); };
  return {
      {"returns", "expected common slots up after the first", set.returns},
      {"first_moment", "first moment of these (slots)", set.first_moment},
      {"slots_to_failure", "mean slots until one is down", set.slots_to_failure},
      {"success_step", "probability of one more common slot", elementary::exp(set.log_step)},
      {"gap", "mean slots to it, where it comes (first moment)", set.gap},
      {"success", "probability to finish the work", elementary::exp(log_success(set, workload))},
      {"log_success", "its logarithm", log_success(set, workload)},
      {"expected_exact", "mean slots where it succeeds", expected(Estimator::exact)},
      {"expected_paper", "the same by the published formula", expected(Estimator::paper)},
      {"restart", "mean slots until success, with restarts", expected(Estimator::restart)}};
}

Value survival_of(const std::vector<UpChain>& chains, const std::vector<double>& times) {
  Value out = Value::array();
  for (const UpChain& chain : chains) {
    Value row = Value::array();
    for (const double slots : times) row.push(elementary::exp(chain.log_not_down(slots)));
    out.push(std::move(row));
  }
  return out;
}

Result<Answer> run_predict(const PredictOptions& options, const Request& request) {
  Value document = request.parameters;
  if (options.workload) document.set("workload", *options.workload);
  HOLDFAST_TRY(given, read_prediction(document));
  std::vector<const UpChain*> members;
  members.reserve(given.chains.size());
  for (const UpChain& chain : given.chains) members.push_back(&chain);
  const SetValues set = set_values(members);
  const auto workload = static_cast<double>(given.workload);
  Answer answer;
  Value& out = answer.document;
  out.set("workload", given.workload);
  Table table{.title = "what is expected",
              .columns = {{.title = "quantity"}, {.title = "value"}},
              .rows = {}};
  for (const auto& [name, label, value] : quantities_of(set, workload)) {
    const bool is_finite = std::isfinite(value);
    if (is_finite) out.set(name, value);
    table.rows.push_back({label, is_finite ? Value(value) : Value("infinite")});
  }
  answer.headline = fmt::format("{}, {} of work", counted(members.size(), "worker"),
                                counted(given.workload, "slot"));
  const double expected = expected_slots(set, workload, Estimator::exact);
  answer.verdict.push_back(fmt::format(
      "they finish with probability {:.3g}{}", elementary::exp(log_success(set, workload)),
      std::isfinite(expected) ? fmt::format(", then after {:.4g} slots on average", expected)
                              : ""));
  answer.tables.push_back(std::move(table));
  if (!options.survival.empty()) {
    Value survival = survival_of(given.chains, options.survival);
    Table rows{.title = "probability not to have been down",
               .columns = {{.title = "worker"}, {.title = "slots"}, {.title = "probability"}},
               .rows = {}};
    for (std::size_t q = 0; q < given.chains.size(); ++q) {
      for (std::size_t i = 0; i < options.survival.size(); ++i) {
        rows.rows.push_back({static_cast<std::int64_t>(q), options.survival[i],
                             (*(*survival.array_items())[q].array_items())[i]});
      }
    }
    out.set("not_down", std::move(survival));
    answer.tables.push_back(std::move(rows));
  }
  return answer;
}

constexpr auto kPredictResults = std::to_array<ResultField>(
    {{"workload", "slots in which all workers have to be up", Unit::slots},
     {"returns?", "expected common slots up after the first"},
     {"first_moment?", "first moment of these", Unit::slots},
     {"slots_to_failure?", "mean slots until one worker is down", Unit::slots},
     {"success_step?", "probability of one more common slot"},
     {"gap?", "mean slots to it, where it comes", Unit::slots},
     {"success?", "probability to finish the work"},
     {"log_success?", "its logarithm"},
     {"expected_exact?", "mean slots where it succeeds", Unit::slots},
     {"expected_paper?", "the same by the published formula", Unit::slots},
     {"restart?", "mean slots until success, with restarts", Unit::slots},
     {"not_down?[][]", "probability that each worker is not down, slot by slot"}});

}  // namespace

Verb predict_verb() {
  return {.name = "predict",
          .summary = "probability and duration of a computation on a set of workers",
          .example =
              "holdfast volatile predict --instance examples/data/volatile-pool.json "
              "--workload 20",
          .options = fields_of<kPredictOptions>().parameters(),
          .results = kPredictResults,
          .takes_seed = false,
          .unused = names_of_all(),
          .run = with_options<run_predict, fields_of<kPredictOptions>>};
}

}  // namespace holdfast::volatile_workers
