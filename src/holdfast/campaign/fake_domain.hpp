#pragma once

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <time.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

/// A small domain for the tests and benchmarks of campaigns: a walk of `steps` random strides with mean length `stride`.
/// Nothing else includes it.
namespace holdfast::fake {

/// The number of realisations drawn; a shared one is drawn once per group.
inline std::atomic<std::int64_t> realisations_drawn{0};

struct Walk {
  double stride = 1;
  std::int64_t steps = 10;
  double busy = 0;               ///< computing time of a cell, seconds
  double rest = 0;               ///< sleeping time of a cell, seconds
  double limit = 0;              ///< a longer walk does not complete; 0: no limit
  std::int64_t fails_from = -1;  ///< first scenario whose cells are errors; -1: none
  bool counts_failed = true;     ///< true: failed walks count in the statistics
  bool is_fixed = false;
};

struct Realisation {
  std::vector<double> strides;  ///< strides with mean 1
};

/// The last realisation, by draw and steps. Points with the same draw and steps share it.
struct Cache {
  CacheSlot<Realisation, std::pair<Draw, std::int64_t>> realisation;
};

/// If true, opening a point fails with std::bad_alloc.
inline std::atomic<bool> out_of_memory{false};

class FakePoint final : public Point {
 public:
  FakePoint(Walk walk, std::span<const StrategySpec> strategies)
      : walk_(walk), strategies_(strategies.begin(), strategies.end()) {
    definition_ = Value::object({{"stride", walk.stride},
                                 {"steps", walk.steps},
                                 {"limit", walk.limit},
                                 {"fixed", walk.is_fixed}});
    if (walk.stride > 1e6) warnings_.push_back("giant strides");
  }

  const Value& definition() const override { return definition_; }
  std::string headline(std::uint64_t seed) const override {
    return "a walk of " + std::to_string(walk_.steps) + " strides (seed " + std::to_string(seed) +
           ")";
  }
  bool is_fixed() const override { return walk_.is_fixed; }
  std::span<const std::string> warnings() const override { return warnings_; }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    if (walk_.fails_from >= 0 && draw.scenario >= static_cast<std::uint64_t>(walk_.fails_from)) {
      return fail(ErrorCode::infeasible, "/steps", "the walker is tired");
    }
    if (walk_.stride == 666) throw std::runtime_error("no memory");
    const Realisation& realisation = realisation_of(draw, workspace.of<Cache>());
    const StrategySpec& spec = strategies_[strategy];
    const double boldness = spec.has("by") ? spec.number("by") : 1;
    double length = 0;
    for (const double stride : realisation.strides)
      length += elementary::pow(stride, boldness) * walk_.stride;
    wait();
    Outcome out;
    out.completed = !(walk_.limit > 0 && length > walk_.limit);
    out.in_statistics = walk_.counts_failed;
    const bool has_pace = spec.index == 0 || draw.scenario % 3 != 1;  // some cells have no pace
    out.metrics = {length, has_pace ? std::optional(1 / length) : std::nullopt,
                   static_cast<double>(walk_.steps)};
    if (want_timeline) tell(realisation, out);
    return out;
  }

  /// A check against a model that does not allow 13 steps.
  std::optional<Status> check(const Draw& /*draw*/, std::size_t /*strategy*/,
                              const Outcome& outcome) const override {
    if (outcome.timeline && outcome.timeline->rows() == 13) {
      return fail(ErrorCode::bad_value, "row 13", "found 13 steps, expected fewer");
    }
    return Status{};
  }

 private:
  const Realisation& realisation_of(const Draw& draw, Cache& cache) const {
    return cache.realisation.get({draw, walk_.steps}, [&] {
      realisations_drawn.fetch_add(1, std::memory_order_relaxed);
      Stream stream({.seed = draw.seed,
                     .purpose = Purpose::failures,
                     .instance = draw.instance,
                     .scenario = draw.scenario});
      Realisation realisation;
      realisation.strides.resize(static_cast<std::size_t>(walk_.steps));
      for (double& stride : realisation.strides) stride = sample_exponential(stream, 1);
      return realisation;
    });
  }

