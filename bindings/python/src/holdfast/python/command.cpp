#include "holdfast/python/command.hpp"

#include "holdfast/answers/places.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/program.hpp"
#include "holdfast/python/interruptible.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::python {
namespace {

std::vector<std::string> texts(const py::sequence& items) {
  std::vector<std::string> out;
  for (const auto& item : items) out.push_back(py::cast<std::string>(item));
  return out;
}

Places places_of(const py::dict& given) {
  const auto text = [&given](const char* name) { return py::cast<std::string>(given[name]); };
  return {.share = text("share"),
          .source = text("source"),
          .data = text("data"),
          .program = texts(given["program"])};
}

/// One command with its output in memory. @returns (exit status, standard output, standard error)
py::tuple run_command(const py::sequence& words, const std::string& input, const py::dict& places) {
  const std::vector<std::string> arguments = texts(words);
  std::ostringstream out, err;
  std::istringstream in(input);
  int status = 0;
  const Places where = places_of(places);
  run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
    cli::Console console(out, err, in, {}, &stop);
    console.set_places(where);
    status = cli::run_program(arguments, console, domains());
  });
  return py::make_tuple(status, py::bytes(out.str()), py::bytes(err.str()));
}

}  // namespace

void define_command(py::module_& module) {
  module.def("command", run_command, py::arg("words"), py::arg("input"), py::arg("places"));
}

}  // namespace holdfast::python
