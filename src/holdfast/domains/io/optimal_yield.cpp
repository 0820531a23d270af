#include "holdfast/domains/io/optimal_yield.hpp"

#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/math/linear_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

namespace holdfast::io {
namespace {

using Term = LinearProgram::Term;
using Terms = std::vector<Term>;

constexpr double kRoundingOfPrograms = 1e-10;

// Times are in units of the window's length and bandwidths in units of the file system's, so that numbers are around 1.
struct Stretch {
  bool moves = false;
  double seconds = 0;  // of dedicated execution
};

// A line below the volume moved since a stretch began: at least slope * seconds - offset in that many seconds of dedicated
// execution.
struct Support {
  double slope = 0;
  double offset = 0;
};

struct Chain {
  double bandwidth = 0;
  double age = 0;       // at the window's end
  double progress = 0;  // at its begin
  std::vector<Stretch> stretches;
  std::vector<double> before;                  // [stretches + 1] seconds of earlier stretches
  std::vector<std::vector<Support>> supports;  // [stretch]
};

struct Corner {
  double seconds = 0;
  double volume = 0;
};

std::vector<Support> supports_of(const Chain& chain, std::size_t from) {
  std::vector<Corner> hull;
  Corner at;
  const auto add = [&hull](const Corner& corner) {
    while (hull.size() > 1) {
      const Corner &a = hull[hull.size() - 2], &b = hull.back();
      const double turn = (b.seconds - a.seconds) * (corner.volume - a.volume) -
                          (b.volume - a.volume) * (corner.seconds - a.seconds);
      if (turn > 0) break;
      hull.pop_back();
    }
    hull.push_back(corner);
  };
  add(at);
  for (std::size_t k = from; k < chain.stretches.size() && at.seconds < 1; ++k) {
    const double seconds = std::min(chain.stretches[k].seconds, 1 - at.seconds);
    at.seconds += seconds;
    at.volume += chain.stretches[k].moves ? seconds * chain.bandwidth : 0;
    add(at);
  }
  std::vector<Support> out;
  for (std::size_t k = 1; k < hull.size(); ++k) {
    const double slope =
        (hull[k].volume - hull[k - 1].volume) / (hull[k].seconds - hull[k - 1].seconds);
    if (slope > 0) out.push_back({slope, slope * hull[k].seconds - hull[k].volume});
  }
  return out;
}

Chain chain_of(const Application& application, const Instance& instance) {
  const double length = instance.length();
  Chain chain{.bandwidth = application.bandwidth / instance.bandwidth,
              .age = (instance.end - application.release) / length,
              .progress = application.progress / length,
              .stretches = {},
              .before = {0},
              .supports = {}};
  PhaseCursor cursor(application);
  while (chain.before.back() < 1) {
    const Phase* phase = cursor.next(application);
    if (phase == nullptr) break;
    const bool moves = phase->kind == Phase::Kind::io;
    const double seconds = (moves ? phase->amount / application.bandwidth : phase->amount) / length;
    if (!chain.stretches.empty() && chain.stretches.back().moves == moves) {
      chain.stretches.back().seconds += seconds;
      chain.before.back() += seconds;
    } else {
      chain.stretches.push_back({moves, seconds});
      chain.before.push_back(chain.before.back() + seconds);
    }
  }
  for (std::size_t k = 0; k < chain.stretches.size(); ++k)
    chain.supports.push_back(supports_of(chain, k));
  return chain;
}

// An order of events, complete or partial.
struct Order {
  std::vector<std::size_t> chains;  // the chain whose stretch ends, event after event
  bool is_complete = false;         // the window ends after the last of them
  double bound = 0;
};

struct LessPromising {
  // Bounds that differ only by rounding count as equal; the longest of these orders comes first, then
  // the one of the smaller numbers.
  bool operator()(const Order& a, const Order& b) const {
    const double x = std::floor(a.bound / kRoundingOfPrograms);
    const double y = std::floor(b.bound / kRoundingOfPrograms);
    if (x != y) return x < y;
    if (a.is_complete != b.is_complete) return b.is_complete;
    if (a.chains.size() != b.chains.size()) return a.chains.size() < b.chains.size();
    return a.chains > b.chains;
  }
};

// The linear program of one order.
class OrderProgram {
 public:
  OrderProgram(const std::vector<Chain>& chains, const Order& order)
      : chains_{chains},
        order_{order},
        stretch_(chains.size(), 0),
        begun_(chains.size(), 0),
        moved_(chains.size()) {}

