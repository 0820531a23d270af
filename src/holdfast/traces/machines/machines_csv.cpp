#include "holdfast/base/text.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

struct MachineAt {
  enum : std::size_t { machine, cores, name, kind, memory, gpus, from, to };
};
constexpr auto kMachineFields = std::to_array<TableField>({
    {.name = "machine",
     .synonyms = "hostname host node nodename server nodeid machineid",
     .need = 1},
    {.name = "cores",
     .is = CellKind::number,
     .synonyms = "cpus ncpus ncores numcores corecount",
     .need = 2},
    {.name = "name"},
    {.name = "kind", .synonyms = "type model"},
    {.name = "memory", .is = CellKind::number},
    {.name = "gpus", .is = CellKind::number, .synonyms = "gpu ngpus numgpus"},
    {.name = "from", .is = CellKind::time},
    {.name = "to", .is = CellKind::time},
});
constexpr TableKind kMachineTable = {
    .records = "machines",
    .fields = kMachineFields,
    .strangers =
        "job jobid submit submittime run runtime elapsed time seconds start end down up state user",
};
constexpr auto kNumbers =
    std::to_array<std::pair<std::size_t, std::optional<double> LoggedMachine::*>>(
        {{MachineAt::cores, &LoggedMachine::cores},
         {MachineAt::memory, &LoggedMachine::memory},
         {MachineAt::gpus, &LoggedMachine::gpus},
         {MachineAt::from, &LoggedMachine::from},
         {MachineAt::to, &LoggedMachine::to}});

}  // namespace

Result<MachineTable> read_machines_csv(TraceText text) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kMachineTable));
  MachineTable out;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    LoggedMachine machine;
    machine.id = rows.text(MachineAt::machine);
    if (machine.id.empty()) {
      return fail(ErrorCode::bad_value, rows.place(MachineAt::machine),
                  "found nothing, expected a machine's name");
    }
    machine.name = rows.has(MachineAt::name) ? std::string(rows.text(MachineAt::name)) : machine.id;
    machine.kind = rows.text(MachineAt::kind);
    for (const auto& [field, member] : kNumbers) {
      const bool is_time = field == MachineAt::from || field == MachineAt::to;
      if (is_time) {
        HOLDFAST_TRY(instant, rows.time(field));
        if (instant) machine.*member = instant->seconds;
        continue;
      }
      HOLDFAST_TRY(value, rows.value(field));
      if (value && *value < 0) {
        return fail(
            ErrorCode::bad_value, rows.place(field),
            fmt::format("found {}, expected a number of 0 or more", in_quotes(rows.text(field))));
      }
      machine.*member = value;
    }
    out.machines.push_back(std::move(machine));
  }
  if (out.machines.empty()) {
    return fail(ErrorCode::bad_format, rows.place(), "found no machine, expected at least one");
  }
  rows.tell(out.oddities);
  return out;
}

bool looks_like_machines_csv(std::string_view head) {
  constexpr auto kNeeded = std::to_array<std::string_view>({"machine", "cores"});
  return csv_header_has(head, kNeeded);
}

Result<Oddities> write_machines_csv(const MachineTable& table, const TextSink& sink) {
  SinkBuffer out(sink);
  double latest = 0;
  for (const LoggedMachine& machine : table.machines) {
    latest =
        std::max({latest, std::abs(machine.from.value_or(0)), std::abs(machine.to.value_or(0))});
  }
  out << note_of_times(latest) << "machine,name,kind,cores,memory,gpus,from,to\n";
  for (const LoggedMachine& machine : table.machines) {
    out << fmt::format("{},{},{}", csv_field(machine.id), csv_field(machine.name),
                       csv_field(machine.kind));
    for (const auto& [field, member] : kNumbers) {
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
                    .recognise = looks_like_machines_csv,
                    .table = &kMachineTable},
          .read = read_machines_csv,
          .write = write_machines_csv};
}

}  // namespace holdfast
