#include "holdfast/domains/checkpoint/advisor/trust.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor.hpp"

namespace holdfast::checkpoint {
namespace {

constexpr double kTrust = 1;
constexpr double kTrustInFit = 3;

}  // namespace

double usual_trust(const Instance& instance) {
  return instance.observed_mtbf ? kTrustInFit : kTrust;
}

std::optional<double> parse_trust(std::string_view text) {
  if (text == "inf") return AdvisorSettings::kNever;
  const auto number = parse_quantity(text, Unit::none);
  if (!number || !(*number > 0)) return std::nullopt;
  return *number;
}

}  // namespace holdfast::checkpoint
