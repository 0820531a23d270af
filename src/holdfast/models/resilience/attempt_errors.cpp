#include "holdfast/models/resilience/attempt_errors.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr double kTie = 1e-12;
constexpr double kNever = std::numeric_limits<double>::infinity();

double expected_time(const Speedup& speedup, std::int64_t p, const ErrorLaw& law) {
  return speedup.time(p) * expected_stretch(law, speedup.area(p), static_cast<double>(p));
}

// Returns the first p in [1, last] for which holds(p), by halving; `last` if there is none.
template <class Holds>
std::int64_t first_where(std::int64_t last, const Holds& holds) {
  std::int64_t low = 1, high = last;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

// The least time with at most that area; infinity if no number of processors has so little.
double least_time_within(const Speedup& speedup, std::int64_t processors, std::int64_t fastest,
                         double area) {
  if (speedup.is_monotone()) {
    const std::int64_t p = largest_within_area(speedup, fastest, area);
    return speedup.area(p) <= area ? speedup.time(p) : kNever;
  }
  double least = kNever;
  for (std::int64_t p = 1; p <= speedup.limit(processors); ++p) {
    if (speedup.area(p) <= area) least = std::min(least, speedup.time(p));
  }
  return least;
}

}  // namespace

std::int64_t parts_of(const ErrorLaw& law, double processors, double time) {
  if (!law.saves()) return 1;
  const double part = std::sqrt(2 * law.checkpoint / (law.rate * processors));
  return std::max<std::int64_t>(1, std::llround(time / part));
}

double expected_stretch(const ErrorLaw& law, double area, double processors) {
  assert(law.model != ErrorModel::work);
  if (law.saves() && area > 0) {
    const double rate = law.rate * processors;
    const double time = area / processors;
    const auto parts = static_cast<double>(parts_of(law, processors, time));
    const double saved = elementary::expm1(rate * (time / parts + law.checkpoint));
    return elementary::exp(rate * law.recovery) *
           ((parts - 1) * saved + elementary::expm1(rate * time / parts)) / (rate * time);
  }
  const double errors = law.rate * area;
  if (law.model == ErrorModel::area) return elementary::exp(errors);
  return errors > 0 ? elementary::expm1(errors) / errors : 1;
}

std::int64_t fastest_with_errors(const Speedup& speedup, std::int64_t processors,
                                 const ErrorLaw& law) {
  const auto time = [&](std::int64_t p) { return expected_time(speedup, p, law); };
  if (speedup.is_monotone()) {
    // The derivative of ln(t) + ln(stretch) by p changes its sign once, for each of the models.
    const std::int64_t fastest = speedup.fastest(processors);
    return first_where(fastest,
                       [&](std::int64_t p) { return !(time(p + 1) < time(p) * (1 - kTie)); });
  }
  std::int64_t best = 1;
  for (std::int64_t p = 2; p <= speedup.limit(processors); ++p) {
    if (time(p) < time(best) * (1 - kTie)) best = p;
  }
  return best;
}

std::int64_t smallest_within_expected(const Speedup& speedup, std::int64_t fastest,
                                      const ErrorLaw& law, double limit) {
  const auto fits = [&](std::int64_t p) { return expected_time(speedup, p, law) <= limit; };
  if (speedup.is_monotone()) return first_where(fastest, fits);
  std::int64_t best = 0;
  for (std::int64_t p = 1; p <= fastest; ++p) {
    const auto area = [&](std::int64_t q) {
      return expected_area(law, speedup.area(q), static_cast<double>(q));
    };
    if (fits(p) && (best == 0 || area(p) < area(best))) best = p;
  }
  return best > 0 ? best : fastest;
}

Strikes::Strikes(const StreamKey& key, const ErrorLaw& law, std::size_t jobs)
    : law_{law}, next_(jobs) {
  assert(law.counts_area());
  streams_.reserve(jobs);
  StreamKey of_job = key;
  for (std::size_t job = 0; job < jobs; ++job) {
    of_job.entity = job;
    next_[job] = sample_exponential(streams_.emplace_back(of_job), 1 / law_.rate);
  }
}

