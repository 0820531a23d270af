#include "holdfast/domains/capacity/placement/start_bounds.hpp"

namespace holdfast::capacity {
namespace {

// Returns the first values of at most `most` classes with about the same number of values each. The first class begins at the
// smallest value.
std::vector<std::int64_t> classes_of(std::vector<std::int64_t> values, std::size_t most) {
  if (values.empty()) return {0};
  std::sort(values.begin(), values.end());
  std::vector<std::int64_t> out(values);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.size() <= most) return out;
  for (std::size_t i = 0; i < most; ++i) out[i] = values[i * values.size() / most];
  out.resize(most);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::size_t at_or_below(const std::vector<std::int64_t>& classes, std::int64_t value) {
  const auto after = std::upper_bound(classes.begin(), classes.end(), value);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - classes.begin(), 1) - 1);
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
  bounds_.resize(cores_.size() * lengths_.size() * machines + kBlock, from_origin(origin));
}

StartBounds::Place StartBounds::place_of(std::int64_t cores, std::int64_t length) const {
  const std::size_t of_cores = at_or_below(cores_, cores);
  const bool is_own = cores_[of_cores] == cores;
  return {.read_cores = static_cast<std::uint16_t>(of_cores),
          .read_length = static_cast<std::uint16_t>(at_or_below(lengths_, length)),
          .write_cores = static_cast<std::uint16_t>(of_cores + (is_own ? 0 : 1))};
}

std::int64_t StartBounds::late_length(std::size_t core_class, std::int64_t machine,
                                      std::int64_t time) const {
  const std::int32_t* const of_class =
      bounds_.data() + index(core_class, 0) + static_cast<std::size_t>(machine);
  const std::int32_t least = from_origin(time);
  std::size_t first = 0;
  for (std::size_t count = lengths_.size(); count > 0;) {
    const std::size_t half = count / 2;
    const bool is_before = of_class[(first + half) * machines_] < least;
    first = is_before ? first + half + 1 : first;
    count = is_before ? count - half - 1 : half;
  }
  return first < lengths_.size() ? lengths_[first] : kNever;
}

void StartBounds::raise(std::size_t machine, const Place& place, const Proof& proof) {
  if (place.write_cores >= cores_.size()) return;
  std::int32_t* const of_class = bounds_.data() + index(place.write_cores, 0) + machine;
  std::size_t first = place.read_length;
  if (proof.length > lengths_[first]) {
    ++first;
  } else {
    // The proof also holds for shorter jobs, down to `length`, that are known not to start before the time from which it
    // searched.
    const std::int32_t from = from_origin(proof.from);
    while (first > 0 && lengths_[first - 1] >= proof.length &&
           of_class[(first - 1) * machines_] >= from) {
      --first;
    }
  }
  // The proof also holds for wider jobs, but recording that costs more than it saves.
  const std::int32_t least = stored(proof.start);
  for (std::size_t l = first; l < lengths_.size() && of_class[l * machines_] < least; ++l) {
    of_class[l * machines_] = least;
  }
}

}  // namespace holdfast::capacity
