#include "holdfast/campaign/results.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/parallel.hpp"
#include "holdfast/campaign/loaded_cells.hpp"
#include "holdfast/campaign/results_lock.hpp"
#include "holdfast/campaign/row_reader.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

/// The largest number of bytes for the cells of one batch of points.
constexpr std::size_t kBatchBytes = std::size_t{1} << 28;
/// The largest number of bytes of all cells that are kept for the next visit.
constexpr std::size_t kKeptBytes = std::size_t{1} << 27;

/// Returns true if two numbers are equal, or both NaN.
bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
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

std::uint64_t PointCells::done() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      flags_, [](std::uint8_t flags) { return (flags & CellFlags::kPresent) != 0; }));
}

unsigned PointCells::threads() const {
  constexpr std::size_t kFewCells = 20'000;
  return flags_.size() < kFewCells ? 1 : thread_count(threads_);
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
  unsigned threads = 0;
  std::unique_ptr<const LoadedCells> kept = {};  ///< all cells, if they are few
  std::int64_t kept_version = 0;                 ///< the state of the file when they were read

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
  [[nodiscard]] BlockQuery query() const {
    BlockQuery out{.seed = description.seed, .threads = threads};
    for (const StoredMetric& metric : description.metrics) out.metrics.push_back(metric.name);
    return out;
  }
  Status visit_stored(const std::function<Status(const StoredRun&)>& visit) const;
  Result<std::unique_ptr<const LoadedCells>> load(std::size_t begin, std::size_t end) const;
  Status add(const Block& block, const LoadedCells& to) const;
  Status visit_loaded(const LoadedCells& loaded, std::size_t begin,
                      const std::function<Status(const PointCells&)>& visit) const;
  Status visit_all(const std::function<Status(const PointCells&)>& visit);
};

/// Loads the cells of some positions. Positions with the same point share its arrays.
Result<std::unique_ptr<const LoadedCells>> Results::Impl::load(std::size_t begin,
                                                               std::size_t end) const {
  std::vector<LoadedCells::Slot> slots;
  IdMap slot_of_point;
  std::uint64_t total = 0;
  for (std::size_t position = begin; position < end; ++position) {
    const StoredPosition& at = positions[position];
    if (slot_of_point.find(at.point) != IdMap::kNone) continue;
    slot_of_point.set(at.point, static_cast<std::uint32_t>(slots.size()));
    slots.push_back({total, at.instances, at.scenarios});
    total += cells(position);
  }
  auto out = std::make_unique<LoadedCells>(
      LoadedCells{.end = end,
                  .slots = std::move(slots),
                  .slot_of_point = std::move(slot_of_point),
                  .flags = Zeros<std::uint8_t>(total),
                  .values = Zeros<double>(total * description.metrics.size())});
  HOLDFAST_CHECK(
      store.for_each_block(query(), [&](const Block& block) { return add(block, *out); }));
  return out;
}

/// Puts the cells of a block in their places.
Status Results::Impl::add(const Block& block, const LoadedCells& to) const {
  const std::size_t strategies = description.strategies.size();
  const std::size_t metrics = description.metrics.size();
  const std::span<std::uint8_t> flags = to.flags.all();
  const std::span<double> values = to.values.all();
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::uint32_t point = to.slot_of_point.find(block.points[i]);
    const std::uint32_t strategy = strategies_by_id.find(block.strategies[i]);
    if (point == IdMap::kNone || strategy == IdMap::kNone) continue;
    const LoadedCells::Slot& slot = to.slots[point];
    if (block.instances[i] >= slot.instances || block.scenarios[i] >= slot.scenarios) continue;
    const std::uint64_t index =
        slot.first_cell + (block.instances[i] * slot.scenarios + block.scenarios[i]) * strategies +
        strategy;
    double* place = values.data() + index * metrics;
    if (flags[index] != 0) {
      bool agrees = flags[index] == block.flags[i];
      for (std::size_t m = 0; m < metrics; ++m)
        agrees = agrees && is_same(place[m], block.metrics[m][i]);
      if (agrees) continue;
      return damaged_row((directory / Store::kFile).string(), block.table, block.row,
                         "found another result of a cell that an earlier row has");
    }
    flags[index] = block.flags[i];
    for (std::size_t m = 0; m < metrics; ++m) place[m] = block.metrics[m][i];
  }
  return {};
}

