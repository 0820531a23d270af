#include "holdfast/algorithms/checkpoints/sketch.hpp"

#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace holdfast::checkpoints {
namespace {

/// The growth of Lambda after which a plan ends.
constexpr double kFarAway = 30;
/// The number of panels of an even sketch.
constexpr int kPanels = 256;

// Returns Daly's period for a hazard; infinity if the hazard is 0, or negative by rounding.
double period_for(double hazard, const Task& task) {
  return hazard > 0 ? daly_period(task.checkpoint, 1 / hazard)
                    : std::numeric_limits<double>::infinity();
}

double end_of_next(const Sketch& sketch, const Task& task, double done) {
  return done + static_cast<double>(sketch.cuts.size() + 1) * task.checkpoint;
}

// Adds checkpoints by a rule until the work is done or nothing is likely to survive.
template <class Rule>
void walk(const HazardCurve& curve, const Task& task, Sketch& out, const Rule& period_at) {
  out.cuts.clear();
  double done = 0;
  for (;;) {
    const HazardValue here = curve.at(end_of_next(out, task, done));
    if (out.cuts.size() >= kMostSketched || here.cumulative - task.reference > kFarAway) break;
    double period = period_at(here, done);
    if (std::isinf(period) &&
        std::isinf(task.work))  // new processors that wear out, endless job: a long step
      period = curve.inverse(task.reference + kFarAway);
    if (done + period >= task.work) {
      out.count = static_cast<double>(out.cuts.size()) + (task.work - done) / period;
      out.cuts.push_back(task.work);
      out.work = task.work;
      out.covers_all = true;
      return;
    }
    done += period;
    out.cuts.push_back(done);
  }
  out.count = static_cast<double>(out.cuts.size());
  out.work = done;
  out.covers_all = false;
}

}  // namespace

void sketch_walk(const HazardCurve& curve, const Task& task, Sketch& out) {
  walk(curve, task, out,
       [&](const HazardValue& here, double) { return period_for(here.hazard, task); });
}

void sketch_equal(const HazardCurve& curve, const Task& task, double period, Sketch& out) {
  const double equal = task.work / std::max(1.0, std::ceil(task.work / period));
  const double step = std::isfinite(equal) ? equal : period;
  walk(curve, task, out, [&](const HazardValue&, double done) {
    // The last step ends exactly at the work, whatever rounding has occurred.
    return task.work - done < 1.5 * step ? task.work - done : step;
  });
}

void sketch_local(const HazardCurve& curve, const Task& task, Sketch& out) {
  walk(curve, task, out, [&](const HazardValue&, double done) {
    const double now = done + static_cast<double>(out.cuts.size()) * task.checkpoint;
    double rate = curve.hazard(now);
    if (!std::isfinite(rate) || rate <= 0) {
      rate = (curve.cumulative(now + task.checkpoint) - curve.cumulative(now)) / task.checkpoint;
    }
    if (!(rate > 0)) return task.work - done;
    const double period = young_daly_period(task.checkpoint, 1 / rate);
    const double segments = std::max(1.0, std::ceil((task.work - done) / period));
    if (segments == 1) return task.work - done;
    return std::isfinite(segments) ? (task.work - done) / segments : period;
  });
}

void sketch_evenly(const HazardCurve& curve, const Task& task, Sketch& out) {
  const double far = curve.inverse(task.reference + kFarAway);
  out.cuts.clear();
  out.covers_all = false;
  double time = 0;
  double done = 0;
  double count = 0;
  for (int panel = 0; panel < kPanels && out.cuts.size() < kMostSketched && !out.covers_all;
       ++panel) {
    const double length = far / kPanels;
    const double period = period_for(curve.hazard(time + length / 2), task);
    const double density = 1 / (period + task.checkpoint);  // checkpoints per second
    const double speed = 1 - density * task.checkpoint;     // work per second
    double part = length;
    if (done + speed * part >= task.work) {
      part = (task.work - done) / speed;
      out.covers_all = true;
    }
    const double begin = static_cast<double>(out.cuts.size());
    const double end = count + density * part;
    for (double next = begin + 1; next <= end && out.cuts.size() < kMostSketched; ++next) {
      out.cuts.push_back(done + speed * (next - count) / density);
    }
    count = end;
    done += speed * part;
    time += length;
  }
  out.work = out.covers_all ? task.work : done;
  while (!out.cuts.empty() && out.cuts.back() >= out.work) out.cuts.pop_back();
  out.count = std::max(count, static_cast<double>(out.cuts.size()) + 1e-3);
  out.cuts.push_back(out.work);
}

}  // namespace holdfast::checkpoints
