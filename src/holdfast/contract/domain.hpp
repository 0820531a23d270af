#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/decision.hpp"
#include "holdfast/contract/draw.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/contract/strategy_spec.hpp"
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

/// What a domain promises to the rest: data and four functions. Campaigns, the command line and the bindings know
/// domains only through this file, and reach them through ask.hpp; types are erased once per cell, and per event only
/// for a rule that the caller brought.
namespace holdfast {

enum class Better : std::uint8_t { lower, higher, neither };
/// "lower", "higher" or "neither".
[[nodiscard]] std::string_view name(Better better);

struct Metric {
  std::string_view name;  ///< "makespan"
  Unit unit = Unit::none;
  Better better = Better::lower;
  std::string_view summary;  ///< one line
  /// Where it is the quotient of two other metrics of the same run, their names: `simulate` then also
  /// gives the ratio of their means, beside the mean of the ratios.
  std::string_view numerator = {};
  std::string_view denominator = {};
  /// Where it bounds another metric of the same run, that one's name: no strategy can be better on this draw. `simulate`
  /// then also says how much of what is possible was reached, 1 where the two meet.
  std::string_view bounds = {};
};

/// What one run gave. Metrics stand in the order of the domain's table; one that does not exist is nullopt, never NaN.
struct Outcome {
  std::vector<std::optional<double>> metrics;
  bool completed = true;  ///< false: horizon, slot limit, exhausted states; counted in `failed`
  bool in_statistics =
      true;  ///< whether a run that did not complete enters the statistics all the same
  Value details =
      {};  ///< members that stand beside the metrics (finish, yields): an object, or null
  std::optional<Timeline> timeline;  ///< when asked
};

/// One point of a campaign made ready: its document checked, its strategies parsed. Immutable; shared by threads.
class Point {
 public:
  virtual ~Point() = default;

  /// Says where a value comes from that this point makes once for all draws, for each instance, for each scenario. The
  /// number of a point, unlike its address, is never given to another one.
  [[nodiscard]] Origin origin() const { return {serial_, {}}; }
  [[nodiscard]] Origin origin_of_instance(const Draw& draw) const {
    return {serial_, {draw.seed, draw.instance, 0}};
  }
  [[nodiscard]] Origin origin_of_scenario(const Draw& draw) const { return {serial_, draw}; }

  /// The defining parameters in canonical form: what a cell's hash covers and what results echo as "instance". Files
  /// that were read stand here by what they said (a fitted law, a digest), not by their path.
  [[nodiscard]] virtual const Value& definition() const = 0;

  /// True where the document itself fixes what happens, so that one scenario says it all.
  [[nodiscard]] virtual bool is_fixed() const { return false; }

  /// Things the user should know about this input (jobs left out, files repaired).
  [[nodiscard]] virtual std::span<const std::string> warnings() const { return {}; }

  /// One line for people: which problem this is, and of what the numbers that it was given are. "500 random jobs
  /// (communication model, seed 1) on 7500 processors". Empty where there is nothing to say.
  /// @param seed  of the draws, named where the problem itself is random
  [[nodiscard]] virtual std::string headline(std::uint64_t seed) const {
    static_cast<void>(seed);
    return {};
  }

  /// Why strategies may come out alike on this problem, as a verdict says it: "failures are memoryless". Empty where
  /// nothing is known.
  [[nodiscard]] virtual std::string_view why_alike() const { return {}; }

  /// Runs one cell. Simulators are single-threaded functions; `workspace` belongs to the calling thread. Where its
  /// stop() is wanted, a long run ends early with ErrorCode::interrupted.
  /// @param strategy  position in the list of strategies that the point was opened with
  /// @param want_timeline  fill Outcome::timeline and Outcome::details
  [[nodiscard]] virtual Result<Outcome> run(const Draw& draw, std::size_t strategy,
                                            Workspace& workspace, bool want_timeline) const = 0;

