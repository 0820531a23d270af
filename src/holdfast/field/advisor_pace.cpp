#include "holdfast/field/advisor_pace.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast::field {
namespace {

using checkpoint::Advisor;
using checkpoint::AdvisorSettings;

/// What a node is taken to last where nobody knows: below what large machines report (spec advisor, 3.4), because a guess
/// that is too pessimistic costs little, and corrects itself.
constexpr double kUnknownMtbf = 100 * 86400.0;

constexpr auto kStrategies = std::to_array<std::string_view>({"advised", "adaptive-young-daly"});

constexpr auto kRows = std::to_array<Parameter>({
    {.name = "strategy",
     .summary = "what decides: the plan of law and ages, or the usual rule with the rate that the "
                "job meets",
     .kind = Kind::choice,
     .fallback = "advised",
     .choices = kStrategies,
     .heading = "Checkpoints"},
    {.name = "first",
     .summary = "work before the first checkpoint, where nobody says what one costs",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "60s",
     .heading = "Checkpoints"},
    {.name = "min_interval",
     .summary = "work between two checkpoints at least",
     .unit = Unit::seconds,
     .range = non_negative(),
     .heading = "Checkpoints"},
    {.name = "max_interval",
     .summary = "and at most",
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Checkpoints"},
    {.name = "max_overhead",
     .summary = "share of the time that checkpoints may take",
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true},
     .heading = "Checkpoints"},
    {.name = "trust",
     .summary =
         "failures that the law is worth against those that the job meets; inf: the law alone "
         "(default: 1, of a law from a log 3)",
     .kind = Kind::text,
     .value_name = "X",
     .heading = "Failures"},
});

void set_number(const Value& values, std::string_view name, double& to) {
  const Value* value = values.find(name);
  if (value != nullptr && value->is_number()) to = value->number();
}

bool says_log(const Value& instance) {
  const Value* failures = instance.find("failures");
  return failures != nullptr && failures->find("log") != nullptr;
}

Result<AdvisorSettings> read_settings(const AdvisorRequest& request,
                                      const checkpoint::Instance& instance) {
  AdvisorSettings out;
  out.work = instance.work;
  out.ends = instance.ends;
  const auto given = [&](std::string_view name) { return request.instance.find(name) != nullptr; };
  if (given("checkpoint")) out.checkpoint = instance.checkpoint;
  if (given("recovery")) out.recovery = instance.recovery;
  if (given("downtime")) out.downtime = instance.downtime;
  set_number(request.advice, "first", out.first);
  set_number(request.advice, "min_interval", out.min_interval);
  set_number(request.advice, "max_interval", out.max_interval);
  set_number(request.advice, "max_overhead", out.max_overhead);
  if (out.min_interval > out.max_interval) {
    return fail(ErrorCode::usage, "--min-interval",
                fmt::format("found {} s, expected at most --max-interval, {} s",
                            to_text(out.min_interval), to_text(out.max_interval)));
  }
  const Value* rule = request.advice.find("strategy");
  if (rule != nullptr && rule->string() != nullptr && *rule->string() == kStrategies[1]) {
    out.rule = checkpoint::AdvisorRule::young_daly;
  }
  out.trust = says_log(request.instance) ? 3 : 1;
  const Value* trust = request.advice.find("trust");
  if (trust != nullptr && trust->string() != nullptr) {
    if (*trust->string() == "inf") {
      out.trust = AdvisorSettings::kNever;
    } else {
      const auto number = parse_quantity(*trust->string(), Unit::none);
      if (!number || *number < 0) {
        return fail(ErrorCode::usage, "--trust",
                    fmt::format("found {}, expected a number of at least 0, or inf",
                                in_quotes(*trust->string())));
      }
      out.trust = *number;
    }
  }
  return out;
}

void restore(checkpoint::CostEstimate& to, const Value& estimate, std::string_view name) {
  const Value* durations = estimate.find(name);
  if (durations == nullptr || durations->array_items() == nullptr) return;
  for (const Value& seconds : *durations->array_items()) {
    if (seconds.is_number() && std::isfinite(seconds.number()) && seconds.number() >= 0) {
      to.add(seconds.number());
    }
  }
}

class AdvisorAsPace final : public Pace {
 public:
  AdvisorAsPace(const AdvisorSettings& settings, checkpoint::NodeAges nodes)
      : advisor_(settings, std::move(nodes)) {}

