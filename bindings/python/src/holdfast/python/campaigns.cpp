#include "holdfast/python/campaigns.hpp"

#include "holdfast/answers/campaign/campaign_answer.hpp"
#include "holdfast/answers/campaign/campaign_file.hpp"
#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/own_rules.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/python/failure.hpp"
#include "holdfast/python/interruptible.hpp"
#include "holdfast/python/rules.hpp"
#include "holdfast/python/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::python {
namespace {

namespace fs = std::filesystem;

/// Returns the domain of results; null if this program does not know it.
const Domain* domain_of(const Results& results) {
  const auto found = find_domain(results.description().domain);
  return found ? *found : nullptr;
}

py::list texts(const std::vector<std::string>& items) {
  py::list out;
  for (const std::string& item : items) out.append(item);
  return out;
}

/// Reads a campaign from a text, a file, or a directory of results.
Campaign read_source(const std::string& text, const std::string& file, const std::string& data,
                     const Rules& rules) {
  if (!text.empty())
    return value_or_throw(parse_campaign(text, file, fs::current_path(), rules.own()));
  if (holds_results(file)) {
    if (rules.own().empty()) return value_or_throw(read_campaign_of(file));
    throw Failure{{ErrorCode::usage, "rules=",
                   "found rules and a directory of results; expected the campaign again, with "
                   "results= for the directory"}};
  }
  if (!rules.own().empty()) return value_or_throw(read_campaign(file, rules.own()));
  return value_or_throw(read_campaign_file(file, domains(), data));
}

py::dict axes_of(const std::vector<Axis>& axes) {
  py::dict out;
  for (const Axis& axis : axes)
    out[py::str(axis.name)] = to_python(Value(Value::Array(axis.values)));
  return out;
}

py::dict campaign_facts(const Campaign& campaign) {
  py::dict out;
  out["name"] = campaign.name;
  out["domain"] = std::string(campaign.domain->name);
  out["seed"] = campaign.seed;
  out["instances"] = campaign.instances;
  out["scenarios"] = campaign.scenarios;
  out["fixed"] = to_python(campaign.fixed);
  out["axes"] = axes_of(campaign.axes);
  py::list strategies;
  for (const StrategySpec& spec : campaign.strategies) strategies.append(spec.text);
  out["strategies"] = strategies;
  out["text"] = campaign.text;
  return out;
}

py::dict run(const std::string& text, const std::string& file, const std::string& results,
             const py::dict& options, const Rules& rules, const py::object& progress,
             const py::object& stop) {
  const auto number = [&options](const char* name) { return py::cast<double>(options[name]); };
  const double scale = number("scale");
  if (!(scale > 0))
    throw Failure{{ErrorCode::usage, "--scale",
                   fmt::format("found {}, expected a number greater than 0", scale)}};
  const Campaign campaign =
      scaled(read_source(text, file, py::cast<std::string>(options["data"]), rules), scale);
  RunOptions run;
  run.executor = py::cast<std::string>(options["executor"]);
  run.force = py::cast<bool>(options["force"]);
  run.command = py::cast<std::string>(options["command"]);
  for (const auto& word : py::cast<py::list>(options["program"]))
    run.setup.program.push_back(py::cast<std::string>(word));
  run.control.threads = static_cast<unsigned>(number("threads"));
  if (run.control.threads == 0 && !rules.own().empty()) run.control.threads = 1;
  std::optional<Result<RunReport>> report;
  Status page;
  run_beside({.progress = progress, .stop = stop},
             [&](const std::atomic<bool>& wanted, Latest& latest) {
               run.control.stop = &wanted;
               run.control.progress = [&latest](const Progress& now) { latest.set(now); };
               report = run_campaign(campaign, results, run);
               if (!*report || (*report)->interrupted || !(*report)->submitted.empty()) return;
               const auto there = Results::open(results);
               page = there ? write_report(*there, fs::path(results) / kReportFile, Links::refused,
                                           domains(), run.command)
                            : Status(fail(there.error()));
             });
  rules.rethrow();
  if (!*report) throw Failure{report->error()};
  const RunReport& said = **report;
  if (said.interrupted) {
    throw Failure{
        {ErrorCode::interrupted, "",
         fmt::format("stopped: {} of {} cells are kept", said.progress.done, said.progress.total)}};
  }
  value_or_throw(std::move(page));
  py::dict out;
  out["warnings"] = texts(said.warnings);
  out["submitted"] = texts(said.submitted);
  return out;
}

/// The cells of a campaign as columns, in the order of the design.
class Columns {
 public:
  explicit Columns(std::size_t most, std::vector<std::size_t> metrics)
      : most_{most}, metrics_{std::move(metrics)} {
    for (auto* column : {&position_, &instance_, &scenario_}) column->resize(most_);
    strategy_.resize(most_);
    completed_.resize(most_);
    counted_.resize(most_);
    values_.resize(most_ * metrics_.size());
  }

