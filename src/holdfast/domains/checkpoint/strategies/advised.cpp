#include "holdfast/domains/checkpoint/strategies/advised.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/checkpoint/advisor/trust.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace holdfast::checkpoint {
namespace {

constexpr double kLeastWork = 1;  // seconds between two checkpoints

class ByAdvisor final : public Strategy {
 public:
  ByAdvisor(const Instance& instance, AdvisorSettings settings,
            std::shared_ptr<const TabulatedLaw> law)
      : settings_{std::move(settings)},
        law_{std::move(law)},
        ages_{make_ages(initial_groups(instance))},
        renews_all_{instance.rejuvenation == Rejuvenation::all},
        checkpoint_{instance.checkpoint},
        has_local_{instance.local.exists()} {}

  bool learns() const override { return true; }

  void begin(const Ages& ages) override {
    is_told_ = true;
    advisor_.emplace(settings_, NodeAges(law_, ages, 0, renews_all_));
  }

  void see(const Event& event) override {
    switch (event.kind) {
      case Event::Kind::ready:
        advisor_->ready(event.now);
        break;
      case Event::Kind::saving:
        advisor_->checkpoint_begin(event.now, event.level);
        break;
      case Event::Kind::saved:
        advisor_->checkpoint_end(event.now, true);
        break;
      case Event::Kind::durable:
        advisor_->checkpoint_durable(event.now);
        break;
      case Event::Kind::struck:
        advisor_->failure(event.now, {.born = event.born});
        if (event.level == Level::global) advisor_->lose_local();
        break;
      case Event::Kind::renewed:
        advisor_->renewal_of(event.now, event.born);
        if (event.level == Level::global) advisor_->lose_local();
        break;
      case Event::Kind::stopped:
        advisor_->stopped(event.now);
        break;
      case Event::Kind::recovering:
        advisor_->start(event.now, true);
        break;
    }
  }

  std::span<const double> decide(const State& state) override {
    if (!is_told_) follow_undisturbed();
    // The advisor adds up saved work and the run subtracts it, so the two agree except for rounding.
    double interval = advisor_->interval();
    // It may ask for a global checkpoint right after a local one; a run saves only after some work.
    if (!(interval > 0)) interval = std::max(checkpoint_, kLeastWork);
    const bool is_last = interval >= state.work_left * (1 - 1e-9);
    cut_ = is_last ? state.work_left : interval;
    const bool is_local = advisor_->next_level(advisor_->due()) < advisor_->top_level();
    level_ = is_local && !is_last ? Level::local : Level::global;
    return {&cut_, 1};
  }
  std::span<const Level> levels() const override {
    if (!has_local_) return {};
    return {&level_, 1};
  }

 private:
  // For a plan: nothing happens except what was decided.
  void follow_undisturbed() {
    if (!advisor_) {
      advisor_.emplace(settings_, NodeAges(law_, ages_, 0, renews_all_));
      advisor_->ready(0);
      return;
    }
    now_ += cut_;
    advisor_->checkpoint_begin(now_, level_);
    now_ += level_ == Level::local ? settings_.local.checkpoint : checkpoint_;
    advisor_->checkpoint_end(now_, true);
    if (settings_.flush) advisor_->checkpoint_durable(now_ + *settings_.flush);
  }

  AdvisorSettings settings_;
  std::shared_ptr<const TabulatedLaw> law_;
  Ages ages_;
  bool renews_all_;
  double checkpoint_;
  bool has_local_;
  Level level_ = Level::global;
  bool is_told_ = false;
  std::optional<Advisor> advisor_;
  double now_ = 0;
  double cut_ = 0;
};

}  // namespace

Made strategy_by_advisor(const Instance& instance, const StrategySpec& spec, AdvisorRule rule,
                         const Law& law) {
  AdvisorSettings settings{.rule = rule,
                           .work = instance.work,
                           .checkpoint = instance.checkpoint,
                           .recovery = instance.recovery,
                           .downtime = instance.downtime,
                           .trust = usual_trust(instance),
                           .local = instance.local,
                           .has_spares = instance.platform.spares.has_value(),
                           .ends = instance.ends};
  // On two levels the advisor takes a checkpoint as safe at its end.
  if (instance.late.exist() && !instance.local.exists()) settings.flush = instance.late.flush;
  if (spec.has("checkpoint")) settings.checkpoint = spec.number("checkpoint");
  if (spec.has("trust")) {
    const auto trust = parse_trust(spec.choice("trust"));
    if (!trust) {
      return fail(ErrorCode::usage, "/strategy",
                  spec.text + ": trust: found " + in_quotes(spec.choice("trust")) +
                      ", expected a number greater than 0, or inf");
    }
    settings.trust = *trust;
  }
  return std::make_unique<ByAdvisor>(instance, std::move(settings),
                                     std::make_shared<const TabulatedLaw>(law));
}

Made make_advised(const Instance& instance, const StrategySpec& spec) {
  return strategy_by_advisor(instance, spec, AdvisorRule::next_step, *instance.law);
}

}  // namespace holdfast::checkpoint
