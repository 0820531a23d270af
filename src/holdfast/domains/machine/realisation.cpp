#include "holdfast/domains/machine/realisation.hpp"

#include <cassert>
#include <numeric>
#include <utility>

namespace holdfast::machine {
namespace {

std::vector<AgeGroup> groups_of(const Instance& instance) {
  if (!instance.ages.empty()) return instance.ages;
  const double age = instance.events ? instance.platform_age : 0;
  return {{.age = age, .count = instance.nodes}};
}

// A trace gives the lowest numbers to the nodes that fail first. This does not matter unless it matters which job has which
// node, as it does here: so the numbers are shuffled within each group of one age.
std::vector<std::uint32_t> shuffled(std::span<const AgeGroup> groups, StreamKey key) {
  std::int64_t count = 0;
  for (const AgeGroup& group : groups) count += group.count;
  std::vector<std::uint32_t> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0U);
  key.entity = (std::uint64_t{1} << 62);  // neither a processor nor a stage of the trace
  Stream stream(key);
  std::size_t first = 0;
  for (const AgeGroup& group : groups) {
    const auto size = static_cast<std::size_t>(group.count);
    for (std::size_t left = size; left > 1; --left) {
      const auto other =
          static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(left) - 1));
      std::swap(out[first + left - 1], out[first + other]);
    }
    first += size;
  }
  return out;
}

}  // namespace

Realisation::Realisation(const Instance& instance, std::shared_ptr<const TabulatedLaw> law,
                         const Draw& draw)
    : law_{std::move(law)}, jobs_{instance, draw} {
  const std::vector<AgeGroup> groups = groups_of(instance);
  if (instance.events) {
    auto given = FailureTrace::given(groups, *instance.events);
    assert(given && "check() has seen these events");
    trace_ = std::move(*given);
  } else if (law_ != nullptr) {
    // The key is that of `checkpoint`: one job on all nodes has the same failures in both domains.
    const StreamKey key{.seed = draw.seed,
                        .purpose = Purpose::failures,
                        .instance = draw.instance,
                        .scenario = draw.scenario};
    trace_ = instance.ages.empty() ? FailureTrace::sample(law_, instance.nodes, key)
                                   : FailureTrace::sample(law_, groups, key);
    nodes_ = shuffled(groups, key);
    origin_ = instance.ages.empty() ? instance.platform_age : 0;
  }
  if (!trace_) return;
  past_ = trace_->index_at(origin_);
  if (law_ != nullptr) hazard_ = std::make_unique<PlatformHazard>(*law_, *trace_);
}

double Realisation::failure_date(std::size_t i) {
  if (!trace_ || !trace_->reach(past_ + i)) return kNever;
  return trace_->failures()[past_ + i].date - origin_;
}

std::int64_t Realisation::failed_node(std::size_t i) const {
  const std::uint32_t number = trace_->failures()[past_ + i].processor;
  return nodes_.empty() ? number : nodes_[number];
}

std::vector<double> Realisation::renewals() const {
  std::vector<double> out;
  if (!trace_) return out;
  for (const AgeGroup& group : trace_->initial_groups()) {
    out.insert(out.end(), static_cast<std::size_t>(group.count), -group.age - origin_);
  }
  for (std::size_t i = 0; i < past_; ++i) {
    const std::uint32_t number = trace_->failures()[i].processor;
    out[nodes_.empty() ? number : nodes_[number]] = trace_->failures()[i].date - origin_;
  }
  return out;
}

}  // namespace holdfast::machine
