#include "holdfast/domains/io/reading_io.hpp"

namespace holdfast::io {

Reading read_reading(ObjectReader& read) {
  constexpr Range kFraction{.minimum = 0, .maximum = 1, .below_maximum = true};
  const std::size_t author = read.choice_or("profile", kProfiles, 0);
  Reading out;
  out.ties_by_index = read.choice_or("ties", kTies, author) == 1;
  out.lookahead_in_window = read.choice_or("lookahead_horizon", kHorizons, author) == 1;
  out.rolling_timer = read.choice_or("periodic_timer", kTimers, author) == 1;
  out.learn_at_completion = read.choice_or("set10_learning", kLearning, 0) == 1;
  out.whole_window = read.choice_or("best_next_event_horizon", kWindows, author) == 1;
  out.cut_phases = read.flag_or("cut_phases", author == 1);
  out.warmup = read.number_or("warmup", 0, kFraction);
  out.lookahead_floor = read.number_or("lookahead_floor", 0, between(0, 1));
  return out;
}

void set_reading(Value& document, const Reading& reading) {
  document.set("ties", kTies[reading.ties_by_index ? 1 : 0]);
  document.set("lookahead_horizon", kHorizons[reading.lookahead_in_window ? 1 : 0]);
  document.set("periodic_timer", kTimers[reading.rolling_timer ? 1 : 0]);
  document.set("set10_learning", kLearning[reading.learn_at_completion ? 1 : 0]);
  document.set("best_next_event_horizon", kWindows[reading.whole_window ? 1 : 0]);
  document.set("cut_phases", reading.cut_phases);
  if (reading.warmup > 0) document.set("warmup", reading.warmup);
  if (reading.lookahead_floor > 0) document.set("lookahead_floor", reading.lookahead_floor);
}

}  // namespace holdfast::io
