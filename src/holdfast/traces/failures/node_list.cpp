#include "holdfast/traces/failures/node_list.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kLongestName = 255;

bool is_name_of_node(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c != 127; });
}

}  // namespace

Result<std::vector<std::string>> read_node_list(LineReader lines) {
  std::set<std::string> known;
  std::vector<std::string> out;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    const auto listed = parse_listed_nodes(text);
    std::string name = listed.empty() ? std::string(text) : listed.front().name;
    if (!is_name_of_node(name)) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {}, expected the name of a node, or a line of 'scontrol show "
                              "node -o'",
                              in_quotes(text.substr(0, 60))));
    }
    if (std::ssize(out) >= kMostLoggedNodes) {
      return fail(ErrorCode::bad_value, lines.place(),
                  fmt::format("found more nodes, expected at most {}", kMostLoggedNodes));
    }
    if (known.insert(name).second) out.push_back(std::move(name));
  }
  if (out.empty()) {
    return fail(ErrorCode::bad_format, lines.name(), "found no node, expected at least one");
  }
  return out;
}

Result<std::vector<std::string>> read_node_list(const std::filesystem::path& file) {
  HOLDFAST_TRY(bytes, open_input(file));
  return read_node_list(LineReader(std::move(bytes), file.string()));
}

Status count_nodes(FailureLog& log, const std::vector<std::string>& list) {
  if (log.systems.size() != 1) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found a log of {} systems, expected one: a list does not say which "
                            "node is of which",
                            log.systems.size()));
  }
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

}  // namespace holdfast
