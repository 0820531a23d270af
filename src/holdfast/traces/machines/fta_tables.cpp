#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/machines/machine_table.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kMostMachineRows = 10'000'000;
constexpr double kMost = 1e15;

/// Returns the words of a header, without the # before them.
std::vector<std::string> header_of(std::string_view line) {
  std::vector<std::string> out;
  for (const std::string_view word : words_of(line)) {
    const std::string_view name = word.front() == '#' ? word.substr(1) : word;
    if (!name.empty()) out.emplace_back(name);
  }
  return out;
}

bool has_columns(std::string_view head, std::initializer_list<std::string_view> wanted,
                 std::string_view without) {
  const auto header = header_of(head.substr(0, head.find('\n')));
  const auto has = [&](std::string_view name) {
    return std::ranges::find(header, name) != header.end();
  };
  return std::ranges::all_of(wanted, has) && !has(without);
}

/// A reader of the rows of one of the archive's tables. Fields are separated by tabs, in some tables with blanks around them,
/// or only by blanks. NULL means no value.
class TableReader {
 public:
  static Result<TableReader> open(LineReader lines) {
    TableReader out{std::move(lines)};
    std::string_view line;
    HOLDFAST_TRY(has_header, out.lines_.next(line));
    if (has_header) out.header_ = header_of(line);
    return out;
  }

  /// Finds a column, which must exist. @param at  receives its position
  Status want(std::string_view name, std::size_t& at) const {
    at = static_cast<std::size_t>(std::ranges::find(header_, name) - header_.begin());
    if (at < header_.size()) return {};
    return fail(ErrorCode::bad_format, lines_.place(),
                fmt::format("the column {} is missing", in_quotes(name)));
  }

  Result<bool> next() {
    std::string_view line;
    do {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) return false;
    } while (trim(line).empty());
    if (++rows_ > kMostMachineRows) {
      return fail(ErrorCode::bad_format, lines_.place(),
                  fmt::format("found more than {} rows", kMostMachineRows));
    }
    fields_ = split(line, '\t');  // names may contain blanks if fields are separated by tabs
    if (fields_.size() < header_.size()) fields_ = words_of(line);
    for (std::string_view& field : fields_) field = trim(field);
    if (fields_.size() >= header_.size()) return true;
    return fail(ErrorCode::bad_format, lines_.place(),
                fmt::format("found {} columns, expected {}", fields_.size(), header_.size()));
  }

  [[nodiscard]] std::string_view text(std::size_t column) const {
    return fields_[column] == "NULL" ? std::string_view{} : fields_[column];
  }
  /// Returns the number in a column; nothing for NULL.
  [[nodiscard]] Result<std::optional<double>> number(std::size_t column) const {
    if (text(column).empty()) return std::optional<double>{};
    const auto value = parse_quantity(text(column), Unit::none);
    if (value && *value >= 0 && *value <= kMost) return std::optional<double>{*value};
    return fail(ErrorCode::bad_value, fmt::format("{}: {}", lines_.place(), header_[column]),
                fmt::format("found {}, expected a number from 0 to 1e15", in_quotes(text(column))));
  }
  /// Returns the text in a column that identifies rows, which must not be NULL.
  [[nodiscard]] Result<std::string> id(std::size_t column) const {
    if (!text(column).empty()) return std::string(text(column));
    return fail(ErrorCode::bad_value, fmt::format("{}: {}", lines_.place(), header_[column]),
                "found nothing, expected an id");
  }
  [[nodiscard]] std::string place() const { return lines_.place(); }

 private:
  explicit TableReader(LineReader lines) : lines_{std::move(lines)} {}

  LineReader lines_;
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
  std::size_t rows_ = 0;
};

/// Finishes a table, and counts rows with an id or a name that occurs before, and traces that end before they begin.
Result<MachineTable> finished(std::vector<LoggedMachine> machines, const std::string& place) {
  if (machines.empty()) {
    return fail(ErrorCode::bad_format, place, "found no row, expected at least one");
  }
  MachineTable out;
  std::set<std::string_view> ids, names;
  std::int64_t same_id = 0, same_name = 0, reversed = 0;
  for (const LoggedMachine& machine : machines) {
    if (!ids.insert(machine.id).second) ++same_id;
    if (!names.insert(machine.name).second) ++same_name;
    if (machine.from && machine.to && *machine.to < *machine.from) ++reversed;
  }
  out.oddities.add("rows whose id another row has", same_id, "kept");
  out.oddities.add("rows whose name another row has", same_name, "told apart by their ids");
  out.oddities.add("rows whose trace ends before it begins", reversed, "kept");
  out.machines = std::move(machines);
  return out;
}

}  // namespace

