#include "holdfast/arbiter/metrics.hpp"

#include "holdfast/base/metrics_text.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace holdfast::arbiter {
namespace {

// The names of frames, in the order of their types on the wire, which count from 1.
constexpr auto kFrameNames =
    std::to_array<std::string_view>({"hello", "welcome", "post", "grant", "report", "done", "bye",
                                     "ping", "pong", "error", "watch", "state", "register"});
static_assert(kFrameNames.size() == std::variant_size_v<Frame>);

constexpr auto kFaultNames = std::to_array<std::string_view>(
    {"bad_frame", "bad_version", "not_permitted", "too_many", "too_fast", "unknown_handle",
     "bad_value", "idle_operation", "shutting_down"});
static_assert(kFaultNames.size() == std::tuple_size_v<decltype(Tally::errors)>);

/// The applications with the largest delays, and whether there are others.
struct Named {
  std::vector<const Standing*> applications;
  bool has_others = false;
  Standing others;
};

Named name_some(std::span<const Standing> all) {
  Named out;
  for (const Standing& one : all) out.applications.push_back(&one);
  std::sort(out.applications.begin(), out.applications.end(),
            [](const Standing* a, const Standing* b) {
              return a->delay != b->delay ? a->delay > b->delay : a->handle < b->handle;
            });
  if (out.applications.size() <= kNamedApplications) return out;
  out.has_others = true;
  out.others.yield = 1;
  for (std::size_t i = kNamedApplications; i < out.applications.size(); ++i) {
    const Standing& one = *out.applications[i];
    out.others.rate += one.rate;
    out.others.moved += one.moved;
    out.others.delay += one.delay;
    out.others.yield = std::min(out.others.yield, one.yield);
  }
  out.applications.resize(kNamedApplications);
  return out;
}

void write_each(MetricsText& out, const Named& named,
                const std::function<double(const Standing&)>& value) {
  for (const Standing* one : named.applications) {
    out.sample(value(*one),
               fmt::format("job=\"{}\",uid=\"{}\"", MetricsText::label_value(one->name), one->uid));
  }
  if (named.has_others) out.sample(value(named.others), "job=\"other\",uid=\"\"");
}

void write_decisions(MetricsText& out, const Durations& decisions) {
  out.family("decision_seconds", "histogram", "Time that a decision took.");
  for (std::size_t i = 0; i < Durations::kBounds.size(); ++i) {
    out.sample(decisions.up_to(i), fmt::format("le=\"{}\"", to_text(Durations::kBounds[i])),
               "_bucket");
  }
  out.sample(decisions.count(), "le=\"+Inf\"", "_bucket");
  out.sample(decisions.sum(), {}, "_sum");
  out.sample(decisions.count(), {}, "_count");
}

}  // namespace

void Durations::add(double seconds) {
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (seconds <= kBounds[i]) ++counts_[i];
  }
  ++count_;
  sum_ += seconds;
}

void Tally::hear(const Happening& happening) {
  if (const auto* taken = std::get_if<Taken>(&happening)) ++frames[taken->type - 1U];
  if (const auto* sent = std::get_if<Sent>(&happening)) ++frames[sent->type - 1U];
  if (const auto* refused = std::get_if<Refused>(&happening)) {
    ++errors[static_cast<std::size_t>(refused->code) - 1];
  }
  if (std::holds_alternative<Expired>(happening)) ++expiries;
}

std::string metrics_text(std::span<const Standing> applications, const Totals& totals,
                         const Tally& tally) {
  const Named named = name_some(applications);
  MetricsText out("holdfast_io_");
  out.one("bandwidth_bytes_per_second", "gauge", "Bandwidth that is granted from.",
          totals.bandwidth);
  out.family("granted_bytes_per_second", "gauge", "Rate in force of each application.");
  write_each(out, named, [](const Standing& one) { return static_cast<double>(one.rate); });
  out.family("moved_bytes_total", "counter", "Bytes that each application moved.");
  write_each(out, named, [](const Standing& one) { return static_cast<double>(one.moved); });
  out.family("delay_seconds_total", "counter", "Time that each application lost to others.");
  write_each(out, named, [](const Standing& one) { return one.delay; });
  out.family("yield", "gauge",
             "1 less delay over age of each application; of job other, the least.");
  write_each(out, named, [](const Standing& one) { return one.yield; });
  out.family("minimum_yield", "gauge", "Least yield of all applications.");
  double least = 1;
  double longest = 0;
  for (const Standing& one : applications) {
    least = std::min(least, one.yield);
    longest = std::max(longest, one.waiting);
  }
  if (!applications.empty()) out.sample(least);
  out.one("pending_operations", "gauge", "Applications with an operation that is open.",
          std::uint64_t{totals.pending});
  out.one("waiting_seconds_max", "gauge", "Longest time that an application waits now.", longest);
  out.one("decisions_total", "counter", "Decisions taken.", totals.decisions);
  write_decisions(out, tally.decisions);
  out.family("frames_total", "counter", "Frames that came or went, by type.");
  for (std::size_t i = 0; i < tally.frames.size(); ++i) {
    out.sample(tally.frames[i], fmt::format("type=\"{}\"", kFrameNames[i]));
  }
  out.family("errors_total", "counter", "Errors that were sent, by code.");
  for (std::size_t i = 0; i < tally.errors.size(); ++i) {
    out.sample(tally.errors[i], fmt::format("code=\"{}\"", kFaultNames[i]));
  }
  out.one("connections", "gauge", "Connections that are open.", std::uint64_t{totals.connections});
  out.one("epoch", "gauge", "Number of this start of the arbiter, with those that it remembers.",
          std::uint64_t{totals.epoch});
  out.one("lease_expiries_total", "counter",
          "Operations that gave no sign of life, and whose bandwidth was freed.", tally.expiries);
  return std::move(out).text();
}

}  // namespace holdfast::arbiter
