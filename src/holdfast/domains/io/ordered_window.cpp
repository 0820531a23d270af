#include "holdfast/domains/io/window.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

namespace holdfast::io {
namespace {

// A simulation that keeps operations in order. While an operation waits, its key does not change; the keys of operations at
// full rate all change equally. So there are two ordered sets, of waiting operations and of those at full rate, and one
// operation between them that gets the rest of the bandwidth; the sets change only at their ends.
class OrderedWindow {
 public:
  OrderedWindow(const Instance& instance, Strategy& strategy, Timeline* timeline, Stop stop)
      : instance_{instance},
        strategy_{strategy},
        window_{instance, timeline, stop},
        transfers_(instance.applications.size()),
        left_{instance.bandwidth} {
    for (std::uint32_t i = 0; i < instance.applications.size(); ++i) begin_phase(i);
  }

  Run run(const Load& load) {
    while (window_.is_open()) {
      decide();
      window_.set_now(next_event());
      complete();
    }
    for (std::uint32_t i = 0; i < transfers_.size(); ++i) {
      if (!transfers_[i].is_pending) continue;
      settle(i);
      window_.cut_operation(i, transfers_[i].remaining, progress(i));
    }
    decisions_.period = strategy_.period();
    return window_.finish(load, decisions_);
  }

 private:
  struct Place {
    double key = 0;
    double posted = 0;
    std::uint32_t application = 0;
    friend bool operator<(const Place& a, const Place& b) {
      if (a.key != b.key) return a.key < b.key;
      return a.posted != b.posted ? a.posted < b.posted : a.application < b.application;
    }
  };
  using Places = std::set<Place>;
  // The transfer of an operation. Its node moves from set to set, so that memory is allocated only the first time.
  struct Transfer {
    Places::node_type node;
    Places::iterator place;  // in the set that contains it, if there is one
    double remaining = 0;    // bytes left when its rate began
    double since = 0;
    double rate = 0;
    double end = kNever;
    double posted = 0;
    bool is_pending = false;
  };

  void begin_phase(std::uint32_t i) {
    if (!window_.begin_phase(i)) return;
    Transfer& transfer = transfers_[i];
    transfer.remaining = window_.amount(i);
    transfer.since = transfer.posted = window_.now();
    transfer.rate = 0;
    transfer.is_pending = true;
    wait(i);
  }

  [[nodiscard]] double progress(std::uint32_t i) const {
    return window_.progress(i) +
           (window_.amount(i) - transfers_[i].remaining) / window_.bandwidth(i);
  }
  // @pre settle(i)
  [[nodiscard]] double key(std::uint32_t i) const {
    switch (strategy_rank_) {
      case Rank::remaining:
        return transfers_[i].remaining / window_.bandwidth(i);
      case Rank::progress:
        return progress(i);
      default:
        return 0;
    }
  }
  // The change of the keys of all operations at full rate since the window began.
  [[nodiscard]] double drift() const {
    const double elapsed = window_.now() - instance_.begin;
    if (strategy_rank_ == Rank::posted) return 0;
    return strategy_rank_ == Rank::remaining ? -elapsed : elapsed;
  }

  // Subtracts the volume moved since the rate began from what is left.
  void settle(std::uint32_t i) {
    Transfer& transfer = transfers_[i];
    const double moved = transfer.rate * (window_.now() - transfer.since);
    transfer.remaining = std::max(0.0, transfer.remaining - moved);
    transfer.since = window_.now();
  }

  // Puts an operation in its place. A key that equals a neighbour's within rounding becomes that key, and the date of posting
  // decides, so that exact ties survive rounding.
  void insert(Places& places, std::uint32_t i, double at, double tolerance) {
    const auto next = places.lower_bound({at, -kNever, 0});
    if (next != places.end() && next->key - at <= tolerance) {
      at = next->key;
    } else if (next != places.begin() && at - std::prev(next)->key <= tolerance) {
      at = std::prev(next)->key;
    }
    Transfer& transfer = transfers_[i];
    const Place place{at, transfer.posted, i};
    if (transfer.node.empty()) {
      transfer.place = places.insert(place).first;
    } else {
      transfer.node.value() = place;
      transfer.place = places.insert(std::move(transfer.node)).position;
    }
  }
  void take(Places& places, std::uint32_t i) {
    transfers_[i].node = places.extract(transfers_[i].place);
  }

  void wait(std::uint32_t i) {
    const double at = key(i);
    insert(waiting_, i, at, kTie * std::abs(at));
  }

  void set_rate(std::uint32_t i, double rate) {
    Transfer& transfer = transfers_[i];
    transfer.rate = rate;
    transfer.end = rate > 0 ? window_.now() + transfer.remaining / rate : kNever;
  }

  [[nodiscard]] bool is_before(const Place& waiting, std::uint32_t served) {
    settle(served);
    const double own = key(served);
    const double difference = waiting.key - own;
    if (std::abs(difference) > kTie * std::max(std::abs(own), std::abs(waiting.key))) {
      return difference < 0;
    }
    const double posted = transfers_[served].posted;
    return waiting.posted != posted ? waiting.posted < posted : waiting.application < served;
  }

