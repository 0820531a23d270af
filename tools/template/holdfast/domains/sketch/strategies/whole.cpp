#include "holdfast/domains/sketch/strategies.hpp"

namespace holdfast::sketch {
namespace {

class Whole final : public Strategy {
 public:
  double next_segment(const State& state) override { return state.work_left; }
};

}  // namespace

std::unique_ptr<Strategy> make_whole(const Instance&, const StrategySpec&) {
  return std::make_unique<Whole>();
}

}  // namespace holdfast::sketch
