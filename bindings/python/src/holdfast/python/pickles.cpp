#include "holdfast/python/pickles.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/python/failure.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace holdfast::python {
namespace {

/// The number of the form of these states. A change of it makes older pickles unreadable, with an error that says so.
constexpr int kForm = 2;

[[noreturn]] void refuse() {
  throw Failure{{ErrorCode::bad_format, "",
                 "found a pickle of another version of Holdfast, or a damaged one; expected one of "
                 "this version: ask again, and pickle that answer"}};
}

template <class T>
const T& known(const T* found) {
  if (found == nullptr) refuse();
  return *found;
}

const Value& member(const Value& state, std::string_view name) {
  return known(state.members() == nullptr ? nullptr : state.find(name));
}

std::string text(const Value& state, std::string_view name) {
  return known(member(state, name).string());
}

bool flag(const Value& state, std::string_view name) {
  return known(member(state, name).boolean());
}

const Value::Array& items(const Value& state, std::string_view name) {
  return known(member(state, name).array_items());
}

double number(const Value& value) {
  if (!value.is_number()) refuse();
  return value.number();
}

std::vector<std::string> texts(const Value& state, std::string_view name) {
  std::vector<std::string> out;
  for (const Value& item : items(state, name)) out.push_back(known(item.string()));
  return out;
}

std::vector<double> numbers(const Value& state, std::string_view name) {
  std::vector<double> out;
  for (const Value& item : items(state, name)) out.push_back(number(item));
  return out;
}

std::uint64_t count(const Value& state, std::string_view name) {
  std::uint64_t out = 0;
  if (!member(state, name).is_number() || !member(state, name).get_unsigned(out)) refuse();
  return out;
}

void check_form(const Value& state) {
  if (number(member(state, "form")) != kForm) refuse();
}

Unit unit_of(std::string_view symbol_of_unit) {
  for (const Unit unit : {Unit::seconds, Unit::bytes, Unit::bytes_per_second, Unit::per_second,
                          Unit::slots, Unit::core_seconds}) {
    if (symbol(unit) == symbol_of_unit) return unit;
  }
  return Unit::none;
}

template <class List, class Make>
Value listed(const List& list, const Make& make) {
  Value out = Value::array();
  for (const auto& item : list) out.push(make(item));
  return out;
}

Value table_state(const Table& table) {
  return Value::object(
      {{"title", table.title},
       {"columns", listed(table.columns,
                          [](const Table::Column& column) {
                            return Value::object({{"title", column.title},
                                                  {"unit", std::string(symbol(column.unit))},
                                                  {"digits", column.digits}});
                          })},
       {"rows", listed(table.rows, [](const std::vector<Value>& row) { return Value(row); })}});
}

Table table_of(const Value& state) {
  Table out{.title = text(state, "title")};
  for (const Value& column : items(state, "columns")) {
    out.columns.push_back({.title = text(column, "title"),
                           .unit = unit_of(text(column, "unit")),
                           .digits = static_cast<int>(number(member(column, "digits")))});
  }
  for (const Value& row : items(state, "rows")) out.rows.push_back(known(row.array_items()));
  return out;
}

Value cell_state(const TimelineCell& cell) {
  if (const bool* one = std::get_if<bool>(&cell)) return *one;
  if (const std::int64_t* one = std::get_if<std::int64_t>(&cell)) return *one;
  if (const double* one = std::get_if<double>(&cell)) return *one;
  if (const auto* one = std::get_if<std::string_view>(&cell)) return *one;
  return {};
}

TimelineCell cell_of(const Value& state, Timeline& timeline) {
  if (const bool* one = state.boolean()) return *one;
  if (const std::string* one = state.string()) return timeline.intern(*one);
  std::int64_t whole = 0;
  if (state.is_integer() && state.get_integer(whole)) return whole;
  if (state.is_number()) return state.number();
  return std::monostate{};
}

Role role_of(std::string_view role_name) {
  for (int i = 0; i <= static_cast<int>(Role::rate); ++i) {
    if (name(static_cast<Role>(i)) == role_name) return static_cast<Role>(i);
  }
  return Role::plain;
}

// Keeps the name of a column, which must outlive its timeline. There are no more names than the domains have columns.
std::string_view kept_name(const std::string& column) {
  static std::vector<std::unique_ptr<const std::string>> kept;
  for (const auto& one : kept) {
    if (*one == column) return *one;
  }
  kept.push_back(std::make_unique<const std::string>(column));
  return *kept.back();
}

void fill_simulated(const Value& state, Simulated& out) {
  out.strategies = texts(state, "strategies");
  out.shown = texts(state, "shown");
  for (const Value& metric : items(state, "metrics")) {
    out.metrics.push_back({.name = text(metric, "name"),
                           .unit = text(metric, "unit"),
                           .summary = text(metric, "summary")});
  }
  out.scenarios = count(state, "scenarios");
  out.checked = count(state, "checked");
  out.values = std::make_shared<const std::vector<double>>(numbers(state, "values"));
  for (const Value& one : items(state, "flags"))
    out.flags.push_back(static_cast<std::uint8_t>(number(one)));
  const std::size_t runs = out.scenarios * out.strategies.size();
  if (out.flags.size() != runs || out.values->size() != runs * out.metrics.size()) refuse();
}

}  // namespace

