#include "holdfast/campaign/description_tables.hpp"

#include "holdfast/campaign/row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::uint64_t kMostIds = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr auto kMostCells = static_cast<std::uint64_t>(Design::kMostCells);
constexpr std::string_view kRemedy =
    "run the campaign again in another directory (--output), or in this one with --force";

/// Calls visit(reader) for each row; an error of the reader ends the query. The last column of the query is the row's number.
template <class Visit>
Status for_each_row(const Database& db, std::string_view table, std::string_view sql, Visit visit) {
  return db.query(sql, [&](const Statement& row) -> Status {
    RowReader read(row, db.path(), table, row.integer(row.columns() - 1));
    visit(read);
    return read.status();
  });
}

/// Checks that the file's numbers count up by 1, because rows are only added. So none is large, and arrays can be used.
void expect_next(RowReader& read, std::size_t known) {
  const std::uint64_t id = read.count(0, "id", 1, kMostIds);
  if (read.ok() && id != known + 1) {
    read.refuse(fmt::format("found {} as id, expected {}", id, known + 1));
  }
}

/// Checks that the positions of the last run count up: 0, 1, 2 ...
void expect_position(RowReader& read, int column, std::size_t known) {
  const std::uint64_t position = read.count(column, "position", 0, kMostIds);
  if (read.ok() && position != known) {
    read.refuse(fmt::format("found {} as position, expected {}", position, known));
  }
}

tl::unexpected<Error> damaged(const Database& db, std::string_view what) {
  return fail(ErrorCode::bad_format, db.path(), fmt::format("{}; {}", what, kRemedy));
}

/// Returns the number of points that the axes give; 0 if it is more than a campaign may have.
std::uint64_t count_positions(const std::vector<Axis>& axes) {
  std::uint64_t positions = 1;
  for (const Axis& axis : axes) {
    if (axis.values.size() > kMostCells / positions) return 0;
    positions *= axis.values.size();
  }
  return positions;
}

}  // namespace

Result<std::vector<PointDigest>> read_point_digests(const Database& db) {
  std::vector<PointDigest> out;
  const auto add = [&](RowReader& read) {
    expect_next(read, out.size());
    const std::string_view bytes = read.text(1, "digest");
    PointDigest digest{};
    if (read.ok() && bytes.size() != digest.size()) {
      read.refuse(
          fmt::format("found a digest of {} bytes, expected {}", bytes.size(), digest.size()));
    }
    if (!read.ok()) return;
    std::copy(bytes.begin(), bytes.end(), digest.begin());
    out.push_back(digest);
  };
  HOLDFAST_CHECK(for_each_row(db, "points", "SELECT id, digest, id FROM points ORDER BY id", add));
  return out;
}

Result<std::vector<std::string>> read_texts(const Database& db, std::string_view table,
                                            std::string_view column) {
  std::vector<std::string> out;
  HOLDFAST_CHECK(for_each_row(db, table,
                              fmt::format("SELECT id, {}, id FROM {} ORDER BY id", column, table),
                              [&](RowReader& read) {
                                expect_next(read, out.size());
                                out.emplace_back(read.text(1, column));
                              }));
  return out;
}

Result<std::vector<std::string>> read_strategies(const Database& db) {
  std::vector<std::string> out;
  HOLDFAST_CHECK(for_each_row(
      db, "strategies",
      "SELECT position, text, id FROM strategies WHERE position NOT NULL ORDER BY position",
      [&](RowReader& read) {
        expect_position(read, 0, out.size());
        const std::string_view text = read.text(1, "text");
        if (text.empty()) read.refuse("found an empty text, expected a strategy");
        out.emplace_back(text);
      }));
  if (out.empty()) return damaged(db, "found no strategies, expected at least one");
  return out;
}

Result<std::vector<std::uint32_t>> read_strategy_ids(const Database& db) {
  HOLDFAST_TRY(all, read_texts(db, "strategies", "text"));
  std::vector<std::uint32_t> out;
  HOLDFAST_CHECK(for_each_row(
      db, "strategies", "SELECT id, id FROM strategies WHERE position NOT NULL ORDER BY position",
      [&](RowReader& read) {
        out.push_back(static_cast<std::uint32_t>(read.count(0, "id", 1, all.size())));
      }));
  return out;
}

Result<std::vector<StoredMetric>> read_metrics(const Database& db) {
  std::vector<StoredMetric> out;
  HOLDFAST_CHECK(for_each_row(
      db, "metrics",
      "SELECT position, name, unit, better, summary, rowid FROM metrics WHERE position NOT NULL "
      "ORDER BY position",
      [&](RowReader& read) {
        expect_position(read, 0, out.size());
        StoredMetric metric;
        metric.name = read.text(1, "name");
        metric.unit = read.text(2, "unit");
        const std::string_view better = read.text(3, "better");
        metric.better = parse_better(better);
        if (read.ok() && name(metric.better) != better) {
          read.refuse("found another text as better, expected lower, higher or neither");
        }
        metric.summary = read.text(4, "summary");
        out.push_back(std::move(metric));
      }));
  if (out.empty()) return damaged(db, "found no metrics, expected at least one");
  return out;
}

Result<std::vector<std::string>> read_all_metrics(const Database& db) {
  std::vector<std::string> out;
  HOLDFAST_CHECK(for_each_row(db, "metrics", "SELECT name, rowid FROM metrics ORDER BY rowid",
                              [&](RowReader& read) { out.emplace_back(read.text(0, "name")); }));
  return out;
}

Result<std::vector<StoredPosition>> read_positions(const Database& db,
                                                   const Description& description) {
  HOLDFAST_TRY(digests, read_point_digests(db));
  std::vector<StoredPosition> out;
  std::vector<bool> is_known(digests.size());
  std::uint64_t cells = 0;
  const auto add = [&](RowReader& read) {
    expect_position(read, 0, out.size());
    const std::uint64_t point = read.count(1, "point", 1, digests.size());
    const std::uint64_t instances = read.count(2, "instances", 1, kMostCells);
    const std::uint64_t scenarios = read.count(3, "scenarios", 1, kMostCells);
    if (!read.ok()) return;
    out.push_back({static_cast<std::uint32_t>(point), instances, scenarios});
    if (is_known[point - 1]) return;
    is_known[point - 1] = true;
    const std::uint64_t draws = instances * scenarios;  // at most 10^18
    if (draws > (kMostCells - cells) / description.strategies.size()) {
      read.refuse(fmt::format("found more than {} cells, expected at most that", kMostCells));
    }
    cells += draws * description.strategies.size();
  };
  HOLDFAST_CHECK(for_each_row(
      db, "design",
      "SELECT position, point, instances, scenarios, position FROM design ORDER BY position", add));
  const std::uint64_t expected = count_positions(description.axes);
  if (out.size() == expected) return out;
  return damaged(db, fmt::format("found {} points in the table design, expected {} from the axes",
                                 out.size(), expected));
}

}  // namespace holdfast
