#include "holdfast/field/advisor_pace.hpp"

#include "holdfast/domains/checkpoint/advisor/advisor.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor_document.hpp"
#include "holdfast/field/learned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace holdfast::field {
namespace {

using checkpoint::Advisor;

/// The fields of an advisor's document in addition to its plain fields.
constexpr auto kPaceRows = std::to_array<Parameter>({
    {.name = "strategy",
     .summary = "strategy of 'holdfast checkpoint' that decides (default advised: plans by the law "
                "and the ages)",
     .kind = Kind::text,
     .value_name = "NAME"},
    {.name = "trust",
     .summary =
         "weight of the failure law compared with the failures that the job has, as a number of "
         "failures; inf: only the law counts (default: 1; for a law from a log: 3)",
     .kind = Kind::text,
     .value_name = "X",
     .heading = "Failures"},
});

/// Turns an error about the value of an option into an error of the command line.
Error at_option(Error error) {
  for (const Parameter& parameter : advice_parameters()) {
    if (error.where == pointer_to("", parameter.name)) {
      return {ErrorCode::usage, pointer_to("", parameter.name), std::move(error.message)};
    }
  }
  return error;
}

class AdvisorAsPace final : public Pace {
 public:
  explicit AdvisorAsPace(Advisor advisor) : advisor_(std::move(advisor)) {}

  void remember(const std::optional<entry::Estimate>& estimate, double now) {
    advisor_.remember(learned_of(estimate, advisor_.learned(now)));
  }

  void launched(double now, bool restores) override { advisor_.start(now, restores); }
  void ready(double now) override { advisor_.ready(now); }
  void save_begun(double now, bool is_asynchronous) override {
    advisor_.checkpoint_begin(now, checkpoint::Level::global, is_asynchronous);
  }
  void save_ended(double now, bool ok) override { advisor_.checkpoint_end(now, ok); }
  void durable(double now) override { advisor_.checkpoint_durable(now); }
  void progressed(double now, double done, double total) override {
    advisor_.progress(now, done, total);
  }
  void failed(double now, std::optional<std::size_t> node, bool counts) override {
    advisor_.failure(now, {.node = node, .counts = counts});
  }
  void survived(double now, bool counts) override {
    advisor_.failure(now, {.counts = counts, .ended = false});
    advisor_.stopped(now);  // what it had not saved is lost
    advisor_.ready(now);
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
  [[nodiscard]] entry::Estimate estimate(double now) override {
    const checkpoint::Advice advice = advisor_.advice(now);
    const checkpoint::Learned learned = advisor_.learned(now);
    const auto known = [](double value) {
      return std::isfinite(value) ? std::optional(value) : std::nullopt;
    };
    const auto all = [](const checkpoint::CostEstimate& cost) {
      const auto durations = cost.durations();
      return std::vector<double>(durations.begin(), durations.end());
    };
    return {.due = known(advice.due),
            .interval = known(advice.interval),
            .checkpoint = known(advice.checkpoint),
            .recovery = known(advice.recovery),
            .rate = known(advice.rate),
            .theta = known(advice.theta),
            .share_before_failure = known(advice.share_before_failure),
            .young_daly = known(advice.young_daly),
            .interruptions = known(learned.interruptions),
            .expected = known(learned.expected),
            .checkpoints = all(learned.checkpoint),
            .recoveries = all(learned.recovery),
            .downtimes = all(learned.downtime)};
  }
  [[nodiscard]] Value ages(double now) override {
    Value out = Value::array();
    for (const AgeGroup& group : advisor_.nodes().at(now).groups) {
      out.push(Value(Value::Array{group.age, group.count}));
    }
    return out;
  }

 private:
  Advisor advisor_;
};

}  // namespace

std::span<const Parameter> advice_parameters() {
  static const std::vector<Parameter> kAll = [] {
    const auto plain = checkpoint::advisor_fields().parameters();
    std::vector<Parameter> out(plain.begin(), plain.end());
    out.insert(out.end(), kPaceRows.begin(), kPaceRows.end());
    return out;
  }();
  return kAll;
}

Value advisor_document(const AdvisorRequest& request) {
  Value document = request.instance;
  if (document.is_null()) document = Value::object();
  // A program that ends writes its results itself; the instance can ask for a final checkpoint.
  if (document.find("no_final_checkpoint") == nullptr) document.set("no_final_checkpoint", true);
  if (const auto* members = request.advice.members()) {
    for (const auto& [name, value] : *members) document.set(name, value);
  }
  // Names distinguish nodes only if there are as many names as nodes.
  const Value* processors = document.find("processors");
  const auto named = static_cast<double>(request.nodes.size());
  const bool is_all =
      processors == nullptr || (processors->is_number() && processors->number() == named);
  if (is_all && !request.nodes.empty()) {
    document.set("nodes", Value::list(request.nodes));
  }
  return document;
}

Result<AdvisorPace> make_advisor_pace(const AdvisorRequest& request, double now) {
  auto plan = checkpoint::read_advisor(advisor_document(request), request.directory);
  if (!plan) return fail(at_option(plan.error()));
  plan->settings.local = {};  // a guard asks for files; only a program itself knows two levels
  HOLDFAST_TRY(advisor, checkpoint::make_advisor(*plan, now));
  auto pace = std::make_unique<AdvisorAsPace>(std::move(advisor));
  if (request.estimate) pace->remember(request.estimate, now);
  return AdvisorPace{.pace = std::move(pace), .notes = plan->instance.notes};
}

}  // namespace holdfast::field
