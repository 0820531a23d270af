#include "holdfast/python/answered.hpp"

#include "holdfast/answers/files/finite_document.hpp"
#include "holdfast/answers/files/schedule_file.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/pickles.hpp"
#include "holdfast/python/values.hpp"
#include "holdfast/report/html_table.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <utility>

namespace holdfast::python {
namespace {

std::string printed(const Answered& answered) {
  if (const std::string* text = answered.answer.document.string()) return *text;
  if (!answered.text.empty()) return answered.text;
  const AnswerFormat format = answered.is_instance ? AnswerFormat::json : AnswerFormat::table;
  return text_of(answered.answer, format);
}

std::string html(const Answered& answered) {
  std::string out;
  const auto paragraph = [&out](const std::string& text) {
    if (!text.empty()) out += fmt::format("<p>{}</p>\n", xml_text(text));
  };
  paragraph(answered.answer.headline);
  for (const std::string& line : answered.answer.verdict) paragraph(line);
  for (const Table& table : answered.answer.tables) out += to_html(table);  // with its title
  for (const std::string& line : answered.answer.lines) paragraph(line);
  return "<div class=\"holdfast\">\n" + out + "</div>\n";
}

py::object cell_object(const TimelineCell& cell) {
  if (const bool* flag = std::get_if<bool>(&cell)) return py::bool_(*flag);
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&cell)) return py::int_(*whole);
  if (const double* number = std::get_if<double>(&cell)) return py::float_(*number);
  if (const auto* text = std::get_if<std::string_view>(&cell))
    return py::str(text->data(), text->size());
  return py::none();
}

py::dict table_columns(const Table& table) {
  py::dict out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    py::list cells;
    for (const auto& row : table.rows)
      cells.append(c < row.size() ? to_python(row[c]) : py::none());
    out[py::str(table.columns[c].title)] = cells;
  }
  return out;
}

py::dict table_units(const Table& table) {
  py::dict out;
  for (const Table::Column& column : table.columns) {
    if (column.unit != Unit::none)
      out[py::str(column.title)] = py::str(std::string(symbol(column.unit)));
  }
  return out;
}

const Table& table_at(const Answered& answered, std::size_t index) {
  const std::vector<Table>& tables = answered.answer.tables;
  const std::optional<Table>& data = answered.answer.data;
  if (index >= tables.size()) {
    throw py::index_error(
        fmt::format("found table {}, expected less than {}", index, tables.size()));
  }
  // The table for programs is the whole of one of which people see the beginning.
  if (index == 0 && data && data->title == tables[0].title) return *data;
  return tables[index];
}

py::dict schedule_columns(const NamedSchedule& schedule) {
  const Timeline& timeline = *schedule.timeline;
  py::dict out;
  for (std::size_t c = 0; c < timeline.columns().size(); ++c) {
    py::list cells;
    for (std::size_t r = 0; r < timeline.rows(); ++r) cells.append(cell_object(timeline.row(r)[c]));
    out[py::str(std::string(timeline.columns()[c].name))] = cells;
  }
  return out;
}

py::dict schedule_units(const NamedSchedule& schedule) {
  py::dict out;
  for (const TimelineColumn& column : schedule.timeline->columns()) {
    if (column.unit != Unit::none)
      out[py::str(std::string(column.name))] = py::str(std::string(symbol(column.unit)));
  }
  return out;
}

py::dict schedule_roles(const NamedSchedule& schedule) {
  py::dict out;
  for (const TimelineColumn& column : schedule.timeline->columns()) {
    if (column.role != Role::plain)
      out[py::str(std::string(name(column.role)))] = py::str(std::string(column.name));
  }
  return out;
}

std::string schedule_svg(const NamedSchedule& schedule) {
  std::string out;
  const NamedTimeline one[] = {{schedule.name, schedule.timeline.get()}};
  value_or_throw(write_schedule_svg(one, schedule.title, [&out](std::string_view text) -> Status {
    out += text;
    return {};
  }));
  return out;
}