  void remember(const Value& estimate, double now) {
    checkpoint::Learned learned = advisor_.learned(now);
    set_number(estimate, "interruptions", learned.interruptions);
    set_number(estimate, "expected", learned.expected);
    restore(learned.checkpoint, estimate, "checkpoints");
    restore(learned.recovery, estimate, "recoveries");
    restore(learned.downtime, estimate, "downtimes");
    advisor_.remember(learned);
  }

  void launched(double now, bool restores) override { advisor_.start(now, restores); }
  void ready(double now) override { advisor_.ready(now); }
  void save_begun(double now) override { advisor_.checkpoint_begin(now); }
  void save_ended(double now, bool ok) override { advisor_.checkpoint_end(now, ok); }
  void durable(double now) override { advisor_.checkpoint_durable(now); }
  void progressed(double now, double done, double total) override {
    advisor_.progress(now, done, total);
  }
  void failed(double now, std::optional<std::size_t> node, bool counts) override {
    advisor_.failure(now, {.node = node, .counts = counts});
  }
  void renewed(double now, std::size_t node) override { advisor_.renewal(now, node); }
  void stopped(double now) override { advisor_.stopped(now); }
  void time_left(double now, double seconds) override { advisor_.time_left(now, seconds); }
  [[nodiscard]] double due() const override { return advisor_.due(); }
  [[nodiscard]] double stop_date() const override { return advisor_.stop_date(); }
  [[nodiscard]] double reserve(double now) const override { return advisor_.reserve(now); }
  [[nodiscard]] std::optional<double> checkpoint(double now) override {
    const double seconds = advisor_.advice(now).checkpoint;
    return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
  }
  [[nodiscard]] Value estimate(double now) override {
    const checkpoint::Advice advice = advisor_.advice(now);
    const checkpoint::Learned learned = advisor_.learned(now);
    Value out = Value::object();
    const auto set = [&](std::string_view name, double value) {
      if (std::isfinite(value)) out.set(name, value);
    };
    set("due", advice.due);
    set("interval", advice.interval);
    set("checkpoint", advice.checkpoint);
    set("recovery", advice.recovery);
    set("rate", advice.rate);
    set("theta", advice.theta);
    set("efficiency", advice.efficiency);
    set("young_daly", advice.young_daly);
    set("interruptions", learned.interruptions);
    set("expected", learned.expected);
    out.set("checkpoints", Value::list(learned.checkpoint.durations()));
    out.set("recoveries", Value::list(learned.recovery.durations()));
    out.set("downtimes", Value::list(learned.downtime.durations()));
    return out;
  }

 private:
  Advisor advisor_;
};

}  // namespace

std::span<const Parameter> advice_parameters() {
  return kRows;
}

Result<AdvisorPace> make_advisor_pace(const AdvisorRequest& request, double now) {
  Value document = request.instance;
  if (document.is_null()) document = Value::object();
  if (document.find("processors") == nullptr) document.set("processors", request.processors);
  const bool knows_law = document.find("failures") != nullptr;
  if (!knows_law) document.set("failures", Value::object({{"mtbf", kUnknownMtbf}}));
  HOLDFAST_TRY(instance, checkpoint::read_platform(document, request.directory));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), which a plan needs");
  }
  HOLDFAST_TRY(settings, read_settings(request, instance));
  const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
  checkpoint::NodeAges nodes(law, make_ages(initial_groups(instance)), now,
                             instance.rejuvenation == checkpoint::Rejuvenation::all);
  auto pace = std::make_unique<AdvisorAsPace>(settings, std::move(nodes));
  if (!request.estimate.is_null()) pace->remember(request.estimate, now);
  AdvisorPace out{.pace = std::move(pace), .notes = instance.notes};
  if (!knows_law) {
    out.notes.emplace_back(
        "nobody says how often nodes fail: one failure per node and 100 days is assumed (--mtbf), "
        "until "
        "the job's own failures say otherwise");
  }
  return out;
}

}  // namespace holdfast::field
