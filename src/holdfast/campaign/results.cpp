#include "holdfast/campaign/results.hpp"

#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/id_map.hpp"
#include "holdfast/campaign/results_lock.hpp"
#include "holdfast/campaign/row_reader.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

namespace holdfast {
namespace {

/// The largest number of bytes for the cells of one batch of points.
constexpr std::size_t kBatchBytes = std::size_t{1} << 30;

/// The place of a point's arrays in a batch.
struct Slot {
  std::uint64_t first_cell = 0;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
};

/// An array of zeros that uses memory only where it is written or read, because a file may have few of many cells.
template <class Number>
class Zeros {
 public:
  explicit Zeros(std::size_t size)
      : size_(size),
        numbers_(
            static_cast<Number*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(Number)))) {
    if (!numbers_) throw std::bad_alloc();
  }
  [[nodiscard]] std::span<Number> all() const { return {numbers_.get(), size_}; }

 private:
  struct Free {
    void operator()(Number* numbers) const { std::free(numbers); }
  };
  std::size_t size_;
  std::unique_ptr<Number, Free> numbers_;
};

/// Returns true if each two numbers are equal, or both NaN.
bool are_same(std::span<const double> one, std::span<const double> other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

}  // namespace

PointCells::PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
                       std::size_t strategies, std::size_t metrics,
                       std::span<const std::uint8_t> flags, std::span<const double> values)
    : position_(position),
      instances_(instances),
      scenarios_(scenarios),
      strategies_(strategies),
      metrics_(metrics),
      flags_(flags),
      values_(values) {
  assert(flags.size() == instances * scenarios * strategies);
  assert(values.size() == flags.size() * metrics);
}

std::optional<CellView> PointCells::cell(std::size_t draw, std::size_t strategy) const {
  const std::size_t index = draw * strategies_ + strategy;
  const std::uint8_t flags = flags_[index];
  if ((flags & CellFlags::kPresent) == 0) return std::nullopt;
  return CellView{.metrics = values_.subspan(index * metrics_, metrics_),
                  .completed = (flags & CellFlags::kCompleted) != 0,
                  .in_statistics = (flags & CellFlags::kInStatistics) != 0};
}

