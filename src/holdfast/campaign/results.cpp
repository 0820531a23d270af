#include "holdfast/campaign/results.hpp"

#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/parallel.hpp"
#include "holdfast/campaign/loaded_cells.hpp"
#include "holdfast/campaign/results_lock.hpp"
#include "holdfast/campaign/row_reader.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/tasks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

/// The largest number of bytes for the cells of one batch of points.
constexpr std::size_t kBatchBytes = std::size_t{1} << 28;

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

PointCells::PointCells(std::size_t position, std::uint64_t instances, std::uint64_t scenarios,
                       std::size_t strategies, std::size_t metrics, const LoadedCells& loaded,
                       std::uint64_t first)
    : position_(position),
      instances_(instances),
      scenarios_(scenarios),
      strategies_(strategies),
      metrics_(metrics),
      loaded_(&loaded),
      first_(first) {}

std::uint8_t PointCells::loaded_flags(std::uint64_t cell) const {
  return loaded_->flags_of(cell);
}

double PointCells::loaded_value(std::uint64_t cell, std::size_t metric) const {
  return loaded_->value(cell, metric);
}

std::uint64_t PointCells::done() const {
  std::uint64_t out = 0;
  for (std::size_t strategy = 0; strategy < strategies_; ++strategy) {
    for (std::size_t draw = 0; draw < draws(); ++draw)
      if (cell(draw, strategy)) ++out;
  }
  return out;
}

unsigned PointCells::threads() const {
  constexpr std::size_t kFewCells = 20'000;
  return draws() * strategies_ < kFewCells ? 1 : thread_count(threads_);
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
  std::uint64_t most_kept = std::uint64_t{1} << 27;  ///< bytes of cells in memory
  std::unique_ptr<const LoadedCells> kept = {};      ///< all cells
  std::int64_t kept_version = 0;                     ///< the state of the file when they were read

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
  Result<std::unique_ptr<const LoadedCells>> load(std::size_t begin, std::size_t end,
                                                  bool is_in_file) const;
  [[nodiscard]] std::optional<std::uint64_t> place_of(const Block& block, std::size_t i,
                                                      const LoadedCells& in) const;
  Status check_same(const Block& block, std::size_t i, std::uint8_t flags,
                    const std::function<double(std::size_t)>& value) const;
  Status add(const Block& block, LoadedCells& to) const;
  Status add_to_file(const Block& block, LoadedCells& to) const;
  Status write_run(const Block& block, std::span<const std::pair<std::uint64_t, std::size_t>> run,
                   LoadedCells& to) const;
  [[nodiscard]] tl::unexpected<Error> no_file() const {
    return fail(ErrorCode::io_failure, directory.string(),
                "found no room for all cells, as columns in a file; free some and run the same "
                "command again");
  }
  Status visit_loaded(const LoadedCells& loaded, std::size_t begin,
                      const std::function<Status(const PointCells&)>& visit) const;
  Status visit_all(const std::function<Status(const PointCells&)>& visit);
};

/// Loads the cells of some positions. Positions with the same point share its arrays.
Result<std::unique_ptr<const LoadedCells>> Results::Impl::load(std::size_t begin, std::size_t end,
                                                               bool is_in_file) const {
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
  const std::uint64_t in_memory = is_in_file ? 0 : total;
  LoadedCells out = {.end = end,
                     .total = total,
                     .slots = std::move(slots),
                     .slot_of_point = std::move(slot_of_point),
                     .flags = Zeros<std::uint8_t>(in_memory),
                     .values = Zeros<std::uint64_t>(in_memory * description.metrics.size())};
  out.first.resize(description.metrics.size());
  if (is_in_file) {
    out.file = PagedFile::make(directory, out.values_at() + 8 * total * out.first.size());
    if (!out.file) return no_file();
  }
  HOLDFAST_CHECK(store.for_each_block(query(), [&](const Block& block) {
    return is_in_file ? add_to_file(block, out) : add(block, out);
  }));
  return std::make_unique<const LoadedCells>(std::move(out));
}

/// Returns where a cell of a block belongs; nothing if nobody asks for it.
std::optional<std::uint64_t> Results::Impl::place_of(const Block& block, std::size_t i,
                                                     const LoadedCells& in) const {
  const std::uint32_t point = in.slot_of_point.find(block.points[i]);
  const std::uint32_t strategy = strategies_by_id.find(block.strategies[i]);
  if (point == IdMap::kNone || strategy == IdMap::kNone) return std::nullopt;
  const LoadedCells::Slot& slot = in.slots[point];
  if (block.instances[i] >= slot.instances || block.scenarios[i] >= slot.scenarios)
    return std::nullopt;
  return slot.first_cell + strategy * slot.draws() + block.instances[i] * slot.scenarios +
         block.scenarios[i];
}

/// Compares a cell of a block with what is known of it from an earlier one.
Status Results::Impl::check_same(const Block& block, std::size_t i, std::uint8_t flags,
                                 const std::function<double(std::size_t)>& value) const {
  bool agrees = flags == block.flags[i];
  for (std::size_t m = 0; m < description.metrics.size(); ++m)
    agrees = agrees && is_same(value(m), block.metrics[m][i]);
  if (agrees) return {};
  return damaged_row((directory / Store::kFile).string(), block.table, block.row,
                     "found another result of a cell that an earlier row has");
}

