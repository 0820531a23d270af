#include "holdfast/domains/sketch/point.hpp"

#include "holdfast/contract/schedule_table.hpp"
#include "holdfast/domains/sketch/generator.hpp"
#include "holdfast/domains/sketch/instance_io.hpp"
#include "holdfast/domains/sketch/strategies.hpp"
#include "holdfast/domains/sketch/validate.hpp"

namespace holdfast::sketch {
namespace {

constexpr auto kScheduleRows = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"lost", Unit::none, Role::lost}, member<&ScheduleRow::lost>},
});
constexpr std::span<const ScheduleColumn<ScheduleRow>> kColumns = kScheduleRows;

class SketchPoint final : public Point {
 public:
  SketchPoint(Instance instance, std::span<const StrategySpec> strategies)
      : instance_{std::move(instance)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{to_value(instance_)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return instance_.dates.has_value(); }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace&,
                      bool want_timeline) const override {
    const Instance struck = generate(instance_, draw);
    const auto rule = make_strategy(strategies_[strategy], struck);
    std::vector<ScheduleRow> rows;
    const Metrics metrics = simulate(struck, *rule, want_timeline ? &rows : nullptr);
    Outcome out{.metrics = values_of(metric_rows(), metrics), .details = {}, .timeline = {}};
    if (!want_timeline) return out;
    out.timeline.emplace(columns());
    for (const ScheduleRow& row : rows) add_row(*out.timeline, kColumns, row);
    return out;
  }

  std::optional<Status> check(const Draw& draw, std::size_t,
                              const Outcome& outcome) const override {
    HOLDFAST_TRY(rows, rows_from(kColumns, *outcome.timeline));
    return validate(generate(instance_, draw), rows, metrics_from(metric_rows(), outcome.metrics));
  }

 private:
  Instance instance_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
};

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of(kColumns);
}

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path&) {
  HOLDFAST_TRY(instance, read_instance(parameters));
  return std::make_unique<SketchPoint>(std::move(instance), strategies);
}

}  // namespace holdfast::sketch
