#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/spare_count.hpp"
#include "holdfast/domains/checkpoint/spare_log.hpp"
#include "holdfast/domains/checkpoint/spare_sample.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr double kMonth = 30 * 86400.0;
/// Mean repairs from which on a job is in the steady state of the closed forms.
constexpr double kSteadyRepairs = 5;
/// Spares beyond as many as there are nodes that are not simulated.
constexpr std::int64_t kMostSampled = 100;
/// Rows of the table on each side of the answer.
constexpr std::int64_t kAround = 4;

struct SparesOptions {
  double target = 0.99;
  std::optional<std::int64_t> most;
  double test_after_repair = 0;
};
constexpr auto kSparesOptions = std::to_array<Field<SparesOptions>>({
    {.name = "target",
     .summary =
         "fraction of the efficiency with infinitely many spares; without a downtime this is "
         "the fraction of the time in which all nodes are there",
     .member = member<&SparesOptions::target>,
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true, .below_maximum = true}},
    {.name = "most",
     .summary = "show all numbers of spares up to this one",
     .member = member<&SparesOptions::most>,
     .range = between(0, 1000)},
    {.name = "test_after_repair",
     .summary = "also with a test that finds this fraction of the repairs that do not help",
     .member = member<&SparesOptions::test_after_repair>,
     .range = between(0, 1)},
});

/// The question, and the numbers that the answer consists of.
struct SparesQuestion {
  Instance instance;
  SparesOptions options;
  std::uint64_t seed = 1;
  bool is_whole = false;  ///< true: nodes and spares are all nodes of the log

  /// Returns the largest number of spares.
  [[nodiscard]] std::int64_t most() const {
    if (is_whole) return instance.recorded->nodes - 1;
    if (instance.recorded) return instance.recorded->nodes - instance.processors;
    const std::int64_t all = kMostPoolNodes - instance.processors;
    return has_closed_form() ? all : std::min(all, instance.processors + kMostSampled);
  }
  /// Returns true if the closed form is that of the question: memoryless, or independent nodes, in the long run.
  [[nodiscard]] bool has_closed_form() const {
    const SparePlatform& platform = instance.platform;
    const bool is_independent = platform.idle_ageing == 1 && !platform.repairers;
    const bool is_memoryless = instance.law->name() == "exponential" && !platform.relapse &&
                               platform.repair->is_exponential();
    const bool is_long = instance.work >= kSteadyRepairs * platform.repair->mean();
    return (is_independent || is_memoryless) && is_long;
  }
  /// Returns what each number of spares is worth.
  [[nodiscard]] SpareTable table(double repair_factor, double repair_failure) const {
    if (!instance.recorded && !has_closed_form()) {
      const auto sampled =
          std::make_shared<SampledSpares>(instance, repair_factor, repair_failure, seed);
      return [sampled](std::int64_t spares) { return sampled->row(spares); };
    }
    return instance.recorded ? logged_table(instance, repair_factor, is_whole)
                             : closed_forms(instance, repair_factor, repair_failure);
  }
  [[nodiscard]] bool knows_efficiency() const { return instance.checkpoint > 0; }
  /// Returns the number of spares that reaches the target; nothing if none does.
  [[nodiscard]] std::optional<std::int64_t> needed(const SpareTable& table) const {
    const auto is_enough = [&](std::int64_t spares) {
      const SpareRow row = table(spares);
      return row.efficiency >= options.target * row.bound * (1 - 1e-12);
    };
    return smallest(is_enough, most());
  }
};

std::string share_text(double share) {
  return to_text(100 * share, share > 0.999 ? 6 : 4);
}

std::string spares_text(std::int64_t spares) {
  return counted(spares, "spare");
}

// One more spare pays while the share with all nodes grows faster than the number of nodes.
std::int64_t cheapest(const SparesQuestion& question, const SpareTable& table,
                      std::int64_t needed) {
  if (question.instance.is_elastic()) {  // the first spares may not pay where later ones do
    std::int64_t best = 0;
    for (std::int64_t spares = 1; spares <= std::min(question.most(), 2 * needed + kAround);
         ++spares)
      if (table(spares).cost < table(best).cost) best = spares;
    return best;
  }
  const auto pays_no_more = [&](std::int64_t spares) {
    const double now = table(spares).cost;
    return std::isfinite(now) && !(table(spares + 1).cost < now);
  };
  return smallest(pays_no_more, question.most() - 1).value_or(0);
}

