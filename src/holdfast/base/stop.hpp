#pragma once

#include <atomic>

namespace holdfast {

/// A request to stop: a view of a flag that a signal handler or another thread may set. A long loop looks at it every thousand
/// steps or so, and what it then returns is discarded.
class Stop {
 public:
  Stop() = default;  ///< a request that never comes
  /// Makes a view of a flag.
  /// @param flag  may be null; has to outlive this view
  explicit Stop(const std::atomic<bool>* flag) : flag_{flag} {}

  /// Returns true if the caller wants the work to stop.
  [[nodiscard]] bool wanted() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace holdfast