Value state_of(const NamedSchedule& schedule) {
  const Timeline& timeline = *schedule.timeline;
  Value out = Value::object({{"form", kForm},
                             {"name", schedule.name},
                             {"title", schedule.title.title},
                             {"note", schedule.title.note}});
  out.set("columns", listed(timeline.columns(), [](const TimelineColumn& column) {
            return Value::object({{"name", std::string(column.name)},
                                  {"unit", std::string(symbol(column.unit))},
                                  {"role", std::string(name(column.role))}});
          }));
  Value rows = Value::array();
  for (std::size_t i = 0; i < timeline.rows(); ++i) rows.push(listed(timeline.row(i), cell_state));
  out.set("rows", std::move(rows));
  out.set("unavailable", listed(timeline.unavailable(), [](const Unavailable& one) {
            return Value::object({{"lane", cell_state(one.lane)},
                                  {"state", std::string(one.state)},
                                  {"start", one.start},
                                  {"end", one.end}});
          }));
  return out;
}

std::shared_ptr<NamedSchedule> schedule_of(const Value& state) {
  check_form(state);
  std::vector<TimelineColumn> columns;
  for (const Value& column : items(state, "columns")) {
    columns.push_back({.name = kept_name(text(column, "name")),
                       .unit = unit_of(text(column, "unit")),
                       .role = role_of(text(column, "role"))});
  }
  auto timeline = std::make_shared<Timeline>(columns);
  for (const Value& row : items(state, "rows")) {
    const Value::Array& cells = known(row.array_items());
    if (cells.size() != columns.size()) refuse();
    timeline->add_row([&](std::size_t i) { return cell_of(cells[i], *timeline); });
  }
  for (const Value& one : items(state, "unavailable")) {
    timeline->add_unavailable({.lane = cell_of(member(one, "lane"), *timeline),
                               .state = timeline->intern(text(one, "state")),
                               .start = number(member(one, "start")),
                               .end = number(member(one, "end"))});
  }
  auto out = std::make_shared<NamedSchedule>();
  out->name = text(state, "name");
  out->title = {.title = text(state, "title"), .note = text(state, "note")};
  out->timeline = std::move(timeline);
  return out;
}

Value state_of(const Answered& answered) {
  const Answer& answer = answered.answer;
  return Value::object(
      {{"form", kForm},
       {"class", "answer"},
       {"headline", answer.headline},
       {"verdict", Value::list(answer.verdict)},
       {"tables", listed(answer.tables, table_state)},
       {"lines", Value::list(answer.lines)},
       {"text", answered.text},
       {"data", answer.data ? table_state(*answer.data) : Value()},
       {"document", answer.document},
       {"warnings", Value::list(answer.warnings)},
       {"is_no", answer.is_no},
       {"is_instance", answered.is_instance},
       {"schedules", listed(answered.schedules, [](const auto& one) { return state_of(*one); })},
       {"instance", answered.instance}});
}

Value state_of(const Simulated& simulated) {
  Value out = state_of(static_cast<const Answered&>(simulated));
  out.set("class", "simulation");
  out.set("strategies", Value::list(simulated.strategies));
  out.set("shown", Value::list(simulated.shown));
  out.set("metrics", listed(simulated.metrics, [](const StoredMetric& metric) {
            return Value::object(
                {{"name", metric.name}, {"unit", metric.unit}, {"summary", metric.summary}});
          }));
  out.set("scenarios", simulated.scenarios);
  out.set("checked", simulated.checked);
  out.set("values", Value::list(*simulated.values));
  out.set("flags",
          listed(simulated.flags, [](std::uint8_t one) { return Value(static_cast<int>(one)); }));
  return out;
}

Value state_of(const Fitted& fitted) {
  Value out = state_of(static_cast<const Answered&>(fitted));
  out.set("class", "fit");
  out.set("svg", fitted.svg);
  out.set("survival", Value::list(fitted.survival));
  return out;
}

std::shared_ptr<Answered> answered_of(const Value& state) {
  check_form(state);
  std::shared_ptr<Answered> out;
  if (text(state, "class") == "simulation") {
    auto simulated = std::make_shared<Simulated>();
    fill_simulated(state, *simulated);
    out = std::move(simulated);
  } else if (text(state, "class") == "fit") {
    auto fitted = std::make_shared<Fitted>();
    fitted->svg = text(state, "svg");
    fitted->survival = numbers(state, "survival");
    if (fitted->survival.size() % Fitted::kSurvivalColumns != 0) refuse();
    out = std::move(fitted);
  } else {
    out = std::make_shared<Answered>();
  }
  Answer& answer = out->answer;
  answer.headline = text(state, "headline");
  answer.verdict = texts(state, "verdict");
  for (const Value& table : items(state, "tables")) answer.tables.push_back(table_of(table));
  answer.lines = texts(state, "lines");
  if (!member(state, "data").is_null()) answer.data = table_of(member(state, "data"));
  answer.document = member(state, "document");
  out->text = text(state, "text");
  answer.warnings = texts(state, "warnings");
  answer.is_no = flag(state, "is_no");
  out->is_instance = flag(state, "is_instance");
  for (const Value& one : items(state, "schedules")) out->schedules.push_back(schedule_of(one));
  out->instance = member(state, "instance");
  return out;
}

}  // namespace holdfast::python
