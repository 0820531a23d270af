#include "holdfast/python/traces.hpp"

#include "holdfast/answers/argument.hpp"
#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/answers/trace/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/pickles.hpp"
#include "holdfast/python/simulated.hpp"
#include "holdfast/python/values.hpp"
#include "holdfast/report/line_chart.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::python {
namespace {

const TraceVerb& verb_of(std::string_view name) {
  for (const TraceVerb& verb : trace_verbs()) {
    if (verb.name == name) return verb;
  }
  throw py::attribute_error(std::string(name));
}

const Parameter* find_row(const TraceVerb& verb, const std::string& name,
                          std::vector<std::string_view>& known) {
  for (const auto table : {verb.positionals, verb.options, verb.target}) {
    for (const Parameter& row : table) {
      std::string own(row.name);
      for (char& letter : own) letter = letter == '-' ? '_' : letter;
      if (own == name) return &row;
      known.push_back(row.name);
    }
  }
  return nullptr;
}

std::vector<Argument> arguments_of(const TraceVerb& verb, const py::dict& keywords) {
  std::vector<Argument> out;
  for (const auto& [key, given] : keywords) {
    std::string name = py::cast<std::string>(key);
    if (name.size() > 1 && name.back() == '_') name.pop_back();
    std::vector<std::string_view> known;
    const Parameter* row = find_row(verb, name, known);
    if (row == nullptr) {
      const std::string_view near = closest(name, known);
      throw Failure{
          {ErrorCode::usage, option_name(name),
           fmt::format("unknown keyword{}",
                       near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near)))}};
    }
    if (given.is_none()) continue;
    Value value = to_value(given, option_name(name));
    // Times and units are read as they were typed, because what they may be depends on the file.
    if (row->kind == Kind::text && value.is_number()) value = to_compact_json(value);
    out.push_back({.parameter = row, .place = option_name(name), .given = std::move(value)});
  }
  return out;
}

Status write_made(const MadeTrace& made, const std::string& output, bool force,
                  std::vector<std::string>& warnings) {
  HOLDFAST_CHECK(check_overwrite(output, force));
  OutputFile file(output);
  HOLDFAST_TRY(lost, made.write([&file](std::string_view part) { return file.write(part); }));
  HOLDFAST_CHECK(file.finish());
  warnings = std::move(lost);
  return {};
}

std::shared_ptr<Fitted> to_fitted(TraceAnswer said) {
  auto out = std::make_shared<Fitted>();
  out->warnings = said.answer.warnings;
  out->is_no = said.answer.is_no;
  out->picture = std::move(said.picture);
  if (!said.picture_warning.empty()) out->warnings.push_back(said.picture_warning);
  out->shown = shown_of(std::move(said.answer));
  make_finite(*out);
  return out;
}

/// @param output  where `convert` and `slice` write
std::shared_ptr<Fitted> ask_trace(std::string_view verb_name, const py::dict& keywords,
                                  std::uint64_t seed, const std::string& output, bool force) {
  const TraceVerb& verb = verb_of(verb_name);
  TraceRequest request;
  request.options = value_or_throw(values_of(arguments_of(verb, keywords)));
  request.seed = seed;
  std::optional<Result<TraceAnswer>> said;
  std::vector<std::string> lost;
  Status written;
  run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
    request.stop = Stop(&stop);
    said = verb.run(request);
    if (*said && (*said)->made) written = write_made(*(*said)->made, output, force, lost);
  });
  if (!*said) throw Failure{said->error()};
  value_or_throw(std::move(written));
  auto out = to_fitted(std::move(**said));
  for (std::string& one : lost) out->warnings.push_back(std::move(one));
  return out;
}

/// Lifetimes as arrays: columns of one length, of which only `low` has to be there.
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

// "/3" of a life is the third of the array.
Error placed(Error error) {
  if (error.where.starts_with('/')) error.where = fmt::format("source[{}]", error.where.substr(1));
  return error;
}

std::shared_ptr<Fitted> fit_arrays(const Lives& lives, const std::vector<LawFamily>& families,
                                   double confidence, std::uint64_t seed) {
  FitOptions options;
  options.confidence = confidence;
  std::optional<Result<LawChoice>> choice;
  run_beside({}, [&](const std::atomic<bool>&, Latest&) {
    choice = choose_law({.lives = lives.lives}, options, families, seed);
  });
  if (!*choice) throw Failure{placed(choice->error())};
  FitReport report{.observed = observed_rate({.lives = lives.lives}),
                   .rows = {},
                   .refusals = (*choice)->refusals,
                   .reason = reason_in_words(**choice),
                   .cautions = cautions(**choice)};
  for (JudgedLaw& judged : (*choice)->laws) {
    report.rows.push_back(
        {.law = std::move(judged.law), .goodness = judged.goodness, .bootstrap = {}});
  }
  const SurvivalCurve curve(lives.lives);
  TraceAnswer said;
  said.answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
  said.answer.headline = fmt::format("{}", counted(lives.lives.size(), "lifetime"));
  add_fits(report, said.answer);
  add_survival(curve, report.rows.front().law.fit, said.answer);
  said.picture = survival_chart(curve, report, said.answer.headline);
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

/// Kaplan-Meier: six columns, one row for each age at which something failed.
std::shared_ptr<Block> survival_block(const Lives& lives, double confidence) {
  const SurvivalCurve curve(lives.lives);
  std::vector<double> rows;
  for (const SurvivalStep& step : curve.steps()) {
    const ConfidenceInterval interval = curve.survival_interval(step.age, confidence);
    rows.insert(rows.end(),
                {step.age, static_cast<double>(step.at_risk), static_cast<double>(step.failures),
                 step.survival, interval.low, interval.high});
  }
  const auto count = static_cast<py::ssize_t>(curve.steps().size());
  return Block::of(std::move(rows), {count, 6});
}

}  // namespace

void define_traces(py::module_& module) {
  py::class_<Fitted, Answered, std::shared_ptr<Fitted>>(module, "Fitted",
                                                        "What was fitted to a trace.")
      .def("state", [](const Fitted& self) { return to_python(state_of(self)); })
      .def("svg", [](const Fitted& self) {
        if (self.picture.lines.empty())
          throw Failure{{ErrorCode::infeasible, "", "nothing could be fitted that could be drawn"}};
        return to_svg(self.picture);
      });
  module.def("trace", ask_trace, py::arg("verb"), py::arg("keywords"), py::arg("seed") = 1,
             py::arg("output") = "", py::arg("force") = false);
  module.def(
      "fit",
      [](const py::buffer& low, const py::object& high, const py::object& entry,
         const py::sequence& laws, double confidence, std::uint64_t seed) {
        return fit_arrays(Lives(low, high, entry), families_of(laws), confidence, seed);
      },
      py::arg("low"), py::arg("high"), py::arg("entry"), py::arg("laws"), py::arg("confidence"),
      py::arg("seed"));
  module.def(
      "kaplan_meier",
      [](const py::buffer& low, const py::object& high, const py::object& entry,
         double confidence) { return survival_block(Lives(low, high, entry), confidence); },
      py::arg("low"), py::arg("high"), py::arg("entry"), py::arg("confidence"));
}

}  // namespace holdfast::python
