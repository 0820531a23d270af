#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace holdfast {
namespace {

constexpr auto kNumbers =
    std::to_array<std::pair<std::string_view, std::optional<double> LoggedMachine::*>>(
        {{"cores", &LoggedMachine::cores},
         {"memory", &LoggedMachine::memory},
         {"gpus", &LoggedMachine::gpus},
         {"from", &LoggedMachine::from},
         {"to", &LoggedMachine::to}});

}  // namespace

Result<MachineTable> read_machines_csv(LineReader lines) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines), {.comments = true}));
  constexpr auto kNeeded = std::to_array<std::string_view>({"machine", "cores"});
  HOLDFAST_TRY(needed, rows.columns(kNeeded));
  const auto name = rows.column("name");
  const auto kind = rows.column("kind");
  MachineTable out;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    LoggedMachine machine;
    machine.id = trim(rows[needed[0]]);
    if (machine.id.empty()) {
      return fail(ErrorCode::bad_value, rows.place(needed[0]),
                  "found nothing, expected a machine's name");
    }
    machine.name = name ? trim(rows[*name]) : std::string_view(machine.id);
    if (kind) machine.kind = trim(rows[*kind]);
    for (const auto& [title, member] : kNumbers) {
      const auto column = rows.column(title);
      if (!column || trim(rows[*column]).empty()) continue;
      const auto value = parse_quantity(trim(rows[*column]), Unit::none);
      const bool is_time = title == "from" || title == "to";
      if (!value || (*value < 0 && !is_time)) {
        return fail(ErrorCode::bad_value, rows.place(*column),
                    fmt::format("found {}, expected a number{}", in_quotes(rows[*column]),
                                is_time ? "" : " of 0 or more"));
      }
      machine.*member = *value;
    }
    out.machines.push_back(std::move(machine));
  }
  if (out.machines.empty()) {
    return fail(ErrorCode::bad_format, rows.place(), "found no machine, expected at least one");
  }
  return out;
}

bool looks_like_machines_csv(std::string_view head) {
  constexpr auto kNeeded = std::to_array<std::string_view>({"machine", "cores"});
  return csv_header_has(head, kNeeded);
}

Result<Oddities> write_machines_csv(const MachineTable& table, const TextSink& sink) {
  SinkBuffer out(sink);
  out << "machine,name,kind,cores,memory,gpus,from,to\n";
  for (const LoggedMachine& machine : table.machines) {
    out << fmt::format("{},{},{}", csv_field(machine.id), csv_field(machine.name),
                       csv_field(machine.kind));
    for (const auto& [title, member] : kNumbers) {
      const std::optional<double>& value = machine.*member;
      out << "," << (value ? to_text(*value) : std::string());
    }
    out << "\n";
  }
  HOLDFAST_CHECK(out.finish());
  return Oddities{};
}

FormatOf<MachineTable> machines_csv_format() {
  return {.facts = {.name = "machines-csv",
                    .summary = "machines with columns machine, cores and others",
                    .recognise = looks_like_machines_csv},
          .read = read_machines_csv,
          .write = write_machines_csv};
}

}  // namespace holdfast
