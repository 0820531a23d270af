#pragma once

#include "holdfast/arbiter/frames.hpp"
#include "holdfast/arbiter/happening.hpp"
#include "holdfast/arbiter/standing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace holdfast::arbiter {

/// A histogram of durations in seconds. Each bound counts the durations up to it.
class Durations {
 public:
  static constexpr auto kBounds =
      std::to_array<double>({1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 1e-2, 2.5e-2, 0.1, 0.25, 1});

  void add(double seconds);
  [[nodiscard]] std::uint64_t up_to(std::size_t bound) const { return counts_[bound]; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::array<std::uint64_t, kBounds.size()> counts_{};
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

/// The counts of the events of a core, and the durations of its decisions.
struct Tally {
  std::array<std::uint64_t, std::variant_size_v<Frame>> frames{};  ///< in both directions, by type
  std::array<std::uint64_t, static_cast<std::size_t>(FaultCode::shutting_down)> errors{};
  std::uint64_t expiries = 0;  ///< connections that missed three reports
  Durations decisions;         ///< measured by the server's loop

  void hear(const Happening& happening);
};

/// The number of applications that metrics name. The others are summed as job="other".
inline constexpr std::size_t kNamedApplications = 200;

/// Returns the metrics of an arbiter in Prometheus' text format, 0.0.4. The applications with the largest delays are named.
[[nodiscard]] std::string metrics_text(std::span<const Standing> applications, const Totals& totals,
                                       const Tally& tally);

}  // namespace holdfast::arbiter