Status refuse_target(const SparesQuestion& question) {
  const double ceiling =
      most_full_share(spare_nodes(question.instance, question.instance.platform, 0));
  if (question.instance.platform.chosen() == Replacement::same) {
    return fail(ErrorCode::infeasible, "/replacement",
                "found same, expected another: the job waits for each repair, so spares do not "
                "help");
  }
  if (ceiling < 1) {
    return fail(ErrorCode::infeasible, "/target",
                fmt::format("no number of spares reaches {} with {} at once: at most {:.4g} of the "
                            "time all nodes are there",
                            question.options.target,
                            counted(*question.instance.platform.repairers, "repair"), ceiling));
  }
  return fail(ErrorCode::infeasible, "/target",
              fmt::format("no number of spares up to {} reaches {}", question.most(),
                          question.options.target));
}

std::string cost_text(const SparesQuestion& question, double node_hours) {
  const auto& price = question.instance.platform.node_price;
  return to_text(node_hours * price.value_or(1), 4);
}

void add_efficiency(const SparesQuestion& question, const SpareRow& row, Answer& answer) {
  if (!question.knows_efficiency()) return;
  answer.verdict.push_back(
      fmt::format("efficiency {:.4f}; infinite spares {:.4f} (bound)", row.efficiency, row.bound));
}

void add_cheapest(const SparesQuestion& question, const SpareTable& table, std::int64_t needed,
                  Answer& answer) {
  const std::int64_t best = cheapest(question, table, needed);
  std::vector<std::string> others;
  for (const std::int64_t spares : {best - 1, best + 1}) {
    if (spares < 0 || spares > question.most()) continue;
    others.push_back(fmt::format("{}: {}", spares, cost_text(question, table(spares).cost)));
  }
  const bool has_price = question.instance.platform.node_price.has_value();
  answer.verdict.push_back(fmt::format("cheapest: {}, {}{} per useful hour of the job ({})",
                                       spares_text(best), cost_text(question, table(best).cost),
                                       has_price ? "" : " node-hours", join(others, ", ")));
  answer.document.set("cheapest", Value::object({{"spares", best}, {"cost", table(best).cost}}));
}

// What a better repair would be worth, and how often a node is lacking.
void add_repairs(const SparesQuestion& question, const SpareRow& row, Answer& answer) {
  const SparePlatform& platform = question.instance.platform;
  const auto needed = [&](double factor, double failure, std::string_view name) {
    const auto spares = question.needed(question.table(factor, failure));
    if (spares) answer.document.set(name, *spares);
    return spares ? spares_text(*spares) : std::string("no number of spares is enough");
  };
  std::string line =
      fmt::format("repairs twice as fast: {}; idle on average: {}",
                  needed(0.5, platform.repair_failure, "spares_if_repairs_twice_as_fast"),
                  with_noun(to_text(row.idle, 2), "node", "nodes"));
  if (row.shortage_rate > 0) {
    line += fmt::format("; a shortage every {}, {} long", format_duration(1 / row.shortage_rate),
                        format_duration(row.shortage_length));
  }
  answer.verdict.push_back(std::move(line));
  if (!(platform.repair_failure > 0 && question.options.test_after_repair > 0)) return;
  const double left = platform.repair_failure * (1 - question.options.test_after_repair);
  answer.verdict.push_back(
      fmt::format("a test that finds {:.3g} % of the repairs that do not help: {}",
                  100 * question.options.test_after_repair, needed(1, left, "spares_with_test")));
}

void add_spare_table(const SparesQuestion& question, const SpareTable& table, std::int64_t needed,
                     Answer& answer) {
  const auto& most = question.options.most;
  const std::int64_t first = most ? 0 : std::max<std::int64_t>(0, needed - kAround);
  const std::int64_t last = std::min(question.most(), most.value_or(needed + kAround));
  const bool has_price = question.instance.platform.node_price.has_value();
  Table out{
      .title = "by the number of spares",
      .columns = {{.title = "spares"},
                  {.title = "all nodes there (%)"},
                  {.title = "efficiency", .digits = 4},
                  {.title = "waiting (h per 30 d)", .digits = 4},
                  {.title = "idle nodes", .digits = 3},
                  {.title = has_price ? "cost of a useful hour" : "node-hours per useful hour",
                   .digits = 5}}};
  Value rows = Value::array();
  for (std::int64_t spares = first; spares <= last; ++spares) {
    const SpareRow row = table(spares);
    const double waiting = (1 - row.works) * kMonth;
    const double cost = row.cost * question.instance.platform.node_price.value_or(1);
    out.rows.push_back({spares, 100 * row.full, row.efficiency, waiting / 3600, row.idle,
                        std::isfinite(cost) ? Value(cost) : Value()});
    Value entry = Value::object({{"spares", spares},
                                 {"full_share", row.full},
                                 {"efficiency", row.efficiency},
                                 {"idle", row.idle},
                                 {"shortages_per_second", row.shortage_rate},
                                 {"shortage_seconds", row.shortage_length}});
    if (std::isfinite(row.cost) && !question.is_whole) entry.set("cost", row.cost);
    rows.push(std::move(entry));
  }
  if (question.is_whole) {  // the job shrinks from row to row
    for (auto& cells : out.rows) cells.pop_back();
    out.columns.pop_back();
  }
  if (!question.knows_efficiency()) {
    for (auto& cells : out.rows) cells.erase(cells.begin() + 2);
    out.columns.erase(out.columns.begin() + 2);
  }
  answer.document.set("rows", std::move(rows));
  answer.tables.push_back(std::move(out));
}

