#include "holdfast/domains/io/workload.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace holdfast::io {
namespace {

constexpr double kCheckpointPeriod = 3600;  // seconds of work

// A phase in seconds of dedicated execution.
struct LifeStretch {
  Phase::Kind kind = Phase::Kind::work;
  double seconds = 0;
};

// The part of a run between two dates counted from its start, as if the run were alone.
class Life {
 public:
  Life(double from, double to) : from_{from}, to_{to} {}
  [[nodiscard]] bool is_over() const { return at_ >= to_; }
  void add(Phase::Kind kind, double seconds) {
    const double begin = std::max(at_, from_), end = std::min(at_ + seconds, to_);
    at_ += seconds;
    if (end > begin) out_.push_back({kind, end - begin});
  }
  [[nodiscard]] double at() const { return at_; }
  [[nodiscard]] std::vector<LifeStretch> take() { return std::move(out_); }

 private:
  double from_, to_;
  double at_ = 0;
  std::vector<LifeStretch> out_;
};

std::vector<LifeStretch> life_of(const WorkloadParameters& p, const ApplicationClass& one,
                                 double bandwidth, double duration, double from, double to) {
  const double scale = p.volume_scale / bandwidth;
  const double input = one.input * scale, checkpoint = one.checkpoint * scale;
  const bool writes_output = checkpoint == 0 || !p.skips_output;
  const double output = writes_output ? one.output * scale : 0;
  Life life(from, to);
  life.add(Phase::Kind::io, input);
  if (checkpoint > 0) {
    while (!life.is_over() && life.at() < duration - output) {
      const double left = duration - output - life.at();
      life.add(Phase::Kind::work, std::min(kCheckpointPeriod, left));
      if (left > kCheckpointPeriod)
        life.add(Phase::Kind::io, std::min(checkpoint, left - kCheckpointPeriod));
    }
  } else {
    life.add(Phase::Kind::work, std::max(0.0, duration - input - output));
  }
  life.add(Phase::Kind::io, output);
  return life.take();
}

// Moves a small part of each phase to its neighbour, so that runs of one class are not synchronised; leaves out phases
// that are shorter than `shortest`.
void blur(std::vector<LifeStretch>& life, double shortest, Stream& stream) {
  for (std::size_t k = 0; k + 1 < life.size(); ++k) {
    double& here = life[k].seconds;
    double& there = life[k + 1].seconds;
    const double moved = sample_normal(stream, 0, 0.1 * std::min(here, there));
    if (here - moved > 0 && there + moved > 0) {
      here -= moved;
      there += moved;
    }
  }
  std::erase_if(life, [=](const LifeStretch& stretch) { return stretch.seconds < shortest; });
  std::vector<LifeStretch> merged;
  for (const LifeStretch& stretch : life) {
    if (!merged.empty() && merged.back().kind == stretch.kind) {
      merged.back().seconds += stretch.seconds;
    } else {
      merged.push_back(stretch);
    }
  }
  life = std::move(merged);
}

// The window between two starts; nothing if no application does I/O in it.
std::optional<Instance> make_window(const WorkloadParameters& p, std::span<const PlacedRun> runs,
                                    double begin, double end, Stream stream) {
  Instance instance{
      .bandwidth = p.machine.bandwidth, .reading = p.reading, .nodes = p.machine.nodes};
  double shortest = std::numeric_limits<double>::infinity();
  for (const PlacedRun& run : runs) {
    if (run.start > begin || run.end <= begin) continue;
    const ApplicationClass& one = p.classes[run.index];
    const double bandwidth = std::min(run.nodes * p.machine.node_bandwidth, p.machine.bandwidth);
    std::vector<LifeStretch> life = life_of(p, one, bandwidth, run.end - run.start,
                                            begin - run.start, std::min(end, run.end) - run.start);
    blur(life, p.shortest_phase, stream);
    const bool moves = std::any_of(life.begin(), life.end(), [](const LifeStretch& stretch) {
      return stretch.kind == Phase::Kind::io;
    });
    if (!moves) continue;
    const double age = p.full_history ? begin - run.start : 0;
    Application application{.id = fmt::format("{}-{}", one.name, instance.applications.size()),
                            .nodes = run.nodes,
                            .bandwidth = bandwidth,
                            .release = -age,
                            .progress = age,
                            .phases = {},
                            .repeat = false};
    double total = 0;
    for (const LifeStretch& stretch : life) {
      const double rate = stretch.kind == Phase::Kind::io ? bandwidth : 1;
      application.phases.push_back({stretch.kind, stretch.seconds * rate});
      total += stretch.seconds;
    }
    shortest = std::min(shortest, total);
    instance.applications.push_back(std::move(application));
  }
  if (instance.applications.empty()) return std::nullopt;
  instance.end = shortest;
  return instance;
}

}  // namespace

std::vector<Instance> make_windows(const WorkloadParameters& p, std::uint64_t seed,
                                   std::uint64_t number) {
  const std::vector<PlacedRun> runs = make_schedule(p, seed, number);
  struct Gap {
    double begin, length;
    std::uint64_t index;
  };
  std::vector<Gap> gaps;
  for (std::size_t k = 0; k + 1 < runs.size() && runs[k].start < kLatestWindow; ++k) {
    const double length = runs[k + 1].start - runs[k].start;
    if (length > 0) gaps.push_back({runs[k].start, length, k});
  }
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const Gap& a, const Gap& b) { return a.length > b.length; });
  const auto wanted = static_cast<std::size_t>(p.windows);
  const auto is_longer = [](const Instance& a, const Instance& b) { return a.end > b.end; };
  std::vector<Instance> windows;  // the longest ones so far, the longest first
  for (const Gap& gap : gaps) {
    // A window is at most as long as its gap, and shorter if one of its applications ends before the next one starts.
    if (windows.size() == wanted && (p.by_gap || gap.length <= windows.back().end)) break;
    auto window = make_window(p, runs, gap.begin, gap.begin + gap.length,
                              Stream({.seed = seed,
                                      .purpose = Purpose::instance,
                                      .instance = number,
                                      .entity = 1 + gap.index}));
    if (!window) continue;
    const auto place = p.by_gap
                           ? windows.end()
                           : std::upper_bound(windows.begin(), windows.end(), *window, is_longer);
    windows.insert(place, std::move(*window));
    if (windows.size() > wanted) windows.pop_back();
  }
  return windows;
}

}  // namespace holdfast::io
