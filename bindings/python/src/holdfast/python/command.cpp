#include "holdfast/python/command.hpp"

#include "holdfast/answers/places.hpp"
#include "holdfast/answers/reproducing.hpp"
#include "holdfast/answers/reproduction_answer.hpp"
#include "holdfast/answers/reproduction_list.hpp"
#include "holdfast/answers/verification.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/console.hpp"
#include "holdfast/memory_run.hpp"
#include "holdfast/program.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::python {
namespace {

namespace fs = std::filesystem;
using reproduction::Reproduced;

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

/// Returns a runner of commands that stand in files; it runs them in this process.
CommandRunner runner(const Places& places) {
  std::ostringstream out, err;
  std::istringstream in;
  cli::Console console(out, err, in);
  console.set_places(places);
  return cli::runner_in_memory(domains(), console);  // of the console, it keeps only the places
}

std::shared_ptr<Answered> verify(const py::sequence& files, const py::dict& places,
                                 const py::object& stop) {
  const Places where = places_of(places);
  const std::vector<std::string> given = texts(files);
  std::vector<fs::path> all(given.begin(), given.end());
  if (all.empty()) all = vector_files(where);
  if (all.empty()) {
    throw Failure{{ErrorCode::usage, "", "found no vectors here, expected the name of a file"}};
  }
  Verification verification;
  std::vector<std::string> failed;
  const auto heard = [&failed](const std::string& line, bool passed) {
    if (!passed) failed.push_back(line);
  };
  run_beside({.progress = py::none(), .stop = stop}, [&](const std::atomic<bool>& wanted, Latest&) {
    const CommandRunner run = runner(where);
    for (const fs::path& file : all)
      value_or_throw(verification.add_file(file, run, heard, Stop(&wanted)));
  });
  Answer answer = verification.answer();
  answer.lines.insert(answer.lines.begin(), failed.begin(), failed.end());
  return std::make_shared<Answered>(std::move(answer));
}

std::shared_ptr<Answered> answered_items(const std::vector<Reproduced>& items, double scale,
                                         std::vector<std::string> warnings) {
  Answer out;
  for (const Reproduced& one : items) {
    if (!one.not_run.empty()) {
      warnings.push_back(fmt::format("{} was not run: {}", one.item.id, one.not_run));
      continue;
    }
    Answer answer = reproduction_answer(one, scale);
    std::ranges::move(answer.tables, std::back_inserter(out.tables));
    std::ranges::move(answer.lines, std::back_inserter(out.lines));
  }
  out.document = reproduction_document(items, scale);
  out.warnings = std::move(warnings);
  out.is_no = !is_reproduced(items, scale);
  auto answered = std::make_shared<Answered>(std::move(out));
  answered->text = reproduction_text(items, scale);
  return answered;
}

fs::path folder_of(const std::string& given, const Places& places) {
  return given.empty() ? reproduce_directory(places) : fs::path(given);
}

std::shared_ptr<Answered> reproduce(const py::sequence& ids, const py::dict& given,
                                    const py::dict& places, const py::object& progress,
                                    const py::object& stop) {
  const Places where = places_of(places);
  const auto text = [&given](const char* name) { return py::cast<std::string>(given[name]); };
  ReproduceOptions options;
  options.scale = py::cast<double>(given["scale"]);
  if (!(options.scale > 0)) {
    throw Failure{{ErrorCode::usage, "--scale",
                   fmt::format("found {}, expected a number greater than 0", options.scale)}};
  }
  options.directory = text("directory");
  options.plot = text("plot");
  options.report = py::cast<bool>(given["report"]);
  options.force = py::cast<bool>(given["force"]);
  options.data = where.data;
  options.control.threads = py::cast<unsigned>(given["threads"]);
  const auto known = value_or_throw(known_reproductions(folder_of(text("folder"), where)));
  const bool is_all = py::cast<bool>(given["all"]);
  const auto folders = is_all ? known : value_or_throw(chosen_reproductions(known, texts(ids)));
  const double scale = options.scale;
  const std::string command = text("command");
  std::vector<Reproduced> items;
  std::vector<std::string> warnings;
  run_beside({.progress = progress, .stop = stop},
             [&](const std::atomic<bool>& wanted, Latest& latest) {
               options.control.stop = &wanted;
               options.control.progress = [&latest](const Progress& now) { latest.set(now); };
               const bool has_page = options.report;
               const Reproducing reproducing(
                   std::move(options), domains(), runner(where),
                   {.warn = [&warnings](std::string_view one) { warnings.emplace_back(one); }});
               value_or_throw(reproducing.measure(
                   folders, [&items](Reproduced one) { items.push_back(std::move(one)); }));
               if (has_page)
                 static_cast<void>(value_or_throw(reproducing.write_page(items, command)));
             });
  return answered_items(items, scale, std::move(warnings));
}

std::shared_ptr<Answered> reproductions(const std::string& folder, const py::dict& places) {
  const fs::path root = folder_of(folder, places_of(places));
  return std::make_shared<Answered>(
      value_or_throw(reproduction_list(value_or_throw(known_reproductions(root)))));
}

}  // namespace

void define_command(py::module_& module) {
  module.def("command", run_command, py::arg("words"), py::arg("input"), py::arg("places"));
  module.def("verify", verify, py::arg("files"), py::arg("places"), py::arg("stop"));
  module.def("reproduce", reproduce, py::arg("ids"), py::arg("options"), py::arg("places"),
             py::arg("progress"), py::arg("stop"));
  module.def("reproductions", reproductions, py::arg("folder"), py::arg("places"));
}

}  // namespace holdfast::python
