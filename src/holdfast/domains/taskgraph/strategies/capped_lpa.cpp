#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::taskgraph {
namespace {

// The numbers for tasks of one model, or nothing if some are missing. The mu of Table III belongs to
// its alpha and beta: if one of these is given, that mu is only a default.
std::optional<AllocationRule> rule_for(SpeedupModel model, const CappedLpaOptions& options) {
  const std::optional<Guarantee> table = guarantee_of(model);
  if (!table && !options.alpha) return std::nullopt;
  AllocationRule rule{.alpha = options.alpha.value_or(table ? table->alpha : 1)};
  if (options.mu) {
    rule.mu = *options.mu;
  } else if (options.beta) {
    rule.mu = common_mu(rule.alpha, *options.beta);
  } else if (table) {
    rule.mu = table->mu;
  } else {
    return std::nullopt;
  }
  return rule;
}

// True if the initial allocation of every task has a time of at most beta times the least. It is
// false for tables, because the proof needs the monotone range.
bool beta_holds(const Instance& instance, double alpha, double beta) {
  return std::ranges::all_of(instance.tasks, [&](const Speedup& task) {
    if (!task.is_monotone()) return false;
    const double least = task.time(task.fastest(instance.processors));
    const double time = task.time(initial_allocation(task, instance.processors, alpha));
    return time <= beta * least * (1 + 1e-12);
  });
}

// The user's beta, if it holds for these tasks; without one, the beta that Table III proves, if alpha
// and mu are the table's.
std::optional<double> known_beta(const Instance& instance, SpeedupModel model,
                                 const AllocationRule& rule, const CappedLpaOptions& options) {
  if (options.beta) {
    return beta_holds(instance, rule.alpha, *options.beta) ? options.beta : std::nullopt;
  }
  const std::optional<Guarantee> table = guarantee_of(model);
  if (!table || options.alpha || options.mu) return std::nullopt;
  return table->beta;
}

}  // namespace

Result<CappedLpa> CappedLpa::make(const Instance& instance, const CappedLpaOptions& options) {
  CappedLpa out(options.order);
  out.processors_ = instance.processors;
  out.rules_.resize(speedup_model_names().size());
  const SpeedupModel common = common_model(instance.tasks);
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const SpeedupModel own = instance.tasks[task].model();
    const auto rule = rule_for(options.per_task ? own : common, options);
    if (!rule) {
      const SpeedupModel lacking = options.per_task ? own : common;
      const auto first = std::ranges::find(instance.tasks, lacking, &Speedup::model);
      return fail(ErrorCode::bad_value,
                  fmt::format("/tasks/{}/speedup/model", first - instance.tasks.begin()),
                  fmt::format("found {}, for which capped-lpa has no parameters, expected alpha "
                              "and mu with it (capped-lpa:alpha=A:mu=M)",
                              name(lacking)));
    }
    out.rules_[static_cast<std::size_t>(own)] = *rule;
  }
  if (options.per_task) return out;
  const AllocationRule rule = out.rule(instance.tasks.front().model());
  out.beta_ = known_beta(instance, common, rule, options);
  // The proof counts attempts, of which a schedule with fewer processors may need fewer.
  if (out.beta_ && !instance.fails_by_processors()) {
    out.proven_ratio_ =
        taskgraph::proven_ratio({.alpha = rule.alpha, .beta = *out.beta_, .mu = rule.mu});
  }
  return out;
}

std::int64_t CappedLpa::allocate(const Arrival& arrival) const {
  return capped_allocation(arrival.speedup, processors_, rule(arrival.speedup.model()));
}

CappedLpaOptions capped_lpa_options(const StrategySpec& spec) {
  const auto given = [&](std::string_view parameter) {
    return spec.has(parameter) ? std::optional(spec.number(parameter)) : std::nullopt;
  };
  return {.alpha = given("alpha"),
          .beta = given("beta"),
          .mu = given("mu"),
          .per_task = *spec.parameters.find("per_task")->boolean(),
          .order = order_of(spec)};
}

Made make_capped_lpa(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_TRY(made, CappedLpa::make(instance, capped_lpa_options(spec)));
  return std::make_unique<CappedLpa>(std::move(made));
}

}  // namespace holdfast::taskgraph
