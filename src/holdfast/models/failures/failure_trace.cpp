#include "holdfast/models/failures/failure_trace.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace holdfast {
namespace {

// The first stage lasts as long as 32 failures take in the steady state of the platform; each later one ends at 1.5 times the
// date of its begin.
constexpr double kFirstStageFailures = 32;
constexpr double kStageGrowth = 1.5;

// Returns the entity of a stream. Entities below 2^32 are processors; the binomial numbers of each stage and group have
// entities of their own.
constexpr std::uint64_t stage_entity(std::uint32_t stage, std::size_t group) {
  return (std::uint64_t{1} << 63) + (std::uint64_t{stage} << 40) + group;
}

// Returns an exponential variate of mean 1 that grows with u; small ones keep all digits.
double exponential(double u) {
  return -elementary::log1p(-u);
}

}  // namespace

FailureTrace FailureTrace::sample(std::shared_ptr<const TabulatedLaw> law, std::int64_t processors,
                                  const StreamKey& key, double horizon) {
  const AgeGroup born{.age = 0, .count = processors};
  return sample(std::move(law), std::span(&born, 1), key, horizon);
}

FailureTrace FailureTrace::sample(std::shared_ptr<const TabulatedLaw> law,
                                  std::span<const AgeGroup> groups, const StreamKey& key,
                                  double horizon) {
  FailureTrace trace;
  trace.law_ = std::move(law);
  trace.key_ = key;
  trace.horizon_ = horizon;
  trace.set_groups(groups);
  trace.failed_.assign(groups.size(), 0);
  assert(trace.processors_ >= 1 && trace.processors_ < (std::int64_t{1} << 32));
  return trace;
}

FailureTrace FailureTrace::sample_rejuvenated(std::shared_ptr<const TabulatedLaw> law,
                                              std::int64_t processors, double age,
                                              const StreamKey& key, double horizon) {
  const AgeGroup all{.age = age, .count = processors};
  FailureTrace trace = sample(std::move(law), std::span(&all, 1), key, horizon);
  trace.rejuvenates_all_ = true;
  return trace;
}

Result<FailureTrace> FailureTrace::given(std::span<const AgeGroup> groups,
                                         std::span<const FailureEvent> events, double horizon) {
  FailureTrace trace;
  trace.horizon_ = horizon;
  trace.known_until_ = kNever;
  trace.set_groups(groups);
  std::unordered_map<std::int64_t, std::int32_t> last;
  double earliest = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const FailureEvent& event = events[i];
    const auto refuse = [&](int part, std::string message) {
      return fail(ErrorCode::bad_value, fmt::format("/{}/{}", i, part), std::move(message));
    };
    if (!(event.date >= 0)) {
      return refuse(0, fmt::format("found {}, expected a date of at least 0", event.date));
    }
    if (event.date < earliest) {
      return refuse(0,
                    fmt::format("found {} after {}, expected sorted dates", event.date, earliest));
    }
    if (!(event.date < horizon)) {
      return refuse(
          0, fmt::format("found {}, expected a date before the horizon, {}", event.date, horizon));
    }
    if (event.processor < 0 || event.processor >= trace.processors_) {
      return refuse(1, fmt::format("found {}, expected a processor from 0 to {}", event.processor,
                                   trace.processors_ - 1));
    }
    earliest = event.date;
    const auto processor = static_cast<std::uint32_t>(event.processor);
    const auto position = static_cast<std::int32_t>(i);
    const auto [entry, is_first] = last.try_emplace(event.processor, position);
    const std::int32_t previous = is_first ? -1 : std::exchange(entry->second, position);
    trace.failures_.push_back(
        {.date = event.date,
         .renewed = is_first ? -trace.groups_[trace.group_of(processor)].age
                             : trace.failures_[static_cast<std::size_t>(previous)].date,
         .processor = processor,
         .previous = previous});
  }
  return trace;
}

FailureTrace FailureTrace::fed(std::span<const AgeGroup> groups,
                               std::function<double(std::vector<Failure>&)> more) {
  FailureTrace trace;
  trace.more_ = std::move(more);
  trace.set_groups(groups);
  return trace;
}

void FailureTrace::set_groups(std::span<const AgeGroup> groups) {
  groups_.assign(groups.begin(), groups.end());
  for (const AgeGroup& group : groups) group_ends_.push_back(processors_ += group.count);
}

std::size_t FailureTrace::group_of(std::uint32_t processor) const {
  const auto group = std::upper_bound(group_ends_.begin(), group_ends_.end(), processor);
  return static_cast<std::size_t>(group - group_ends_.begin());
}

StreamKey FailureTrace::key_of(std::uint64_t entity) const {
  StreamKey key = key_;
  key.entity = entity;
  return key;
}

bool FailureTrace::draw_until_index(std::size_t index) {
  while (failures_.size() <= index && known_until_ < horizon_) draw_stage();
  return index < failures_.size();
}

void FailureTrace::reach_date(double date) {
  const double end = std::min(date, horizon_);
  while (known_until_ < end) draw_stage();
}

std::size_t FailureTrace::index_at(double date) {
  reach_date(date);
  const auto first = std::lower_bound(failures_.begin(), failures_.end(), date,
                                      [](const Failure& f, double d) { return f.date < d; });
  return static_cast<std::size_t>(first - failures_.begin());
}

