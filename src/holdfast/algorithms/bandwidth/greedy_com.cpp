#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/algorithms/bandwidth/strategies.hpp"

namespace holdfast::bandwidth {
namespace {

class GreedyCom final : public Strategy {
 public:
  explicit GreedyCom(bool by_index) : by_index_{by_index}, ranking_{by_index} {}

  void share(const Situation& situation, std::span<double> rates) override {
    keys_.resize(rates.size());
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      keys_[i] = situation.requests[i].remaining / situation.requests[i].bandwidth;
    }
    ranking_.serve(situation, keys_, rates);
  }
  [[nodiscard]] Rank rank() const override { return by_index_ ? Rank::asked : Rank::remaining; }

 private:
  bool by_index_;
  Ranking ranking_;
  std::vector<double> keys_;
};

}  // namespace

std::unique_ptr<Strategy> make_greedy_com(bool ties_by_index) {
  return std::make_unique<GreedyCom>(ties_by_index);
}

}  // namespace holdfast::bandwidth