// The number of spares if nodes failed and were repaired independently, with the means of the log.
std::optional<std::int64_t> if_independent(const SparesQuestion& question) {
  SpareNodes nodes = spare_nodes(question.instance, question.instance.platform, 0);
  return smallest(
      [&](std::int64_t spares) {
        nodes.spares = spares;
        if (question.is_whole) nodes.nodes = question.instance.recorded->nodes - spares;
        return shares_of(nodes).full >= question.options.target;
      },
      question.most());
}

// The number of spares by simulation is uncertain; a short job begins with all nodes.
void add_sampled(const SparesQuestion& question, std::int64_t needed, Answer& answer) {
  const Instance& instance = question.instance;
  SampledSpares samples(instance, 1, instance.platform.repair_failure, question.seed);
  const auto [low, high] = samples.interval(question.options.target, needed);
  answer.document.set("interval", Value(Value::Array{low, high}));
  std::string line =
      fmt::format("by simulation {} (95 % interval {} to {})", spares_text(needed), low, high);
  if (std::isfinite(instance.work) &&
      instance.work < kSteadyRepairs * instance.platform.repair->mean()) {
    SparesQuestion steady = question;
    steady.instance.work = Instance::kNever;
    const auto more = steady.needed(steady.table(1, instance.platform.repair_failure));
    if (more) {
      line += fmt::format("; the job of {} begins with all nodes, in the long run {}",
                          format_duration(instance.work), spares_text(*more));
      answer.document.set("spares_in_the_long_run", *more);
    }
  }
  answer.verdict.push_back(std::move(line));
}

void add_log(const SparesQuestion& question, std::int64_t needed, std::uint64_t seed,
             Answer& answer) {
  const RecordedOutages& recorded = *question.instance.recorded;
  const LoggedSpares log(recorded, question.is_whole ? 0 : question.instance.processors);
  const LoggedSpares::Interval interval = log.interval(question.options.target, seed);
  const auto independent = if_independent(question);
  answer.verdict.push_back(
      fmt::format("{}by the log {} (95 % interval {} to {}, from blocks of {}), if independent {}",
                  come_together(recorded) ? "recorded outages come together: " : "",
                  spares_text(needed), interval.low, interval.high, format_duration(interval.block),
                  independent ? std::to_string(*independent) : "more than there are"));
  answer.document.set("interval", Value(Value::Array{interval.low, interval.high}));
  if (independent) answer.document.set("spares_if_independent", *independent);
}

// Says for which laws the numbers are exact.
void add_remarks(const SparesQuestion& question, Answer& answer) {
  const Instance& instance = question.instance;
  if (instance.recorded) {
    if (question.knows_efficiency()) {
      answer.lines.push_back("efficiencies are those of memoryless failures at the observed rate");
    }
    return;
  }
  if (instance.is_elastic()) {
    answer.lines.push_back(
        "on fewer nodes efficiencies are approximate, some 0.3 % too high ('simulate' runs the "
        "job)");
  }
  if (!question.has_closed_form()) {
    answer.lines.push_back(fmt::format(
        "by simulation: {} draws, seed {}{}", SampledSpares::kDraws, question.seed,
        question.knows_efficiency() ? "; efficiencies are those of memoryless failures" : ""));
  } else if (instance.law->name() != "exponential" && question.knows_efficiency()) {
    answer.lines.push_back(
        "the shares of time are exact for any laws with these means; efficiencies are those of "
        "memoryless failures");
  }
  if (!question.knows_efficiency()) {
    answer.lines.push_back("with --checkpoint (and --recovery): the efficiency of the job");
  }
}

