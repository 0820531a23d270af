#include "holdfast/domains/volatile/lower_bound.hpp"
#include "holdfast/domains/volatile/simulate.hpp"
#include "holdfast/domains/volatile/testing.hpp"
#include "holdfast/domains/volatile/validate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

// The iterations so far, and who then has the program.
struct KnownPlan {
  std::int64_t end = 0;
  std::uint64_t holders = 0;
  std::vector<Adoption> adoptions;

  friend bool operator<(const KnownPlan& a, const KnownPlan& b) {
    const auto key = [](const KnownPlan& p) {
      return std::tuple(p.end, -std::popcount(p.holders), p.holders);
    };
    return key(a) < key(b);
  }
};

// A plan that knows all states: a beam search over the iterations, each of which is one configuration that does not fail.
class Foresight {
 public:
  Foresight(const Instance& instance, Availability& availability, std::size_t width)
      : instance_{instance}, width_{width}, states_(instance.workers.size()) {
    constexpr std::int64_t kSlots = 8000;
    for (std::size_t record = 0; availability.reach(record) && availability.slot(record) < kSlots;
         ++record) {
      const auto slots = std::min(availability.until(record), kSlots) - availability.slot(record);
      for (std::size_t q = 0; q < states_.size(); ++q) {
        states_[q].append(static_cast<std::size_t>(slots),
                          "urd"[static_cast<std::size_t>(availability.state(record, q))]);
      }
    }
  }

  std::optional<KnownPlan> run() {
    std::set<KnownPlan> plans{{}};
    for (std::int64_t k = 0; k < instance_.iterations; ++k) {
      best_.clear();
      for (const KnownPlan& plan : plans) extend(plan);
      plans.swap(best_);
      if (plans.empty()) return std::nullopt;
    }
    return *plans.begin();
  }

 private:
  [[nodiscard]] char state(std::size_t q, std::int64_t slot) const {
    return states_[q][static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] std::int64_t cut() const {
    return best_.size() < width_ ? std::ssize(states_.front()) : best_.rbegin()->end;
  }

  void extend(const KnownPlan& plan) {
    from_ = &plan;
    holders_ = plan.holders;
    for (slot_ = plan.end; slot_ < cut(); ++slot_) {
      bool comes = slot_ == plan.end;
      up_.clear();
      for (std::size_t q = 0; q < states_.size(); ++q) {
        if (state(q, slot_) == 'd') holders_ &= ~(std::uint64_t{1} << q);
        if (state(q, slot_) != 'u') continue;
        up_.push_back(q);
        comes |= slot_ > 0 && state(q, slot_ - 1) != 'u';
      }
      if (!comes) continue;
      tasks_.assign(states_.size(), 0);
      choose(0, instance_.tasks, 0);
    }
  }

  // Gives the tasks that are left to the workers from the place i on, in every way that can still be among the best.
  void choose(std::size_t i, std::int64_t left, std::int64_t workload) {
    if (slot_ + workload >= cut()) return;
    if (left == 0) {
      try_out(workload);
      return;
    }
    if (i == up_.size()) return;
    const Worker& worker = instance_.workers[up_[i]];
    for (std::int64_t x = 0; x <= std::min(left, worker.max_tasks); ++x) {
      tasks_[up_[i]] = x;
      choose(i + 1, left - x, std::max(workload, x * worker.speed));
    }
    tasks_[up_[i]] = 0;
  }

  // Follows the chosen configuration to its end, unless a member goes down before.
  void try_out(std::int64_t workload) {
    needs_.assign(states_.size(), 0);
    served_ = 0;
    std::uint64_t members = 0;
    std::int64_t open = 0;
    for (const std::size_t q : up_) {
      if (tasks_[q] == 0) continue;
      members |= std::uint64_t{1} << q;
      const bool has = ((holders_ >> q) & 1) != 0;
      needs_[q] = (has ? 0 : instance_.program_slots) + tasks_[q] * instance_.data_slots;
      open += needs_[q];
    }
    std::int64_t slot = slot_;
    for (; open > 0 || workload > 0; ++slot) {
      if (slot >= cut()) return;
      bool all_up = true;
      for (const std::size_t q : up_) {
        if (tasks_[q] == 0) continue;
        if (state(q, slot) == 'd') return;
        all_up &= state(q, slot) == 'u';
      }
      if (open > 0) {
        open -= serve(slot);
      } else if (all_up) {
        --workload;
      }
    }
    keep(slot, members);
  }

  std::int64_t serve(std::int64_t slot) {
    std::uint64_t served = 0;
    for (const bool had_port : {true, false}) {
      for (const std::size_t q : up_) {
        const std::uint64_t bit = std::uint64_t{1} << q;
        if (needs_[q] == 0 || state(q, slot) != 'u' || ((served_ & bit) != 0) != had_port) continue;
        if (std::popcount(served) == instance_.concurrent_communications) break;
        served |= bit;
      }
    }
    for (const std::size_t q : up_) needs_[q] -= static_cast<std::int64_t>((served >> q) & 1);
    served_ = served;
    return std::popcount(served);
  }

  void keep(std::int64_t end, std::uint64_t members) {
    KnownPlan plan{.end = end, .holders = holders_ | members, .adoptions = from_->adoptions};
    for (std::size_t q = 0; q < states_.size(); ++q) {
      for (std::int64_t slot = slot_; slot < end; ++slot) {
        if (state(q, slot) == 'd') plan.holders &= ~(std::uint64_t{1} << q);
      }
    }
    if (best_.contains(plan)) return;
    plan.adoptions.push_back({.slot = slot_, .assignment = tasks_});
    best_.insert(std::move(plan));
    if (best_.size() > width_) best_.erase(std::prev(best_.end()));
  }

  const Instance& instance_;
  std::size_t width_;
  std::vector<std::string> states_;
  std::set<KnownPlan> best_;
  const KnownPlan* from_ = nullptr;
  std::uint64_t holders_ = 0, served_ = 0;
  std::int64_t slot_ = 0;
  std::vector<std::size_t> up_;
  Assignment tasks_;
  std::vector<std::int64_t> needs_;
};

// Follows a plan as a strategy does, so that the simulator and the validator see it.
class Follower final : public Builder {
 public:
  explicit Follower(const std::vector<Adoption>& adoptions) : adoptions_{adoptions} {}
  bool build(const Situation& situation, Assignment& assignment) override {
    for (const Adoption& adoption : adoptions_) {
      if (adoption.slot != situation.slot) continue;
      assignment = adoption.assignment;
      return true;
    }
    return false;
  }

