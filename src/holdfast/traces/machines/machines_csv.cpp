#include "holdfast/base/text.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
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

/// A table of the machines of one site: its columns, and what they count in.
struct SiteMachines {
  std::string_view name, summary;
  std::string_view header;   ///< the columns that show it
  std::string_view columns;  ///< as in TableQuestion
  double cores = 1, memory = 1;
  std::string_view second_id = {};  ///< column of what tells machines of one id apart
  std::string_view per_core = {};   ///< column of the cores in each of what `cores` counts
};
constexpr double kMebibyte = 1048576;
constexpr auto kSites = std::to_array<SiteMachines>({
    {.name = "fta-component",
     .summary = "component table of the Failure Trace Archive (component.tab)",
     .header = "component_id,node_id,trace_start,trace_end",
     .columns = "machine=node_id,name=node_name,kind=component_type,from=trace_start,to=trace_end",
     .second_id = "component_id"},
    {.name = "fta-node",
     .summary = "node table of the Failure Trace Archive (node.tab)",
     .header = "node_id,node_name,num_procs",
     .columns = "machine=node_id,name=node_name,kind=proc_model,cores=num_procs,memory=mem_size",
     .memory = kMebibyte,  // MB in the archive's description
     .per_core = "cores_per_proc"},
    {.name = "fta-platform",
     .summary = "platform table of the Failure Trace Archive (platform.tab)",
     .header = "platform_id,platform_name,platform_type",
     .columns = "machine=platform_id,name=platform_name,kind=platform_type"},
    {.name = "alibaba-nodes",
     .summary = "nodes of Alibaba's GPU cluster, 2023 (CSV)",
     .header = "sn,cpu_milli,memory_mib,gpu,model",
     .columns = "machine=sn,cores=cpu_milli,memory=memory_mib,gpus=gpu,kind=model",
     .cores = 1e-3,
     .memory = kMebibyte},
});

class MachineReader {
 public:
  MachineReader(TableRows rows, const SiteMachines& site) : rows_{std::move(rows)}, site_{site} {}

  Result<MachineTable> read() {
    HOLDFAST_CHECK(rows_.each([&] { return read_row(); }));
    if (out_.machines.empty()) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no machine, expected at least one");
    }
    tell();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string word(std::size_t field) const {
    const std::string_view text = rows_.text(field);
    return std::string(text == "NULL" ? "" : text);
  }

  Status read_row() {
    LoggedMachine machine;
    machine.id = word(MachineAt::machine);
    machine.kind = word(MachineAt::kind);
    if (machine.id.empty()) {
      return fail(ErrorCode::bad_value, rows_.place(MachineAt::machine),
                  "found nothing, expected a machine's name");
    }
    machine.name = rows_.has(MachineAt::name) ? word(MachineAt::name) : machine.id;
    for (const auto& [field, member] : kNumbers) {
      const bool is_time = field == MachineAt::from || field == MachineAt::to;
      if (is_time) {
        HOLDFAST_TRY(instant, rows_.time(field));
        if (instant) machine.*member = instant->seconds;
        continue;
      }
      HOLDFAST_TRY(value, rows_.value(field));
      if (value && *value < 0) {
        return fail(
            ErrorCode::bad_value, rows_.place(field),
            fmt::format("found {}, expected a number of 0 or more", in_quotes(rows_.text(field))));
      }
      machine.*member = value;
    }
    HOLDFAST_CHECK(settle(machine));
    out_.machines.push_back(std::move(machine));
    return {};
  }

  Status settle(LoggedMachine& machine) const {
    const auto column = [&](std::string_view name) {
      return name.empty() ? std::nullopt : rows_.reading().table.column(name);
    };
    if (machine.cores) *machine.cores *= site_.cores;
    if (machine.memory) *machine.memory *= site_.memory;
    if (const auto second = column(site_.second_id)) {
      machine.id += "." + std::string(rows_.cell(*second));
    }
    if (const auto per_core = column(site_.per_core)) {
      HOLDFAST_TRY(each, rows_.number(*per_core));
      if (machine.cores) *machine.cores *= each.value_or(1);
    }
    return {};
  }

  /// Counts rows with an id or a name that occurs before, and others that are odd.
  void tell() {
    std::set<std::string_view> ids, names;
    std::int64_t same_id = 0, same_name = 0, reversed = 0, without_gpu = 0;
    for (const LoggedMachine& machine : out_.machines) {
      if (!ids.insert(machine.id).second) ++same_id;
      if (!names.insert(machine.name).second) ++same_name;
      if (machine.from && machine.to && *machine.to < *machine.from) ++reversed;
      if (machine.gpus == 0.0) ++without_gpu;
    }
    Oddities& odd = out_.oddities;
    odd.add("rows whose id another row has", same_id, "kept");
    odd.add("rows whose name another row has", same_name, "told apart by their ids");
    odd.add("rows whose trace ends before it begins", reversed, "kept");
    odd.add("nodes without a GPU", without_gpu, "kept");
    rows_.tell(odd);
  }

  TableRows rows_;
  const SiteMachines& site_;
  MachineTable out_;
};

Result<MachineTable> read_machines(TraceText text, const SiteMachines& site) {
  if (!site.columns.empty()) text = std::move(text).with(site.columns);
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kMachineTable));
  return MachineReader(std::move(rows), site).read();
}

template <std::size_t kSite>
FormatOf<MachineTable> format_of_site() {
  const SiteMachines& site = kSites[kSite];
  return {.facts = {.name = site.name, .summary = site.summary, .columns = site.header},
          .read = [](TraceText text) { return read_machines(std::move(text), kSites[kSite]); }};
}

}  // namespace

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

FormatOf<MachineTable> fta_component_format() {
  return format_of_site<0>();
}
FormatOf<MachineTable> fta_node_format() {
  return format_of_site<1>();
}
FormatOf<MachineTable> fta_platform_format() {
  return format_of_site<2>();
}
FormatOf<MachineTable> alibaba_nodes_format() {
  return format_of_site<3>();
}

FormatOf<MachineTable> machines_csv_format() {
  return {.facts = {.name = "machines-csv",
                    .summary = "machines with columns machine, cores and others",
                    .columns = "machine,cores",
                    .table = &kMachineTable},
          .read =
              [](TraceText text) {
                static constexpr SiteMachines kPlain;
                return read_machines(std::move(text), kPlain);
              },
          .write = write_machines_csv};
}

}  // namespace holdfast
