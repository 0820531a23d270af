#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/decision.hpp"
#include "holdfast/contract/draw.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/contract/workspace.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a domain offers to the rest of the project: tables of data and four functions. Campaigns, the command line and the
/// bindings know domains only through this file, and call them through ask.hpp. There is one virtual call per cell; a call per
/// event happens only for a rule that the caller brings.
namespace holdfast {

/// Which values of a metric are better than others.
enum class Better : std::uint8_t { lower, higher, neither };
/// Returns "lower", "higher" or "neither".
[[nodiscard]] std::string_view name(Better better);

/// One number that describes a run.
struct Metric {
  std::string_view name;          ///< a short name: "makespan"
  Unit unit = Unit::none;         ///< the unit of its values
  Better better = Better::lower;  ///< which values are better
  std::string_view summary;       ///< one line for people
  /// The names of two other metrics of the same run, if this metric is their quotient. `simulate` then also gives the ratio of
  /// their means, in addition to the mean of the ratios.
  std::string_view numerator = {};
  std::string_view denominator = {};  ///< the name of the divisor
  /// The name of another metric of the same run, if this metric is a bound on it: no strategy can be better on this draw.
  /// `simulate` then also gives the ratio of the two, which is 1 if the bound is reached.
  std::string_view bounds = {};
};

/// The outcome of one run. Metrics are in the order of the domain's table. A metric without a value is nullopt, never NaN.
struct Outcome {
  std::vector<std::optional<double>> metrics;  ///< the values, in the units of the table
  /// False if the run was given up (horizon, slot limit, end of the recorded states); results count such runs in `failed`.
  bool completed = true;
  /// False if the run did not complete and its metrics therefore mean nothing.
  bool in_statistics = true;
  Value details = {};  ///< further results for documents (finish, yields): an object, or null
  std::optional<Timeline> timeline;  ///< the schedule, if it was asked for
};

/// One point of a campaign, ready to run: its document is checked and its strategies are parsed. It is immutable and shared
/// by threads.
class Point {
 public:
  virtual ~Point() = default;

  /// Return the origin of a value that this point computes once for all draws, once per instance, or once per scenario. Unlike
  /// its address, the serial number of a point is never reused.
  [[nodiscard]] Origin origin() const { return {serial_, {}}; }
  [[nodiscard]] Origin origin_of_instance(const Draw& draw) const {
    return {serial_, {draw.seed, draw.instance, 0}};
  }
  [[nodiscard]] Origin origin_of_scenario(const Draw& draw) const { return {serial_, draw}; }

  /// Returns the defining parameters in canonical form. A cell's hash covers them, and results contain them as "instance". A
  /// file that was read is represented by its contents (a fitted law, a digest), not by its path.
  [[nodiscard]] virtual const Value& definition() const = 0;

  /// Returns true if the document itself fixes what happens, so that all scenarios are the same.
  [[nodiscard]] virtual bool is_fixed() const { return false; }

  /// Returns what the user should know about this input, for instance that jobs were left out.
  [[nodiscard]] virtual std::span<const std::string> warnings() const { return {}; }

  /// Returns one line for people that names the problem and its main numbers: "500 random jobs (communication model, seed 1)
  /// on 7500 processors". Empty if there is nothing to say.
  /// @param seed  the seed of the draws, which the line names if the problem itself is random
  [[nodiscard]] virtual std::string headline(std::uint64_t seed) const {
    static_cast<void>(seed);
    return {};
  }

  /// Returns the reason why strategies may have equal results on this problem, for a verdict: "failures are memoryless". Empty
  /// if none is known.
  [[nodiscard]] virtual std::string_view why_alike() const { return {}; }

  /// Returns the position of the metric that strategies are ranked and compared by.
  [[nodiscard]] virtual std::size_t objective() const { return 0; }

  /// Runs one cell. Simulators are single-threaded functions; `workspace` belongs to the calling thread. A long run ends
  /// early with ErrorCode::interrupted if workspace.stop() is wanted.
  /// @param strategy  position in the list of strategies that the point was opened with
  /// @param want_timeline  true to fill Outcome::timeline and Outcome::details
  [[nodiscard]] virtual Result<Outcome> run(const Draw& draw, std::size_t strategy,
                                            Workspace& workspace, bool want_timeline) const = 0;