void FailureTrace::draw_stage() {
  if (more_) {
    known_until_ = more_(failures_);
    return;
  }
  const double begin = known_until_;
  const double end = stage_ == 0
                         ? kFirstStageFailures * law_->mean() / static_cast<double>(processors_)
                         : begin * kStageGrowth;
  const std::size_t first = failures_.size();
  if (rejuvenates_all_) {
    draw_platform(end);
  } else {
    draw_renewals(end);
    draw_first_failures(begin, end);
    sort_and_link(first);
  }
  known_until_ = end;
  ++stage_;
}

void FailureTrace::draw_first_failures(double begin, double end) {
  std::int64_t group_start = 0;  // number of the group's first processor
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const AgeGroup& group = groups_[g];
    const double from = group.age + begin;
    const double probability = -elementary::expm1(law_->cumulative_hazard(from) -
                                                  law_->cumulative_hazard(group.age + end));
    Stream count_stream{key_of(stage_entity(stage_, g))};
    const std::int64_t count =
        sample_binomial(count_stream, group.count - failed_[g], std::clamp(probability, 0.0, 1.0));
    for (std::int64_t i = 0; i < count; ++i) {
      const auto processor = static_cast<std::uint32_t>(group_start + failed_[g] + i);
      Stream stream{key_of(processor)};
      // The first failure, under the condition that it happens in this stage.
      const double y = exponential(stream.uniform() * probability);
      Slot slot{.next = std::min(begin + law_->residual(from, y), std::nextafter(end, begin)),
                .renewed = -group.age,
                .processor = processor,
                .draws = 1};
      while (slot.next < end) {
        emit(slot.next, slot.renewed, processor, slots_.size());
        slot.renewed = slot.next;
        slot.next += law_->inverse_cumulative_hazard(exponential(stream.uniform()));
        ++slot.draws;
      }
      slots_.push_back(slot);
    }
    failed_[g] += count;
    group_start += group.count;
  }
}

void FailureTrace::draw_renewals(double end) {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    if (!(slot.next < end)) continue;
    Stream stream{key_of(slot.processor)};
    stream.seek(slot.draws / 4);  // four numbers in a block
    for (std::uint32_t i = 0; i < slot.draws % 4; ++i) stream.bits();
    while (slot.next < end) {
      emit(slot.next, slot.renewed, slot.processor, s);
      slot.renewed = slot.next;
      slot.next += law_->inverse_cumulative_hazard(exponential(stream.uniform()));
      ++slot.draws;
    }
  }
}

void FailureTrace::draw_platform(double end) {
  const auto p = static_cast<double>(processors_);
  if (slots_.empty()) {
    Stream stream{key_of(0)};
    const double age = groups_.front().age;
    slots_.push_back({.next = law_->residual(age, exponential(stream.uniform()) / p),
                      .renewed = -age,
                      .processor = 0,
                      .draws = 1});
  }
  Slot& slot = slots_.front();
  Stream stream{key_of(0)};
  stream.seek(slot.draws / 4);
  for (std::uint32_t i = 0; i < slot.draws % 4; ++i) stream.bits();
  while (slot.next < end) {
    if (slot.next < horizon_) {
      const auto position = static_cast<std::int32_t>(failures_.size());
      failures_.push_back({slot.next, slot.renewed, 0, std::exchange(slot.last, position)});
    }
    slot.renewed = slot.next;
    slot.next += law_->inverse_cumulative_hazard(exponential(stream.uniform()) / p);
    ++slot.draws;
  }
}

void FailureTrace::emit(double date, double renewed, std::uint32_t processor, std::size_t slot) {
  if (!(date < horizon_)) return;
  // Until sort_and_link(), `previous` holds the slot.
  failures_.push_back({date, renewed, processor, static_cast<std::int32_t>(slot)});
}

void FailureTrace::sort_and_link(std::size_t first) {
  const auto begin = failures_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, failures_.end(), [](const Failure& a, const Failure& b) {
    return std::tie(a.date, a.processor, a.renewed) < std::tie(b.date, b.processor, b.renewed);
  });
  for (std::size_t i = first; i < failures_.size(); ++i) {
    Failure& failure = failures_[i];
    Slot& slot = slots_[static_cast<std::size_t>(failure.previous)];
    failure.previous = std::exchange(slot.last, static_cast<std::int32_t>(i));
  }
}

Ages FailureTrace::ages_at(std::size_t seen, double date) const {
  assert(seen <= failures_.size() && (seen == 0 || failures_[seen - 1].date <= date));
  if (rejuvenates_all_) {
    const double renewed = seen == 0 ? -groups_.front().age : failures_[seen - 1].date;
    return same_age(processors_, date - renewed);
  }
  std::vector<std::int64_t> failed(groups_.size(), 0);
  std::vector<bool> is_over(seen, false);  // the processor has failed again since
  for (std::size_t i = 0; i < seen; ++i) {
    const Failure& failure = failures_[i];
    if (failure.previous >= 0) {
      is_over[static_cast<std::size_t>(failure.previous)] = true;
      continue;
    }
    ++failed[group_of(failure.processor)];
  }
  std::vector<AgeGroup> ages;
  std::size_t never_failed = Ages::kNone;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::int64_t left = groups_[g].count - failed[g];
    if (left == 0) continue;
    if (never_failed == Ages::kNone || left > ages[never_failed].count) never_failed = ages.size();
    ages.push_back({.age = groups_[g].age + date, .count = left});
  }
  for (std::size_t i = 0; i < seen; ++i) {
    if (!is_over[i]) ages.push_back({.age = date - failures_[i].date, .count = 1});
  }
  return make_ages(std::move(ages), never_failed);
}

}  // namespace holdfast
