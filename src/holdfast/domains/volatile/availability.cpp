#include "holdfast/domains/volatile/availability.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace holdfast::volatile_workers {
namespace {

constexpr std::int64_t kForever = std::int64_t{1} << 60;

class Recorded final : public Availability {
 public:
  explicit Recorded(std::span<const std::string> states) : Availability(states.size()) {
    const std::size_t slots = states.empty() ? 0 : states.front().size();
    std::vector<std::uint64_t> up(words()), down(words());
    for (std::size_t t = 0; t < slots; ++t) {
      std::fill(up.begin(), up.end(), 0);
      std::fill(down.begin(), down.end(), 0);
      for (std::size_t q = 0; q < states.size(); ++q) {
        const std::uint64_t bit = std::uint64_t{1} << (q % 64);
        if (states[q][t] == 'u') up[q / 64] |= bit;
        if (states[q][t] == 'd') down[q / 64] |= bit;
      }
      add(static_cast<std::int64_t>(t), up, down);
    }
    finish(static_cast<std::int64_t>(slots));
  }

 protected:
  void extend() override {}
};

// How long a worker stays in one state, and which state follows.
struct Stay {
  double log_stay = 0;       // ln P_xx: geometric times
  double scale = 0;          // scale of the law: other times
  double first_share = 0.5;  // probability of the next state that is first in the order u, r, d
  std::size_t first = 0, second = 0;
  bool for_ever = false;
};

struct WorkerDraw {
  Stream stream;
  std::array<Stay, 3> stays;
  std::size_t state = 0;
  std::int64_t change = 0;  // slot in which the state is left
};

class Drawn final : public Availability {
 public:
  Drawn(const Instance& instance, const AvailabilityDraw& draw)
      : Availability(instance.workers.size()),
        law_{instance.holding_times},
        limit_{instance.slot_limit},
        block_{std::max<std::int64_t>(64, 4096 / static_cast<std::int64_t>(words()))},
        up_(words()),
        down_(words()) {
    std::map<double, double> scales;
    for (std::size_t q = 0; q < instance.workers.size(); ++q) {
      workers_.push_back(start(instance.workers[q], q, draw, scales));
      set(q, workers_.back().state);
    }
    toggles_.assign(static_cast<std::size_t>(block_) * 2 * words(), 0);
    add(0, up_, down_);
  }

 protected:
  // Makes the records of a block of slots: every worker enters its changes, then the slots are read in order.
  void extend() override {
    const std::int64_t end = std::min(begin_ + block_, limit_);
    std::fill(toggles_.begin(), toggles_.end(), 0);
    for (std::size_t q = 0; q < workers_.size(); ++q) {
      while (workers_[q].change < end) move_on(q);
    }
    for (std::int64_t slot = std::max<std::int64_t>(begin_, 1); slot < end; ++slot) {
      const std::uint64_t* const toggle =
          toggles_.data() + static_cast<std::size_t>(slot - begin_) * 2 * words();
      std::uint64_t changed = 0;
      for (std::size_t w = 0; w < words(); ++w) {
        up_[w] ^= toggle[w];
        down_[w] ^= toggle[words() + w];
        changed |= toggle[w] | toggle[words() + w];
      }
      if (changed != 0) add(slot, up_, down_);
    }
    begin_ = end;
    if (begin_ >= limit_) finish(limit_);
  }

 private:
  WorkerDraw start(const Worker& worker, std::size_t index, const AvailabilityDraw& draw,
                   std::map<double, double>& scales) const {
    WorkerDraw out{.stream = Stream({.seed = draw.seed,
                                     .purpose = Purpose::failures,
                                     .instance = draw.instance,
                                     .scenario = draw.scenario,
                                     .entity = (draw.sample << 32) + index}),
                   .stays = {}};
    for (std::size_t x = 0; x < 3; ++x) out.stays[x] = stay_of((*worker.markov)[x], x, scales);
    if (worker.initial == InitialState::stationary) {
      const std::array<double, 3> shares = stationary(*worker.markov);
      const double u = out.stream.uniform();
      out.state = u < shares[0] ? 0 : u < shares[0] + shares[1] ? 1 : 2;
    } else {
      out.state = static_cast<std::size_t>(worker.initial);
    }
    out.change = holding(out);
    return out;
  }