  std::optional<double> bound() {
    yield_ = program_.add_variable();
    for (const std::size_t chain : order_.chains) {
      add_interval();
      end_stretch(chain);
    }
    if (order_.is_complete) add_interval();
    for (std::size_t i = 0; i < chains_.size(); ++i) limit_stretch(i);
    Terms all = lengths_from(0);
    if (!order_.is_complete) {
      rest_ = program_.add_variable();
      all.push_back({rest_, 1});
    }
    program_.equal(all, 1);
    Terms later;
    for (std::size_t i = 0; i < chains_.size(); ++i) add_yield(i, later);
    if (!later.empty()) {
      later.push_back({rest_, -1});
      program_.at_most(later, 0);
    }
    best_ = program_.maximise(yield_);
    return best_ ? std::optional(best_->value) : std::nullopt;
  }

  /// Returns the rates of a complete order, interval after interval. @pre bound()
  [[nodiscard]] std::vector<GivenRates> rates(const Instance& instance) const {
    std::vector<GivenRates> out;
    double date = 0;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      const double length = best_->variables[intervals_[k]];
      GivenRates given{.time = instance.begin + date * instance.length(),
                       .rates = std::vector<double>(chains_.size(), 0)};
      for (const Share& share : shares_[k]) {
        const double most = chains_[share.chain].bandwidth;
        const double rate = share.volume == kAllItCan || length <= 0
                                ? most
                                : std::min(most, best_->variables[share.volume] / length);
        given.rates[share.chain] = rate * instance.bandwidth;
      }
      date += length;
      if (length > kRoundingOfPrograms) out.push_back(std::move(given));
    }
    return out;
  }

 private:
  static constexpr std::size_t kAllItCan = static_cast<std::size_t>(-1);
  struct Share {
    std::size_t chain = 0;
    std::size_t volume = kAllItCan;  // the variable of its volume; kAllItCan: full bandwidth
  };

  [[nodiscard]] bool moves(std::size_t i) const {
    return stretch_[i] < chains_[i].stretches.size() && chains_[i].stretches[stretch_[i]].moves;
  }
  [[nodiscard]] Terms lengths_from(std::size_t first, double factor = 1) const {
    Terms out;
    for (std::size_t k = first; k < intervals_.size(); ++k) out.push_back({intervals_[k], factor});
    return out;
  }

  // Adds the time between two events, and the volumes of the operations: each at full bandwidth, or together all that the file
  // system can move.
  void add_interval() {
    const std::size_t length = program_.add_variable();
    intervals_.push_back(length);
    std::vector<Share>& shares = shares_.emplace_back();
    double wanted = 0;
    for (std::size_t i = 0; i < chains_.size(); ++i) wanted += moves(i) ? chains_[i].bandwidth : 0;
    if (wanted <= 1) {
      for (std::size_t i = 0; i < chains_.size(); ++i) {
        if (!moves(i)) continue;
        moved_[i].push_back({length, chains_[i].bandwidth});
        shares.push_back({i});
      }
      return;
    }
    Terms all = {{length, -1}};
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (!moves(i)) continue;
      const std::size_t volume = program_.add_variable();
      moved_[i].push_back({volume, 1});
      shares.push_back({i, volume});
      all.push_back({volume, 1});
      if (chains_[i].bandwidth < 1)
        program_.at_most({{volume, 1}, {length, -chains_[i].bandwidth}}, 0);
    }
    program_.equal(all, 0);
  }

  // The part of a chain's current stretch that is done: volume, or seconds.
  [[nodiscard]] Terms done(std::size_t i, double factor) const {
    if (!moves(i)) return lengths_from(begun_[i], factor);
    Terms out = moved_[i];
    for (Term& term : out) term.factor *= factor;
    return out;
  }
  [[nodiscard]] double amount(std::size_t i) const {
    const Stretch& stretch = chains_[i].stretches[stretch_[i]];
    return stretch.seconds * (stretch.moves ? chains_[i].bandwidth : 1);
  }