/// Puts the cells of a block in their places.
Status Results::Impl::add(const Block& block, LoadedCells& to) const {
  const std::span<std::uint8_t> flags = to.flags.all();
  const std::span<std::uint64_t> values = to.values.all();
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto cell = place_of(block, i, to);
    if (!cell) continue;
    if (flags[*cell] != 0) {
      HOLDFAST_CHECK(
          check_same(block, i, flags[*cell], [&](std::size_t m) { return to.value(*cell, m); }));
      continue;
    }
    flags[*cell] = block.flags[i];
    for (std::size_t m = 0; m < to.first.size(); ++m) {
      const auto bits = std::bit_cast<std::uint64_t>(block.metrics[m][i]);
      if (!to.first[m]) to.first[m] = bits;
      if (bits != *to.first[m]) values[m * to.total + *cell] = bits ^ *to.first[m];
    }
  }
  return {};
}

/// The same in a file, where cells that follow each other are written together.
Status Results::Impl::add_to_file(const Block& block, LoadedCells& to) const {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (const auto cell = place_of(block, i, to)) order.emplace_back(*cell, i);
  }
  std::ranges::sort(order);
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::size_t before = order[k - 1].second;
    if (order[k].first != order[k - 1].first) continue;
    HOLDFAST_CHECK(check_same(block, order[k].second, block.flags[before],
                              [&](std::size_t m) { return block.metrics[m][before]; }));
  }
  const auto again = std::ranges::unique(order, {}, &std::pair<std::uint64_t, std::size_t>::first);
  order.erase(again.begin(), again.end());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first + (end - begin)) ++end;
    HOLDFAST_CHECK(write_run(block, {order.data() + begin, end - begin}, to));
  }
  return {};
}

Status Results::Impl::write_run(const Block& block,
                                std::span<const std::pair<std::uint64_t, std::size_t>> run,
                                LoadedCells& to) const {
  const std::uint64_t cell = run.front().first;
  const auto place = [&](std::size_t m) { return to.values_at() + 8 * (m * to.total + cell); };
  std::vector<std::uint8_t> flags(run.size());
  if (!to.file->read(cell, flags.data(), flags.size())) return no_file();
  for (std::size_t k = 0; k < run.size(); ++k) {
    const std::size_t i = run[k].second;
    if (flags[k] != 0) {
      HOLDFAST_CHECK(check_same(block, i, flags[k], [&](std::size_t m) {
        std::uint64_t bits = 0;
        return to.file->read(place(m) + 8 * k, &bits, 8)
                   ? std::bit_cast<double>(bits ^ to.first[m].value_or(0))
                   : block.metrics[m][i];
      }));
    }
    flags[k] = block.flags[i];
  }
  if (!to.file->write(cell, flags.data(), flags.size())) return no_file();
  std::vector<std::uint64_t> bits(run.size());
  for (std::size_t m = 0; m < to.first.size(); ++m) {
    std::uint64_t any = 0;
    for (std::size_t k = 0; k < run.size(); ++k) {
      bits[k] = std::bit_cast<std::uint64_t>(block.metrics[m][run[k].second]);
      if (!to.first[m]) to.first[m] = bits[k];
      any |= bits[k] ^= *to.first[m];
    }
    if (any != 0 && !to.file->write(place(m), bits.data(), 8 * bits.size())) return no_file();
  }
  return {};
}

Status Results::Impl::visit_loaded(const LoadedCells& loaded, std::size_t begin,
                                   const std::function<Status(const PointCells&)>& visit) const {
  for (std::size_t position = begin; position < loaded.end; ++position) {
    const StoredPosition& at = positions[position];
    PointCells point(position, at.instances, at.scenarios, description.strategies.size(),
                     description.metrics.size(), loaded,
                     loaded.slots[loaded.slot_of_point.find(at.point)].first_cell);
    point.allow_threads(threads);
    HOLDFAST_CHECK(visit(point));
    if (loaded.file && loaded.file->has_failed()) return no_file();
  }
  return {};
}

Status Results::Impl::visit_all(const std::function<Status(const PointCells&)>& visit) {
  HOLDFAST_TRY(version, store.data_version());
  if (kept != nullptr && kept_version == version) return visit_loaded(*kept, 0, visit);
  kept.reset();
  std::uint64_t all = 0;
  for (std::size_t position = 0; position < positions.size(); ++position) all += cells(position);
  const bool are_few = all * (1 + sizeof(double) * description.metrics.size()) <= most_kept;
  auto loaded = load(0, positions.size(), !are_few);
  if (loaded) {
    kept = std::move(*loaded);
    kept_version = version;
    return visit_loaded(*kept, 0, visit);
  }
  if (are_few || loaded.error().code != ErrorCode::io_failure) return fail(loaded.error());
  // There is no room for a file.
  for (std::size_t begin = 0; begin < positions.size();) {
    HOLDFAST_TRY(some, load(begin, end_of_batch(begin), false));
    HOLDFAST_CHECK(visit_loaded(*some, begin, visit));
    begin = some->end;
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

void Results::keep_at_most(std::uint64_t bytes) {
  impl_->most_kept = bytes;
  impl_->kept.reset();
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
                   .cell = {{.completed = (block.flags[i] & CellFlags::kCompleted) != 0,
                             .in_statistics = (block.flags[i] & CellFlags::kInStatistics) != 0},
                            metrics}}));
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

Result<std::optional<std::uint64_t>> Results::state() const {
  HOLDFAST_CHECK(impl_->store.begin_reading());
  auto out = impl_->store.state(impl_->description.seed, impl_->threads);
  HOLDFAST_CHECK(impl_->store.end_reading());
  return out;
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
