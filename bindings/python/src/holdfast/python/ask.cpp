#include "holdfast/contract/ask.hpp"

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/answers/asked/asked_strategies.hpp"
#include "holdfast/answers/catalog_answer.hpp"
#include "holdfast/answers/simulate_answer.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/simulate.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/pickles.hpp"
#include "holdfast/python/question.hpp"
#include "holdfast/python/rules.hpp"
#include "holdfast/python/simulated.hpp"
#include "holdfast/python/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::python {
namespace {

// Verbs with closed forms and look-ups. They take less than a millisecond for any input, so a thread would cost more than the
// answer.
constexpr auto kQuick = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"checkpoint", "expected"},
    {"checkpoint", "hazard"},
    {"io", "examples"},
});

bool is_quick(const Domain& domain, const Verb& verb) {
  return std::find(kQuick.begin(), kQuick.end(), std::pair(domain.name, verb.name)) != kQuick.end();
}

const Domain& domain_of(std::string_view name) {
  return *value_or_throw(find_domain(name));
}

std::string trimmed_list(const py::object& strategies) {
  return strategies.is_none() ? std::string() : py::cast<std::string>(strategies);
}

/// Asks a verb one question.
std::shared_ptr<Answered> ask_verb(std::string_view domain_name, std::string_view verb_name,
                                   py::handle instance, const py::sequence& positionals,
                                   const py::dict& keywords, const py::object& strategy,
                                   std::uint64_t seed, bool schedule, const Rules& rules) {
  const Domain& domain = domain_of(domain_name);
  const Verb* verb = domain.verb(verb_name);
  if (verb == nullptr) throw py::attribute_error(std::string(verb_name));
  Question question(domain, verb);
  question.set_instance(instance);
  question.set_positionals(positionals);
  question.set_keywords(keywords);
  AskedInstance::Input input = question.read();
  Request request;
  request.parameters = std::move(input.document);
  request.directory = std::move(input.directory);
  request.taken = std::move(input.taken);
  request.options = question.options();
  if (verb->takes_strategy) {
    request.strategy = value_or_throw(ask_strategy(
        domain, trimmed_list(strategy), request.parameters, question.shared(), rules.own()));
  } else if (!strategy.is_none()) {
    throw Failure{{ErrorCode::usage, "--strategy",
                   fmt::format("'{} {}' takes no strategy", domain.name, verb->name)}};
  }
  request.seed = seed;
  request.today = local_date();
  std::optional<Result<Answer>> answer;
  if (is_quick(domain, *verb)) {
    answer = ask(domain, *verb, request);
  } else {
    run_beside({}, [&](const std::atomic<bool>& stop, Latest&) {
      request.stop = Stop(&stop);
      answer = ask(domain, *verb, request);
    });
  }
  rules.rethrow();
  if (!*answer) {
    if (verb->takes_instance) question.refuse(answer->error(), request.parameters);
    throw Failure{answer->error()};
  }
  if (schedule && (*answer)->schedules.empty()) {
    throw Failure{{ErrorCode::usage, "--schedule",
                   fmt::format("'{} {}' has no schedule", domain.name, verb->name)}};
  }
  if (schedule) put_schedules(**answer);
  auto out = std::make_shared<Answered>(std::move(**answer));
  out->is_instance = verb->gives == Gives::instance;
  out->instance = std::move(request.parameters);
  return out;
}

/// The options of a simulation.
struct SimulateOptions {
  std::uint64_t scenarios = 50;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool check = false;
  bool schedule = false;  ///< put the schedules into the document
};

std::optional<std::size_t> baseline_named(const Domain& domain,
                                          const std::vector<StrategySpec>& specs,
                                          const py::object& baseline) {
  if (baseline.is_none()) return baseline_of(domain, specs);
  const std::string name = py::cast<std::string>(baseline);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].text == name || specs[i].shown == name) return i;
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (domain.strategies[specs[i].index].name == name) return i;
  }
  std::vector<std::string_view> known;
  for (const StrategySpec& spec : specs) known.emplace_back(spec.text);
  throw Failure{{ErrorCode::unknown_name, "--baseline",
                 fmt::format("found {}, expected one of the strategies: {}", in_quotes(name),
                             join(known, ", "))}};
}

