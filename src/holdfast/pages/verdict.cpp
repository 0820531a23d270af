#include "holdfast/pages/verdict.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/pages/gain.hpp"
#include "holdfast/pages/summary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostPairs = 5;  // sentences about pairs; the table has the others

// Returns the positions of the other strategies in the order of the sentences: the baseline, then from the best to the worst.
std::vector<std::size_t> spoken_order(std::span<const std::size_t> best_first,
                                      std::optional<std::size_t> baseline) {
  std::vector<std::size_t> others(best_first.begin() + 1, best_first.end());
  const auto place = std::find(others.begin(), others.end(), baseline);
  if (place != others.end()) std::rotate(others.begin(), place, place + 1);
  return others;
}

bool is_named(std::string_view strategy, std::string_view name) {
  return !name.empty() && (strategy == name || (strategy.starts_with(name) &&
                                                strategy.substr(name.size()).starts_with(':')));
}

std::string_view recommended(const VerdictContext& context) {
  return context.domain == nullptr ? std::string_view() : context.domain->recommended;
}

PairComparison beside_of(const Comparison& pair, std::span<const std::string> strategies) {
  return {.strategy = strategies[pair.numerator],
          .other = strategies[pair.denominator],
          .pairs = pair.count,
          .ratio = pair.geometric_mean,
          .interval = pair.interval,
          .ratio_of_means = pair.ratio_of_means};
}

void limit(std::vector<std::string>& sentences) {
  if (sentences.size() <= kMostPairs + 1) return;
  const std::size_t rest = sentences.size() - kMostPairs;
  sentences.resize(kMostPairs);
  sentences.push_back(fmt::format("{} more pairs: see the table", rest));
}

// The verdict of one point.
class PointVerdict {
 public:
  PointVerdict(const PointSummary& summary, const Ranking& ranking,
               std::span<const std::string> strategies, std::span<const StoredMetric> metrics,
               const VerdictContext& context)
      : summary_(&summary),
        ranking_(&ranking),
        strategies_(strategies),
        metrics_(metrics),
        metric_(&metrics[ranking.metric]),
        context_(context),
        beside_best_(strategies.size()) {
    for (const Comparison& one : ranking.beside_best) beside_best_[one.denominator] = &one;
  }

  std::vector<std::string> tell(std::optional<std::size_t> baseline) const {
    std::vector<std::string> out;
    if (ranking_->order.size() == 1) {
      out.push_back(alone());
    } else if (metric_->better == Better::neither) {
      return {};
    } else {
      for (const std::size_t other : spoken_order(ranking_->order, baseline)) {
        out.push_back(beside(other));
      }
    }
    limit(out);
    if (std::string parts = split(); !parts.empty()) out.push_back(std::move(parts));
    if (std::string part = reached(); !part.empty()) out.push_back(std::move(part));
    return out;
  }

 private:
  std::string split() const {
    if (!context_.split) return {};
    const auto beside = [this](const Comparison& pair) { return beside_of(pair, strategies_); };
    return split_text(*metric_, context_.domain->informed.knows, beside(context_.split->whole),
                      beside(context_.split->known), beside(context_.split->plan));
  }

  // Returns the share of the best possible value that the best strategy reached, in words.
  std::string reached() const {
    const std::size_t best = ranking_->order.front();
    const auto bound = bound_on(metrics_, ranking_->metric, ranking_->bounds);
    if (!bound || of(best).failed > 0 || !of(best).reached[ranking_->metric]) return {};
    return possible_text(strategies_[best], of(best).reached[ranking_->metric]->mean,
                         name_of(*bound, strategies_, metrics_));
  }

  const StrategySummary& of(std::size_t strategy) const { return summary_->strategies[strategy]; }
  std::uint64_t runs(std::size_t strategy) const {
    return of(strategy).completed + of(strategy).failed;
  }

  std::string given_up(std::size_t strategy) const {
    return fmt::format("{} gave up {} of {}", strategies_[strategy], of(strategy).failed,
                       counted(runs(strategy), "run"));
  }