Status Results::Impl::visit_loaded(const LoadedCells& loaded, std::size_t begin,
                                   const std::function<Status(const PointCells&)>& visit) const {
  const std::size_t strategies = description.strategies.size();
  const std::size_t metrics = description.metrics.size();
  for (std::size_t position = begin; position < loaded.end; ++position) {
    const StoredPosition& at = positions[position];
    const std::uint64_t first = loaded.slots[loaded.slot_of_point.find(at.point)].first_cell;
    const std::uint64_t count = cells(position);
    PointCells point(position, at.instances, at.scenarios, strategies, metrics,
                     loaded.flags.all().subspan(first, count),
                     loaded.values.all().subspan(first * metrics, count * metrics));
    point.allow_threads(threads);
    HOLDFAST_CHECK(visit(point));
  }
  return {};
}

Status Results::Impl::visit_all(const std::function<Status(const PointCells&)>& visit) {
  HOLDFAST_TRY(version, store.data_version());
  if (kept != nullptr && kept_version == version) return visit_loaded(*kept, 0, visit);
  kept.reset();
  std::uint64_t all = 0;
  for (std::size_t position = 0; position < positions.size(); ++position) all += cells(position);
  const bool are_few = all * (1 + sizeof(double) * description.metrics.size()) <= kKeptBytes;
  for (std::size_t begin = 0; begin < positions.size();) {
    HOLDFAST_TRY(loaded, load(begin, are_few ? positions.size() : end_of_batch(begin)));
    HOLDFAST_CHECK(visit_loaded(*loaded, begin, visit));
    begin = loaded->end;
    if (!are_few) continue;
    kept = std::move(loaded);
    kept_version = version;
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

void Results::use_threads(unsigned threads) {
  impl_->threads = threads;
}

Status Results::for_each_point(const std::function<Status(const PointCells&)>& visit) const {
  HOLDFAST_CHECK(impl_->store.begin_reading());
  Status status = impl_->visit_all(visit);
  const Status ended = impl_->store.end_reading();
  return status ? ended : status;
}

Status Results::Impl::visit_stored(const std::function<Status(const StoredRun&)>& visit) const {
  std::vector<std::vector<std::size_t>> positions_of_point;
  for (std::size_t position = 0; position < positions.size(); ++position) {
    const std::uint32_t point = positions[position].point;
    if (positions_of_point.size() <= point) positions_of_point.resize(point + 1);
    positions_of_point[point].push_back(position);
  }
  // A cell may be stored twice; the first visit looks for differences, so that here the first one is as good as any.
  std::vector<std::vector<bool>> seen(positions_of_point.size());
  std::vector<double> metrics(description.metrics.size());
  BlockQuery wanted = query();
  wanted.wants_seconds = true;
  return store.for_each_block(wanted, [&](const Block& block) -> Status {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::uint32_t strategy = strategies_by_id.find(block.strategies[i]);
      if (block.points[i] >= positions_of_point.size() || strategy == IdMap::kNone) continue;
      const std::vector<std::size_t>& places = positions_of_point[block.points[i]];
      if (places.empty()) continue;
      const StoredPosition& at = positions[places.front()];
      if (block.instances[i] >= at.instances || block.scenarios[i] >= at.scenarios) continue;
      std::vector<bool>& known = seen[block.points[i]];
      known.resize(cells(places.front()));
      auto is_known = known[(block.instances[i] * at.scenarios + block.scenarios[i]) *
                                description.strategies.size() +
                            strategy];
      if (is_known) continue;
      is_known = true;
      for (std::size_t m = 0; m < metrics.size(); ++m) metrics[m] = block.metrics[m][i];
      for (const std::size_t position : places) {
        HOLDFAST_CHECK(
            visit({.position = position,
                   .strategy = strategy,
                   .instance = block.instances[i],
                   .scenario = block.scenarios[i],
                   .seconds = block.metrics.back()[i],
                   .cell = {.metrics = metrics,
                            .completed = (block.flags[i] & CellFlags::kCompleted) != 0,
                            .in_statistics = (block.flags[i] & CellFlags::kInStatistics) != 0}}));
      }
    }
    return {};
  });
}

Status Results::for_each_stored(const std::function<Status(const StoredRun&)>& visit) const {
  HOLDFAST_CHECK(for_each_point([](const PointCells&) { return Status(); }));
  HOLDFAST_CHECK(impl_->store.begin_reading());
  Status status = impl_->visit_stored(visit);
  const Status ended = impl_->store.end_reading();
  return status ? ended : status;
}

Status Results::count(CampaignStatus& out) const {
  return for_each_point([&](const PointCells& cells) -> Status {
    const std::uint64_t done = cells.done();
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
