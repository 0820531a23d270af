#include "holdfast/campaign/batch.hpp"

#include "holdfast/contract/domain.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace holdfast {
namespace {

/// Adds to a batch, completely or not at all: if memory runs out, half a cell would be stored as another one.
template <class Add>
void add_whole(Batch& batch, const Add& add) {
  const std::size_t size = batch.keys.size(), values = batch.values.size();
  try {
    add();
  } catch (...) {
    batch.keys.resize(size);
    batch.flags.resize(size);
    batch.seconds.resize(size);
    batch.values.resize(values);
    throw;
  }
}

}  // namespace

void Batch::clear() {
  keys.clear();
  flags.clear();
  seconds.clear();
  values.clear();
}

void Batch::add(const CellKey& key, const Outcome& outcome, double wall_seconds) {
  std::uint8_t flag = CellFlags::kPresent;
  if (outcome.completed) flag |= CellFlags::kCompleted;
  if (outcome.completed || outcome.in_statistics) flag |= CellFlags::kInStatistics;
  add_whole(*this, [&] {
    keys.push_back(key);
    flags.push_back(flag);
    seconds.push_back(wall_seconds);
    for (const std::optional<double>& metric : outcome.metrics) {
      const bool exists = metric && std::isfinite(*metric);
      values.push_back(exists ? *metric : std::numeric_limits<double>::quiet_NaN());
    }
  });
}

void Batch::append(const Batch& other) {
  const auto add_all = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add_whole(*this, [&] {
    add_all(keys, other.keys);
    add_all(flags, other.flags);
    add_all(seconds, other.seconds);
    add_all(values, other.values);
  });
}

void Batch::append(const Batch& other, std::size_t i, std::size_t metrics) {
  add_whole(*this, [&] {
    keys.push_back(other.keys[i]);
    flags.push_back(other.flags[i]);
    seconds.push_back(other.seconds[i]);
    const double* first = other.values.data() + i * metrics;
    values.insert(values.end(), first, first + metrics);
  });
}

}  // namespace holdfast
