#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One position of a design as the file keeps it.
struct StoredPosition {
  std::uint32_t point = 0;  ///< the file's own number of the point
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
};

/// What a row of cells says. Numbers of point and strategy are the file's own.
struct StoredCell {
  std::uint32_t point = 0;
  std::uint32_t strategy = 0;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;
  std::uint8_t flags = 0;           ///< PointCells::kPresent ...
  std::span<const double> metrics;  ///< as asked for; NaN where there is none
};

/// The file results.sqlite: the only place that knows SQLite. Cells are rows that are only ever
/// added, without an index: what is there is read once when the file is opened
/// (docs/decisions/0015).
///
///   meta(key, value)        description of the campaign as asked for last, as JSON
///   metrics(position, name, unit, better, summary)
///   strategies(id, text)    canonical texts, of this and of earlier versions of the file
///   points(id, digest)      16 bytes that name domain and definition
///   design(position, point, parameters, instances, scenarios)   the points asked for now, in order
///   cells(point, strategy, seed, instance, scenario, completed, in_statistics, seconds, METRIC...)
///   results                 a view for people: cells with the texts of their points and strategies
class Store {
 public:
  static constexpr int kSchema = 1;
  static constexpr std::string_view kFile = "results.sqlite";

  /// Opens for writing and makes the tables where the file is new. The caller holds the directory's
  /// lock.
  [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
  /// Opens for reading, perhaps while another process writes.
  [[nodiscard]] static Result<Store> open_readonly(const std::filesystem::path& directory);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// A text of meta, empty where there is none.
  [[nodiscard]] Result<std::string> meta(std::string_view key) const;
  /// Keeps a text there: what a page says of the run ("command", "machine"), and no export.
  [[nodiscard]] Status set_meta(std::string_view key, std::string_view value);

  /// Makes the file say what is asked for now, in one transaction. Points and strategies that the
  /// file knows keep their numbers; a metric that it does not know gets a column.
  /// @param directory  where relative paths in the campaign start
  [[nodiscard]] Status describe(const Design& design);
  /// Adds cells of that design. One transaction.
  [[nodiscard]] Status append(const Batch& batch);
  /// Cells of the described design that are there, as keys of the design.
  [[nodiscard]] Status for_each_key(const std::function<void(const CellKey&)>& visit) const;
  /// Ends writing: the file is then one file again, readable from a medium that cannot be written.
  [[nodiscard]] Status close();

  /// Reading what describe() wrote.
  [[nodiscard]] Result<Description> description() const;
  [[nodiscard]] Result<std::vector<StoredPosition>> positions() const;
  /// The file's numbers of the strategies, in the order of the description.
  [[nodiscard]] Result<std::vector<std::uint32_t>> strategy_ids() const;
  /// All cells with that seed, in no particular order, with the metrics of the description.
  [[nodiscard]] Status for_each_cell(const Description& description,
                                     const std::function<void(const StoredCell&)>& visit) const;
  /// Between the two, reading sees one state of the file.
  [[nodiscard]] Status begin_reading() const;
  [[nodiscard]] Status end_reading() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
