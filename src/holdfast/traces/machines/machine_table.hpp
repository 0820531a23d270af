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

/// What platforms are made of: tables with a row per machine, whatever file they came from.
namespace holdfast {

/// One machine of a platform, or one platform of several. What a file does not say is absent.
struct LoggedMachine {
  std::string id;                ///< what tells it from the others
  std::string name;              ///< may be shared
  std::string kind;              ///< a model, a type
  std::optional<double> cores;   ///< processors where their cores are not said
  std::optional<double> memory;  ///< bytes
  std::optional<double> gpus;
  std::optional<double> from;  ///< seconds since 1970: when its trace begins and ends
  std::optional<double> to;

  friend bool operator==(const LoggedMachine&, const LoggedMachine&) = default;
};

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

/// The component table of the Failure Trace Archive: what was watched, from when to when. A component is told from the
/// others by node_id and component_id, because names repeat.
[[nodiscard]] Result<MachineTable> read_fta_components(LineReader lines);
[[nodiscard]] bool looks_like_fta_components(std::string_view head);

/// Its node table: processors, cores and memory of each node, as far as they are known.
[[nodiscard]] Result<MachineTable> read_fta_nodes(LineReader lines);
[[nodiscard]] bool looks_like_fta_nodes(std::string_view head);

/// Its platform table: names and types of the platforms.
[[nodiscard]] Result<MachineTable> read_fta_platforms(LineReader lines);
[[nodiscard]] bool looks_like_fta_platforms(std::string_view head);

/// Alibaba's list of GPU nodes (CSV: sn, cpu_milli, memory_mib, gpu, model).
[[nodiscard]] Result<MachineTable> read_alibaba_nodes(LineReader lines);
[[nodiscard]] bool looks_like_alibaba_nodes(std::string_view head);

/// Any machines as a plain table: columns machine, cores, and where they are known name, kind, memory (bytes), gpus, from,
/// to. Reading what is written gives the same.
[[nodiscard]] Result<MachineTable> read_machines_csv(LineReader lines);
[[nodiscard]] bool looks_like_machines_csv(std::string_view head);
[[nodiscard]] Result<Oddities> write_machines_csv(const MachineTable& table, const TextSink& sink);

/// Returns the machines named and drawn, in the order of the file. They have no times.
[[nodiscard]] Result<MachineTable> sliced(MachineTable table, const SliceQuestion& question);

}  // namespace holdfast
