#pragma once

namespace holdfast::sketch {

/// What a strategy may know when it decides: neither a random source nor future failures. Times are in seconds.
struct State {
  double now = 0;
  double work_left = 0;  ///< seconds, > 0
};

/// Decides how much work to do before the next save; asked again after every save and failure.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Returns a length in (0, state.work_left].
  [[nodiscard]] virtual double next_segment(const State& state) = 0;
};

}  // namespace holdfast::sketch
