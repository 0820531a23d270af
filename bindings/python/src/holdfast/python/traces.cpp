#include "holdfast/python/traces.hpp"

#include "holdfast/answers/files/output_file.hpp"
#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/answers/trace/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit_bootstrap.hpp"
#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/pickles.hpp"
#include "holdfast/python/question.hpp"
#include "holdfast/python/simulated.hpp"
#include "holdfast/python/values.hpp"
#include "holdfast/report/chart/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::python {
namespace {

constexpr double kConfidence = 0.95;  // default confidence of intervals

const Verb& verb_of(std::string_view name) {
  for (const Verb& verb : trace_verbs()) {
    if (verb.name == name) return verb;
  }
  throw py::attribute_error(std::string(name));
}

Status write_made(const AnswerFile& made, const std::string& output, bool force,
                  std::vector<std::string>& warnings) {
  HOLDFAST_CHECK(check_overwrite(output, force));
  OutputFile file(output);
  HOLDFAST_TRY(lost, made.write([&file](std::string_view part) { return file.write(part); }));
  HOLDFAST_CHECK(file.finish());
  std::ranges::move(lost, std::back_inserter(warnings));
  return {};
}

std::shared_ptr<Fitted> to_fitted(Answer answer) {
  if (!answer.chart.left_out.empty()) answer.warnings.push_back(answer.chart.left_out);
  auto out = std::make_shared<Fitted>(std::move(answer));
  if (out->answer.observations) {
    for (const auto& row : out->answer.observations().rows) {
      for (const Value& cell : row) out->survival.push_back(cell.number());
    }
    out->answer.observations = {};
  }
  if (!out->answer.chart.lines.empty()) out->svg = to_svg(out->answer.chart);
  return out;
}

/// Converts a trace to the plain form of its kind. @returns (name of the kind, text, warnings)
py::tuple plain_trace(const py::dict& keywords) {
  const Verb& verb = verb_of("convert");
  Request request;
  request.options = options_of(verb, keywords);
  request.options.set("to", "csv");
  std::string kind, text;
  std::vector<std::string> warnings;
  run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
    request.stop = Stop(&stop);
    const Answer said = value_or_throw(ask(verb, request));
    kind = said.file->kind;
    warnings = said.warnings;
    auto lost = value_or_throw(said.file->write([&text](std::string_view part) -> Status {
      text += part;
      return {};
    }));
    std::ranges::move(lost, std::back_inserter(warnings));
  });
  return py::make_tuple(kind, text, to_python(Value::list(warnings)));
}

/// Answers a verb of `holdfast trace`.
/// @param output  file to which `convert` and `slice` write
std::shared_ptr<Fitted> ask_trace(std::string_view verb_name, const py::dict& keywords,
                                  std::uint64_t seed, const std::string& output, bool force) {
  const Verb& verb = verb_of(verb_name);
  Request request;
  request.options = options_of(verb, keywords);
  request.seed = seed;
  std::optional<Result<Answer>> said;
  Status written;
  run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
    request.stop = Stop(&stop);
    said = ask(verb, request);
    if (*said && (*said)->file) {
      written = write_made(*(*said)->file, output, force, (*said)->warnings);
    }
  });
  if (!*said) throw Failure{said->error()};
  value_or_throw(std::move(written));
  return to_fitted(std::move(**said));
}

/// Lifetimes from arrays: columns of one length, of which only `low` is required.
struct Lives {
  std::vector<Lifetime> lives;

  Lives(const py::buffer& low, const py::object& high, const py::object& entry) {
    const py::buffer_info from = low.request();
    const auto size = static_cast<std::size_t>(from.size);
    const auto* ages = static_cast<const double*>(from.ptr);
    const std::vector<double> ends = column(high), entries = column(entry);
    lives.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      lives.push_back(
          {ages[i], ends.empty() ? ages[i] : ends[i], entries.empty() ? 0 : entries[i]});
    }
  }

  static std::vector<double> column(const py::object& object) {
    if (object.is_none()) return {};
    const py::buffer_info info = py::cast<py::buffer>(object).request();
    const auto* numbers = static_cast<const double*>(info.ptr);
    return {numbers, numbers + info.size};
  }
};

// Turns the place "/3" into "source[3]".
Error placed(Error error) {
  if (error.where.starts_with('/')) error.where = fmt::format("source[{}]", error.where.substr(1));
  return error;
}

/// The options of a fit to arrays.
struct ArrayQuestion {
  std::vector<LawFamily> laws;  ///< none: all
  double confidence = kConfidence;
  int replicates = 0;  ///< replicates of the bootstrap; 0: no bootstrap
  std::uint64_t seed = 1;
  double resolution = 0;          ///< step to which ages were rounded, seconds; 0: they are exact
  std::vector<double> ages = {};  ///< ages whose survival is wanted, seconds
};