  void add(const PointCells& cells) {
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
        const auto cell = cells.cell(draw, strategy);
        if (!cell || size_ == most_) continue;
        position_[size_] = static_cast<std::int32_t>(cells.position());
        instance_[size_] = static_cast<std::int32_t>(draw / cells.scenarios());
        scenario_[size_] = static_cast<std::int32_t>(draw % cells.scenarios());
        strategy_[size_] = static_cast<std::int16_t>(strategy);
        completed_[size_] = cell->completed ? 1 : 0;
        counted_[size_] = cell->in_statistics ? 1 : 0;
        for (std::size_t m = 0; m < metrics_.size(); ++m)
          values_[m * most_ + size_] = cells.metric(draw, strategy, metrics_[m]);
        ++size_;
      }
    }
  }

  /// Returns all columns and gives up their memory. The metrics are one block, one column after the other.
  py::dict take() {
    py::dict out;
    out["position"] = block(std::move(position_), "i");
    out["instance"] = block(std::move(instance_), "i");
    out["scenario"] = block(std::move(scenario_), "i");
    out["strategy"] = block(std::move(strategy_), "h");
    out["completed"] = block(std::move(completed_), "?");
    out["in_statistics"] = block(std::move(counted_), "?");
    auto made = block(std::move(values_), "d");
    made->shape = {static_cast<py::ssize_t>(size_), static_cast<py::ssize_t>(metrics_.size())};
    made->strides = {sizeof(double), static_cast<py::ssize_t>(most_ * sizeof(double))};
    out["values"] = made;
    return out;
  }

 private:
  template <class T>
  std::shared_ptr<Block> block(std::vector<T> numbers, const char* format) const {
    auto held = std::make_shared<const std::vector<T>>(std::move(numbers));
    auto out = std::make_shared<Block>();
    out->data = held->data();
    out->owner = std::move(held);
    out->item_size = sizeof(T);
    out->format = format;
    out->shape = {static_cast<py::ssize_t>(size_)};
    out->strides = {sizeof(T)};
    return out;
  }

  std::size_t most_;
  std::size_t size_ = 0;
  std::vector<std::size_t> metrics_;
  std::vector<std::int32_t> position_, instance_, scenario_;
  std::vector<std::int16_t> strategy_;
  std::vector<char> completed_, counted_;
  std::vector<double> values_;
};

py::dict columns(const Results& results, const py::sequence& wanted) {
  std::vector<std::size_t> metrics;
  for (const auto& index : wanted) metrics.push_back(py::cast<std::size_t>(index));
  // This is an upper bound: points whose documents fix what happens have fewer cells. Counting them takes as long as reading
  // them.
  const Description& asked = results.description();
  const std::size_t most =
      results.points() * asked.instances * asked.scenarios * asked.strategies.size();
  Columns out(most, std::move(metrics));
  Status read;
  {
    const Released released;
    read = results.for_each_point([&out](const PointCells& cells) -> Status {
      out.add(cells);
      return {};
    });
  }
  value_or_throw(std::move(read));
  return out.take();
}

// Reads all cells without making columns, to measure what reading alone costs.
double read_all(const Results& results) {
  double sum = 0;
  value_or_throw(results.for_each_point([&sum](const PointCells& cells) -> Status {
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
        if (cells.cell(draw, strategy)) sum += cells.metric(draw, strategy, 0);
      }
    }
    return {};
  }));
  return sum;
}

