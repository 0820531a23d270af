#include "holdfast/domains/checkpoint/strategies/by_size.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// Until the number of nodes changes for the first time it is the rule of the whole job. Rules that divide the work left into equal
/// parts begin again when it changes.
class BySize final : public Strategy {
 public:
  BySize(const Instance& instance, const StrategySpec& spec, MakeRule* make,
         std::unique_ptr<Strategy> rule)
      : job_{instance},
        spec_{spec},
        make_{make},
        rule_{std::move(rule)},
        nodes_{instance.processors} {
    job_.recorded.reset();
    job_.ages.clear();
  }

  std::span<const double> decide(const State& state) override {
    if (state.nodes > 0 && state.nodes != nodes_) resize(state);
    State own = state;
    own.work_left /= speed_;
    own.checkpoints -= begin_;
    const auto cuts = rule_->decide(own);
    if (speed_ == 1) return cuts;
    cuts_.clear();
    for (const double cut : cuts)
      cuts_.push_back(cut == own.work_left ? state.work_left : cut * speed_);
    return cuts_;
  }
  bool looks_past_flush() const override { return rule_->looks_past_flush(); }
  bool learns() const override { return rule_->learns(); }
  void begin(const Ages& ages) override { rule_->begin(ages); }
  void see(const Event& event) override {
    using enum Event::Kind;
    if (event.kind == struck || event.kind == renewed) last_ = event;
    rule_->see(event);
  }
  std::span<const Candidate> candidates() const override { return rule_->candidates(); }
  double quantum() const override { return rule_->quantum(); }

 private:
  void resize(const State& state) {
    nodes_ = state.nodes;
    speed_ = job_.platform.speed_of(nodes_, whole_);
    job_.processors = nodes_;
    job_.work = state.work_left / speed_;
    Made made = make_(job_, spec_);
    if (!made)
      return;  // the work left is less than a step of its grid: the rule plans from the state anyway
    rule_ = std::move(*made);
    begin_ = state.checkpoints;
    if (last_) rule_->see(*last_);
  }

  Instance job_;
  StrategySpec spec_;
  MakeRule* make_;
  std::unique_ptr<Strategy> rule_;
  std::int64_t whole_ = job_.processors;
  std::int64_t nodes_;
  double speed_ = 1;
  std::int64_t begin_ = 0;     ///< checkpoints when the number of nodes changed last
  std::optional<Event> last_;  ///< the last failure
  std::vector<double> cuts_;
};

}  // namespace

Made make_by_size(const Instance& instance, const StrategySpec& spec, MakeRule* make) {
  HOLDFAST_TRY(rule, make(instance, spec));
  return std::make_unique<BySize>(instance, spec, make, std::move(rule));
}

}  // namespace holdfast::checkpoint