  void wait() const {
    if (walk_.rest > 0) {
      const auto whole = static_cast<time_t>(walk_.rest);
      const timespec time = {whole,
                             static_cast<long>((walk_.rest - static_cast<double>(whole)) * 1e9)};
      ::nanosleep(&time, nullptr);
    }
    if (walk_.busy <= 0) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(walk_.busy);
    while (std::chrono::steady_clock::now() < until) {
    }
  }

  void tell(const Realisation& realisation, Outcome& out) const {
    out.details =
        Value::object({{"strides", Value::list(realisation.strides)}, {"metrics", "not mine"}});
    static constexpr std::array<TimelineColumn, 2> kColumns = {
        {{.name = "start", .unit = Unit::seconds, .role = Role::start},
         {.name = "end", .unit = Unit::seconds, .role = Role::end}}};
    Timeline timeline(kColumns);
    double now = 0;
    for (const double stride : realisation.strides) {
      timeline.add({now, now + stride});
      now += stride;
    }
    out.timeline = std::move(timeline);
  }

  Walk walk_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
  std::vector<std::string> warnings_;
};

inline Result<std::unique_ptr<Point>> open(const Value& parameters,
                                           std::span<const StrategySpec> strategies,
                                           const std::filesystem::path& directory) {
  if (out_of_memory) throw std::bad_alloc{};
  Walk walk;
  ObjectReader read(parameters, "");
  walk.stride = read.seconds_or("stride", 1, positive());
  walk.steps = read.integer_or("steps", 10, between(1, 1e6));
  walk.busy = read.seconds_or("busy", 0, non_negative());
  walk.rest = read.seconds_or("rest", 0, non_negative());
  walk.limit = read.number_or("limit", 0, non_negative());
  walk.fails_from = read.integer_or("fails_from", -1);
  walk.counts_failed = read.flag_or("counts_failed", true);
  walk.is_fixed = read.flag_or("fixed", false);
  for (const double age : read.has("ages") ? read.numbers("ages") : std::vector<double>{}) {
    walk.stride += age;
  }
  if (const std::string file = read.text_or("file", ""); !file.empty()) {
    if (!std::filesystem::exists(directory / file)) read.refuse("file", "there is no such file");
  }
  // Like readers of files, it places the error in the file.
  if (const std::string file = read.text_or("unreadable", ""); !file.empty()) {
    read.refuse(of_field("/unreadable", {.code = ErrorCode::bad_format,
                                         .where = (directory / file).lexically_normal().string(),
                                         .message = "cannot be read"}));
  }
  HOLDFAST_CHECK(read.finish());
  return std::make_unique<FakePoint>(walk, strategies);
}

/// The domain "walk": strategies steady and bold[:by=B], metrics length, pace (not always present) and steps. Points that agree
/// in `steps` share their realisations.
inline const Domain& domain() {
  static constexpr std::array<Parameter, 1> kBold = {
      {{.name = "by", .summary = "how bold", .range = positive(), .fallback = "2"}}};
  static const Domain kDomain = [] {
    Domain out;
    out.name = "walk";
    out.question = "how far does one get?";
    out.example = "holdfast walk simulate --steps 10";
    out.strategies = {
        {.name = "steady", .summary = "as it comes", .source = "tests"},
        {.name = "bold", .summary = "long strides", .source = "tests", .parameters = kBold}};
    out.metrics = {
        {.name = "length", .unit = Unit::slots, .better = Better::lower, .summary = "of the walk"},
        {.name = "pace", .unit = Unit::none, .better = Better::higher, .summary = "its inverse"},
        {.name = "steps", .unit = Unit::none, .better = Better::neither, .summary = "made"}};
    out.recommended = "bold";
    out.baseline = "steady";
    out.shared_parameters = {"steps"};
    out.open = open;
    return out;
  }();
  return kDomain;
}

/// The domains that read_campaign() knows in tests.
inline std::span<const Domain* const> known() {
  static const std::array<const Domain*, 1> kKnown = {&domain()};
  return kKnown;
}

}  // namespace holdfast::fake