Strikes::Strikes(const ErrorLaw& law, std::vector<std::vector<double>> given)
    : law_{law}, given_{std::move(given)}, attempt_(given_.size(), 0) {
  for (const auto& of_job : given_) next_.push_back(of_job.empty() ? kNever : of_job.front());
}

void Strikes::advance(std::size_t job) {
  ++failed_;
  if (given_.empty()) {
    next_[job] = sample_exponential(streams_[job], 1 / law_.rate);
    return;
  }
  const auto& of_job = given_[job];
  next_[job] = ++attempt_[job] < of_job.size() ? of_job[attempt_[job]] : kNever;
}

double Strikes::saved_duration(std::size_t job, double processors, double time) const {
  Strikes ahead(law_, {});
  ahead.next_ = {next_[job]};
  if (given_.empty()) {
    ahead.streams_ = {streams_[job]};
  } else {
    ahead.given_ = {given_[job]};
    ahead.attempt_ = {attempt_[job]};
  }
  const std::int64_t parts = parts_of(law_, processors, time);
  double out = 0, used = 0;  // used: processor-seconds since the last error
  for (std::int64_t part = 1; part <= parts; ++part) {
    double need = time / static_cast<double>(parts) + (part < parts ? law_.checkpoint : 0);
    const double again = need + law_.recovery;
    while (used + processors * need > ahead.next(0) && !ahead.is_hopeless()) {
      out += (ahead.next(0) - used) / processors;
      ahead.advance(0);
      used = 0;
      need = again;
    }
    out += need;
    used += processors * need;
  }
  return out;
}

bool lasts_with_saves(const Strikes& strikes, std::size_t job, double processors, double time,
                      double found) {
  Strikes ahead = strikes;
  const ErrorLaw& law = strikes.law();
  const auto parts = static_cast<double>(parts_of(law, processors, time));
  double now = 0, error = ahead.next(job) / processors;
  double recovery = 0;
  for (double saved = 0; saved < parts;) {
    const double end = now + recovery + time / parts + (saved + 1 < parts ? law.checkpoint : 0);
    if (end <= error || ahead.is_hopeless()) {
      now = end;
      recovery = 0;
      ++saved;
    } else {
      now = error;
      recovery = law.recovery;
      ahead.advance(job);
      error = now + ahead.next(job) / processors;
    }
  }
  return std::abs(now - found) <= 1e-9 * std::max(1.0, now);
}

LeastRun least_run(const Speedup& speedup, std::int64_t processors, std::size_t job,
                   Strikes& strikes) {
  const bool stops = strikes.law().model == ErrorModel::fail_stop;
  const std::int64_t fastest = speedup.fastest(processors);
  const double least_time = speedup.time(fastest);
  const double least_area = speedup.least_area(processors);
  if (strikes.law().saves()) return {least_time, least_area};  // it runs once, struck or not
  const auto widest = static_cast<double>(speedup.limit(processors));
  // Going on after the first attempt that could have succeeded may save time, but never area.
  LeastRun out{.time = kNever, .area = kNever};
  double time = 0, area = 0;  // of attempts that fail
  while (time + least_time < out.time && !strikes.is_hopeless()) {
    const double strike = strikes.next(job);
    out.time = std::min(out.time, time + least_time_within(speedup, processors, fastest, strike));
    if (least_area <= strike) out.area = std::min(out.area, area + least_area);
    time += stops ? strike / widest : least_time;
    area += stops ? strike : least_area;
    if (out.time < kNever && !(time + least_time < out.time)) break;
    strikes.advance(job);
  }
  return out;
}

