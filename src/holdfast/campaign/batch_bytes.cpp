#include "holdfast/campaign/batch_bytes.hpp"

#include "holdfast/campaign/bytes.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/design.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast {
namespace {

bool is_cell_of(const Design& design, const CellKey& key) {
  if (key.point >= design.points().size()) return false;
  const DesignPoint& point = design.points()[key.point];
  return key.strategy < design.campaign().strategies.size() && key.instance < point.instances &&
         key.scenario < point.scenarios;
}

bool has_flags_of_a_cell(std::uint8_t flags) {
  return (flags & CellFlags::kPresent) != 0 && (flags & ~unsigned{CellFlags::kDone}) == 0;
}

/// Returns true if the numbers are such as Batch::add() stores: finite, or NaN for a metric without a value.
bool are_results(const Batch& batch) {
  return std::all_of(batch.flags.begin(), batch.flags.end(), has_flags_of_a_cell) &&
         std::all_of(batch.seconds.begin(), batch.seconds.end(),
                     [](double seconds) { return std::isfinite(seconds); }) &&
         std::none_of(batch.values.begin(), batch.values.end(),
                      [](double value) { return std::isinf(value); });
}

}  // namespace

std::string to_bytes(const Batch& batch) {
  ByteWriter out;
  out.array(batch.keys).array(batch.flags).array(batch.seconds).array(batch.values);
  return out.take();
}

Result<Batch> parse_batch(std::string_view bytes, const Design& design) {
  ByteReader read(bytes);
  Batch batch;
  batch.keys = read.array<CellKey>();
  batch.flags = read.array<std::uint8_t>();
  batch.seconds = read.array<double>();
  batch.values = read.array<double>();
  const std::size_t metrics = design.campaign().domain->metrics.size();
  const bool is_whole = read.ok() && read.at_end() && batch.flags.size() == batch.size() &&
                        batch.seconds.size() == batch.size() &&
                        batch.values.size() == batch.size() * metrics;
  if (!is_whole || !are_results(batch) ||
      !std::all_of(batch.keys.begin(), batch.keys.end(),
                   [&](const CellKey& key) { return is_cell_of(design, key); })) {
    return fail(ErrorCode::bad_format, {}, "found bytes that are no cells of this campaign");
  }
  return batch;
}

std::vector<std::uint64_t> to_runs(const std::vector<bool>& done) {
  std::vector<std::uint64_t> runs = {0};
  bool is_done = false;
  for (const bool cell : done) {
    if (cell != is_done) runs.push_back(0);
    is_done = cell;
    ++runs.back();
  }
  return runs;
}

std::vector<bool> from_runs(const std::vector<std::uint64_t>& runs, std::size_t size) {
  std::vector<bool> done(size);
  std::size_t at = 0;
  bool is_done = false;
  for (const std::uint64_t run : runs) {
    const std::size_t end = at + std::min<std::uint64_t>(run, size - at);
    if (is_done)
      std::fill(done.begin() + static_cast<std::ptrdiff_t>(at),
                done.begin() + static_cast<std::ptrdiff_t>(end), true);
    at = end;
    is_done = !is_done;
  }
  return done;
}

}  // namespace holdfast