py::dict facts(const Results& results) {
  const Description& said = results.description();
  py::dict out;
  out["name"] = said.name;
  out["domain"] = said.domain;
  out["seed"] = said.seed;
  out["instances"] = said.instances;
  out["scenarios"] = said.scenarios;
  out["axes"] = axes_of(said.axes);
  out["strategies"] = texts(said.strategies);
  out["shown"] = texts(said.for_people().strategies);
  py::list metrics;
  for (const StoredMetric& metric : said.metrics)
    metrics.append(py::make_tuple(metric.name, metric.unit, metric.summary));
  out["metrics"] = metrics;
  out["baseline"] =
      said.baseline ? py::object(py::str(said.strategies[*said.baseline])) : py::none();
  py::list points;
  for (std::size_t i = 0; i < results.points(); ++i)
    points.append(to_python(Value(results.parameters(i))));
  out["points"] = points;
  return out;
}

py::dict status(const Results& results) {
  const CampaignStatus now = value_or_throw(results.status());
  py::dict out;
  out["cells_done"] = now.cells_done;
  out["cells_total"] = now.cells_total;
  out["points_done"] = now.points_done;
  out["points_total"] = now.points_total;
  out["is_running"] = now.is_running;
  return out;
}

std::shared_ptr<Answered> answer(const Results& results) {
  return std::make_shared<Answered>(
      value_or_throw(campaign_answer(results, domain_of(results), {.data = false})));
}

py::list ratios(const Results& results, const std::string& metric, const std::string& numerator,
                const std::string& denominator, const py::sequence& by) {
  std::vector<std::string> axes;
  for (const auto& axis : by) axes.push_back(py::cast<std::string>(axis));
  py::list out;
  for (const RatioGroup& group :
       value_or_throw(group_ratios(results, metric, numerator, denominator, axes))) {
    const std::optional<double> mean = group.ratios.ratios().mean();
    const auto interval = group.ratios.ratios().interval();
    const auto number = [](bool is_there, double one) -> py::object {
      return is_there ? py::object(py::float_(one)) : py::none();
    };
    out.append(py::make_tuple(to_python(Value(group.values)), group.ratios.count(),
                              number(mean.has_value(), mean.value_or(0)),
                              number(interval.has_value(), interval ? (*interval)[0] : 0),
                              number(interval.has_value(), interval ? (*interval)[1] : 0)));
  }
  return out;
}

std::string export_to(const Results& results, const std::string& format) {
  const Domain* domain = domain_of(results);
  const auto fields = domain == nullptr ? std::span<const Parameter>() : domain->fields;
  return value_or_throw(export_results(results,
                                       value_or_throw(parse_export_format(format, "format=")),
                                       fields))
      .string();
}

std::string report_to(const Results& results, const std::string& path) {
  const fs::path file = path.empty() ? results.directory() / kReportFile : fs::path(path);
  value_or_throw(write_report(results, file, path.empty() ? Links::refused : Links::followed,
                              domains(), results.command()));
  return file.string();
}

py::dict charts(const Results& results) {
  const Page page = value_or_throw(report_page(results, domains(), results.command()));
  py::dict out;
  const auto add = [&out](const PageChart& chart) { out[py::str(chart.id)] = chart.draw({}); };
  if (page.answer_chart) add(*page.answer_chart);
  for (const PageSection& section : page.sections) std::ranges::for_each(section.charts, add);
  return out;
}

}  // namespace

void define_campaigns(py::module_& module) {
  module.def(
      "read_campaign",
      [](const std::string& text, const std::string& file, const std::string& data,
         const Rules& rules) { return campaign_facts(read_source(text, file, data, rules)); },
      py::arg("text"), py::arg("file"), py::arg("data"), py::arg("rules"));
  module.def("run_campaign", run, py::arg("text"), py::arg("file"), py::arg("results"),
             py::arg("options"), py::arg("rules"), py::arg("progress"), py::arg("stop"));
  module.def(
      "holds_results", [](const std::string& path) { return holds_results(path); },
      py::arg("path"));
  py::class_<Results, std::shared_ptr<Results>>(module, "Results", "The results of a campaign.")
      .def(py::init([](const std::string& directory) {
             return std::make_shared<Results>(value_or_throw(Results::open(directory)));
           }),
           py::arg("directory"))
      .def("facts", facts)
      .def("status", status)
      .def("columns", columns, py::arg("metrics"))
      .def("read_all", read_all)
      .def("answer", answer)
      .def("ratios", ratios, py::arg("metric"), py::arg("numerator"), py::arg("denominator"),
           py::arg("by"))
      .def("export", export_to, py::arg("format"))
      .def("charts", charts)
      .def("report", report_to, py::arg("path"));
}

}  // namespace holdfast::python
