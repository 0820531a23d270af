// Targets that read what campaigns are made of: the file that asks for one, and the files that keep its cells. With a
// domain of a few lines instead of the project's own, whose documents are fed by instance_fuzz.
#include "holdfast/base/error.hpp"
#include "holdfast/campaign/batch_bytes.hpp"
#include "holdfast/campaign/database.hpp"
#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/old_rows.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/shard.hpp"
#include "holdfast/campaign/store.hpp"
#include "holdfast/campaign/summary.hpp"

#include "fuzz/fuzz_target.hpp"
#include "support/scratch.hpp"
#include <array>
#include <cmath>
#include <cstring>
#include <string>

namespace holdfast {

// In place of the project's list, which needs every domain.
std::span<const Domain* const> domains() {
  return fake::known();
}

}  // namespace holdfast

namespace holdfast::fuzz {
namespace {

namespace fs = std::filesystem;

const Scratch& scratch() {
  static const Scratch kScratch;
  return kScratch;
}

const Campaign& walks() {
  static const Campaign kWalks = [] {
    auto parsed = parse_campaign(
        "[campaign]\nname = 'walks'\ndomain = 'walk'\nscenarios = 2\n[parameters]\nsteps = [2, "
        "3]\n",
        "walk.toml", ".", fake::known());
    promise(parsed.has_value(), "the campaign of these targets is one");
    return std::move(*parsed);
  }();
  return kWalks;
}

void feed_campaign(std::string_view bytes) {
  const auto campaign = parse_campaign(std::string(bytes), "input", ".", fake::known());
  if (!campaign) {
    promise(!campaign.error().message.empty(), "a campaign is refused in words");
    return;
  }
  double points = 1;
  for (const Axis& axis : campaign->axes) {
    promise(!axis.values.empty(), "a parameter that is swept has values");
    points *= static_cast<double>(axis.values.size());
  }
  promise(!campaign->strategies.empty(), "a campaign has strategies");
  promise(!campaign->baseline || *campaign->baseline < campaign->strategies.size(),
          "the baseline is one of them");
  if (points > 1000) return;
  const auto design = Design::make(*campaign);
  if (!design) return;
  promise(design->cells() > 0 && static_cast<double>(design->cells()) <= Design::kMostCells,
          "a design has cells, and not too many");
}

/// What tables, pages and exports read.
void read_results(const fs::path& directory) {
  const auto results = Results::open(directory);
  if (!results) {
    promise(!results.error().message.empty(), "results are refused in words");
    return;
  }
  const Description& description = results->description();
  promise(!description.strategies.empty() && !description.metrics.empty(),
          "results have strategies and metrics");
  std::uint64_t cells = 0;
  const auto status = results->for_each_point([&](const PointCells& point) -> Status {
    promise(results->parameters(point.position()).size() == description.axes.size(),
            "a point has a value of each parameter");
    cells += point.draws() * point.strategies();
    if (cells > 100'000) return fail(ErrorCode::interrupted, {}, "enough");
    for (std::size_t draw = 0; draw < point.draws(); ++draw) {
      for (std::size_t strategy = 0; strategy < point.strategies(); ++strategy) {
        if (!point.cell(draw, strategy)) continue;
        for (std::size_t metric = 0; metric < description.metrics.size(); ++metric) {
          const auto value = point.value(draw, strategy, metric);
          promise(!value || !std::isinf(*value), "metrics are finite");
        }
      }
    }
    static_cast<void>(summarize(point, description.metrics, description.baseline));
    return {};
  });
  if (!status) promise(!status.error().message.empty(), "cells are refused in words");
}

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

fs::path empty_folder() {
  const fs::path out = scratch() / "results";
  fs::remove_all(out);
  fs::create_directory(out);
  return out;
}

void feed_results(std::string_view bytes) {
  const fs::path folder = empty_folder();
  put(folder / Store::kFile, bytes);
  read_results(folder);
  static_cast<void>(run_campaign(walks(), folder, {.control = {.threads = 1}, .force = true}));
}

/// A whole file of results without checksums, so that changed values are looked at.
const std::string& whole_file() {
  static const std::string kFile = [] {
    const fs::path folder = empty_folder();
    promise(run_campaign(walks(), folder, {.control = {.threads = 1}}).has_value(), "walks run");
    const fs::path file = folder / Store::kFile;
    promise(old_rows::make_schema_1(folder).has_value(), "a file of before checksums is made");
    return read_text(file);
  }();
  return kFile;
}

/// The bytes as changes of single values: a byte each for column, row and kind, then the value.
void feed_rows(std::string_view bytes) {
  static constexpr std::array<std::array<const char*, 2>, 24> kColumns = {
      {{"design", "position"},     {"design", "point"},        {"design", "instances"},
       {"design", "scenarios"},    {"design", "parameters"},   {"points", "id"},
       {"points", "digest"},       {"strategies", "id"},       {"strategies", "text"},
       {"strategies", "position"}, {"metrics", "name"},        {"metrics", "unit"},
       {"metrics", "better"},      {"metrics", "position"},    {"meta", "key"},
       {"meta", "value"},          {"cells", "point"},         {"cells", "strategy"},
       {"cells", "seed"},          {"cells", "instance"},      {"cells", "scenario"},
       {"cells", "completed"},     {"cells", "in_statistics"}, {"cells", "length"}}};
  const std::string& whole = whole_file();
  const fs::path folder = empty_folder();
  put(folder / Store::kFile, whole);
  {
    const auto db = Database::open((folder / Store::kFile).string(), Database::Mode::write);
    if (!db) return;
    while (bytes.size() >= 11) {
      const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
      const auto& [table, column] = kColumns[byte(0) % kColumns.size()];
      const std::string key = std::string(table) == "meta" ? "key" : "rowid";
      const std::string sql = std::string("UPDATE ") + table + " SET " + column + " = ? WHERE " +
                              key + " = (SELECT " + key + " FROM " + table + " LIMIT 1 OFFSET " +
                              std::to_string(byte(1) % 8) + ")";
      std::int64_t number = 0;
      std::memcpy(&number, bytes.data() + 3, sizeof number);
      double real = 0;
      std::memcpy(&real, &number, sizeof real);
      std::string_view text;
      std::size_t used = 11;
      const unsigned kind = byte(2) % 4;
      if (kind >= 2) {
        text = bytes.substr(11, static_cast<std::uint64_t>(number) % 200);
        used += text.size();
      }
      if (auto change = db->prepare(sql)) {
        if (kind == 0) change->bind(1, number >> (byte(2) % 64));
        if (kind == 1) change->bind_real(1, real);
        if (kind == 2) change->bind_text(1, text);
        if (kind == 3) {
          change->bind_bytes(1, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        }
        static_cast<void>(db->run(*change));
      }
      bytes.remove_prefix(used);
    }
  }
  read_results(folder);
  static_cast<void>(run_campaign(walks(), folder, {.control = {.threads = 1}, .force = true}));
}

void check_cells(const Batch& batch, const Design& design) {
  for (const CellKey& key : batch.keys) {
    promise(
        key.point < design.points().size() && key.strategy < design.campaign().strategies.size(),
        "cells are those of the design");
    promise(design.cell(key.point, key.instance, key.scenario, key.strategy) < design.cells(),
            "cells have numbers of the design");
  }
}

const Design& design_of_walks() {
  static const Design kDesign = std::move(*Design::make(walks()));
  return kDesign;
}

/// Without a checksum in front, as messages between processes are.
void feed_batch(std::string_view bytes) {
  const auto batch = parse_batch(bytes, design_of_walks());
  if (!batch) return;
  check_cells(*batch, design_of_walks());
  promise(to_bytes(*batch).size() == bytes.size(), "a batch that is read is written as it was");
}

void feed_shard(std::string_view bytes) {
  const fs::path path = empty_folder() / "0";
  // The head says which design it belongs to: most inputs are about what follows.
  put(path, "HFSHARD1" + fingerprint(design_of_walks()) + std::string(bytes));
  std::uint64_t cells = 0;
  const auto count = [&](const Batch& batch) -> Status {
    check_cells(batch, design_of_walks());
    cells += batch.size();
    return {};
  };
  const auto read = read_shard(path, design_of_walks(), count);
  static_cast<void>(count_cells(path));
  const std::uint64_t before = cells;
  auto writer = ShardWriter::open(path, design_of_walks());
  promise(writer.has_value() == read.has_value(), "a shard that is read is continued");
  if (!writer) return;
  Batch more;
  more.add({0, 0, 0, 0}, Outcome{.metrics = {1, 2, 3}}, 0);
  promise(writer->append(more).has_value(), "a shard that is continued is written");
  cells = 0;
  promise(read_shard(path, design_of_walks(), count).has_value() && cells == before + 1,
          "a shard keeps what it had");
}

constexpr std::array<Target, 5> kTargets = {{{"campaign", feed_campaign},
                                             {"results", feed_results},
                                             {"rows", feed_rows},
                                             {"shard", feed_shard},
                                             {"batch", feed_batch}}};

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

}  // namespace holdfast::fuzz
