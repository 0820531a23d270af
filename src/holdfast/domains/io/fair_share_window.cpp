#include "holdfast/domains/io/warmup.hpp"
#include "holdfast/domains/io/window.hpp"

#include <algorithm>

namespace holdfast::io {
namespace {

class FairShareWindow {
 public:
  FairShareWindow(const Instance& instance, Timeline* timeline, Stop stop)
      : instance_{instance}, window_{instance, timeline, stop} {
    for (std::uint32_t i = 0; i < instance.applications.size(); ++i) begin_phase(i);
  }

  Run run(const Load& load) {
    simulate();
    for (const Transfer& transfer : transfers_) {
      const std::uint32_t i = transfer.application;
      const double bandwidth = window_.bandwidth(i);
      const double left = std::max(0.0, transfer.end - virtual_);
      window_.cut_operation(i, left * bandwidth,
                            window_.progress(i) + std::max(0.0, transfer.alone - left));
    }
    return window_.finish(load, {.count = decisions_});
  }

  /// Returns the instance from the end of this window until `end`. @pre called once, instead of run()
  Instance rest(double end) {
    simulate();
    Instance out = instance_;
    out.begin = window_.now();
    out.end = end;
    std::vector<double> left(out.applications.size(), 0);  // of the phases under way
    for (const Transfer& transfer : transfers_) {
      const double seconds = std::max(0.0, transfer.end - virtual_);
      left[transfer.application] = seconds * window_.bandwidth(transfer.application);
    }
    window_.stop_work(left);
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      Application& application = out.applications[i];
      const Phase* phase = window_.phase(i);
      application.progress = window_.progress(i);
      if (phase != nullptr) {
        const double done = window_.amount(i) - left[i];
        application.progress +=
            phase->kind == Phase::Kind::io ? done / application.bandwidth : done;
      }
      application.progress = std::min(application.progress, out.begin - application.release);
      application.phases = window_.phases_left(i, left[i], out.length());
      application.repeat = false;
    }
    return out;
  }

 private:
  void simulate() {
    while (window_.is_open()) {
      ++decisions_;
      share();
      advance(next_event());
      complete();
    }
  }

  struct Transfer {
    double end = 0;    // in virtual time: seconds of dedicated transfer since the window's begin
    double alone = 0;  // its length in virtual time
    std::uint32_t application = 0;
    friend bool operator<(const Transfer& a, const Transfer& b) {
      return a.end != b.end ? a.end > b.end : a.application > b.application;  // the top ends first
    }
  };

  void begin_phase(std::uint32_t i) {
    if (!window_.begin_phase(i)) return;
    const double bandwidth = window_.bandwidth(i);
    const double alone = window_.amount(i) / bandwidth;
    transfers_.push_back({virtual_ + alone, alone, i});
    std::push_heap(transfers_.begin(), transfers_.end());
    asked_ += bandwidth;
    is_changed_ = true;
  }

  // Computes the fraction of its bandwidth that each transfer gets.
  void share() {
    if (transfers_.empty()) asked_ = 0;  // so that rounding errors of the sum do not last
    fraction_ = asked_ > instance_.bandwidth ? instance_.bandwidth / asked_ : 1;
    if (!is_changed_ || !window_.is_shown()) return;
    is_changed_ = false;
    for (const Transfer& transfer : transfers_) {
      const std::uint32_t i = transfer.application;
      window_.show_transfer(i, window_.bandwidth(i) * fraction_);
    }
  }

  [[nodiscard]] double next_event() const {
    double next = std::min(instance_.end, window_.next_work());
    if (!transfers_.empty()) {
      const double left = std::max(0.0, transfers_.front().end - virtual_);
      next = std::min(next, window_.now() + left / fraction_);
    }
    return next;
  }

  void advance(double next) {
    virtual_ += fraction_ * (next - window_.now());
    window_.set_now(next);
  }

  void complete() {
    ended_.clear();
    const double close = few_ulps(window_.now()) * fraction_;
    while (!transfers_.empty()) {
      const Transfer& first = transfers_.front();
      if (first.end - virtual_ > std::max(close, kTie * first.alone)) break;
      ended_.push_back({first.application, true});
      asked_ -= window_.bandwidth(first.application);
      is_changed_ = true;
      std::pop_heap(transfers_.begin(), transfers_.end());
      transfers_.pop_back();
    }
    window_.take_ended_work(ended_);
    if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
    for (const auto& [i, is_operation] : ended_) {
      is_operation ? window_.end_operation(i) : window_.end_work(i);
      begin_phase(i);
    }
  }

  const Instance& instance_;
  Window window_;
  std::vector<Transfer> transfers_;  // a heap
  double virtual_ = 0;
  double asked_ = 0;
  double fraction_ = 1;
  bool is_changed_ = true;
  std::vector<Window::Ended> ended_;
  std::int64_t decisions_ = 0;
};

}  // namespace

Run simulate_fair_share(const Instance& instance, const Load& load, Timeline* timeline, Stop stop) {
  return FairShareWindow(instance, timeline, stop).run(load);
}

Instance after_warmup(const Instance& instance, double part) {
  Instance first = instance;
  first.end = instance.begin + part * instance.length();
  return FairShareWindow(first, nullptr, Stop()).rest(instance.end);
}

}  // namespace holdfast::io
