#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <string>
#include <vector>

namespace holdfast {

Result<MachineTable> sliced(MachineTable table, const SliceQuestion& question) {
  HOLDFAST_CHECK(
      slicing::check_lacking(question, false, true, true, "a table of machines is sliced by"));
  std::vector<std::string> names;
  names.reserve(table.machines.size());
  for (const LoggedMachine& machine : table.machines) names.push_back(machine.id);
  HOLDFAST_TRY(is_kept, slicing::chosen(names, question));
  slicing::keep(table.machines, is_kept);
  return table;
}

}  // namespace holdfast