  /// Checks a run against the model, apart from the simulator that made it (the domain's validator): what
  /// `simulate --check` asks for every scenario. Nothing where the domain offers no such check.
  /// @param outcome  of run() with the same draw and strategy, timeline included
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

  std::uint64_t serial_ = next_serial();  // from 1 on, in this process
};

/// Everything that a verb may ask for.
struct Request {
  Value parameters = Value::object();  ///< the instance document, options for its fields merged in
  Value options = Value::object();     ///< the verb's own options and positionals, by name
  std::optional<StrategySpec> strategy;   ///< the one that was named
  std::filesystem::path directory = ".";  ///< where relative paths inside the document start
  std::uint64_t seed = 1;
  Stop stop =
      {};  ///< wanted: the answer is no longer asked for; long searches return ErrorCode::interrupted
};

/// A verb of one domain beside `simulate`, which is the same for all: `checkpoint plan`, `io examples` ...
struct Verb {
  std::string_view name;
  std::string_view summary;
  std::string_view example;                     ///< a command that works when pasted
  std::span<const Parameter> options = {};      ///< --name value
  std::span<const Parameter> positionals = {};  ///< in order, all optional
  bool takes_instance = true;   ///< --instance and the options of the domain's fields
  bool takes_strategy = false;  ///< --strategy NAME
  bool takes_seed = true;       ///< --seed N
  bool has_schedule = false;    ///< --schedule FILE
  bool writes_instance =
      false;  ///< its document is an instance, which other commands read (`generate`)
  /// Fields of the instance that it has no use for, by name: they are no options of it, while a document may hold them.
  std::span<const std::string_view> unused = {};
  Result<Answer> (*run)(const Request& request) = nullptr;
};

/// The baseline with one thing more known. Beside it a gain of the recommended strategy falls into two parts: what that
/// knowledge is worth, and what the plan is.
struct InformedBaseline {
  std::string_view strategy = {};  ///< empty: there is none
  std::string_view knows = {};     ///< what: "today's failure rate"
  std::string_view field =
      {};  ///< of the instance, top level: says whether the knowledge makes a difference
  bool (*differs)(const Value& value) =
      nullptr;  ///< of that field; false too where it cannot be read
};

struct Domain {
  std::string_view name;      ///< "checkpoint"
  std::string_view question;  ///< one line: what it decides
  std::string_view example;   ///< of `simulate`: a command that works when pasted
  std::vector<StrategyEntry> strategies;
  std::vector<Metric> metrics;
  std::span<const Parameter> fields;  ///< of the instance document and of the generator, as options
  std::vector<TimelineColumn> schedule;  ///< columns of --schedule
  std::string_view recommended;          ///< strategy that `simulate` and `plan` take by default
  std::string_view baseline;             ///< and what simulate compares it with
  InformedBaseline informed = {};        ///< and what it runs between the two, where it differs
  std::vector<Verb> verbs;
  DecisionTable decision = {};  ///< what a caller's own rule decides, where there is a row `custom`

  /// Names of top-level parameters that decide the draws which points share, where they share some. The executor runs
  /// cells that agree in them, for one instance and scenario, one after the other on one workspace.
  std::vector<std::string_view> shared_parameters = {};

  /// Checks a document (an instance, or the parameters of a generator; without header) and makes a point of it.
  /// @param directory  where relative paths inside the document start
  Result<std::unique_ptr<Point>> (*open)(const Value& parameters,
                                         std::span<const StrategySpec> strategies,
                                         const std::filesystem::path& directory) = nullptr;

  [[nodiscard]] const Verb* verb(std::string_view verb_name) const;
  /// What runs where nobody names a strategy: the recommended one, the informed baseline where it differs at one of the
  /// points, and the baseline; each once.
  /// @param deciding  values of `informed.field` at all points, those that have it
  [[nodiscard]] std::vector<std::string_view> default_strategies(
      std::span<const Value* const> deciding) const;
};

}  // namespace holdfast