  std::string alone() const {
    const std::size_t one = ranking_->order.front();
    if (of(one).failed > 0) return given_up(one) + ": no mean is shown";
    const auto& known = of(one).metrics[ranking_->metric];
    const std::string label = label_of(*metric_);
    if (!known) return fmt::format("{} has no {}", strategies_[one], label);
    const auto text = [this](double value) { return value_text(*metric_, value); };
    if (known->count == 1) {
      return fmt::format("{}: {} {} (one draw)", strategies_[one], label, text(known->mean));
    }
    if (text(known->p10) == text(known->p90)) {
      return fmt::format("{}: {} {} on average of {} runs, which hardly differ", strategies_[one],
                         label, text(known->mean), known->count);
    }
    return fmt::format("{}: {} {} on average, {} to {} in 80 % of {} runs", strategies_[one], label,
                       text(known->mean), text(known->p10), text(known->p90), known->count);
  }

  std::string beside(std::size_t other) const {
    const std::size_t best = ranking_->order.front();
    if (of(best).failed > 0) {
      return fmt::format("{}, {}: they are not compared", given_up(best), given_up(other));
    }
    if (of(other).failed > 0) {
      return fmt::format("{} finished all {}, {}", strategies_[best], counted(runs(best), "run"),
                         given_up(other));
    }
    const PairComparison known = beside_of(*beside_best_[other], strategies_);
    return sentence_of(*metric_, known) + remark(known, other);
  }

  std::string remark(const PairComparison& known, std::size_t other) const {
    const Standing standing = standing_of(*metric_, known);
    std::string text;
    if (known.pairs < runs(other) && known.pairs > 0) {
      text = fmt::format(", in the {} of {} runs that have it", known.pairs, runs(other));
    }
    if (standing == Standing::ahead && is_named(known.other, recommended(context_)))
      return text + ": the recommended strategy is worse here";
    const bool is_alike = standing == Standing::same || standing == Standing::undecided;
    if (is_alike && !context_.why_alike.empty())
      return text + fmt::format("; {}", context_.why_alike);
    return text;
  }

  const PointSummary* summary_;
  const Ranking* ranking_;
  std::span<const std::string> strategies_;
  std::span<const StoredMetric> metrics_;
  const StoredMetric* metric_;
  VerdictContext context_;
  std::vector<const Comparison*> beside_best_;  // by strategy
};

