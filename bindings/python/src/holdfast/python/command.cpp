#include "holdfast/python/command.hpp"

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/program.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/question.hpp"
#include "holdfast/python/values.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::python {
namespace {

std::vector<std::string> texts(const py::sequence& items) {
  std::vector<std::string> out;
  for (const auto& item : items) out.push_back(utf8_text(item, "words"));
  return out;
}

Places places_of(const py::dict& given) {
  const auto text = [&given](const char* name) { return utf8_text(given[name], "places"); };
  return {.share = text("share"),
          .source = text("source"),
          .data = text("data"),
          .program = texts(given["program"])};
}

/// Runs one command with its output in memory. @returns (exit status, standard output, standard error)
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

const Verb& verb_of(std::string_view name) {
  for (const Verb& verb : program_verbs()) {
    if (verb.name == name) return verb;
  }
  throw py::attribute_error(std::string(name));
}

/// Returns the program around a verb.
Host host_of(const py::dict& places, std::string command) {
  std::ostringstream out, err;
  std::istringstream in;
  cli::Console console(out, err, in);
  console.set_places(places_of(places));
  return {.domains = domains(),
          .places = console.places(),
          .command = std::move(command),
          .run = cli::runner_in_memory(domains(), console),  // it keeps only the places
          .commands = [] { return cli::describe_commands(domains()); }};
}

/// Answers a verb that is about the program.
std::shared_ptr<Answered> ask_program(std::string_view verb_name, const py::dict& keywords,
                                      const py::dict& places, const std::string& command,
                                      const py::object& progress, const py::object& stop) {
  const Verb& verb = verb_of(verb_name);
  Request request;
  request.options = options_of(verb, keywords);
  Answer shown;
  std::string text;
  request.show = [&](const Answer& part) {
    if (!text.empty() && !part.tables.empty()) text += '\n';
    text += text_of(part, AnswerFormat::table);
    std::ranges::copy(part.tables, std::back_inserter(shown.tables));
    std::ranges::copy(part.lines, std::back_inserter(shown.lines));
  };
  const auto warn = [&shown](std::string_view one) { shown.warnings.emplace_back(one); };
  request.voice.warn = warn;
  Host host = host_of(places, command);
  request.host = &host;
  std::optional<Result<Answer>> answer;
  run_beside({.progress = progress, .stop = stop},
             [&](const std::atomic<bool>& wanted, Latest& latest) {
               request.stop = Stop(&wanted);
               host.control.stop = &wanted;
               host.control.progress = [&latest](const Progress& now) { latest.set(now); };
               answer = ask(verb, request);
             });
  Answer whole = value_or_throw(std::move(*answer));
  if (!text.empty()) text += '\n' + text_of(whole, AnswerFormat::table);
  const auto prepend = [](auto& list, auto& first) {
    list.insert(list.begin(), first.begin(), first.end());
  };
  prepend(whole.tables, shown.tables);
  prepend(whole.lines, shown.lines);
  prepend(whole.warnings, shown.warnings);
  auto out = std::make_shared<Answered>(std::move(whole));
  out->text = std::move(text);
  return out;
}

}  // namespace

void define_command(py::module_& module) {
  module.def("command", run_command, py::arg("words"), py::arg("input"), py::arg("places"));
  module.def("program", ask_program, py::arg("verb"), py::arg("keywords"), py::arg("places"),
             py::arg("command") = "", py::arg("progress") = py::none(),
             py::arg("stop") = py::none());
}

}  // namespace holdfast::python
