#include "holdfast/campaign/ranking.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace holdfast {
namespace {

Score score_of(const PointCells& cells, std::size_t strategy, std::size_t metric) {
  Score score;
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    const auto cell = cells.cell(draw, strategy);
    if (cell && !cell->completed) ++score.given_up;
    if (const auto value = cells.value(draw, strategy, metric)) score.add(*value);
  }
  return score;
}

}  // namespace

void Score::add(double value) {
  values.add(value);
  logarithms.add(value);
}

std::vector<std::size_t> best_first(std::span<const Score> scores, Better better) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (better == Better::neither) return order;
  const bool have_logarithms = std::all_of(scores.begin(), scores.end(), [](const Score& score) {
    return score.values.count() == 0 || score.logarithms.mean();
  });
  // Returns the sort key, of which smaller values are better.
  const auto key = [&](std::size_t i) {
    const Score& score = scores[i];
    const bool is_empty = score.values.count() == 0;
    const double mean = is_empty          ? 0
                        : have_logarithms ? *score.logarithms.mean()
                                          : score.values.mean();
    return std::tuple(score.given_up, is_empty, better == Better::lower ? mean : -mean);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

std::vector<std::size_t> Ranking::rows() const {
  std::vector<std::size_t> out = order;
  out.insert(out.end(), bounds.begin(), bounds.end());
  return out;
}

Ranking rank(const PointCells& cells, std::span<const StoredMetric> metrics, std::size_t metric,
             std::span<const std::size_t> bounds) {
  std::vector<Score> scores;
  for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
    scores.push_back(score_of(cells, strategy, metric));
  }
  Ranking out{.metric = metric,
              .order = best_first(scores, metrics[metric].better),
              .beside_best = {},
              .bounds = {bounds.begin(), bounds.end()}};
  std::erase_if(out.order, [bounds](std::size_t strategy) { return is_among(bounds, strategy); });
  if (metrics[metric].better == Better::neither) return out;
  for (std::size_t i = 1; i < out.order.size(); ++i) {
    Comparison none;
    none.numerator = out.order[0];
    none.denominator = out.order[i];
    none.metric = metric;
    out.beside_best.push_back(compare(cells, out.order[0], out.order[i], metric).value_or(none));
  }
  return out;
}

}  // namespace holdfast
