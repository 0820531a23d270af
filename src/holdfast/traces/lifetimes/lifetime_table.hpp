#pragma once

#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lifetimes as a CSV file with columns low and high (optional: entry, count), in seconds, for instance from a reliability
/// table or from another program. `traces/README.md` defines the format.
namespace holdfast {

/// The lifetimes of a file, in its order.
struct LifetimeTable {
  std::vector<Lifetime> lifetimes;  ///< in seconds; a row with a count is repeated
  Oddities oddities;                ///< what is unusual about the file
};

/// The names of tables of lifetimes.
template <>
struct KindOf<LifetimeTable> {
  static constexpr std::string_view kName = "lifetimes";
  static constexpr std::string_view kRecords = "lifetimes";
  static constexpr std::string_view kFile = "a table of lifetimes";
  static constexpr std::string_view kPlain = "lifetimes-csv";
};

/// Reads such a table. Errors name FILE:LINE: COLUMN.
[[nodiscard]] Result<LifetimeTable> read_lifetime_table(TraceText text);

/// Returns the lifetimes as such a table. Reading it gives the same lifetimes.
[[nodiscard]] std::string write_lifetime_table(std::span<const Lifetime> lifetimes);
/// Writes such a table in parts to `sink`. Nothing is lost.
[[nodiscard]] Result<Oddities> write_lifetime_table(const LifetimeTable& table,
                                                    const TextSink& sink);

/// Returns the lifetimes that were drawn, in the order of the file. They have neither dates nor machines.
[[nodiscard]] Result<LifetimeTable> sliced(LifetimeTable table, const SliceQuestion& question);

}  // namespace holdfast