  /// Checks a run against the model with the domain's validator, which shares no code with the simulator. `simulate --check`
  /// calls it for every scenario. Returns nothing if the domain has no validator.
  /// @param outcome  what run() returned for the same draw and strategy, timeline included
  [[nodiscard]] virtual std::optional<Status> check(const Draw& draw, std::size_t strategy,
                                                    const Outcome& outcome) const {
    static_cast<void>(draw), static_cast<void>(strategy), static_cast<void>(outcome);
    return std::nullopt;
  }

 private:
  static std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::uint64_t serial_ = next_serial();  // counts from 1 in this process
};

/// A strategy that plans like the baseline but knows one thing more. It splits the gain of the recommended strategy into two
/// parts: what the knowledge is worth, and what the better plan is worth.
struct InformedBaseline {
  std::string_view strategy = {};  ///< the name of the strategy; empty if the domain has none
  std::string_view knows = {};     ///< what it knows: "today's failure rate"
  /// The top-level field of the instance that decides whether this knowledge makes a difference.
  std::string_view field = {};
  /// Returns true if the knowledge makes a difference for this value of the field. Returns false if it does not, or if the
  /// value cannot be read.
  bool (*differs)(const Value& value) = nullptr;
};

/// One domain: its tables, and the function that opens a point.
struct Domain {
  std::string_view name;                  ///< a short name: "checkpoint"
  std::string_view question;              ///< one line: the question that the domain answers
  std::string_view example;               ///< a `simulate` command that works as it stands
  std::vector<StrategyEntry> strategies;  ///< the strategies, in the order of the help
  std::vector<Metric> metrics;            ///< the metrics of a run, in the order of tables
  /// The fields of the instance and of its generator, as options.
  std::span<const Parameter> fields;
  /// The members of an instance document that are no fields, or that have another form there.
  std::span<const ResultField> document = {};
  /// The members that the first scenario adds to each result of `simulate` (Outcome::details).
  std::span<const ResultField> details = {};
  std::vector<TimelineColumn> schedule;  ///< the columns of --schedule
  std::string_view recommended;          ///< the strategy that `simulate` and `plan` use by default
  std::string_view baseline;             ///< the strategy with which `simulate` compares it
  /// The strategy that `simulate` runs in addition to these two, if there is one.
  InformedBaseline informed = {};
  std::vector<Verb> verbs;  ///< the verbs beside `simulate`
  /// The decision that the strategy `custom` leaves to the caller's rule.
  DecisionTable decision = {};

  /// Names of the top-level parameters on which a realisation depends, if points can share realisations. The executor runs
  /// cells with the same values of these parameters, the same instance and the same scenario one after the other on one
  /// workspace.
  std::vector<std::string_view> shared_parameters = {};

  /// Checks a document without header (an instance, or the parameters of a generator) and makes a point from it.
  /// @param directory  the folder to which relative paths inside the document refer
  Result<std::unique_ptr<Point>> (*open)(const Value& parameters,
                                         std::span<const StrategySpec> strategies,
                                         const std::filesystem::path& directory) = nullptr;

  /// Returns the verb of that name, or null if the domain has none.
  [[nodiscard]] const Verb* verb(std::string_view verb_name) const;
  /// Returns the strategies that run if the user names none, each once: the recommended one, those that a field of the instance
  /// asks for, the informed baseline if its knowledge makes a difference at one of the points, and the baseline.
  /// @param values_of  returns the values of a field at the points that have it
  [[nodiscard]] std::vector<std::string_view> default_strategies(
      const std::function<std::vector<const Value*>(std::string_view)>& values_of) const;
  /// Returns the strategy of a plan if the user names none: one that a field of the document asks for, or the recommended one.
  [[nodiscard]] std::string_view default_strategy(const Value& parameters) const;
};

}  // namespace holdfast