  // Takes the bandwidth from an operation, and remembers the rate that it had.
  void pause(std::uint32_t i) {
    settle(i);
    paused_.emplace_back(i, transfers_[i].rate);
    set_rate(i, 0);
    wait(i);
  }

  // @pre i waits
  void give(std::uint32_t i, double rate) {
    settle(i);
    set_rate(i, rate);
    const std::pair<std::uint32_t, double> as_before{i, rate};
    const bool goes_on = std::find(paused_.begin(), paused_.end(), as_before) != paused_.end();
    if (!goes_on) window_.show_transfer(i, rate);
  }

  void serve(std::uint32_t i) {
    const double bandwidth = window_.bandwidth(i);
    left_ -= bandwidth;
    take(waiting_, i);
    const double at = key(i);
    insert(served_, i, at - drift(), kTie * std::abs(at));
    give(i, bandwidth);
    ends_.push(transfers_[i].end, i);
  }

  void decide() {
    ++decisions_.count;
    paused_.clear();
    if (partial_) {
      const std::uint32_t i = *partial_;
      partial_.reset();
      pause(i);
    }
    if (served_.empty()) left_ = instance_.bandwidth;  // so that rounding errors do not last
    // Each turn serves one more or pauses one. Keys within rounding of a tie could alternate without end, so turns are limited.
    std::size_t turns = 4 * (waiting_.size() + served_.size()) + 4;
    while (!waiting_.empty() && turns-- > 0) {
      const Place first = *waiting_.begin();
      if (!served_.empty()) {
        const std::uint32_t last = std::prev(served_.end())->application;
        if (is_before(first, last)) {
          take(served_, last);
          left_ += window_.bandwidth(last);
          pause(last);
          continue;
        }
      }
      const std::uint32_t i = first.application;
      const double bandwidth = window_.bandwidth(i);
      if (left_ >= bandwidth * (1 - kTie)) {
        serve(i);
        continue;
      }
      if (left_ > kTie * instance_.bandwidth) {
        take(waiting_, i);
        give(i, left_);
        partial_ = i;
      }
      break;
    }
    for (const auto& [i, rate] : paused_) {
      if (transfers_[i].rate > 0) continue;
      ++decisions_.preemptions;
      window_.show_transfer(i, 0);
    }
  }

  // The dates of operations that have been paused since are still in the heap.
  void forget_stale_ends() {
    while (!ends_.empty() && transfers_[ends_.top().application].end != ends_.top().date) {
      ends_.pop();
    }
  }

  double next_event() {
    double next =
        std::min({instance_.end, strategy_.next_date(window_.now()), window_.next_work()});
    forget_stale_ends();
    if (!ends_.empty()) next = std::min(next, ends_.top().date);
    if (partial_) next = std::min(next, transfers_[*partial_].end);
    return std::max(next, window_.now());
  }

  [[nodiscard]] bool is_over(std::uint32_t i) const {
    const Transfer& transfer = transfers_[i];
    return transfer.end - window_.now() <=
           std::max(few_ulps(window_.now()), kTie * window_.amount(i) / transfer.rate);
  }

  void complete() {
    ended_.clear();
    for (forget_stale_ends(); !ends_.empty() && is_over(ends_.top().application);
         forget_stale_ends()) {
      const std::uint32_t i = ends_.pop().application;
      take(served_, i);
      left_ += window_.bandwidth(i);
      end_operation(i);
    }
    if (partial_ && is_over(*partial_)) {
      end_operation(*partial_);
      partial_.reset();
    }
    window_.take_ended_work(ended_);
    if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
    for (const auto& [i, is_operation] : ended_) {
      is_operation ? window_.end_operation(i) : window_.end_work(i);
      begin_phase(i);
    }
  }
  void end_operation(std::uint32_t i) {
    transfers_[i].end = kNever;
    transfers_[i].is_pending = false;
    ended_.push_back({i, true});
  }

  const Instance& instance_;
  Strategy& strategy_;
  Rank strategy_rank_ = strategy_.rank();
  Window window_;
  std::vector<Transfer> transfers_;  // per application
  Places waiting_;
  Places served_;  // at full rate; keys minus drift()
  std::optional<std::uint32_t> partial_;
  double left_;    // bandwidth that operations at full rate leave
  DateHeap ends_;  // ends of operations at full rate; stale ones are skipped
  std::vector<std::pair<std::uint32_t, double>> paused_;
  std::vector<Window::Ended> ended_;
  Decisions decisions_;
};

}  // namespace

Run simulate_in_order(const Instance& instance, const Load& load, Strategy& strategy,
                      Timeline* timeline, Stop stop) {
  return OrderedWindow(instance, strategy, timeline, stop).run(load);
}

}  // namespace holdfast::io