Result<std::vector<std::vector<double>>> read_strikes(const Value& value,
                                                      const std::string& where) {
  const Value::Array* jobs = value.array_items();
  if (jobs == nullptr || jobs->empty()) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected a list for each job", value.described()));
  }
  std::vector<std::vector<double>> out;
  for (std::size_t job = 0; job < jobs->size(); ++job) {
    const std::string place = fmt::format("{}/{}", where, job);
    const Value::Array* items = (*jobs)[job].array_items();
    if (items == nullptr) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected the processor-seconds after which the 1st, 2nd "
                              "... attempt is struck",
                              (*jobs)[job].described()));
    }
    auto& of_job = out.emplace_back();
    for (std::size_t k = 0; k < items->size(); ++k) {
      HOLDFAST_TRY(strike, read_quantity((*items)[k], fmt::format("{}/{}", place, k), Unit::seconds,
                                         positive()));
      of_job.push_back(strike);
    }
  }
  return out;
}

Value strikes_value(const std::vector<std::vector<double>>& strikes) {
  Value::Array out;
  for (const auto& of_job : strikes) out.push_back(Value::list(of_job));
  return Value(std::move(out));
}

Status check_saves(const ErrorLaw& law, std::int64_t processors) {
  const auto machine = static_cast<double>(processors);
  if (law.checkpoint > 0 && law.model != ErrorModel::fail_stop) {
    return fail(ErrorCode::bad_value, "/checkpoint",
                fmt::format("found a checkpoint beside error_model {}, expected fail-stop: what a "
                            "silent error has spoilt would be saved too",
                            kErrorModels[static_cast<std::size_t>(law.model)]));
  }
  if (law.recovery > 0 && !(law.checkpoint > 0)) {
    return fail(ErrorCode::bad_value, "/recovery",
                "found a recovery without a checkpoint, expected both: without saves an attempt "
                "that fails waits again");
  }
  constexpr double kMostErrors = 3;  // e^3 tries of one save
  const double errors = law.rate * machine * (law.checkpoint + law.recovery);
  if (!law.saves() || errors <= kMostErrors) return {};
  return fail(ErrorCode::bad_value, "/checkpoint",
              fmt::format("found a save and a recovery during which {:.3g} errors strike the whole "
                          "machine, expected at most {}",
                          errors, kMostErrors));
}

Status check_strikes(const ErrorLaw& law, const std::vector<std::vector<double>>& strikes,
                     std::size_t jobs, bool has_counts) {
  if (law.model != ErrorModel::work && has_counts) {
    return fail(ErrorCode::bad_value, "/error_model",
                fmt::format("found {} beside failures that are counted or given by a probability, "
                            "expected strikes or an error_rate: here it depends on the processors "
                            "of an attempt whether it fails",
                            kErrorModels[static_cast<std::size_t>(law.model)]));
  }
  if (strikes.empty()) return {};
  if (law.model == ErrorModel::work) {
    return fail(ErrorCode::bad_value, "/strikes",
                "found strikes beside error_model work, expected area or fail-stop: whether they "
                "hit an attempt depends on its processors");
  }
  if (strikes.size() == jobs) return {};
  return fail(ErrorCode::bad_value, "/strikes",
              fmt::format("found {} lists, expected {}, one per job", strikes.size(), jobs));
}

Error hopeless_run() {
  return {ErrorCode::infeasible, "/error_rate",
          fmt::format("found so high a rate that more than {:.0e} attempts fail in one run, "
                      "expected a lower one, or a strategy that takes fewer processors",
                      static_cast<double>(Strikes::kMostFailed))};
}

std::string errors_text(const ErrorLaw& law) {
  if (!law.counts_area()) return silent_errors_text(law.rate);
  if (law.saves()) {
    return fmt::format("saves of {}, an error every {} of each busy processor",
                       format_duration(law.checkpoint), format_duration(1 / law.rate));
  }
  return fmt::format(
      "{} every {} of each busy processor",
      law.model == ErrorModel::area ? "a silent error" : "an error that ends the attempt",
      format_duration(1 / law.rate));
}

}  // namespace holdfast