 private:
  const std::vector<Adoption>& adoptions_;
};

// Returns the mean of bound / plan.
double bound_of_plan(std::int64_t minimum_speed, std::uint64_t instances, std::size_t width,
                     std::int64_t effort = 3'000'000) {
  double bound_of = 0, plan_of_rule = 0, bound_of_rule = 0;
  int plans = 0;
  for (std::uint64_t seed = 1; seed <= instances; ++seed) {
    GeneratorParameters platform;
    platform.minimum_speed = minimum_speed;
    Instance instance = generate(platform, 1, seed).value();
    REQUIRE(check(instance));
    const auto availability = drawn_availability(instance, {.seed = 1, .instance = seed});
    const auto plan = Foresight(instance, *availability, width).run();
    REQUIRE(plan);
    Follower follower(plan->adoptions);
    const Strategy strategy{.builder = &follower, .switches = {}};
    History history;
    const Metrics metrics = simulate(instance, strategy, *availability, &history);
    REQUIRE(metrics.makespan == plan->end);
    CHECK(validate(instance, *availability, history, metrics));
    const auto bound = lower_bound(instance, *availability, effort);
    REQUIRE(bound);
    CHECK(bound->slots <= plan->end);
    Toolbox toolbox(instance);
    const ReadyStrategy rule =
        make_strategy(testing::spec("e-ie"), instance).value()(toolbox, {.seed = seed});
    const auto makespan = simulate(instance, rule.rules, *availability).makespan;
    REQUIRE(makespan);
    ++plans;
    const auto of = [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(a) / static_cast<double>(b);
    };
    bound_of += of(bound->slots, plan->end);
    plan_of_rule += of(plan->end, *makespan);
    bound_of_rule += of(bound->slots, *makespan);
  }
  MESSAGE("minimum speed " << minimum_speed << ", " << plans << " platforms, effort " << effort
                           << ": bound / plan " << bound_of / plans << ", plan / e-ie "
                           << plan_of_rule / plans << ", bound / e-ie " << bound_of_rule / plans);
  return bound_of / plans;
}

}  // namespace

TEST_CASE(
    "foresight: a plan that knows all states ends after the bound, on the platforms of the source" *
    doctest::test_suite("slow")) {
  CHECK(bound_of_plan(1, 20, 10) > 0.8);
}

TEST_CASE("foresight: the same with programs of 15 slots" * doctest::test_suite("thorough")) {
  CHECK(bound_of_plan(3, 20, 10) > 0.6);
  CHECK(bound_of_plan(3, 20, 10, 300'000'000) > 0.75);
}
