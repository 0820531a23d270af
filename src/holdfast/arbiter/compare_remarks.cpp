#include "holdfast/arbiter/compare_remarks.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace holdfast::arbiter {
namespace {

/// A wait of at least this part of --max-pause counts as ended by it, because dates are rounded when they are written.
constexpr double kAlmost = 0.999;

bool ranks_by_yield(const bandwidth::Strategy& policy) {
  const bandwidth::Rank rank = policy.rank();
  return policy.uses_history() && rank != bandwidth::Rank::same &&
         rank != bandwidth::Rank::posted && rank != bandwidth::Rank::remaining;
}

/// Returns the longest time inside a window in which an operation was open but had no bandwidth.
double longest_wait(const io::RecordedStay& stay, double begin, double end) {
  double longest = 0;
  double waited = 0;
  for (std::size_t i = 0; i < stay.rates.size(); ++i) {
    const io::RecordedRate& one = stay.rates[i];
    const double until = i + 1 < stay.rates.size() ? stay.rates[i + 1].date : end;
    const bool waits = one.rate == 0 && one.lacking > 0;
    waited = waits ? waited + std::max(std::min(until, end) - std::max(one.date, begin), 0.0) : 0;
    longest = std::max(longest, waited);
  }
  return longest;
}

/// The remarks on one window.
class Remarks {
 public:
  Remarks(const io::Record& record, const io::RecordedWindow& window)
      : record_{&record}, begin_{window.instance.begin}, end_{window.instance.end} {
    for (const std::size_t place : window.stays) stays_.push_back(&record.stays[place]);
  }

  std::vector<std::string> all(const bandwidth::Strategy& policy) {
    if (ranks_by_yield(policy)) on_grace();
    on_min_grant();
    on_max_pause();
    on_bandwidths();
    return std::move(out_);
  }

 private:
  // Yields of new applications are raised only if there are others.
  void on_grace() {
    double until = begin_;
    std::size_t young = 0;
    for (const io::RecordedStay* stay : stays_) {
      const double grown = stay->release() + record_->grace;
      if (grown <= begin_) continue;
      ++young;
      until = std::max(until, grown);
    }
    if (young == 0 || stays_.size() < 2) return;
    const std::string way_out =
        until < end_ ? fmt::format("--window {},{} leaves that time out", to_text(until, kDigits),
                                   to_text(end_, kDigits))
                     : std::string("it can be compared by a record of io serve --grace 0s");
    out_.push_back(fmt::format(
        "--grace {}: until {} s of the record the yield of {} counted as at least the median of "
        "the others, and in the simulator as it is; {}",
        format_duration(record_->grace), to_text(std::min(until, end_), kDigits),
        counted(young, "new application"), way_out));
  }

  void on_min_grant() {
    std::vector<double> needs;
    for (const io::RecordedStay* stay : stays_) {
      for (const io::RecordedOperation& one : stay->operations) {
        if (one.posted < begin_ || one.ended > end_ || one.moved <= 0) continue;
        needs.push_back(one.moved / stay->bandwidth);
      }
    }
    if (needs.empty() || record_->min_grant <= 0) return;
    const auto middle = needs.begin() + static_cast<std::ptrdiff_t>(needs.size() / 2);
    std::nth_element(needs.begin(), middle, needs.end());
    if (*middle >= record_->min_grant) return;
    out_.push_back(fmt::format(
        "--min-grant {}: a rate was kept for at least this time, in the simulator for none; half "
        "of the operations need less than {} at full bandwidth",
        format_duration(record_->min_grant), format_duration(*middle)));
  }

  void on_max_pause() {
    if (record_->max_pause <= 0) return;
    const auto count = std::count_if(stays_.begin(), stays_.end(), [&](const auto* stay) {
      return longest_wait(*stay, begin_, end_) >= kAlmost * record_->max_pause;
    });
    if (count == 0) return;
    out_.push_back(fmt::format(
        "--max-pause {}: {} waited for so long and then got a floor, whatever the strategy; in the "
        "simulator waiting has no end",
        format_duration(record_->max_pause), counted(count, "application")));
  }

  void on_bandwidths() {
    const auto count = std::count_if(stays_.begin(), stays_.end(), [&](const auto* stay) {
      return stay->bandwidth_since > begin_ && stay->bandwidth_since < end_;
    });
    if (count == 0) return;
    out_.push_back(fmt::format(
        "the bandwidth that {} can use was found to be another one during the window; in the "
        "simulator it is the last one from the beginning",
        counted(count, "application")));
  }

  static constexpr int kDigits = 6;

  const io::Record* record_;
  double begin_;
  double end_;
  std::vector<const io::RecordedStay*> stays_;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> remarks_on(const io::Record& record, const io::RecordedWindow& window,
                                    const bandwidth::Strategy& policy) {
  return Remarks(record, window).all(policy);
}

}  // namespace holdfast::arbiter
