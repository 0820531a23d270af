#pragma once

#include "holdfast/field/lines.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::field {

/// A reader of the columns `node` and `down` of the trace format failures-csv from a growing file.
class NodeRows {
 public:
  /// A row with a date in the column `down`.
  struct Row {
    std::string node;         ///< name of the node
    std::int64_t number = 0;  ///< number of the row, counted from 1
  };

  /// Takes the next bytes of the file, and appends the rows that they complete to `out`.
  void take(std::string_view bytes, std::vector<Row>& out);
  /// Starts a new file; the count of rows continues.
  void begin_anew();
  /// Returns the number of rows read so far.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Returns why nothing can be learned from the file; empty if everything is fine.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  static constexpr std::size_t kLongestRow = 65536;

  void take_line(std::string_view line, std::vector<Row>& out);
  void read_header(std::string_view line);

  Lines lines_{kLongestRow};
  std::int64_t count_ = 0;
  bool has_header_ = false;
  std::optional<std::size_t> node_column_;
  std::optional<std::size_t> down_column_;
  std::string trouble_;
};

/// Node failures from a file that a monitor appends to. The file need not exist yet; if it has become shorter, it is treated as
/// a new one.
class NodeEvents {
 public:
  using Row = NodeRows::Row;

  explicit NodeEvents(std::filesystem::path file) : file_(std::move(file)) {}

  /// Returns the rows that were added since the last call.
  [[nodiscard]] std::vector<Row> read();
  /// Returns the number of rows read so far.
  [[nodiscard]] std::int64_t rows() const { return rows_.count(); }
  /// Returns why nothing can be learned from the file; empty if everything is fine.
  [[nodiscard]] const std::string& trouble() const { return rows_.trouble(); }

 private:
  std::filesystem::path file_;
  NodeRows rows_;
  std::uint64_t inode_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace holdfast::field
