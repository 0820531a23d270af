#pragma once

#include "holdfast/arbiter/top_view.hpp"
#include "holdfast/report/page.hpp"

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <string>

namespace holdfast::arbiter {

/// The rates of one round.
struct RateSample {
  double at = 0;                               ///< seconds
  double granted = 0;                          ///< bytes/s
  std::map<std::uint64_t, double> rates = {};  ///< by handle; only those above 0
};

/// Returns the page of a round: who writes, at what rate, and whose yield is worst.
/// @param past  in order of time, at least one
[[nodiscard]] Page top_page(const Round& round, const TopView& view, const UserName& user,
                            const std::deque<RateSample>& past);

/// The page that `io top` writes again and again.
class TopPage {
 public:
  TopPage(std::filesystem::path file, std::string command)
      : file_(std::move(file)), command_(std::move(command)) {}

  /// Notes a round, and writes the page if it is time to.
  /// @param now      seconds of any clock that never runs back
  /// @param is_last  true: the page is written at once, and does not reload itself
  [[nodiscard]] Status take(const Round& round, const TopView& view, const UserName& user,
                            double now, bool is_last);

 private:
  std::filesystem::path file_;
  std::string command_;
  std::deque<RateSample> past_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace holdfast::arbiter
