#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/database.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// A reader of the columns of one row of a results file. The file may contain anything, because another program, a damaged disk
/// or an attacker may have written it. The first impossible value becomes the error, which names file, table and row. From then
/// on all reads return zeros.
class RowReader {
 public:
  RowReader(const Statement& statement, const std::string& file, std::string_view table,
            std::int64_t row)
      : statement_(statement), file_(file), table_(table), row_(row) {}

  /// Returns a whole number from `least` to `most`.
  [[nodiscard]] std::uint64_t count(int column, std::string_view name, std::uint64_t least,
                                    std::uint64_t most);
  /// Returns a finite number, or NaN if there is none.
  [[nodiscard]] double real(int column, std::string_view name);
  /// Returns text or bytes, valid until the next step.
  [[nodiscard]] std::string_view text(int column, std::string_view name);

  /// Records an error of the row as a whole.
  void refuse(std::string what);
  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] Status status() const;

 private:
  void refuse_value(int column, std::string_view name, std::string_view expected);

  const Statement& statement_;
  const std::string& file_;
  std::string_view table_;
  std::int64_t row_;
  std::string error_;
};

/// Returns the error of a row: what is wrong, and what to do about it.
[[nodiscard]] tl::unexpected<Error> damaged_row(const std::string& file, std::string_view table,
                                                std::int64_t row, std::string_view what);

}  // namespace holdfast
