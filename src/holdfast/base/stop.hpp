#pragma once

#include <atomic>

namespace holdfast {

/// Whether the caller wants an end: a view of a flag that a signal handler or another thread may set. A long loop
/// looks at it every thousand steps or so; what it then returns is thrown away.
class Stop {
 public:
  Stop() = default;  ///< never wanted
  /// @param flag  may be null; has to outlive this view
  explicit Stop(const std::atomic<bool>* flag) : flag_{flag} {}

  [[nodiscard]] bool wanted() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace holdfast