void write_schedule(const NamedSchedule& schedule, const std::string& path) {
  if (!names_schedule(path)) {
    throw Failure{
        {ErrorCode::usage, "path=",
         fmt::format("found '{}', expected a name that ends in .svg, .csv, .json or .paje", path)}};
  }
  const NamedTimeline one[] = {{schedule.name, schedule.timeline.get()}};
  value_or_throw(write_schedule_file(path, one, schedule.title));
}

void define_schedule(py::module_& module) {
  py::class_<NamedSchedule, std::shared_ptr<NamedSchedule>>(module, "Schedule",
                                                            "A timeline of the library.")
      .def_readonly("name", &NamedSchedule::name)
      .def("columns", schedule_columns)
      .def("units", schedule_units)
      .def("roles", schedule_roles)
      .def("state", [](const NamedSchedule& self) { return to_python(state_of(self)); })
      .def("svg", schedule_svg)
      .def("write", write_schedule, py::arg("path"));
}

}  // namespace

Answered::Answered(Answer made) : answer{std::move(made)} {
  tell_problem(answer);
  if (std::string dropped = drop_non_finite(answer.document); !dropped.empty()) {
    answer.warnings.push_back(std::move(dropped));
  }
  const PictureTitle title{.title = answer.schedule_title, .note = answer.schedule_note};
  for (Schedule& one : answer.schedules) {
    schedules.push_back(std::make_shared<NamedSchedule>(
        NamedSchedule{one.name, title, std::make_shared<const Timeline>(std::move(one.timeline))}));
  }
  answer.schedules.clear();
}

void define_answered(py::module_& module) {
  define_schedule(module);
  py::class_<Answered, std::shared_ptr<Answered>>(module, "Answered", "An answer of the library.")
      .def("state", [](const Answered& self) { return to_python(state_of(self)); })
      .def("json", [](const Answered& self) { return to_json(self.answer.document); })
      .def("document", [](const Answered& self) { return to_python(self.answer.document); })
      .def("instance", [](const Answered& self) { return to_python(self.instance); })
      .def("text", printed)
      .def("html", html)
      .def("has",
           [](const Answered& self, std::string_view pointer) {
             return self.answer.document.at(pointer) != nullptr;
           })
      .def("at",
           [](const Answered& self, std::string_view pointer) {
             const Value* value = self.answer.document.at(pointer);
             if (value == nullptr) throw py::key_error(std::string(pointer));
             return to_python(*value);
           })
      .def("numbers",
           [](const Answered& self, std::string_view pointer) {
             const Value* value = self.answer.document.at(pointer);
             if (value == nullptr) throw py::key_error(std::string(pointer));
             return numbers_of(*value, pointer);
           })
      .def_property_readonly("table_count",
                             [](const Answered& self) { return self.answer.tables.size(); })
      .def("table_title",
           [](const Answered& self, std::size_t i) { return table_at(self, i).title; })
      .def("table_columns",
           [](const Answered& self, std::size_t i) { return table_columns(table_at(self, i)); })
      .def("table_units",
           [](const Answered& self, std::size_t i) { return table_units(table_at(self, i)); })
      .def("lines", [](const Answered& self) { return to_python(Value::list(self.answer.lines)); })
      .def("warnings",
           [](const Answered& self) { return to_python(Value::list(self.answer.warnings)); })
      .def_property_readonly("has_warnings",
                             [](const Answered& self) { return !self.answer.warnings.empty(); })
      .def_property_readonly("is_no", [](const Answered& self) { return self.answer.is_no; })
      .def_property_readonly("schedules", [](const Answered& self) {
        py::list out;
        for (const auto& schedule : self.schedules) out.append(schedule);
        return out;
      });
  module.def(
      "restored", [](py::handle state) { return answered_of(restored_value(state)); },
      py::arg("state"));
  module.def(
      "restored_schedule", [](py::handle state) { return schedule_of(restored_value(state)); },
      py::arg("state"));
}

}  // namespace holdfast::python