/// The comparison of two strategies over the points of a campaign.
class Range {
 public:
  void add(const PointCells& cells, const StoredMetric& metric, const Comparison& pair) {
    ++points_;
    if (!pair.geometric_mean) {
      ++without_ratio_;
      return;
    }
    const Standing standing = standing_of(metric, {.strategy = {},
                                                   .other = {},
                                                   .pairs = pair.count,
                                                   .ratio = pair.geometric_mean,
                                                   .interval = pair.interval,
                                                   .ratio_of_means = {}});
    ++standings_[static_cast<std::size_t>(standing)];
    is_beyond_doubt_ = is_beyond_doubt_ || is_twice_its_interval(pair);
    one_draw_ = one_draw_ && pair.count == 1;
    const double by = gain(metric, *pair.geometric_mean);
    low_ = std::min(low_, by);
    high_ = std::max(high_, by);
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      const auto above = cells.value(draw, pair.numerator, pair.metric);
      const auto below = cells.value(draw, pair.denominator, pair.metric);
      if (above && below) logarithms_.add(draw, elementary::log(*above / *below));
    }
  }
  void leave_out() { ++left_out_; }

  /// Returns true if the interval of the average shows that it is better.
  bool is_ahead(const StoredMetric& metric) const {
    const auto bounds = logarithms_.interval();
    return bounds && gain(metric, elementary::exp((*bounds)[0])) > 0 &&
           gain(metric, elementary::exp((*bounds)[1])) > 0;
  }

  std::string text(const StoredMetric& metric, std::string_view best,
                   std::string_view other) const {
    if (points_ == without_ratio_) {
      return fmt::format("{} and {} are not compared: {}", best, other,
                         left_out_ > 0 ? "at every point one of them gave up runs"
                                       : "no point has a ratio of them");
    }
    if (count(Standing::same) == points_)
      return fmt::format("no difference between {} and {}: the same {} at all points{}", best,
                         other, label_of(metric), left_out_text());
    if (count(Standing::undecided) == points_) {
      return fmt::format(
          "no difference between {} and {} is shown at {}: {} {} {}{}{}{}", best, other,
          points_ == 1 ? std::string("the one point") : fmt::format("any of {} points", points_),
          best, verb_of(metric), range_text(metric, low_, high_), object_of(metric),
          average(metric), left_out_text());
    }
    if (may_be_chance()) {
      return fmt::format("no difference between {} and {} is shown: {} {} {}{}{}{}{}", best, other,
                         best, verb_of(metric), range_text(metric, low_, high_), object_of(metric),
                         where(metric), average(metric), left_out_text());
    }
    return fmt::format("{} {} {} than {}{}{}{}{}", best, verb_of(metric),
                       range_text(metric, low_, high_), other, object_of(metric), where(metric),
                       average(metric), left_out_text());
  }

 private:
  std::uint64_t count(Standing standing) const {
    return standings_[static_cast<std::size_t>(standing)];
  }

  // Returns true if the interval of the ratio would exclude 1 at twice its width: beyond what chance shows at one of many points.
  static bool is_twice_its_interval(const Comparison& pair) {
    if (!pair.interval) return false;
    const auto& [low, high] = *pair.interval;
    return low > 0 && high > 0 &&
           std::abs(elementary::log(*pair.geometric_mean)) > elementary::log(high / low);
  }

  // Returns true if there may be no difference at all: at few points one is shown, at none beyond doubt, and none on average.
  bool may_be_chance() const {
    const std::uint64_t decided = count(Standing::ahead) + count(Standing::behind);
    const auto bounds = logarithms_.interval();
    return !one_draw_ && !is_beyond_doubt_ && bounds && (*bounds)[0] <= 0 && (*bounds)[1] >= 0 &&
           is_chance(decided, decided + count(Standing::undecided));
  }

  // Returns " at all 16 points", or " (of 16 points: sooner at 12, later at 1, no difference shown at 3)".
  std::string where(const StoredMetric& metric) const {
    if (count(Standing::ahead) == points_)
      return fmt::format(" at {}{}",
                         points_ == 2 ? "both points" : fmt::format("all {} points", points_),
                         one_draw_ ? " (one draw each)" : "");
    std::vector<std::string> parts;
    const auto add = [&parts](std::uint64_t number, std::string_view what) {
      if (number > 0) parts.push_back(fmt::format("{} at {}", what, number));
    };
    add(count(Standing::ahead), better_word(metric));
    add(count(Standing::behind), worse_word(metric));
    add(count(Standing::undecided), "no difference shown");
    add(count(Standing::same), "the same");
    add(without_ratio_, "without a ratio");
    if (one_draw_) parts.emplace_back("one draw each");
    if (may_be_chance()) parts.emplace_back("no more than chance alone would show");
    return fmt::format(" (of {} points: {})", points_, fmt::join(parts, ", "));
  }

  std::string average(const StoredMetric& metric) const {
    const double by = gain(metric, elementary::exp(logarithms_.mean()));
    const auto bounds = logarithms_.interval();
    if (!bounds)
      return low_ < high_ ? fmt::format("; on average {}", range_text(metric, by, by)) : "";
    const double one = gain(metric, elementary::exp((*bounds)[0]));
    const double two = gain(metric, elementary::exp((*bounds)[1]));
    if (are_alike(metric, elementary::exp((*bounds)[0]), elementary::exp((*bounds)[1]))) {
      return fmt::format("; on average {} (the same in every draw)", range_text(metric, by, by));
    }
    return fmt::format("; on average {} (95 % interval {})", range_text(metric, by, by),
                       interval_of_gains(metric, std::min(one, two), std::max(one, two)));
  }

  std::string left_out_text() const {
    if (left_out_ == 0) return {};
    return fmt::format("; {} left out, at which one of them gave up runs",
                       counted(left_out_, "point"));
  }

  std::uint64_t points_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t without_ratio_ = 0;
  std::array<std::uint64_t, 4> standings_{};
  bool one_draw_ = true;
  bool is_beyond_doubt_ = false;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  ClusteredMean logarithms_;
};

