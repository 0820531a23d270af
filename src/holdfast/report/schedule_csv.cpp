#include "holdfast/base/csv_cell.hpp"
#include "holdfast/report/batch_columns.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <optional>
#include <string>

namespace holdfast {
namespace {

void append_rows(SinkBuffer& out, const NamedTimeline& schedule, bool with_name) {
  const Timeline& timeline = *schedule.timeline;
  std::optional<BatchColumns> batch;
  if (BatchColumns::serve(timeline)) batch.emplace(timeline);
  const std::string name = csv_cell(schedule.name);
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    bool first = !with_name;
    if (with_name) out << name;
    for (const TimelineCell& cell : timeline.row(row)) {
      if (!first) out << ",";
      first = false;
      out << csv_cell(cell_text(cell));
    }
    if (batch) out << "," << batch->cells(row);
    out << "\n";
  }
}

}  // namespace

Status write_schedule_csv(std::span<const NamedTimeline> schedules, const TextSink& sink) {
  SinkBuffer out(sink);
  if (schedules.empty()) return out.finish();
  const bool with_name = schedules.size() > 1;
  bool first = !with_name;
  if (with_name) out << "strategy";
  for (const TimelineColumn& column : schedules.front().timeline->columns()) {
    if (!first) out << ",";
    first = false;
    out << csv_cell(column.name);
  }
  if (BatchColumns::serve(*schedules.front().timeline)) out << "," << BatchColumns::header();
  out << "\n";
  for (const NamedTimeline& schedule : schedules) append_rows(out, schedule, with_name);
  return out.finish();
}

Value schedule_value(const Timeline& timeline) {
  Value rows = Value::array();
  rows.array_items()->reserve(timeline.rows());
  const auto columns = timeline.columns();
  for (std::size_t row = 0; row < timeline.rows(); ++row) {
    Value object = Value::object();
    const auto cells = timeline.row(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (std::holds_alternative<std::monostate>(cells[i])) continue;
      object.set(columns[i].name, cell_value(cells[i]));
    }
    rows.push(std::move(object));
  }
  return rows;
}

}  // namespace holdfast
