#include "holdfast/traces/failures/node_list.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/sniff.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace holdfast {
namespace {

/// Names of the column, or of the member of a JSON object, that has the nodes; compared without case and '_'.
constexpr auto kListColumns = std::to_array<std::string_view>(
    {"nodelist", "nodename", "nodehostname", "hostname", "hostnames", "hostlist", "hosts", "nodes",
     "node", "host", "vnode", "name", "server", "machine", "items", "sinfo", "metadata"});
constexpr std::string_view kDelimiters = "|;,\t";

/// Returns the rank of a name among those of columns of nodes, the surest first; its size: it is none.
std::size_t rank_of_column(std::string_view name) {
  std::string plain;
  for (const char c : trim(name)) {
    if (c != '_' && c != ' ' && c != '"')
      plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  return static_cast<std::size_t>(std::ranges::find(kListColumns, plain) - kListColumns.begin());
}

bool is_node_column(std::string_view name) {
  return rank_of_column(name) < kListColumns.size();
}

/// Returns the cells of a line, at the first delimiter that it has, else at blanks.
std::vector<std::string_view> cells_of(std::string_view line, char delimiter) {
  if (delimiter == ' ') return words_of(line);
  std::vector<std::string_view> out;
  for (std::string_view cell : split(line, delimiter)) {
    cell = trim(cell);
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    out.push_back(cell);
  }
  return out;
}

/// Gathers names, each once.
class NodeList {
 public:
  /// Adds the names of a list in Slurm's notation. Errors have no place.
  Status add(std::string_view list) {
    HOLDFAST_TRY(names, expand_nodes(list));
    for (std::string& name : names) {
      if (!is_node_name(name)) {
        return fail(ErrorCode::bad_format, {},
                    fmt::format("found {}, expected the name of a node, a list such as "
                                "n[001-100], a table with a column of nodes, or what 'scontrol "
                                "show node' prints",
                                in_quotes(list.substr(0, 60))));
      }
      if (std::ssize(names_) >= kMostLoggedNodes) {
        return fail(ErrorCode::bad_value, {},
                    fmt::format("found more nodes, expected at most {}", kMostLoggedNodes));
      }
      if (known_.insert(name).second) names_.push_back(std::move(name));
    }
    return {};
  }

  /// Adds the names in a document of JSON: texts, members called name or hostname, or the names of members.
  Status add_document(const Value& value) {
    if (const std::string* text = value.string()) return add(*text);
    if (const Value::Array* items = value.array_items()) {
      for (const Value& item : *items) HOLDFAST_CHECK(add_document(item));
      return {};
    }
    const auto* members = value.members();
    if (members == nullptr) {
      return fail(ErrorCode::bad_format, {},
                  fmt::format("found {}, expected the name of a node", value.described()));
    }
    for (const auto& [name, member] : *members) {
      if (is_node_column(name)) return add_document(member);
    }
    for (const auto& [name, member] : *members) {
      if (member.members() != nullptr) HOLDFAST_CHECK(add(name));
    }
    return {};
  }

  /// Returns the names. Numbers beside names are no nodes, but another column of a table without a header.
  Result<std::vector<std::string>> take() {
    const auto is_number = [](const std::string& name) {
      return name.find_first_not_of("0123456789") == std::string::npos;
    };
    const auto number = std::ranges::find_if(names_, is_number);
    if (names_.empty()) {
      return fail(ErrorCode::bad_format, {}, "found no node, expected at least one");
    }
    if (number != names_.end() && !std::ranges::all_of(names_, is_number)) {
      return fail(ErrorCode::bad_format, {},
                  fmt::format("found {} among the names of nodes, expected names alone or a table "
                              "with a header",
                              in_quotes(*number)));
    }
    return std::move(names_);
  }

 private:
  std::unordered_set<std::string> known_;
  std::vector<std::string> names_;
};

/// Reads lines: a table with a header, names, or KEY=VALUE as scontrol and pbsnodes print, of which only NodeName= counts.
class NodeLines {
 public:
  Status add(std::string_view line, NodeList& out) {
    line = trim(line);
    if (line.find_first_not_of("-+= |") == std::string_view::npos) return {};  // a rule
    if (std::exchange(is_first_, false)) {
      HOLDFAST_CHECK(begin(line));
      if (column_) return {};
    }
    if (!column_ && line.find('=') != std::string_view::npos) {
      for (const ListedNode& node : parse_listed_nodes(line)) HOLDFAST_CHECK(out.add(node.name));
      return {};
    }
    if (!column_) return out.add(line);
    const auto cells = cells_of(line, delimiter_);
    const bool is_last = *column_ + 1 == columns_;
    if (delimiter_ == ' ' && is_last && cells.size() >= columns_) return out.add(cells.back());
    if (cells.size() <= *column_) return {};
    return is_node_column(cells[*column_]) ? Status{} : out.add(cells[*column_]);
  }

 private:
  Status begin(std::string_view line) {
    const std::size_t found = line.find_first_of(kDelimiters);
    delimiter_ = found == std::string_view::npos ? ' ' : line[found];
    const auto cells = cells_of(line, delimiter_);
    columns_ = cells.size();
    const auto at = std::ranges::min_element(cells, {}, rank_of_column);
    if (at == cells.end() || !is_node_column(*at)) return {};
    const bool has_times = std::ranges::any_of(cells, [](std::string_view cell) {
      return cell == "TimeStart" || cell == "Start" || cell == "down";
    });
    if (has_times) {
      return fail(ErrorCode::bad_format, {},
                  "found a log of events, expected all nodes (sinfo -h -N -o %N)");
    }
    if (std::ranges::find(cells, "REASON") != cells.end()) {
      return fail(
          ErrorCode::bad_format, {},
          "found the nodes that are out of service (sinfo -R), expected all nodes (sinfo -h "
          "-N -o %N)");
    }
    column_ = static_cast<std::size_t>(at - cells.begin());
    return {};
  }

  bool is_first_ = true;
  char delimiter_ = ' ';
  std::size_t columns_ = 0;
  std::optional<std::size_t> column_;
};

}  // namespace

Result<std::vector<std::string>> read_node_list(LineReader lines) {
  NodeList out;
  NodeLines reader;
  std::string json;
  std::string_view line;
  for (bool is_first = true;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    if (!json.empty() || (is_first && (text.front() == '[' || text.front() == '{'))) {
      json.append(line).append("\n");
    } else if (auto status = reader.add(line, out); !status) {
      return fail(in_file(lines.place(), std::move(status).error()));
    }
    is_first = false;
  }
  if (!json.empty()) {
    auto document = parse_json(json);
    const Status status =
        document ? out.add_document(*document) : fail(std::move(document).error());
    if (!status) return fail(in_file(lines.name(), status.error()));
  }
  auto names = out.take();
  if (!names) return fail(in_file(lines.name(), std::move(names).error()));
  return names;
}

Result<std::vector<std::string>> read_node_list(const std::filesystem::path& file) {
  HOLDFAST_TRY(bytes, open_input(file));
  HOLDFAST_TRY(lines, in_utf8(LineReader(std::move(bytes), file.string())));
  return read_node_list(std::move(lines));
}

namespace {

Status check_one_machine(const FailureLog& log) {
  if (log.systems.size() == 1) return {};
  return fail(ErrorCode::bad_value, {},
              fmt::format("found a log of {} systems, expected one: a list does not say which node "
                          "is of which",
                          log.systems.size()));
}

}  // namespace

Status count_nodes(FailureLog& log, const std::vector<std::string>& list) {
  HOLDFAST_CHECK(check_one_machine(log));
  std::vector<std::string_view> names;
  names.reserve(log.nodes.size());
  for (const LoggedNode& node : log.nodes) names.push_back(node.name);
  const NodeIndex logged(names);
  const std::vector<std::string_view> views(list.begin(), list.end());
  const NodeIndex listed(views);
  LoggedSystem& system = log.systems.front();
  const auto is_silent = [&](const std::string& name) { return !logged.find(name); };
  system.nodes = system.nodes_with_rows + std::ranges::count_if(list, is_silent);
  log.oddities.add("nodes of the log that the list of nodes does not have",
                   std::ranges::count_if(
                       log.nodes, [&](const LoggedNode& node) { return !listed.find(node.name); }),
                   "kept: they may have been taken out of service");
  return {};
}

Status count_given_nodes(FailureLog& log, const std::filesystem::path& given) {
  const auto number = parse_integer(given.filename().string());
  std::error_code ignored;
  if (!number || std::filesystem::exists(given, ignored)) {
    HOLDFAST_TRY(list, read_node_list(given));
    return count_nodes(log, list);
  }
  HOLDFAST_CHECK(check_one_machine(log));
  LoggedSystem& system = log.systems.front();
  if (*number < system.nodes_with_rows || *number > kMostLoggedNodes) {
    return fail(
        ErrorCode::bad_value, {},
        fmt::format("found {} nodes, expected the {} that the log names or more, at most {}",
                    *number, system.nodes_with_rows, kMostLoggedNodes));
  }
  system.nodes = *number;
  return {};
}

}  // namespace holdfast
