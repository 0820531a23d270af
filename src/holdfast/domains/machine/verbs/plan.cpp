#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/machine/instance_io.hpp"
#include "holdfast/domains/machine/mix.hpp"
#include "holdfast/domains/machine/strategies.hpp"
#include "holdfast/domains/machine/tune_load.hpp"
#include "holdfast/domains/machine/verbs.hpp"
#include "holdfast/models/resilience/failure_text.hpp"
#include "holdfast/models/resilience/period.hpp"
#include "holdfast/models/resilience/shared_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::machine {
namespace {

constexpr double kGigabyte = 1e9;

struct PlanOptions {
  std::optional<double> target_share;
  double load = 1;
  std::optional<double> regular_load;
  bool tune_load = false;
  std::string tune_for = "fcfs:waiting=blocking";
  std::int64_t tune_scenarios = 10;
};
const Fields<PlanOptions>& plan_options() {
  using S = PlanOptions;
  static constexpr auto kRows = std::to_array<Field<S>>({
      {.name = "target_share",
       .summary = "also give the bandwidth at which this share of the machine is useful",
       .member = member<&S::target_share>,
       .range = {.minimum = 0, .maximum = 1, .above_minimum = true, .below_maximum = true}},
      {.name = "load",
       .summary = "share of the bandwidth that the periods may use",
       .member = member<&S::load>,
       .range = {.minimum = 0, .maximum = 1, .above_minimum = true}},
      {.name = "regular_load",
       .summary = "share of the bandwidth for input and output; default: that of the classes",
       .member = member<&S::regular_load>,
       .range = non_negative()},
      {.name = "tune_load",
       .summary = "find by simulation the load with the best periods for jobs that stall while "
                  "they wait, and plan for it",
       .member = member<&S::tune_load>},
      {.name = "tune_for",
       .summary = "tune-load: the strategy that shares the bandwidth",
       .member = member<&S::tune_for>},
      {.name = "tune_scenarios",
       .summary = "tune-load: number of scenarios for each load",
       .member = member<&S::tune_scenarios>,
       .range = between(2, 1e4)},
  });
  static const Fields<S> kFields(kRows);
  return kFields;
}

/// The problem of a plan: the machine with its classes, and their names.
struct Question {
  SharedMachine machine;
  std::vector<std::string> names;
  std::vector<SharedClass> classes;  ///< of the machine, as shares
  double regular = 0;                ///< share of the bandwidth
  bool is_exponential = true;
  std::vector<std::string> notes;  ///< oddities of the files that it names
};

// Endless jobs that are alike form one class. Its name is that in the document, or the id of its first job if several classes
// have the same name.
std::vector<std::string> names_of(const Instance& instance) {
  std::vector<std::string> names;
  if (!instance.is_steady()) {
    for (const JobClass& one : instance.classes) names.push_back(one.name);
    return names;
  }
  RunningMix mix(instance, 1);
  std::vector<const Job*> first;  // of each kind
  for (const Job& job : instance.jobs) {
    if (mix.kind_of(job) == first.size()) first.push_back(&job);
  }
  for (const Job* job : first) {
    const auto kinds = std::count_if(
        first.begin(), first.end(), [job](const Job* other) { return other->group == job->group; });
    names.push_back(kinds == 1 ? instance.groups[job->group] : job->id);
  }
  return names;
}

Result<Question> question_of(const PlanOptions& options, const Request& request) {
  Value document = request.parameters;
  if (document.find("classes") == nullptr && document.find("jobs") == nullptr) {
    return fail(ErrorCode::bad_value, "/classes",
                "is missing: a CSV file with a line for each class of jobs, as in "
                "examples/data/machine-cielo.csv");
  }
  // A plan needs no horizon; drawn jobs need one only in simulations.
  if (document.find("horizon") == nullptr) document.set("horizon", kYear);
  HOLDFAST_TRY(instance, read_instance(document, request.directory));
  auto machine = shared_machine(instance);
  if (!machine) {
    return fail(
        ErrorCode::bad_value, "/jobs",
        "found jobs that come and go, expected 'classes' (with shares, or with a 'mix'), or "
        "jobs without 'work', which run for ever");
  }
  if (options.regular_load) {
    for (MachineClass& one : machine->classes) one.regular = 0;
    machine->regular = *options.regular_load * machine->bandwidth;
  }
  Question out;
  out.machine = std::move(*machine);
  out.notes = instance.notes;
  out.names = names_of(instance);
  out.classes = shared_classes(out.machine);
  out.regular = regular_load(out.machine);
  out.is_exponential = !instance.law || instance.law->name() == "exponential";
  return out;
}

// Bandwidths are shown in gigabytes per second, unless they are too small for that, as in examples.
std::string bandwidth_text(double bandwidth) {
  constexpr double kLeast = 1e-3 * kGigabyte;
  return bandwidth >= kLeast ? fmt::format("{:.4g} GB/s", bandwidth / kGigabyte)
                             : fmt::format("{:.4g} B/s", bandwidth);
}

std::string headline_of(const Question& question) {
  const SharedMachine& m = question.machine;
  return fmt::format("{} of jobs on {}, {}, {}", counted(std::ssize(m.classes), "class", "classes"),
                     counted(static_cast<std::int64_t>(m.nodes), "node"),
                     std::isfinite(m.bandwidth)
                         ? fmt::format("a file system of {}", bandwidth_text(m.bandwidth))
                         : "a file system without limit",
                     mtbf_text(m.mtbf, static_cast<std::int64_t>(m.nodes)));
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

// A document cannot hold infinity: a class that never checkpoints has no period.
void set_period(Value& object, std::string_view name, double period) {
  if (std::isfinite(period)) object.set(name, period);
}

Value shown_period(double period) {
  return std::isfinite(period) ? Value(period) : Value("never");
}

/// The three plans that are compared.
struct Plans {
  SharedPlan alone;
  std::optional<SharedPlan> here;
  std::optional<SharedPlan> first_order;
};

void add_classes(const Question& question, const Plans& plans, Answer& answer) {
  Table periods{.title = "work between two checkpoints",
                .columns = {{.title = "class"},
                            {.title = "write", .unit = Unit::seconds, .digits = 4},
                            {.title = "Young/Daly", .unit = Unit::seconds, .digits = 4},
                            {.title = "alone", .unit = Unit::seconds, .digits = 4},
                            {.title = "here", .unit = Unit::seconds, .digits = 4},
                            {.title = "first order", .unit = Unit::seconds, .digits = 4}}};
  Table shares{.title = "effect of these periods",
               .columns = {{.title = "class"},
                           {.title = "nodes"},
                           {.title = "running", .digits = 4},
                           {.title = "useful share", .digits = 4},
                           {.title = "share of the bandwidth", .digits = 4}}};
  Value list = Value::array();
  for (std::size_t i = 0; i < question.classes.size(); ++i) {
    const SharedClass& one = question.classes[i];
    const double checkpoint = one.costs.checkpoint;
    const bool writes = !one.segment;
    const double young_daly =
        std::isfinite(1 / one.rate) ? young_daly_period(checkpoint, 1 / one.rate) : kNever;
    Value object = Value::object({{"name", question.names[i]},
                                  {"nodes", question.machine.classes[i].nodes},
                                  {"running", one.jobs},
                                  {"checkpoint_length", checkpoint}});
    std::vector<Value> row = {question.names[i], checkpoint};
    const auto add = [&](std::string_view name, std::optional<double> period) {
      if (writes && period) set_period(object, name, *period);
      row.push_back(!writes ? Value("none") : period ? shown_period(*period) : Value("-"));
    };
    add("young_daly", young_daly);
    add("alone", plans.alone.periods[i]);
    add("period", plans.here ? std::optional(plans.here->periods[i]) : std::nullopt);
    add("first_order",
        plans.first_order ? std::optional(plans.first_order->periods[i]) : std::nullopt);
    periods.rows.push_back(std::move(row));
    if (plans.here) {
      const LongRunShares to = long_run_shares(plans.here->periods[i], one.costs, one.rate);
      const double load = one.jobs * one.bandwidth * to.transfer;
      object.set("useful_share", to.useful);
      object.set("load", load);
      shares.rows.push_back(
          {question.names[i], question.machine.classes[i].nodes, one.jobs, to.useful, load});
    }
    list.push(std::move(object));
  }
  answer.document.set("classes", std::move(list));
  answer.tables.push_back(std::move(periods));
  if (plans.here) answer.tables.push_back(std::move(shares));
}

void say_plan(const Question& question, const Plans& plans, double bound, double limit,
              Answer& answer) {
  const SharedPlan& here = *plans.here;
  std::string limits;
  if (limit < 1) limits += " if no job waits";
  if (question.is_exponential) {
    limits += limit < 1 ? fmt::format("; no rule exceeds {}", percent(bound))
                        : std::string(", and no rule exceeds that");
  }
  answer.verdict.push_back(fmt::format("with these periods {} of the machine does useful work{}",
                                       percent(here.useful_share), limits));
  answer.verdict.push_back(
      here.price > 0
          ? fmt::format("if each class planned alone, together they would need {} of the bandwidth",
                        percent(plans.alone.load))
          : fmt::format(
                "the bandwidth suffices for each class's own best period: together they need {}",
                percent(here.load)));
}

void say_no(const Question& question, double limit, Answer& answer) {
  const double least = least_shared_load(question.classes, question.regular);
  const double from = least_bandwidth(question.machine, limit);
  answer.is_no = true;
  answer.document.set("least_load", least);
  answer.document.set("least_bandwidth", from);
  answer.verdict.push_back(
      fmt::format("no: recoveries and regular I/O alone take {} of the bandwidth, however rare "
                  "checkpoints are; a plan needs at least {}",
                  percent(least), bandwidth_text(from)));
}

void say_what_it_is_worth(const Question& question, double bound, Answer& answer) {
  const SharedMachine& m = question.machine;
  const double value = value_of_bandwidth(m) * kGigabyte * m.nodes * 24;
  answer.document.set("value_of_bandwidth", value);
  answer.verdict.push_back(
      value > 0
          ? fmt::format("one more GB/s is worth {:.4g} node-hours per day", value)
          : fmt::format("one more GB/s is worth nothing: the nodes limit the useful share to {}",
                        percent(bound)));
}

void say_target(const Question& question, double target, Answer& answer) {
  const auto needed = bandwidth_for_share(question.machine, target);
  if (needed) {
    answer.document.set("bandwidth_for_target", *needed);
    answer.verdict.push_back(
        fmt::format("a useful share of {} needs {}", percent(target), bandwidth_text(*needed)));
    return;
  }
  SharedMachine unlimited = question.machine;
  unlimited.bandwidth = kNever;
  answer.is_no = true;
  answer.verdict.push_back(
      fmt::format("no bandwidth gives a useful share of {}: with unlimited bandwidth it is {}",
                  percent(target), percent(*useful_share_bound(unlimited))));
}

// Searches over sixty days, of which the first ten fill the queue of the file system, unless the document says otherwise.
Result<LoadSearch> search_of(const PlanOptions& options, const Request& request) {
  constexpr double kDay = 86400;
  Value document = request.parameters;
  if (document.find("horizon") == nullptr) {
    document.set("horizon", 60 * kDay);
    if (document.find("warmup") == nullptr) document.set("warmup", 10 * kDay);
  }
  HOLDFAST_TRY(instance, read_instance(document, request.directory));
  auto sharing = parse_strategy(options.tune_for, strategies());
  if (!sharing) {
    Error error = std::move(sharing).error();
    error.where = "/tune_for";
    return fail(std::move(error));
  }
  return tune_load(instance, *sharing, request.seed, options.tune_scenarios, request.stop);
}

void say_search(const LoadSearch& search, const std::string& rule, Answer& answer) {
  const TriedLoad& best = search.tried[search.best];
  Table table{.title = fmt::format(
                  "useful share under {}, by the load that the periods are planned for", rule),
              .columns = {{.title = "load"},
                          {.title = "useful share", .digits = 4},
                          {.title = "s.e.", .digits = 2},
                          {.title = "below the best", .digits = 2},
                          {.title = "s.e. of the difference", .digits = 2}}};
  Value tried = Value::array();
  const auto add = [&](Value name, const TriedLoad& row) {
    table.rows.push_back({name, row.useful_share, row.error, row.behind, row.behind_error});
    tried.push(Value::object({{"load", std::move(name)},
                              {"useful_share", row.useful_share},
                              {"standard_error", row.error},
                              {"behind", row.behind},
                              {"behind_error", row.behind_error}}));
  };
  for (const TriedLoad& row : search.tried) add(row.load, row);
  add("young-daly", search.young_daly);
  answer.tables.push_back(std::move(table));
  answer.document.set("tuned_load", best.load);
  answer.document.set("tried_loads", std::move(tried));
  // Loads whose distance to the best is within two standard errors are as good.
  double low = best.load, high = best.load;
  for (const TriedLoad& row : search.tried) {
    if (row.behind > 2 * row.behind_error) continue;
    low = std::min(low, row.load);
    high = std::max(high, row.load);
  }
  const std::string others =
      low < high
          ? fmt::format(" ({:.2f} to {:.2f} are as good within two standard errors)", low, high)
          : std::string();
  answer.verdict.push_back(
      fmt::format("under {} the best load is {:.2f}{}: {} useful, against {} with the periods of "
                  "Young and Daly",
                  rule, best.load, others, percent(best.useful_share),
                  percent(search.young_daly.useful_share)));
}

Result<Answer> run_plan(const PlanOptions& given, const Request& request) {
  PlanOptions options = given;
  std::optional<LoadSearch> search;
  if (options.tune_load) {
    HOLDFAST_TRY(found, search_of(options, request));
    options.load = found.tried[found.best].load;
    search = std::move(found);
  }
  HOLDFAST_TRY(question, question_of(options, request));
  const Plans plans{
      .alone = plan_of_each_alone(question.classes, question.regular),
      .here = plan_shared(question.classes, question.regular, options.load),
      .first_order = plan_shared_first_order(question.classes, question.regular, options.load)};
  const std::optional<double> bound = useful_share_bound(question.machine);
  Answer answer;
  answer.headline = headline_of(question);
  answer.warnings = question.notes;
  if (!question.is_exponential) {
    answer.warnings.push_back(
        "failures are not exponential: periods and price are those of their mean, and the bound "
        "does not hold");
  }
  if (search) say_search(*search, options.tune_for, answer);
  add_classes(question, plans, answer);
  answer.document.set("pressure", plans.alone.load);
  if (plans.here) answer.document.set("price", plans.here->price);
  if (bound) answer.document.set("bound", *bound);
  if (plans.here) {
    answer.document.set("useful_share", plans.here->useful_share);
    answer.document.set("load", plans.here->load);
    say_plan(question, plans, *bound, options.load, answer);
  } else {
    say_no(question, options.load, answer);
  }
  answer.document.set("regular_load", question.regular);
  answer.document.set("alone", plans.alone.useful_share);
  if (plans.first_order) {
    answer.document.set("first_order",
                        Value::object({{"price", plans.first_order->price},
                                       {"load", plans.first_order->load},
                                       {"useful_share", plans.first_order->useful_share}}));
  }
  if (bound) say_what_it_is_worth(question, *bound, answer);
  if (options.target_share) say_target(question, *options.target_share, answer);
  if (plans.here) {
    answer.lines.push_back(
        fmt::format("pressure {:.6g}, price {:.6g}, bound {:.6f}; input and output take {}",
                    plans.alone.load, plans.here->price, *bound, percent(question.regular)));
  }
  if (plans.first_order && plans.first_order->price > 0) {
    answer.lines.push_back(fmt::format("the first-order periods need {} of the bandwidth",
                                       percent(plans.first_order->load)));
  }
  return answer;
}

// A plan is for jobs that run all the time, so arrivals and the end of the run have no effect.
constexpr auto kUnusedInPlans = std::to_array<std::string_view>(
    {"on_failure", "repair", "scheduler", "walltime", "platform_age", "jitter", "jobs",
     "jobs_format", "compress", "checkpoint_per_node", "input_per_node", "output_per_node",
     "cores"});

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"classes[].name", "name of a class of jobs", Holds::text},
     {"classes[].nodes", "nodes of a job of it"},
     {"classes[].running", "jobs of it that run at a time"},
     {"classes[].checkpoint_length", "time to write a checkpoint with all of the bandwidth",
      Unit::seconds},
     {"classes[].young_daly?",
      "period of Young and Daly; absent, as the others, if it never checkpoints", Unit::seconds},
     {"classes[].alone?", "best period of the class if it had the file system for itself",
      Unit::seconds},
     {"classes[].period?", "best period of the class on this machine", Unit::seconds},
     {"classes[].first_order?", "the same to first order", Unit::seconds},
     {"classes[].useful_share?", "part of its node time that is useful with this period"},
     {"classes[].load?", "part of the bandwidth that it takes"},
     {"tuned_load?", "load with the largest useful share, with --tune-load"},
     {"tried_loads?[].load", "a load that was tried, or young-daly", Holds::number_or_text},
     {"tried_loads?[].useful_share", "useful share that was simulated"},
     {"tried_loads?[].standard_error", "its standard error"},
     {"tried_loads?[].behind", "distance to the best one"},
     {"tried_loads?[].behind_error", "its standard error"},
     {"pressure", "part of the bandwidth that the classes would take if each planned alone"},
     {"price?", "price of the bandwidth; absent if there is no plan"},
     {"bound?", "useful share that no rule exceeds"},
     {"useful_share?", "useful share of the machine with these periods"},
     {"load?", "part of the bandwidth that they take"},
     {"least_load?",
      "part of the bandwidth that recoveries and regular I/O take, if there is no plan"},
     {"least_bandwidth?", "bandwidth that a plan needs at least", Unit::bytes_per_second},
     {"regular_load", "part of the bandwidth that input and output take"},
     {"alone", "useful share if each class had the file system for itself"},
     {"first_order?.price", "price to first order"},
     {"first_order?.load", "part of the bandwidth that these periods take"},
     {"first_order?.useful_share", "useful share with these periods"},
     {"value_of_bandwidth?", "node-hours per day that one more GB/s is worth"},
     {"bandwidth_for_target?", "bandwidth that --target-share needs", Unit::bytes_per_second}});

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary =
              "how often each class should checkpoint, the best possible use of the machine, and "
              "the value of bandwidth",
          .example =
              "holdfast machine plan --classes examples/data/machine-cielo.csv --nodes 17784 "
              "--bandwidth 80GB/s --mtbf 17784h --target-share 0.8",
          .options = plan_options().parameters(),
          .results = kPlanResults,
          .unused = kUnusedInPlans,
          .run = with_options<run_plan, plan_options>};
}

}  // namespace holdfast::machine