bool looks_like_fta_components(std::string_view head) {
  return has_columns(head, {"component_id", "node_id", "trace_start", "trace_end"}, "event_type");
}

Result<MachineTable> read_fta_components(LineReader lines) {
  HOLDFAST_TRY(rows, TableReader::open(std::move(lines)));
  std::size_t component = 0, node = 0, name = 0, type = 0, start = 0, end = 0;
  HOLDFAST_CHECK(rows.want("component_id", component));
  HOLDFAST_CHECK(rows.want("node_id", node));
  HOLDFAST_CHECK(rows.want("node_name", name));
  HOLDFAST_CHECK(rows.want("component_type", type));
  HOLDFAST_CHECK(rows.want("trace_start", start));
  HOLDFAST_CHECK(rows.want("trace_end", end));
  std::vector<LoggedMachine> out;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) return finished(std::move(out), rows.place());
    LoggedMachine machine;
    HOLDFAST_TRY(node_id, rows.id(node));
    HOLDFAST_TRY(component_id, rows.id(component));
    machine.id = node_id + "." + component_id;
    machine.name = rows.text(name);
    machine.kind = rows.text(type);
    HOLDFAST_TRY(from, rows.number(start));
    HOLDFAST_TRY(to, rows.number(end));
    machine.from = from;
    machine.to = to;
    out.push_back(std::move(machine));
  }
}

bool looks_like_fta_nodes(std::string_view head) {
  return has_columns(head, {"node_id", "node_name", "num_procs"}, "event_type");
}

Result<MachineTable> read_fta_nodes(LineReader lines) {
  HOLDFAST_TRY(rows, TableReader::open(std::move(lines)));
  std::size_t node = 0, name = 0, model = 0, cores = 0, processors = 0, memory = 0;
  HOLDFAST_CHECK(rows.want("node_id", node));
  HOLDFAST_CHECK(rows.want("node_name", name));
  HOLDFAST_CHECK(rows.want("proc_model", model));
  HOLDFAST_CHECK(rows.want("cores_per_proc", cores));
  HOLDFAST_CHECK(rows.want("num_procs", processors));
  HOLDFAST_CHECK(rows.want("mem_size", memory));
  std::vector<LoggedMachine> out;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) return finished(std::move(out), rows.place());
    LoggedMachine machine;
    HOLDFAST_TRY(id, rows.id(node));
    machine.id = id;
    machine.name = rows.text(name);
    machine.kind = rows.text(model);
    HOLDFAST_TRY(count, rows.number(processors));
    HOLDFAST_TRY(each, rows.number(cores));
    HOLDFAST_TRY(bytes, rows.number(memory));
    if (count) machine.cores = *count * each.value_or(1);
    if (bytes) machine.memory = *bytes * 1048576;  // MB in the archive's description
    out.push_back(std::move(machine));
  }
}

bool looks_like_fta_platforms(std::string_view head) {
  return has_columns(head, {"platform_id", "platform_name", "platform_type"}, "event_type");
}

Result<MachineTable> read_fta_platforms(LineReader lines) {
  HOLDFAST_TRY(rows, TableReader::open(std::move(lines)));
  std::size_t platform = 0, name = 0, type = 0;
  HOLDFAST_CHECK(rows.want("platform_id", platform));
  HOLDFAST_CHECK(rows.want("platform_name", name));
  HOLDFAST_CHECK(rows.want("platform_type", type));
  std::vector<LoggedMachine> out;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) return finished(std::move(out), rows.place());
    LoggedMachine machine;
    HOLDFAST_TRY(id, rows.id(platform));
    machine.id = id;
    machine.name = rows.text(name);
    machine.kind = rows.text(type);
    out.push_back(std::move(machine));
  }
}

FormatOf<MachineTable> fta_component_format() {
  return {.facts = {.name = "fta-component",
                    .summary = "component table of the Failure Trace Archive (component.tab)",
                    .recognise = looks_like_fta_components},
          .read = read_fta_components};
}

FormatOf<MachineTable> fta_node_format() {
  return {.facts = {.name = "fta-node",
                    .summary = "node table of the Failure Trace Archive (node.tab)",
                    .recognise = looks_like_fta_nodes},
          .read = read_fta_nodes};
}

FormatOf<MachineTable> fta_platform_format() {
  return {.facts = {.name = "fta-platform",
                    .summary = "platform table of the Failure Trace Archive (platform.tab)",
                    .recognise = looks_like_fta_platforms},
          .read = read_fta_platforms};
}

}  // namespace holdfast