// Returns the order of the strategies over all points, by the draws in which all of them have the metric. Bounds are left out.
Result<std::vector<std::size_t>> overall_order(const Results& results, std::size_t metric) {
  const Description& description = results.description();
  std::vector<Score> scores(description.strategies.size());
  std::vector<double> values;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      values.clear();
      for (std::size_t strategy = 0; strategy < scores.size(); ++strategy) {
        const auto cell = cells.cell(draw, strategy);
        if (cell && !cell->completed) ++scores[strategy].given_up;
        if (const auto value = cells.value(draw, strategy, metric)) values.push_back(*value);
      }
      if (values.size() < scores.size()) continue;
      for (std::size_t i = 0; i < values.size(); ++i) scores[i].add(values[i]);
    }
    return {};
  }));
  std::vector<std::size_t> order = best_first(scores, description.metrics[metric].better);
  std::erase_if(order, [&description](std::size_t strategy) {
    return is_among(description.bounds, strategy);
  });
  return order;
}

// Returns the average share of the best possible value that the strategy reached, in words, over the points at which it gave up
// no run. Empty if no bound is known.
Result<std::string> reached_over_points(const Results& results, std::size_t metric,
                                        std::size_t strategy) {
  const Description description = results.description().for_people();
  const auto bound = bound_on(description.metrics, metric, description.bounds);
  if (!bound) return std::string();
  Moments reached;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    if (gave_up(cells, strategy)) return {};
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      const auto part = part_reached(cells, draw, strategy, description.metrics, metric, *bound);
      if (part) reached.add(*part);
    }
    return {};
  }));
  if (reached.count() == 0) return std::string();
  return "on average " +
         possible_text(description.strategies[strategy], reached.mean(),
                       name_of(*bound, description.strategies, description.metrics));
}

Result<std::vector<std::string>> verdict_of_point(const Results& results, std::size_t metric,
                                                  const Domain* domain,
                                                  const std::optional<SplitStrategies>& three) {
  const Description description = results.description().for_people();
  std::vector<std::string> out;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    VerdictContext context{.domain = domain, .why_alike = {}, .split = {}};
    if (three) context.split = split_gain(cells, *three, metric);
    const PointSummary summary =
        summarize(cells, description.metrics, std::nullopt, description.bounds);
    out = point_verdict(summary, rank(cells, description.metrics, metric, description.bounds),
                        description.strategies, description.metrics, description.baseline, context);
    return {};
  }));
  return out;
}

Result<std::vector<Range>> ranges_of(const Results& results, std::size_t metric, std::size_t best,
                                     std::span<const std::size_t> others) {
  const StoredMetric& told = results.description().metrics[metric];
  std::vector<Range> ranges(others.size());
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    const bool is_left_out = gave_up(cells, best);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (is_left_out || gave_up(cells, others[i])) {
        ranges[i].leave_out();
        continue;
      }
      if (const auto pair = compare(cells, best, others[i], metric))
        ranges[i].add(cells, told, *pair);
    }
    return {};
  }));
  return ranges;
}

