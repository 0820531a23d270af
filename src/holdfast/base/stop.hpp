#pragma once

#include <atomic>

namespace holdfast {

/// A view of a flag by which a signal handler or another thread can ask the work to stop. A long loop checks it about every
/// thousand steps; once it is set, the result of the loop is discarded.
class Stop {
 public:
  Stop() = default;  ///< a request that never comes
  /// Makes a view of a flag.
  /// @param flag  may be null; must outlive this view
  explicit Stop(const std::atomic<bool>* flag) : flag_{flag} {}

  /// Returns true if the caller wants the work to stop.
  [[nodiscard]] bool wanted() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace holdfast
