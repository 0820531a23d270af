#include "holdfast/domains/io/plan.hpp"

#include <algorithm>

namespace holdfast::io {

Decision decide_now(const LiveState& state, Strategy& strategy) {
  Decision out;
  out.rates.assign(state.instance.applications.size(), 0);
  out.horizon = state.instance.end - state.now;
  if (state.requests.empty()) return out;
  std::vector<double> rates(state.requests.size());
  strategy.decide({.now = state.now,
                   .bandwidth = state.instance.bandwidth,
                   .left = state.instance.end - state.now,
                   .window = state.instance.length(),
                   .requests = state.requests,
                   .median_yield = state.median_yield},
                  rates);
  // If rates make an operation end together with the window, the two dates agree only within rounding.
  constexpr double kSame = 1 - 1e-12;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const Pending& request = state.requests[k];
    out.rates[request.application] = rates[k];
    if (!(rates[k] > 0)) continue;
    const double until = request.remaining / rates[k];
    if (until < out.horizon * kSame) {
      out.horizon = until;
      out.event = request.application;
    }
  }
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const Pending& request = state.requests[k];
    const double age = request.age + out.horizon;
    const double progress = request.progress + rates[k] / request.bandwidth * out.horizon;
    out.minimum_yield = std::min(out.minimum_yield, progress / age);
  }
  return out;
}

}  // namespace holdfast::io