/// One of the three pairs of a split, over the points of a campaign.
class PairOverPoints {
 public:
  void add(const PointCells& cells, const Comparison& pair) {
    strategy_ = pair.numerator;
    other_ = pair.denominator;
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      const auto above = cells.value(draw, pair.numerator, pair.metric);
      const auto below = cells.value(draw, pair.denominator, pair.metric);
      if (above && below && *above > 0 && *below > 0)
        logarithms_.add(draw, elementary::log(*above / *below));
    }
  }

  PairComparison beside(std::span<const std::string> strategies) const {
    PairComparison out{.strategy = strategies[strategy_],
                       .other = strategies[other_],
                       .pairs = static_cast<std::uint64_t>(logarithms_.count()),
                       .ratio = {},
                       .interval = {},
                       .ratio_of_means = {}};
    if (logarithms_.count() == 0) return out;
    out.ratio = elementary::exp(logarithms_.mean());
    if (const auto bounds = logarithms_.interval())
      out.interval = {elementary::exp((*bounds)[0]), elementary::exp((*bounds)[1])};
    return out;
  }

 private:
  std::size_t strategy_ = 0;
  std::size_t other_ = 0;
  ClusteredMean logarithms_;
};

// Returns which part of the average gain comes from knowing more, over the points at which none of the three gave up runs.
Result<std::string> split_over_points(const Results& results, std::size_t metric,
                                      const SplitStrategies& three, std::string_view knows) {
  PairOverPoints whole, known, plan;
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    const auto split = split_gain(cells, three, metric);
    if (!split) return {};
    whole.add(cells, split->whole);
    known.add(cells, split->known);
    plan.add(cells, split->plan);
    return {};
  }));
  const std::vector<std::string> names = results.description().for_people().strategies;
  const std::string text = split_text(results.description().metrics[metric], knows,
                                      whole.beside(names), known.beside(names), plan.beside(names));
  return text.empty() ? text : "on average, " + text;
}

}  // namespace

std::vector<std::string> point_verdict(const PointSummary& summary, const Ranking& ranking,
                                       std::span<const std::string> strategies,
                                       std::span<const StoredMetric> metrics,
                                       std::optional<std::size_t> baseline,
                                       const VerdictContext& context) {
  return PointVerdict(summary, ranking, strategies, metrics, context).tell(baseline);
}

std::string campaign_problem(const Results& results) {
  const Description& description = results.description();
  if (results.points() == 1 || description.problem.empty()) return description.problem;
  std::vector<std::string> names;
  for (const ParameterColumn& column : parameter_columns(description)) {
    names.push_back(column.title(description));
  }
  return fmt::format("{} points that differ in {}; the first: {}", results.points(),
                     join(names, ", "), description.problem);
}

Result<std::vector<std::string>> campaign_verdict(const Results& results, std::size_t metric,
                                                  const Domain* domain) {
  const Description description = results.description().for_people();
  const StoredMetric& told = description.metrics[metric];
  const auto three = domain == nullptr
                         ? std::nullopt
                         : split_strategies(*domain, results.description().strategies);
  if (results.points() == 1) return verdict_of_point(results, metric, domain, three);
  if (description.strategies.size() < 2 || told.better == Better::neither)
    return std::vector<std::string>{};
  HOLDFAST_TRY(order, overall_order(results, metric));
  const std::vector<std::size_t> others = spoken_order(order, description.baseline);
  HOLDFAST_TRY(ranges, ranges_of(results, metric, order.front(), others));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < others.size(); ++i) {
    out.push_back(ranges[i].text(told, description.strategies[order.front()],
                                 description.strategies[others[i]]));
    if (domain != nullptr && is_named(description.strategies[others[i]], domain->recommended) &&
        ranges[i].is_ahead(told))
      out.back() += ": the recommended strategy is worse here";
  }
  limit(out);
  if (three) {
    HOLDFAST_TRY(parts, split_over_points(results, metric, *three, domain->informed.knows));
    if (!parts.empty()) out.push_back(std::move(parts));
  }
  HOLDFAST_TRY(reached, reached_over_points(results, metric, order.front()));
  if (!reached.empty()) out.push_back(std::move(reached));
  return out;
}

}  // namespace holdfast