Result<SparesQuestion> spares_question(const SparesOptions& options, const Request& request) {
  const bool has_job = request.parameters.find("checkpoint") != nullptr;
  const bool is_replayed = request.parameters.at("/failures/log") != nullptr &&
                           request.parameters.find("repair") == nullptr;
  Value parameters = request.parameters;
  if (is_replayed) parameters.set_at("/failures/replay", true);
  const bool is_elastic = request.parameters.find("minimum_nodes") != nullptr && !is_replayed;
  if (is_elastic) parameters.set("spares", 0);  // it needs a pool, whose spares are the question
  HOLDFAST_TRY(instance, has_job ? read_instance(parameters, request.directory)
                                 : read_platform(parameters, request.directory));
  if (is_elastic) instance.platform.spares.reset();
  if (instance.recorded) {
    std::vector<double> lengths;
    for (const FailureEvent& outage : instance.recorded->outages) lengths.push_back(outage.repair);
    instance.platform.repair = RepairLaw::recorded(lengths);
    instance.platform.spares.reset();
    instance.work = Instance::kNever;
  }
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution', 'mtbf' or 'log'), expected one: how often a node "
                "fails");
  }
  if (instance.is_elastic() && instance.recorded) {
    return fail(ErrorCode::bad_value, "/minimum_nodes",
                "found with a log, expected without: 'simulate' with 'replay' runs such a job");
  }
  if (instance.late.failure > 0) {
    return fail(ErrorCode::bad_value, "/save_failure",
                "is given, expected none: the efficiency is known for checkpoints that are whole "
                "('simulate' runs others)");
  }
  const auto& repair = instance.platform.repair;
  if (!repair || repair->mean() == 0) {
    return fail(ErrorCode::bad_value, "/repair",
                repair ? std::string("found 0, expected more: no node is ever lacking")
                       : std::string("is missing: how long the repair of a node takes"));
  }
  const bool is_whole = instance.recorded && request.parameters.find("processors") == nullptr;
  return SparesQuestion{.instance = std::move(instance),
                        .options = options,
                        .seed = request.seed,
                        .is_whole = is_whole};
}

// The answer where the length of a repair is unknown: the number for several lengths.
Result<Answer> by_repair(const SparesOptions& options, const Request& request) {
  constexpr auto kLengths =
      std::to_array<double>({3600, 8 * 3600, 86400, 3 * 86400, 7 * 86400, kMonth});
  Answer answer;
  Table out{.title = "by the mean length of a repair",
            .columns = {{.title = "repair"},
                        {.title = "spares"},
                        {.title = "all nodes there (%)"},
                        {.title = "idle nodes", .digits = 3}}};
  Value rows = Value::array();
  std::vector<std::string> parts;
  for (const double length : kLengths) {
    Request with = request;
    with.parameters.set_at("/repair/mean", length);
    HOLDFAST_TRY(question, spares_question(options, with));
    const SpareTable table = question.table(1, question.instance.platform.repair_failure);
    const auto needed = question.needed(table);
    if (!needed) return fail(refuse_target(question).error());
    const SpareRow row = table(*needed);
    parts.push_back(fmt::format("{} if it takes {}", *needed, format_duration(length)));
    out.rows.push_back({format_duration(length), *needed, 100 * row.full, row.idle});
    rows.push(Value::object(
        {{"repair", length}, {"spares", *needed}, {"full_share", row.full}, {"idle", row.idle}}));
    answer.headline = headline(question.instance);
  }
  answer.verdict.push_back(
      fmt::format("spares depend on the repair of a node (--repair): {}, for a target of {:g} %",
                  join(parts, ", "), 100 * options.target));
  answer.document.set("target", options.target);
  answer.document.set("by_repair", std::move(rows));
  answer.tables.push_back(std::move(out));
  return answer;
}

