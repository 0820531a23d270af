#include "holdfast/base/node_names.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

namespace holdfast {
namespace {

constexpr std::int64_t kMostNodes = 100'000;
tl::unexpected<Error> no_list(std::string_view list, std::string_view expected) {
  return fail(ErrorCode::bad_value, {},
              fmt::format("found {}, expected {}", in_quotes(list), expected));
}

/// Reads digits alone: no sign, no blank, no 1e3.
std::optional<std::int64_t> number_of_node(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool is_whole = code == std::errc() && end == text.data() + text.size() && out >= 0;
  return is_whole ? std::optional(out) : std::nullopt;
}

/// Returns the parts between commas outside brackets.
std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  bool is_inside = false;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at == list.size() || (list[at] == ',' && !is_inside)) {
      out.push_back(list.substr(begin, at - begin));
      begin = at + 1;
    } else if (list[at] == '[') {
      is_inside = true;
    } else if (list[at] == ']') {
      is_inside = false;
    }
  }
  return out;
}

/// Appends the names of one entry: the part before its first brackets with each of their numbers, and the same for the rest of
/// the entry.
bool expand_entry(const std::string& before, std::string_view entry,
                  std::vector<std::string>& out) {
  const auto open = entry.find('[');
  if (open == std::string_view::npos) {
    if (entry.find(']') != std::string_view::npos || std::ssize(out) >= kMostNodes) return false;
    out.push_back(before + std::string(entry));
    return !out.back().empty();
  }
  const auto close = entry.find(']', open);
  if (close == std::string_view::npos) return false;
  const std::string head = before + std::string(entry.substr(0, open));
  const std::string_view rest = entry.substr(close + 1);
  for (const std::string_view range : split(entry.substr(open + 1, close - open - 1), ',')) {
    const auto dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const auto low = number_of_node(first);
    const auto high = dash == std::string_view::npos ? low : number_of_node(range.substr(dash + 1));
    if (!low || !high || *high < *low || *high - *low >= kMostNodes) return false;
    for (std::int64_t number = *low; number <= *high; ++number) {
      if (!expand_entry(fmt::format("{}{:0{}}", head, number, first.size()), rest, out))
        return false;
    }
  }
  return true;
}

std::string_view before_dot(std::string_view name) {
  return name.substr(0, name.find('.'));
}

/// Returns the reason at the end of a line of scontrol, which may have blanks: "Reason=new disk [root@2026-11-27T10:19:51]".
std::string_view reason_in(std::string_view line) {
  constexpr std::string_view kName = " Reason=";
  const auto at = line.find(kName);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + kName.size());
  return trim(line.substr(0, line.rfind(" [")));
}

/// Returns the word after a name in a line of scontrol; empty if the name is not there.
std::string_view value_behind(std::string_view line, std::string_view name) {
  const auto at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find_first_of(" \r"));
}

}  // namespace

Result<std::vector<std::string>> expand_nodes(std::string_view list) {
  std::vector<std::string> out;
  for (const std::string_view entry : entries_of(list)) {
    if (!expand_entry({}, entry, out)) {
      return no_list(list, "at most 100 000 names such as n[001-003,7]");
    }
  }
  return out;
}

bool is_node_name(std::string_view text) {
  constexpr std::size_t kLongestName = 255;
  return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c != 127 &&
           std::string_view(",;|=\"'()[]{}<>").find(c) == std::string_view::npos;
  });
}

std::optional<std::size_t> node_number(std::span<const std::string> names, std::string_view name) {
  auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    found = std::ranges::find_if(
        names, [&](std::string_view other) { return before_dot(other) == before_dot(name); });
  }
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

NodeIndex::NodeIndex(std::span<const std::string_view> names)
    : whole_(names.size(), [&](std::size_t i) { return std::string(names[i]); }),
      short_(names.size(), [&](std::size_t i) { return std::string(before_dot(names[i])); }) {}

std::optional<std::size_t> NodeIndex::find(std::string_view name) const {
  const auto found = whole_.find(name);
  return found ? found : short_.find(before_dot(name));
}

std::vector<ListedNode> parse_listed_nodes(std::string_view text) {
  std::vector<ListedNode> out;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view name = value_behind(line, "NodeName=");
    if (name.empty()) continue;
    out.push_back({.name = std::string(name),
                   .state = std::string(value_behind(line, " State=")),
                   .boot = std::string(value_behind(line, " BootTime=")),
                   .partitions = std::string(value_behind(line, " Partitions=")),
                   .reason = std::string(reason_in(line)),
                   .cores = parse_integer(value_behind(line, " CPUTot=")).value_or(0)});
  }
  return out;
}

}  // namespace holdfast