/// Lifetimes in order of their units, as a bootstrap draws them.
struct GroupedLives {
  std::vector<Lifetime> lives;
  std::vector<std::size_t> first_of_unit;

  /// @param units  the number of the unit of each lifetime; empty: each belongs to a unit of its own
  GroupedLives(const std::vector<Lifetime>& all, const std::vector<double>& units) {
    if (units.empty()) {
      lives = all;
      return;
    }
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&units](std::size_t i) { return units[i]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k == 0 || units[order[k]] != units[order[k - 1]]) first_of_unit.push_back(k);
      lives.push_back(all[order[k]]);
    }
    first_of_unit.push_back(order.size());
  }
};

FitReport report_of(const Lives& lives, const ArrayQuestion& question,
                    const std::vector<double>& units, Stop stop) {
  const WatchedLives watched{
      .lives = lives.lives, .ageless = {}, .resolution = question.resolution};
  auto choice = choose_law(
      watched,
      {.confidence = question.confidence, .quantiles = {0.1, 0.5, 0.9}, .ages = question.ages},
      question.laws);
  if (!choice) throw Failure{placed(choice.error())};
  FitReport report = report_of(std::move(*choice), observed_rate(watched, question.confidence));
  std::optional<GroupedLives> grouped;
  if (question.replicates > 0)
    grouped.emplace(within_resolution(lives.lives, question.resolution), units);
  for (FittedRow& row : report.rows) {
    if (grouped) {
      row.bootstrap =
          value_or_throw(bootstrap(row.law.fit.family, grouped->lives, grouped->first_of_unit,
                                   {.replicates = question.replicates,
                                    .seed = question.seed,
                                    .confidence = question.confidence,
                                    .stop = stop}));
    }
  }
  return report;
}

std::shared_ptr<Fitted> fit_arrays(Lives lives, const ArrayQuestion& question,
                                   const std::vector<double>& units) {
  const std::int64_t zeros = spread_zeros(lives.lives, question.resolution);
  std::optional<FitReport> report;
  run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
    report = report_of(lives, question, units, Stop(&stop));
  });
  const SurvivalCurve curve(lives.lives);
  Answer said;
  said.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
  said.headline = fmt::format("{}", counted(lives.lives.size(), "lifetime"));
  add_fits(*report, said);
  add_answers(report->rows.front().law.fit, said);
  add_survival(curve, report->rows.front().law.fit, said);
  said.verdict = verdict_of(*report);
  for (const std::string& caution : report->cautions) said.warnings.push_back(caution);
  if (zeros > 0) {
    said.warnings.push_back(
        fmt::format("{} at age 0: treated as between 0 and half a step, or the least other age",
                    counted(zeros, "failure")));
  }
  said.chart = survival_chart(curve, *report, said.headline);
  said.observations = [&curve, &question] { return survival_table(curve, question.confidence); };
  return to_fitted(std::move(said));
}

std::vector<LawFamily> families_of(const py::sequence& names) {
  std::vector<LawFamily> out;
  for (const auto& name : names) {
    auto family = law_family(py::cast<std::string>(name));
    if (!family) throw Failure{{family.error().code, "--laws", family.error().message}};
    out.push_back(*family);
  }
  return out;
}

}  // namespace

void define_traces(py::module_& module) {
  py::class_<Fitted, Answered, std::shared_ptr<Fitted>>(module, "Fitted",
                                                        "What was fitted to a trace.")
      .def("state", [](const Fitted& self) { return to_python(state_of(self)); })
      .def("svg",
           [](const Fitted& self) {
             if (self.svg.empty())
               throw Failure{
                   {ErrorCode::infeasible, "", "nothing could be fitted that could be drawn"}};
             return self.svg;
           })
      .def("survival", [](const Fitted& self) {
        const auto rows = static_cast<py::ssize_t>(self.survival.size() / Fitted::kSurvivalColumns);
        return Block::of(self.survival, {rows, Fitted::kSurvivalColumns});
      });
  module.def("trace", ask_trace, py::arg("verb"), py::arg("keywords"), py::arg("seed") = 1,
             py::arg("output") = "", py::arg("force") = false);
  module.def("plain_trace", plain_trace, py::arg("keywords"));
  module.def(
      "fit",
      [](const py::buffer& low, const py::object& high, const py::object& entry,
         const py::object& units, const py::sequence& laws, double confidence, int replicates,
         std::uint64_t seed, double resolution, const py::object& ages) {
        return fit_arrays(Lives(low, high, entry),
                          {.laws = families_of(laws),
                           .confidence = confidence,
                           .replicates = replicates,
                           .seed = seed,
                           .resolution = resolution,
                           .ages = Lives::column(ages)},
                          Lives::column(units));
      },
      py::arg("low"), py::arg("high"), py::arg("entry"), py::arg("units"), py::arg("laws"),
      py::arg("confidence"), py::arg("replicates"), py::arg("seed"), py::arg("resolution"),
      py::arg("ages"));
}

}  // namespace holdfast::python
