// The decisions of a Core, and the grants that it sends for them.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/core_parts.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::arbiter {
namespace {

/// An application with less than this part of its floor counts as waiting.
constexpr double kNothing = 0.01;
/// A rate that rises by less than this factor is not sent.
constexpr double kSame = 1.01;
/// Added before rates are cut to whole bytes, because the rounding of quotients may have made them too small.
constexpr double kQuotientRounding = 1e-12;

double median_of_others(const std::vector<double>& sorted, double own) {
  const std::size_t others = sorted.size() - 1;
  const auto skip = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), own) -
                                             sorted.begin());
  const auto at = [&](std::size_t i) { return sorted[i < skip ? i : i + 1]; };
  return others % 2 == 1 ? at(others / 2) : (at(others / 2 - 1) + at(others / 2)) / 2;
}

}  // namespace

void Core::want_decision(double now) {
  decide_at_ = std::min(decide_at_, now + settings_.coalesce);
}

void Core::decide(double now) {
  decide_at_ = kNever;
  if (pending_.empty()) return;
  ++decisions_;
  tell(Decided{pending_.size()}, now);
  const std::vector<Claim> claims = make_claims(now);
  double median = 0;
  if (strategy_->uses_median()) {
    std::vector<double> yields;
    yields.reserve(applications_.size());
    for (const auto& [key, one] : applications_) yields.push_back(one->account.yield(now));
    median = bandwidth::median(yields);
  }
  const Allocation allocation = allocate(claims, settings_.bandwidth, now, median, *strategy_);
  put_in_force(claims, allocation, now);
  decide_at_ = std::min(decide_at_, next_decision(allocation, now));
}

void Core::change(const Settings& settings, std::unique_ptr<bandwidth::Strategy> strategy,
                  double now) {
  const std::uint32_t owner = settings_.owner;
  const std::uint32_t epoch = settings_.epoch;
  settings_ = settings;
  settings_.owner = owner;
  settings_.epoch = epoch;
  strategy_ = std::move(strategy);
  for (const auto& [key, one] : applications_) {
    reconsider(*one, false, now);
    one->rate_since = -kNever;  // held rates may exceed the new bandwidth
  }
  weigh();
  decide(now);
}

std::vector<Claim> Core::make_claims(double now) const {
  const auto is_new = [&](const Application& one) {
    return one.account.age(now) < settings_.grace && applications_.size() > 1;
  };
  std::vector<double> yields;
  if (std::any_of(pending_.begin(), pending_.end(),
                  [&](const auto* one) { return is_new(*one); })) {
    for (const auto& [key, one] : applications_) yields.push_back(one->account.yield(now));
    std::sort(yields.begin(), yields.end());
  }
  std::vector<Claim> out;
  out.reserve(pending_.size());
  for (const Application* one : pending_) {
    Claim claim;
    bandwidth::Pending& pending = claim.pending;
    pending.application = static_cast<std::uint32_t>(one->handle);
    pending.set = one->iterations.set();
    pending.bandwidth = one->bandwidth;
    pending.remaining = one->volumes.remaining(one->stated, one->moved - one->moved_before);
    pending.age = one->account.age(now);
    pending.progress = std::max(pending.age - one->account.delay(now), 0.0);
    // New applications that arrive together are ranked by the order of their posts, and not by their work before the post.
    if (pending.progress < settings_.min_grant) pending.progress = 0;
    pending.posted = one->posted;
    if (is_new(*one)) {
      const double usual = median_of_others(yields, one->account.yield(now));
      pending.progress = std::max(pending.progress, usual * pending.age);
    }
    const bool is_held = one->rate > 0 && now < one->rate_since + settings_.min_grant;
    claim.held = is_held ? static_cast<double>(one->rate) : 0;
    claim.floor = floor_of(*one);
    claim.is_overdue =
        one->is_overdue || (static_cast<double>(one->rate) < kNothing * claim.floor &&
                            now >= one->zero_since + settings_.max_pause);
    out.push_back(claim);
  }
  return out;
}

double Core::next_decision(const Allocation& allocation, double now) {
  double out = strategy_->next_date(now);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Application& one = *pending_[i];
    if (allocation.causes[i] == Cause::hold) {
      out = std::min(out, one.rate_since + settings_.min_grant);
    }
    const bool waits = static_cast<double>(one.rate) < kNothing * floor_of(one);
    if (waits && !one.is_overdue) out = std::min(out, one.zero_since + settings_.max_pause);
  }
  return out;
}

void Core::put_in_force(const std::vector<Claim>& claims, const Allocation& allocation,
                        double now) {
  std::vector<Connection*> raised;
  auto left = static_cast<std::uint64_t>(settings_.bandwidth);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Application& one = *pending_[i];
    const double exact = allocation.rates[i] * (1 + kQuotientRounding);
    const std::uint64_t whole = std::min(static_cast<std::uint64_t>(exact), left);
    left -= whole;
    one.is_overdue = claims[i].is_overdue && allocation.causes[i] != Cause::strategy;
    share_out(one, whole, now, raised);
  }
  for (Connection* one : raised) send_grant(*one, now);
}

// Returns the seconds for which an application has waited with almost no bandwidth.
double Core::waiting_of(const Application& one, double now) const {
  const bool waits = one.is_pending && static_cast<double>(one.rate) < kNothing * floor_of(one);
  return waits ? now - one.zero_since : 0;
}

// Divides the rate of an application among its connections. Falling rates are sent at once; rising ones are sent when all
// falling ones have made room for them.
void Core::share_out(Application& application, std::uint64_t rate, double now,
                     std::vector<Connection*>& raised) {
  application.longest_wait = std::max(application.longest_wait, waiting_of(application, now));
  std::vector<Connection*> open;
  for (Connection* one : application.connections) {
    if (one->course == Course::open) open.push_back(one);
  }
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < open.size(); ++k) {
    Connection& one = *open[k];
    const std::uint64_t part = equal_part(rate, open.size(), k);
    const bool rises = static_cast<double>(part) > kSame * static_cast<double>(one.rate);
    const bool falls = part < one.rate;
    if (rises || falls) one.set_rate(part, now);
    if (rises) {
      raised.push_back(&one);
    } else if (falls || !one.is_granted) {
      send_grant(one, now);
    }
    sum += one.rate;
  }
  const auto before = static_cast<double>(application.rate);
  const auto after = static_cast<double>(sum);
  if (after > kSame * before || before > kSame * after) application.rate_since = now;
  const double nothing = kNothing * floor_of(application);
  if (before >= nothing && after < nothing) application.zero_since = now;
  charge(application, sum, now);
}

}  // namespace holdfast::arbiter
