#include "holdfast/models/failures/law_model.hpp"

#include <cassert>
#include <memory>

namespace holdfast {
namespace {

class Exponential final : public LawModelOf<Exponential> {
 public:
  explicit Exponential(double mean)
      : LawModelOf{Value::object({{"distribution", "exponential"}, {"mtbf", mean}})}, mean_{mean} {}

  [[nodiscard]] double cumulative_hazard(double x) const override { return x / mean_; }
  [[nodiscard]] HazardValue at(double x) const override { return {x / mean_, 1 / mean_, 0}; }
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override { return y * mean_; }
  [[nodiscard]] double mean() const override { return mean_; }
  [[nodiscard]] double mean_of_minimum(double processors) const override {
    return mean_ / processors;
  }

 private:
  double mean_;
};

}  // namespace

Law exponential_law(double mean) {
  assert(mean > 0);
  return Law{std::make_shared<Exponential>(mean)};
}

std::optional<Law> read_exponential(ObjectReader& read,
                                    const std::filesystem::path& /*directory*/) {
  const double mean = read.seconds("mtbf", positive());
  if (!read.ok()) return std::nullopt;
  return checked(read, exponential_law(mean));
}

}  // namespace holdfast