Result<Answer> run_spares(const SparesOptions& options, const Request& request) {
  const Value& given = request.parameters;
  if (given.find("repair") == nullptr && given.at("/failures/log") == nullptr)
    return by_repair(options, request);
  HOLDFAST_TRY(question, spares_question(options, request));
  const SparePlatform& platform = question.instance.platform;
  const SpareTable table = question.table(1, platform.repair_failure);
  const auto needed = question.needed(table);
  if (!needed) return fail(refuse_target(question).error());
  const SpareRow row = table(*needed);
  Answer answer;
  Instance job = question.instance;
  if (question.is_whole) job.processors = question.instance.recorded->nodes - *needed;
  answer.headline = headline(job);
  if (!platform.has_pool()) answer.headline += "; " + repairs_in_words(platform);
  std::vector<std::string> others;
  for (const std::int64_t spares : {*needed - 1, *needed + 1}) {
    if (spares < 0 || spares > question.most()) continue;
    others.push_back(fmt::format("{}: {} %", spares, share_text(table(spares).full)));
  }
  answer.verdict.push_back(
      fmt::format("{}: all {}nodes are there {} % of the time ({})", spares_text(*needed),
                  question.is_whole ? fmt::format("{} other ", job.processors) : "",
                  share_text(row.full), join(others, "; ")));
  if (job.is_elastic()) {
    answer.verdict.push_back(fmt::format("with {} or more it goes on, {} % of the time",
                                         counted(*platform.minimum_nodes, "node"),
                                         share_text(row.works)));
  }
  answer.document.set("target", options.target);
  answer.document.set("spares", *needed);
  answer.document.set("full_share", row.full);
  if (question.knows_efficiency()) {
    answer.document.set("efficiency", row.efficiency);
    answer.document.set("efficiency_with_infinite_spares", row.bound);
  }
  if (!question.instance.recorded && !question.has_closed_form())
    add_sampled(question, *needed, answer);
  if (question.instance.recorded) add_log(question, *needed, request.seed, answer);
  add_efficiency(question, row, answer);
  if (!question.is_whole) add_cheapest(question, table, *needed, answer);
  add_repairs(question, row, answer);
  add_spare_table(question, table, *needed, answer);
  add_remarks(question, answer);
  answer.warnings.insert(answer.warnings.begin(), question.instance.notes.begin(),
                         question.instance.notes.end());
  return answer;
}

// The steady state has no end, no submission and no second level, and the period is the optimal one.
constexpr auto kUnusedBySpares = std::to_array<std::string_view>(
    {"horizon", "planning_time", "iteration", "time_limit", "checkpoint_spread", "recovery_spread",
     "local_checkpoint", "local_recovery", "local_share", "belief_distribution", "belief_mtbf",
     "belief_shape", "belief_file", "rejuvenation", "platform_age", "spares", "no_final_checkpoint",
     "no_initial_recovery"});

constexpr auto kSparesResults = std::to_array<ResultField>(
    {{"target", "share of the efficiency with infinite spares that is wanted"},
     {"spares?", "smallest number of spares that reaches it", Holds::integer},
     {"full_share?", "share of the time in which all nodes are there"},
     {"efficiency?", "useful share of the whole run"},
     {"efficiency_with_infinite_spares?", "the same if a spare is always there"},
     {"interval?[]", "95 % interval of the number of spares", Holds::integer},
     {"spares_in_the_long_run?", "the number for a job without end", Holds::integer},
     {"spares_if_independent?", "the number if nodes failed independently", Holds::integer},
     {"cheapest?.spares", "spares with the least cost of a useful hour", Holds::integer},
     {"cheapest?.cost", "that cost in node-hours"},
     {"spares_if_repairs_twice_as_fast?", "spares with repairs of half the length", Holds::integer},
     {"spares_with_test?", "spares with a test after each repair", Holds::integer},
     {"rows?[].spares", "number of spares of this row", Holds::integer},
     {"rows?[].full_share", "share of the time in which all nodes are there"},
     {"rows?[].efficiency", "useful share of the whole run"},
     {"rows?[].idle", "idle nodes, on average"},
     {"rows?[].shortages_per_second", "rate at which a full job lacks a node"},
     {"rows?[].shortage_seconds", "time until all nodes are there again", Unit::seconds},
     {"rows?[].cost?", "cost of a useful hour in node-hours"},
     {"by_repair?[].repair", "mean length of a repair, where none is given", Unit::seconds},
     {"by_repair?[].spares", "spares that are needed with it", Holds::integer},
     {"by_repair?[].full_share", "share of the time in which all nodes are there"},
     {"by_repair?[].idle", "idle nodes, on average"}});

}  // namespace

Verb spares_verb() {
  return {
      .name = "spares",
      .summary = "how many spare nodes a job needs, and what one more or a faster repair is worth",
      .example =
          "holdfast checkpoint spares --target 0.99 --processors 360 --mtbf 241d --repair 6d "
          "--checkpoint 1min --recovery 15min",
      .options = fields_of<kSparesOptions>().parameters(),
      .results = kSparesResults,
      .unused = kUnusedBySpares,
      .run = with_options<run_spares, fields_of<kSparesOptions>>};
}

}  // namespace holdfast::checkpoint
