#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/block.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/stored.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The file results.sqlite; no other class knows SQLite. Cells are rows of blocks, which are only added, without an index. They
/// are read once, when the file is opened (docs/decisions/0085).
///
///   meta(key, value)        description of the campaign as asked for last, as JSON
///   metrics(position, name, unit, better, summary)
///   strategies(id, text)    canonical texts, of this and of earlier versions of the file
///   points(id, digest)      16 bytes that name domain and definition
///   design(position, point, parameters, instances, scenarios)   the points asked for now, in order
///   programs(id, version)   that computed cells
///   layouts(id, metrics)    names of the metrics of a block, one a line
///   blocks(id, seed, program, layout, cells, checksum, bytes)   up to 65536 cells each, in columns (block.hpp)
///   cells(...)              a row per cell, in files that began with schema 1 or 2
///
/// A file is an input like any other (docs/decisions/0036): every value is checked when it is read, each block and the
/// description carry a checksum, and impossible values are refused with bad_format, the table and the row. Older schemas are
/// read as they are; what is added to them is blocks. Rows of schema 1 have no checksums.
class Store {
 public:
  static constexpr std::string_view kFile = "results.sqlite";

  /// Opens a file for writing and creates the tables of a new file. The caller holds the lock of the directory.
  [[nodiscard]] static Result<Store> open(const std::filesystem::path& directory);
  /// Opens a file for reading, even while another process writes to it.
  [[nodiscard]] static Result<Store> open_readonly(const std::filesystem::path& directory);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Returns a text from the table meta; empty if there is none.
  [[nodiscard]] Result<std::string> meta(std::string_view key) const;
  /// Stores a text in the table meta. Pages show it ("command", "machine"), exports do not.
  [[nodiscard]] Status set_meta(std::string_view key, std::string_view value);

  /// Describes the current campaign in the file, in one transaction. Points and strategies that the file knows keep their
  /// numbers. A new metric gets a column.
  [[nodiscard]] Status describe(const Design& design);
  /// Adds cells of that design in one transaction. They survive the end of this process at once, and a crash of the machine
  /// after a few seconds. A batch without cells only makes sure of the latter.
  /// @param computed_by  the version of the program that computed them
  [[nodiscard]] Status append(const Batch& batch, std::string_view computed_by = version());
  /// Makes sure that everything that was added is on the disk.
  [[nodiscard]] Status sync();
  /// Visits the existing cells of the described design, as keys of the design.
  /// @param threads  number of threads that check them; 0: as many as there are cores
  [[nodiscard]] Status for_each_key(const std::function<void(const CellKey&)>& visit,
                                    unsigned threads = 0) const;
  /// Ends writing. The file is then a single file that can be read from read-only media.
  [[nodiscard]] Status close();

  /// Returns the description that describe() wrote.
  [[nodiscard]] Result<Description> description() const;
  /// Returns the positions of the design. There are as many as the axes of the description have, each has at least one cell,
  /// and together they have no more cells than a campaign may have.
  [[nodiscard]] Result<std::vector<StoredPosition>> positions(const Description& description) const;
  [[nodiscard]] Result<Provenance> provenance() const;
  /// Returns the numbers of the strategies in the file, in the order of the description.
  [[nodiscard]] Result<std::vector<std::uint32_t>> strategy_ids() const;
  /// Visits all cells with that seed, block by block, in the order in which they were added.
  [[nodiscard]] Status for_each_block(const BlockQuery& query,
                                      const std::function<Status(const Block&)>& visit) const;
  /// Checks all blocks with that seed, and returns a number that is another one after any change of the description or of these
  /// cells. Returns nothing if the file has rows of an older schema, whose checks need their contents.
  [[nodiscard]] Result<std::optional<std::uint64_t>> state(std::uint64_t seed,
                                                           unsigned threads = 0) const;
  /// Returns a number that changes whenever another process has changed the file.
  [[nodiscard]] Result<std::int64_t> data_version() const;
  /// Between these two calls, all reads see the same state of the file.
  [[nodiscard]] Status begin_reading() const;
  [[nodiscard]] Status end_reading() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast
