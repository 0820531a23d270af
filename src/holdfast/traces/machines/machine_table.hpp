#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Tables of the machines in a platform, in a form that does not depend on the file format.
namespace holdfast {

/// One machine of a platform, or one of several platforms. Unknown values are absent.
struct LoggedMachine {
  std::string id;    ///< identifies the machine in the table
  std::string name;  ///< several machines may have the same name
  std::string kind;  ///< its model or type
  /// Number of cores, or of processors if the file does not have cores.
  std::optional<double> cores;
  std::optional<double> memory;  ///< bytes
  std::optional<double> gpus;
  std::optional<double> from;  ///< when its trace begins, in seconds since 1970-01-01
  std::optional<double> to;    ///< when its trace ends, in the same unit

  friend bool operator==(const LoggedMachine&, const LoggedMachine&) = default;
};

/// All machines of a file.
struct MachineTable {
  std::vector<LoggedMachine> machines;  ///< in the order of the file
  Oddities oddities;
};

/// The names of tables of machines.
template <>
struct KindOf<MachineTable> {
  static constexpr std::string_view kName = "machines";
  static constexpr std::string_view kRecords = "machines";
  static constexpr std::string_view kFile = "a table of machines";
  static constexpr std::string_view kPlain = "machines-csv";
};

/// Writes the machines as such a table. Reading it gives the same machines.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_machines_csv(const MachineTable& table, const TextSink& sink);

/// Returns the machines that were named and drawn, in the order of the file. They have no times.
[[nodiscard]] Result<MachineTable> sliced(MachineTable table, const SliceQuestion& question);

}  // namespace holdfast
