#include "holdfast/domains/io/dedicated.hpp"

#include <algorithm>

namespace holdfast::io {

Dedicated alone(const Application& application, double length) {
  Dedicated out;
  PhaseCursor cursor(application);
  bool is_first = true;
  for (const Phase* phase = cursor.next(application); phase != nullptr && out.duration < length;
       phase = cursor.next(application)) {
    const bool moves = phase->kind == Phase::Kind::io;
    const double full = moves ? phase->amount / application.bandwidth : phase->amount;
    const double end = out.duration + full;
    if (moves) {
      ++out.operations;
      out.volume += end <= length ? phase->amount : (length - out.duration) * application.bandwidth;
    }
    if (is_first || end < length) ++out.ended_phases;
    is_first = false;
    out.duration = end;
  }
  out.duration = std::min(out.duration, length);
  return out;
}

Load load_of(const Instance& instance) {
  const double length = instance.length();
  double volume = 0;
  std::int64_t operations = 0, phases = 0;
  for (const Application& application : instance.applications) {
    const Dedicated dedicated = alone(application, length);
    volume += dedicated.volume;
    operations += dedicated.operations;
    phases += dedicated.ended_phases;
  }
  const auto per = [length](std::int64_t count) {
    return length / static_cast<double>(std::max<std::int64_t>(count, 1));
  };
  return {volume / (instance.bandwidth * length), per(2 * operations), per(phases), {}, {}};
}

}  // namespace holdfast::io
