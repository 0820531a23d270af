#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/stored.hpp"

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

/// The file results.sqlite: the only place that knows SQLite. Cells are rows that are only ever
/// added, without an index: what is there is read once when the file is opened
/// (docs/decisions/0015).
///
///   meta(key, value)        description of the campaign as asked for last, as JSON
///   metrics(position, name, unit, better, summary)
///   strategies(id, text)    canonical texts, of this and of earlier versions of the file
///   points(id, digest)      16 bytes that name domain and definition
///   design(position, point, parameters, instances, scenarios)   the points asked for now, in order
///   programs(id, version)   that computed cells
///   cells(point, strategy, seed, instance, scenario, completed, in_statistics, seconds, program,
///         checksum, METRIC...)
///   results                 a view for people: cells with the texts of their points and strategies
///
/// A file is an input like any other (docs/decisions/0036): every value is checked as it is read, each cell
/// and the description carry a checksum, and what cannot be is refused with bad_format, the table and the row.
/// Schema 1 had neither checksums nor programs: read as it is, and brought to schema 2 when it is written.
class Store {
 public:
  static constexpr std::string_view kFile = "results.sqlite";

  /// Opens for writing and makes the tables where the file is new. The caller holds the directory's
  /// lock.
  [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
  /// Opens for reading, perhaps while another process writes.
  [[nodiscard]] static Result<Store> open_readonly(const std::filesystem::path& directory);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Returns a text of meta, empty if there is none.
  [[nodiscard]] Result<std::string> meta(std::string_view key) const;
  /// Keeps a text there: what a page says of the run ("command", "machine"), and no export.
  [[nodiscard]] Status set_meta(std::string_view key, std::string_view value);

  /// Makes the file say what is asked for now, in one transaction. Points and strategies that the
  /// file knows keep their numbers; a metric that it does not know gets a column.
  /// @param directory  where relative paths in the campaign start
  [[nodiscard]] Status describe(const Design& design);
  /// Adds cells of that design. One transaction, which survives this process; the machine, a few
  /// seconds later. A batch without cells only sees to the latter.
  /// @param computed_by  the version of the program that ran them
  [[nodiscard]] Status append(const Batch& batch, std::string_view computed_by = version());
  /// Everything that was added is on the disk from then on.
  [[nodiscard]] Status sync();
  /// Cells of the described design that are there, as keys of the design.
  [[nodiscard]] Status for_each_key(const std::function<void(const CellKey&)>& visit) const;
  /// Ends writing: the file is then one file again, readable from a medium that cannot be written.
  [[nodiscard]] Status close();

  /// Reading what describe() wrote.
  [[nodiscard]] Result<Description> description() const;
  /// As many as the axes of the description have, each with at least one cell, all together no more
  /// than a campaign may ask for.
  [[nodiscard]] Result<std::vector<StoredPosition>> positions(const Description& description) const;
  [[nodiscard]] Result<Provenance> provenance() const;
  /// Returns the file's numbers of the strategies, in the order of the description.
  [[nodiscard]] Result<std::vector<std::uint32_t>> strategy_ids() const;
  /// All cells with that seed, in no particular order, with the metrics of the description.
  [[nodiscard]] Status for_each_cell(const Description& description,
                                     const std::function<Status(const StoredCell&)>& visit) const;
  /// Between the two, reading sees one state of the file.
  [[nodiscard]] Status begin_reading() const;
  [[nodiscard]] Status end_reading() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