  Stay stay_of(const std::array<double, 3>& row, std::size_t state,
               std::map<double, double>& scales) const {
    Stay stay;
    stay.first = state == 0 ? 1 : 0;
    stay.second = state == 2 ? 1 : 2;
    const double leaves = row[stay.first] + row[stay.second];
    stay.for_ever = leaves <= 0;
    if (stay.for_ever) return stay;
    stay.log_stay = elementary::log(row[state]);
    stay.first_share = row[stay.first] / leaves;
    if (law_) {
      const double mean = 1 / leaves;
      auto [place, is_new] = scales.try_emplace(mean, 0);
      if (is_new) place->second = slot_scale(*law_, mean);
      stay.scale = place->second;
    }
    return stay;
  }

  std::int64_t holding(WorkerDraw& worker) const {
    const Stay& stay = worker.stays[worker.state];
    if (stay.for_ever) return kForever;
    const double slots =
        law_ ? std::max(1.0, std::ceil(stay.scale * law_->draw(worker.stream)))
             : 1 + std::floor(elementary::log(worker.stream.uniform()) / stay.log_stay);
    return slots < static_cast<double>(kForever) ? static_cast<std::int64_t>(slots) : kForever;
  }

  void move_on(std::size_t q) {
    WorkerDraw& worker = workers_[q];
    const Stay& stay = worker.stays[worker.state];
    const std::size_t next = worker.stream.chance(stay.first_share) ? stay.first : stay.second;
    std::uint64_t* const toggle =
        toggles_.data() + static_cast<std::size_t>(worker.change - begin_) * 2 * words();
    const std::uint64_t bit = std::uint64_t{1} << (q % 64);
    if ((worker.state == 0) != (next == 0)) toggle[q / 64] ^= bit;
    if ((worker.state == 2) != (next == 2)) toggle[words() + q / 64] ^= bit;
    worker.state = next;
    worker.change += holding(worker);
  }

  void set(std::size_t q, std::size_t state) {
    const std::uint64_t bit = std::uint64_t{1} << (q % 64);
    if (state == 0) up_[q / 64] |= bit;
    if (state == 2) down_[q / 64] |= bit;
  }

  std::optional<Law> law_;
  std::int64_t limit_;
  std::int64_t block_;
  std::int64_t begin_ = 0;
  std::vector<WorkerDraw> workers_;
  std::vector<std::uint64_t> up_, down_;
  std::vector<std::uint64_t> toggles_;  // [slot of the block][up, down][word]
};

double mean_in_slots(const Law& law, double scale) {
  double mean = 0;  // E(ceil(scale X)) = sum of P(scale X > k) over k >= 0
  for (double k = 0;; ++k) {
    const double survival = law.survival(k / scale);
    mean += survival;
    if (survival < 1e-10) return mean;
  }
}

}  // namespace

void Availability::add(std::int64_t slot, std::span<const std::uint64_t> up,
                       std::span<const std::uint64_t> down) {
  if (!slots_.empty()) {
    const std::uint64_t* const last = this->up(slots_.size() - 1);
    std::uint64_t changed = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      changed |= (up[w] ^ last[w]) | (down[w] ^ last[words_ + w]);
    }
    if (changed == 0) return;
  }
  slots_.push_back(slot);
  for (const std::uint64_t word : up) masks_.push_back(word);
  for (const std::uint64_t word : down) masks_.push_back(word);
}

std::unique_ptr<Availability> recorded_availability(std::span<const std::string> states) {
  return std::make_unique<Recorded>(states);
}

std::unique_ptr<Availability> drawn_availability(const Instance& instance,
                                                 const AvailabilityDraw& draw) {
  return std::make_unique<Drawn>(instance, draw);
}

std::vector<Absence> absences(Availability& availability, std::size_t worker, std::int64_t last) {
  std::vector<Absence> out;
  for (std::size_t record = 0; availability.reach(record); ++record) {
    const std::int64_t start = availability.slot(record);
    if (start >= last) break;
    const WorkerState state = availability.state(record, worker);
    if (state == WorkerState::up) continue;
    const std::int64_t end = std::min(availability.until(record), last);
    const bool goes_on = !out.empty() && out.back().end == start && out.back().state == state;
    if (goes_on) {
      out.back().end = end;
    } else {
      out.push_back({state, start, end});
    }
  }
  return out;
}

double slot_scale(const Law& law, double mean) {
  if (mean <= 1) return 0;
  // The mean in slots is between the mean of scale X and that plus 1, and grows with the scale.
  double low = (mean - 1) / law.mean(), high = mean / law.mean();
  for (int step = 0; step < 60 && high - low > 1e-9 * high; ++step) {
    const double middle = (low + high) / 2;
    (mean_in_slots(law, middle) < mean ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace holdfast::volatile_workers