std::optional<double> PointCells::value(std::size_t draw, std::size_t strategy,
                                        std::size_t metric) const {
  const std::size_t index = draw * strategies_ + strategy;
  if ((flags_[index] & CellFlags::kInStatistics) == 0) return std::nullopt;
  const double value = values_[index * metrics_ + metric];
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

struct Results::Impl {
  Store store;
  std::filesystem::path directory;
  Description description;
  std::vector<StoredPosition> positions;
  IdMap strategies_by_id;
  std::string command;
  std::string machine;
  Provenance provenance;

  [[nodiscard]] std::uint64_t cells(std::size_t position) const {
    return positions[position].instances * positions[position].scenarios *
           description.strategies.size();
  }
  /// Returns the position after the last one of a batch that begins at `begin`; a batch has at least one position.
  [[nodiscard]] std::size_t end_of_batch(std::size_t begin) const {
    const std::uint64_t bytes = 1 + sizeof(double) * description.metrics.size();
    std::uint64_t sum = 0;
    std::size_t end = begin;
    while (end < positions.size()) {
      sum += cells(end) * bytes;
      if (end > begin && sum > kBatchBytes) break;
      ++end;
    }
    return end;
  }
  Status visit_batch(std::size_t begin, std::size_t end,
                     const std::function<Status(const PointCells&)>& visit) const;
};

/// Loads the cells of some positions and visits them. Positions with the same point share its arrays.
Status Results::Impl::visit_batch(std::size_t begin, std::size_t end,
                                  const std::function<Status(const PointCells&)>& visit) const {
  std::vector<Slot> slots;
  IdMap slot_of_point;
  std::uint64_t total = 0;
  for (std::size_t position = begin; position < end; ++position) {
    const StoredPosition& at = positions[position];
    if (slot_of_point.find(at.point) != IdMap::kNone) continue;
    slot_of_point.set(at.point, static_cast<std::uint32_t>(slots.size()));
    slots.push_back({total, at.instances, at.scenarios});
    total += cells(position);
  }

  const std::size_t strategies = description.strategies.size();
  const std::size_t metrics = description.metrics.size();
  const Zeros<std::uint8_t> flags_memory(total);
  const Zeros<double> values_memory(total * metrics);
  const std::span<std::uint8_t> flags = flags_memory.all();
  const std::span<double> values = values_memory.all();
  HOLDFAST_CHECK(store.for_each_cell(description, [&](const StoredCell& cell) -> Status {
    const std::uint32_t point = slot_of_point.find(cell.point);
    const std::uint32_t strategy = strategies_by_id.find(cell.strategy);
    if (point == IdMap::kNone || strategy == IdMap::kNone) return {};
    const Slot& slot = slots[point];
    if (cell.instance >= slot.instances || cell.scenario >= slot.scenarios) return {};
    const std::uint64_t index =
        slot.first_cell + (cell.instance * slot.scenarios + cell.scenario) * strategies + strategy;
    const std::span<double> place = values.subspan(index * metrics, metrics);
    if (flags[index] != 0 && (flags[index] != cell.flags || !are_same(place, cell.metrics))) {
      return damaged_row((directory / Store::kFile).string(), "cells", cell.row,
                         "found another result of a cell that an earlier row has");
    }
    flags[index] = cell.flags;
    std::copy(cell.metrics.begin(), cell.metrics.end(), place.begin());
    return {};
  }));

  for (std::size_t position = begin; position < end; ++position) {
    const StoredPosition& at = positions[position];
    const std::uint64_t first = slots[slot_of_point.find(at.point)].first_cell;
    const std::uint64_t count = cells(position);
    HOLDFAST_CHECK(visit(PointCells(position, at.instances, at.scenarios, strategies, metrics,
                                    flags.subspan(first, count),
                                    values.subspan(first * metrics, count * metrics))));
  }
  return {};
}

Results::Results(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Results::Results(Results&&) noexcept = default;
Results& Results::operator=(Results&&) noexcept = default;
Results::~Results() = default;

Result<Results> Results::open(const std::filesystem::path& directory) {
  HOLDFAST_TRY(store, Store::open_readonly(directory));
  HOLDFAST_CHECK(store.begin_reading());
  HOLDFAST_TRY(description, store.description());
  HOLDFAST_TRY(positions, store.positions(description));
  HOLDFAST_TRY(ids, store.strategy_ids());
  HOLDFAST_TRY(command, store.meta("command"));
  HOLDFAST_TRY(machine, store.meta("machine"));
  HOLDFAST_TRY(provenance, store.provenance());
  HOLDFAST_CHECK(store.end_reading());
  return Results(std::make_unique<Impl>(Impl{.store = std::move(store),
                                             .directory = directory,
                                             .description = std::move(description),
                                             .positions = std::move(positions),
                                             .strategies_by_id = IdMap(ids),
                                             .command = std::move(command),
                                             .machine = std::move(machine),
                                             .provenance = std::move(provenance)}));
}

const Description& Results::description() const {
  return impl_->description;
}
const std::filesystem::path& Results::directory() const {
  return impl_->directory;
}
const std::string& Results::command() const {
  return impl_->command;
}
const std::string& Results::machine() const {
  return impl_->machine;
}
const Provenance& Results::provenance() const {
  return impl_->provenance;
}
std::size_t Results::points() const {
  return impl_->positions.size();
}

std::vector<Value> Results::parameters(std::size_t position) const {
  return axis_values(impl_->description.axes, position);
}

Status Results::for_each_point(const std::function<Status(const PointCells&)>& visit) const {
  HOLDFAST_CHECK(impl_->store.begin_reading());
  for (std::size_t begin = 0; begin < points();) {
    const std::size_t end = impl_->end_of_batch(begin);
    if (auto status = impl_->visit_batch(begin, end, visit); !status) {
      static_cast<void>(impl_->store.end_reading());
      return status;
    }
    begin = end;
  }
  return impl_->store.end_reading();
}

Status Results::count(CampaignStatus& out) const {
  return for_each_point([&](const PointCells& cells) -> Status {
    std::uint64_t done = 0;
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
        if (cells.cell(draw, strategy)) ++done;
      }
    }
    const std::uint64_t asked = cells.draws() * cells.strategies();
    out.cells_total += asked;
    out.cells_done += done;
    out.points_total += 1;
    out.points_done += done == asked ? 1 : 0;
    return {};
  });
}

Result<CampaignStatus> Results::status() const {
  CampaignStatus out;
  TaskStatus tasks;
  // A merge may end between the two reads; its cells would then be counted twice or not at all.
  for (int reads = 0; reads < 3; ++reads) {
    tasks = task_status(impl_->directory);
    out = {};
    HOLDFAST_CHECK(count(out));
    const TaskStatus after = task_status(impl_->directory);
    if (after.cells == tasks.cells && after.merged_onto == tasks.merged_onto) break;
  }
  const std::uint64_t apart = tasks.merged_onto.value_or(out.cells_done) + tasks.cells;
  const std::uint64_t all = std::clamp(apart, out.cells_done, out.cells_total);
  out.cells_unmerged = all - out.cells_done;
  out.cells_done = all;
  out.tasks_running = tasks.running;
  out.is_running = DirectoryLock::is_held(impl_->directory, kResultsLock.file) || tasks.running > 0;
  out.jobs = std::move(tasks.jobs);
  return out;
}

}  // namespace holdfast