  void end_stretch(std::size_t i) {
    program_.equal(done(i, 1), amount(i));
    ++stretch_[i];
    begun_[i] = intervals_.size();
    moved_[i].clear();
  }
  void limit_stretch(std::size_t i) {
    if (stretch_[i] < chains_[i].stretches.size() && begun_[i] < intervals_.size())
      program_.at_most(done(i, 1), amount(i));
  }

  // Adds the rule that the least yield is at most this chain's. @param later  volumes that are still to be moved, over all
  // chains
  void add_yield(std::size_t i, Terms& later) {
    const Chain& chain = chains_[i];
    const double before = chain.progress + chain.before[stretch_[i]];
    if (stretch_[i] == chain.stretches.size()) {
      program_.at_most({{yield_, chain.age}}, before);
      return;
    }
    const double per_second = moves(i) ? 1 / chain.bandwidth : 1;
    Terms reached = done(i, -per_second);
    if (order_.is_complete) {
      reached.push_back({yield_, chain.age});
      program_.at_most(reached, before);
      return;
    }
    const std::size_t seconds = program_.add_variable();  // since this stretch began
    program_.at_most({{yield_, chain.age}, {seconds, -1}}, before);
    reached.push_back({seconds, 1});
    reached.push_back({rest_, -1});
    program_.at_most(reached, 0);
    program_.at_most({{seconds, 1}}, chain.before.back() - chain.before[stretch_[i]]);
    if (chain.supports[stretch_[i]].empty()) return;
    const std::size_t volume = program_.add_variable();
    later.push_back({volume, 1});
    for (const Support& support : chain.supports[stretch_[i]]) {
      Terms least = moves(i) ? done(i, -1) : Terms{};
      least.push_back({seconds, support.slope});
      least.push_back({volume, -1});
      program_.at_most(least, support.offset);
    }
  }

  const std::vector<Chain>& chains_;
  const Order& order_;
  LinearProgram program_;
  std::optional<LinearProgram::Solution> best_;
  std::size_t yield_ = 0, rest_ = 0;
  std::vector<std::size_t> intervals_;      // the variables of their lengths
  std::vector<std::vector<Share>> shares_;  // [interval] chains that move data
  std::vector<std::size_t> stretch_;        // [chain] current stretch
  std::vector<std::size_t> begun_;          // [chain] interval in which that stretch began
  std::vector<Terms> moved_;                // [chain] volume moved in that stretch
};

// The orders with one more event: the current stretch of a chain ends, or the window does.
std::vector<Order> continuations(const std::vector<Chain>& chains, const Order& order) {
  std::vector<std::size_t> ended(chains.size(), 0);
  for (const std::size_t chain : order.chains) ++ended[chain];
  std::vector<Order> out;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (ended[i] == chains[i].stretches.size()) continue;
    out.push_back(order);
    out.back().chains.push_back(i);
  }
  out.push_back(order);
  out.back().is_complete = true;
  return out;
}

}  // namespace

std::optional<OptimalYield> optimal_yield(const Instance& instance, double bound,
                                          std::int64_t most_programs) {
  std::int64_t operations = 0;
  for (const Application& application : instance.applications) {
    operations += alone(application, instance.length()).operations;
    if (operations > kMostOperations) return std::nullopt;
  }
  std::vector<Chain> chains;
  for (const Application& application : instance.applications)
    chains.push_back(chain_of(application, instance));

  OptimalYield out{.bound = bound, .is_optimal = false, .programs = 0, .rates = {}};
  std::priority_queue<Order, std::vector<Order>, LessPromising> open;
  open.push({.chains = {}, .is_complete = false, .bound = bound});
  while (!open.empty()) {
    const Order order = open.top();
    open.pop();
    out.bound = order.bound;
    out.is_optimal = order.is_complete;
    if (order.is_complete) {
      OrderProgram program(chains, order);
      if (program.bound()) out.rates = program.rates(instance);
      return out;
    }
    if (out.programs >= most_programs) return out;
    for (Order& next : continuations(chains, order)) {
      ++out.programs;
      const auto value = OrderProgram(chains, next).bound();
      if (!value) continue;
      // A bound is not lowered by an amount that may be a rounding error.
      next.bound = *value > order.bound - kRoundingOfPrograms ? order.bound : *value;
      open.push(std::move(next));
    }
  }
  return out;  // some order is always possible
}

}  // namespace holdfast::io
