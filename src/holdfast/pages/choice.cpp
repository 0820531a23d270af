#include "holdfast/pages/choice.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"ratios", "boxes", "lines", "heat", "ecdf"};
constexpr std::size_t kMostBoxes = 160;  // boxes side by side; more are drawn as lines

class ChoiceReader {
 public:
  ChoiceReader(const Description& description, std::span<const Parameter> fields)
      : description_(description), fields_(fields) {}

  Result<ReportChoice> read() {
    ObjectReader read(description_.report, "");
    read_metric(read);
    const auto x = dimension(read, "x");
    const auto series = dimension(read, "series");
    choice_.facet = dimension(read, "facet");
    choice_.y = dimension(read, "y");
    read_charts(read);
    read_log(read);
    HOLDFAST_CHECK(read.finish());
    HOLDFAST_TRY(strategy, find_dimension(description_, "strategy", fields_));
    choice_.series = series ? *series : strategy;
    choice_.x = x;
    if (!choice_.x) HOLDFAST_CHECK(choose_x());
    HOLDFAST_CHECK(check_strategies(strategy));
    if (!choice_.y) HOLDFAST_CHECK(choose_y());
    if (choice_.charts.empty()) choose_charts();
    return std::move(choice_);
  }

 private:
  void read_metric(ObjectReader& read) {
    const auto find = [this](const Value& value, const std::string& where) -> Result<std::size_t> {
      const std::string name = value.string() == nullptr ? value.described() : *value.string();
      std::vector<std::string_view> names;
      for (const StoredMetric& metric : description_.metrics) names.push_back(metric.name);
      const auto found = std::find(names.begin(), names.end(), name);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
      return fail(ErrorCode::unknown_name, where,
                  fmt::format("unknown metric {}; {}", in_quotes(name), suggestion(name, names)));
    };
    read.with("metric", [&](const Value& value, const std::string& where) -> Status {
      HOLDFAST_TRY(metric, find(value, where));
      choice_.metric = metric;
      return {};
    });
    read.each_or_none("also", [&](const Value& value, const std::string& where) -> Status {
      HOLDFAST_TRY(metric, find(value, where));
      choice_.also.push_back(metric);
      return {};
    });
  }

  std::optional<Dimension> dimension(ObjectReader& read, std::string_view key) {
    const std::string name = read.text_or(key, "");
    if (name.empty()) return std::nullopt;
    auto found = find_dimension(description_, name, fields_);
    if (!found) {
      read.refuse(key, found.error().message, found.error().code);
      return std::nullopt;
    }
    return std::move(*found);
  }

  void read_charts(ObjectReader& read) {
    read.each_or_none("charts", [this](const Value& value, const std::string& where) -> Status {
      const std::string name = value.string() == nullptr ? value.described() : *value.string();
      const auto* kind = std::find(kKinds.begin(), kKinds.end(), name);
      if (kind == kKinds.end()) {
        return fail(ErrorCode::unknown_name, where,
                    fmt::format("unknown chart {}; {}", in_quotes(name), suggestion(name, kKinds)));
      }
      choice_.charts.push_back(static_cast<ChartKind>(kind - kKinds.begin()));
      return {};
    });
  }

  void read_log(ObjectReader& read) {
    if (!read.has("log")) return;
    choice_.log_x = false;
    choice_.log_metric = false;
    read.each_or_none("log", [this](const Value& value, const std::string& where) -> Status {
      const std::string name = value.string() == nullptr ? value.described() : *value.string();
      if (name != "x" && name != "metric") {
        return fail(ErrorCode::bad_value, where,
                    fmt::format("found {}, expected x or metric", in_quotes(name)));
      }
      (name == "x" ? choice_.log_x : choice_.log_metric) = true;
      return {};
    });
  }

  [[nodiscard]] bool is_taken(std::string_view name) const {
    return choice_.series.name == name || (choice_.x && choice_.x->name == name) ||
           (choice_.facet && choice_.facet->name == name);
  }

  [[nodiscard]] bool reads(const std::optional<Dimension>& dimension, std::size_t axis) const {
    return dimension && !dimension->is_strategy && dimension->axis() == axis;
  }

  // Returns the first swept parameter that is free, numbers before others, because they make an axis.
  Result<std::optional<Dimension>> free_dimension() const {
    std::optional<Dimension> found;
    for (std::size_t i = 0; i < description_.axes.size(); ++i) {
      const Axis& axis = description_.axes[i];
      const bool is_read =
          reads(choice_.x, i) || reads(choice_.series, i) || reads(choice_.facet, i);
      if (is_read || axis.values.size() < 2) continue;
      HOLDFAST_TRY(candidate, find_dimension(description_, axis.name, fields_));
      const bool is_better = !found || (found->numbers.empty() && !candidate.numbers.empty());
      if (is_better) found = std::move(candidate);
    }
    return found;
  }

  Status choose_x() {
    HOLDFAST_TRY(found, free_dimension());
    choice_.x = std::move(found);
    return {};
  }

  // Checks that cells of different strategies are not pooled.
  Status check_strategies(const Dimension& strategy) {
    if (description_.strategies.size() < 2 || is_taken("strategy")) return {};
    if (choice_.facet) {
      return fail(ErrorCode::bad_value, "/series",
                  fmt::format("found {}, expected 'strategy' here, in x or in facet, because the "
                              "campaign has several",
                              in_quotes(choice_.series.name)));
    }
    choice_.facet = strategy;
    return {};
  }

  Status choose_y() {
    if (!choice_.x) return {};
    if (choice_.facet && !choice_.facet->is_strategy) {
      choice_.y = choice_.facet;
      return {};
    }
    HOLDFAST_TRY(found, free_dimension());
    choice_.y = std::move(found);
    return {};
  }

  void choose_charts() {
    const bool has_pairs = description_.baseline && description_.strategies.size() > 1;
    const std::size_t places = choice_.x ? choice_.x->labels.size() : 1;
    const bool is_crowded = places * choice_.series.labels.size() > kMostBoxes;
    const bool has_numbers = choice_.x && choice_.x->numbers.size() > 2;
    if (has_pairs) choice_.charts.push_back(ChartKind::ratios);
    if (!is_crowded || !has_numbers) choice_.charts.push_back(ChartKind::boxes);
    if (has_numbers) choice_.charts.push_back(ChartKind::lines);
    if (choice_.y) choice_.charts.push_back(ChartKind::heat);
    choice_.charts.push_back(ChartKind::ecdf);
  }

  const Description& description_;
  std::span<const Parameter> fields_;
  ReportChoice choice_;
};

}  // namespace

Result<ReportChoice> read_choice(const Description& description,
                                 std::span<const Parameter> fields) {
  auto choice = ChoiceReader(description, fields).read();
  if (choice) return choice;
  Error error = std::move(choice).error();
  error.where = "[report] " + (error.where.starts_with('/') ? error.where.substr(1) : error.where);
  return fail(std::move(error));
}

}  // namespace holdfast
