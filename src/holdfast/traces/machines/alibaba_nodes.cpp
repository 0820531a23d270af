#include "holdfast/base/text.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <array>

namespace holdfast {
namespace {

constexpr auto kNodeColumns =
    std::to_array<std::string_view>({"sn", "cpu_milli", "memory_mib", "gpu", "model"});
constexpr double kPartsOfCpu = 1000;
constexpr double kUnitOfMemory = 1048576;

}  // namespace

Result<MachineTable> read_alibaba_nodes(LineReader lines) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  HOLDFAST_TRY(at, rows.columns(kNodeColumns));
  MachineTable out;
  std::int64_t without_gpu = 0;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    LoggedMachine machine;
    machine.id = machine.name = trim(rows[at[0]]);
    machine.kind = trim(rows[at[4]]);
    if (machine.id.empty()) {
      return fail(ErrorCode::bad_value, rows.place(at[0]), "found nothing, expected a node's name");
    }
    HOLDFAST_TRY(cpu, optional_number(rows, at[1]));
    HOLDFAST_TRY(memory, optional_number(rows, at[2]));
    HOLDFAST_TRY(gpus, optional_number(rows, at[3]));
    if (cpu) machine.cores = *cpu / kPartsOfCpu;
    if (memory) machine.memory = *memory * kUnitOfMemory;
    machine.gpus = gpus;
    if (gpus && *gpus == 0) ++without_gpu;
    out.machines.push_back(std::move(machine));
  }
  if (out.machines.empty()) {
    return fail(ErrorCode::bad_format, rows.place(), "found no node, expected at least one");
  }
  out.oddities.add("nodes without a GPU", without_gpu, "kept");
  return out;
}

bool looks_like_alibaba_nodes(std::string_view head) {
  return csv_header_has(head, kNodeColumns);
}

FormatOf<MachineTable> alibaba_nodes_format() {
  return {.facts = {.name = "alibaba-nodes",
                    .summary = "nodes of Alibaba's GPU cluster, 2023 (CSV)",
                    .recognise = looks_like_alibaba_nodes},
          .read = read_alibaba_nodes};
}

}  // namespace holdfast
