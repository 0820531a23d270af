#include "holdfast/domains/capacity/placement/start_bounds.hpp"

namespace holdfast::capacity {
namespace {

// At most `most` classes that hold about as many values each; the smallest value begins the first.
std::vector<std::int64_t> classes_of(std::vector<std::int64_t> values, std::size_t most) {
  std::vector<std::int64_t> out;
  if (values.empty()) return {0};
  for (const std::int64_t value : values) {
    const auto at = std::lower_bound(out.begin(), out.end(), value);
    if (at != out.end() && *at == value) continue;
    out.insert(at, value);
    if (out.size() > most) break;
  }
  if (out.size() <= most) return out;
  out.clear();
  auto from = values.begin();
  for (std::size_t i = 0; i < most; ++i) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(i * values.size() / most);
    std::nth_element(from, at, values.end());
    if (out.empty() || out.back() != *at) out.push_back(*at);
    from = at;
  }
  return out;
}

}  // namespace

StartBounds::StartBounds(std::span<const Task> tasks, std::size_t machines, std::int64_t origin,
                         std::size_t most_lengths)
    : machines_{machines}, origin_{origin} {
  std::vector<std::int64_t> cores, lengths;
  for (const Task& task : tasks) {
    cores.push_back(task.cores);
    lengths.push_back(task.length);
    if (task.is_carried_in()) lengths.push_back(task.first_length);
  }
  cores_ = classes_of(std::move(cores), kMostCores);
  lengths_ = classes_of(std::move(lengths), most_lengths);
  bounds_.resize(cores_.size() * lengths_.size() * machines + kBlock);
  clear_all();
}

StartBounds::Place StartBounds::place_of(std::int64_t cores, std::int64_t length) const {
  const auto at_or_below = [](const std::vector<std::int64_t>& classes, std::int64_t value) {
    const auto after = std::upper_bound(classes.begin(), classes.end(), value);
    return static_cast<std::uint16_t>(std::max<std::ptrdiff_t>(after - classes.begin(), 1) - 1);
  };
  const auto at_or_above = [](const std::vector<std::int64_t>& classes, std::int64_t value) {
    return static_cast<std::uint16_t>(std::lower_bound(classes.begin(), classes.end(), value) -
                                      classes.begin());
  };
  return {.read_cores = at_or_below(cores_, cores),
          .read_length = at_or_below(lengths_, length),
          .write_cores = at_or_above(cores_, cores),
          .write_length = at_or_above(lengths_, length)};
}

void StartBounds::clear(std::size_t machine) {
  for (std::size_t i = machine; i < bounds_.size(); i += machines_) bounds_[i] = kAnyTime;
}

}  // namespace holdfast::capacity