// Returns the metrics of all runs; NaN for runs that do not count in the statistics.
std::vector<double> counted_values(const Simulation& simulation) {
  std::vector<double> out = simulation.values;
  const std::size_t metrics = simulation.metrics.size();
  for (std::size_t cell = 0; cell < simulation.flags.size(); ++cell) {
    if ((simulation.flags[cell] & CellFlags::kInStatistics) != 0) continue;
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(cell * metrics), metrics,
                std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

std::shared_ptr<Simulated> to_simulated(const Domain& domain, Simulation simulation,
                                        std::optional<std::size_t> baseline, bool schedule) {
  auto values = std::make_shared<const std::vector<double>>(counted_values(simulation));
  std::vector<std::string> strategies = simulation.strategies, shown = simulation.shown;
  std::vector<StoredMetric> metrics = simulation.metrics;
  std::vector<std::uint8_t> flags = std::move(simulation.flags);
  const std::uint64_t scenarios = simulation.scenarios, checked = simulation.checked;
  Answer answer = answer_of(domain, std::move(simulation), baseline);
  if (schedule) put_schedules(answer);
  auto out = std::make_shared<Simulated>(std::move(answer));
  out->strategies = std::move(strategies);
  out->shown = std::move(shown);
  out->metrics = std::move(metrics);
  out->scenarios = scenarios;
  out->checked = checked;
  out->values = std::move(values);
  out->flags = std::move(flags);
  return out;
}

std::shared_ptr<Simulated> run_simulation(std::string_view domain_name, py::handle instance,
                                          const py::dict& keywords, const py::object& strategies,
                                          const py::object& baseline,
                                          const SimulateOptions& options, const Rules& rules,
                                          const Watch& watch) {
  const Domain& domain = domain_of(domain_name);
  Question question(domain, nullptr);
  question.set_instance(instance);
  question.set_keywords(keywords);
  AskedInstance::Input input = question.read();
  SimulateRequest request;
  const std::string names =
      strategies.is_none() ? default_strategies(domain, input.document) : trimmed_list(strategies);
  request.strategies =
      value_or_throw(ask_strategies(domain, names, question.shared(), rules.own()));
  request.parameters = std::move(input.document);
  request.directory = std::move(input.directory);
  request.baseline = baseline_named(domain, request.strategies, baseline);
  request.scenarios = options.scenarios;
  request.seed = options.seed;
  request.check = options.check;
  // Python runs one thread at a time.
  request.control.threads = options.threads == 0 && !rules.own().empty() ? 1 : options.threads;
  std::optional<Result<Simulation>> simulation;
  run_beside(watch, [&](const std::atomic<bool>& stop, Latest& latest) {
    request.control.stop = &stop;
    request.control.progress = [&latest](const Progress& now) { latest.set(now); };
    simulation = simulate(domain, request);
  });
  rules.rethrow();
  if (!*simulation) question.refuse(simulation->error(), request.parameters);
  if (options.check && (*simulation)->checked == 0) {
    throw Failure{{ErrorCode::usage, "--check",
                   fmt::format("'{}' offers no check of its runs", domain.name)}};
  }
  std::vector<std::string>& warnings = (*simulation)->warnings;
  warnings.insert(warnings.begin(), input.taken.begin(), input.taken.end());
  auto out = to_simulated(domain, std::move(**simulation), request.baseline, options.schedule);
  out->instance = std::move(request.parameters);
  return out;
}

std::uint64_t positive_count(std::int64_t number, const char* place) {
  if (number >= 1) return static_cast<std::uint64_t>(number);
  throw Failure{{ErrorCode::usage, place, fmt::format("found {}, expected at least 1", number)}};
}

py::list metric_rows(const std::vector<StoredMetric>& metrics) {
  py::list out;
  for (const StoredMetric& metric : metrics) {
    out.append(py::make_tuple(metric.name, metric.unit, metric.summary));
  }
  return out;
}

std::shared_ptr<Block> values_block(const Simulated& self) {
  auto block = std::make_shared<Block>();
  const auto metrics = static_cast<py::ssize_t>(self.metrics.size());
  const auto strategies = static_cast<py::ssize_t>(self.strategies.size());
  constexpr py::ssize_t kSize = sizeof(double);
  block->owner = self.values;
  block->data = self.values->data();
  block->shape = {static_cast<py::ssize_t>(self.scenarios), strategies, metrics};
  block->strides = {strategies * metrics * kSize, metrics * kSize, kSize};
  return block;
}

std::shared_ptr<Block> completed_block(const Simulated& self) {
  auto flags = std::make_shared<std::vector<char>>();
  for (const std::uint8_t flag : self.flags) {
    flags->push_back((flag & CellFlags::kCompleted) != 0 ? 1 : 0);
  }
  auto block = std::make_shared<Block>();
  const auto strategies = static_cast<py::ssize_t>(self.strategies.size());
  block->data = flags->data();
  block->owner = std::move(flags);
  block->item_size = 1;
  block->format = "?";
  block->shape = {static_cast<py::ssize_t>(self.scenarios), strategies};
  block->strides = {strategies, 1};
  return block;
}

void define_simulated(py::module_& module) {
  py::class_<Simulated, Answered, std::shared_ptr<Simulated>>(module, "Simulated",
                                                              "A simulation of the library.")
      .def("state", [](const Simulated& self) { return to_python(state_of(self)); })
      .def("values", values_block)
      .def("completed", completed_block)
      .def("strategies",
           [](const Simulated& self) { return to_python(Value::list(self.strategies)); })
      .def("shown", [](const Simulated& self) { return to_python(Value::list(self.shown)); })
      .def("metrics", [](const Simulated& self) { return metric_rows(self.metrics); })
      .def_readonly("scenarios", &Simulated::scenarios)
      .def_readonly("checked", &Simulated::checked);
}

}  // namespace

void define_questions(py::module_& module) {
  define_simulated(module);
  module.def("describe",
             [] { return to_python(catalog_answer(domains(), Value::array()).document); });
  module.def("domain_names", [] {
    py::list out;
    for (const Domain* domain : domains()) out.append(std::string(domain->name));
    return out;
  });
  module.def("ask", ask_verb, py::arg("domain"), py::arg("verb"), py::arg("instance"),
             py::arg("positionals"), py::arg("keywords"), py::arg("strategy"), py::arg("seed"),
             py::arg("schedule"), py::arg("rules"));
  module.def(
      "simulate",
      [](std::string_view domain, py::handle instance, const py::dict& keywords,
         const py::object& strategies, const py::object& baseline, std::int64_t scenarios,
         std::uint64_t seed, unsigned threads, bool check, bool schedule, const Rules& rules,
         const py::object& progress, const py::object& stop) {
        const SimulateOptions options{.scenarios = positive_count(scenarios, "--scenarios"),
                                      .seed = seed,
                                      .threads = threads,
                                      .check = check,
                                      .schedule = schedule};
        return run_simulation(domain, instance, keywords, strategies, baseline, options, rules,
                              {.progress = progress, .stop = stop});
      },
      py::arg("domain"), py::arg("instance"), py::arg("keywords"), py::arg("strategies"),
      py::arg("baseline"), py::arg("scenarios"), py::arg("seed"), py::arg("threads"),
      py::arg("check"), py::arg("schedule"), py::arg("rules"), py::arg("progress"),
      py::arg("stop"));
}

}  // namespace holdfast::python
