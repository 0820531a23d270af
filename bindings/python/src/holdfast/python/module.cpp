#include "holdfast/answers/version_answer.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/campaigns.hpp"
#include "holdfast/python/command.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/laws.hpp"
#include "holdfast/python/question.hpp"
#include "holdfast/python/rules.hpp"
#include "holdfast/python/timing.hpp"
#include "holdfast/python/traces.hpp"
#include "holdfast/python/values.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace holdfast;
  using namespace holdfast::python;
  module.doc() = "The library behind the package holdfast.";
  register_failures();
  define_values(module);
  define_answered(module);
  define_rules(module);
  define_questions(module);
  define_laws(module);
  define_traces(module);
  define_campaigns(module);
  define_command(module);
  define_timing(module);
  end_with_interpreter();
  module.def("nothing", [] {});  // to measure what a call costs
  module.def("version", [] { return to_python(version_document()); });
  module.def(
      "duration", [](double seconds) { return format_duration(seconds); }, py::arg("seconds"));
  module.def(
      "quantity",
      [](py::handle value, const std::string& unit) {
        const Value given = to_value(value, "");
        if (given.is_number()) return given.number();
        for (const Unit one : {Unit::none, Unit::seconds, Unit::bytes, Unit::bytes_per_second,
                               Unit::per_second, Unit::slots, Unit::core_seconds}) {
          if (symbol(one) == unit && given.string() != nullptr)
            return value_or_throw(parse_quantity(*given.string(), one));
        }
        throw py::type_error("expected a number or a text");
      },
      py::arg("value"), py::arg("unit"));
  module.def(
      "seconds",
      [](std::string_view text) { return value_or_throw(parse_quantity(text, Unit::seconds)); },
      py::arg("text"));
}
