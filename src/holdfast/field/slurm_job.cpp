#include "holdfast/field/slurm_job.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/field/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace holdfast::field {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr double kAnswerWithin = 10;

tl::unexpected<Error> no_list(std::string_view list, std::string_view expected) {
  return fail(ErrorCode::bad_value, "SLURM_JOB_NODELIST",
              fmt::format("found {}, expected {}", in_quotes(list), expected));
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// The parts between commas outside of brackets.
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

/// Appends the names of one entry: what stands before its first brackets, each of their numbers, and the rest likewise.
bool expand_entry(const std::string& before, std::string_view entry,
                  std::vector<std::string>& out) {
  const auto open = entry.find('[');
  if (open == std::string_view::npos) {
    if (entry.find(']') != std::string_view::npos || out.size() >= kMostNodes) return false;
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
    const auto low = whole_number(first);
    const auto high = dash == std::string_view::npos ? low : whole_number(range.substr(dash + 1));
    if (!low || !high || *high < *low || *high - *low >= kMostNodes) return false;
    for (std::uint64_t number = *low; number <= *high; ++number) {
      if (!expand_entry(fmt::format("{}{:0{}}", head, number, first.size()), rest, out))
        return false;
    }
  }
  return true;
}

/// The word behind a name in a line of scontrol; empty if it is not there.
std::string_view value_behind(std::string_view line, std::string_view name) {
  const auto at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find(' '));
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

std::optional<double> parse_time_left(std::string_view text) {
  text = trim(text);
  if (text == "UNLIMITED") return std::numeric_limits<double>::infinity();
  double days = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto number = whole_number(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = static_cast<double>(*number);
    text.remove_prefix(dash + 1);
  }
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  double seconds = 0;
  for (const std::string_view part : parts) {
    const auto number = whole_number(part);
    if (!number) return std::nullopt;
    seconds = 60 * seconds + static_cast<double>(*number);
  }
  return 86400 * days + seconds;
}

NodeCheck parse_node_states(std::string_view text, std::span<const std::string> nodes) {
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view name = value_behind(line, "NodeName=");
    const std::string_view state = value_behind(line, " State=");
    if (!state.starts_with("DOWN") && !state.starts_with("FAIL")) continue;
    const auto found = std::ranges::find(nodes, name);
    if (found == nodes.end()) continue;
    return {.down = static_cast<std::size_t>(found - nodes.begin()), .name = std::string(name)};
  }
  return {};
}

std::optional<SlurmJob> SlurmJob::find(std::span<const std::string> environment) {
  SlurmJob out;
  out.id_ = value_in(environment, "SLURM_JOB_ID");
  out.list_ = value_in(environment, "SLURM_JOB_NODELIST");
  if (!whole_number(out.id_)) return std::nullopt;
  if (auto nodes = expand_nodes(out.list_)) out.nodes_ = std::move(*nodes);
  return out;
}

std::optional<double> SlurmJob::time_left() const {
  const auto said = run_command({"squeue", "-h", "-j", id_, "-o", "%L"}, kAnswerWithin);
  if (!said || said->status != 0) return std::nullopt;
  return parse_time_left(said->out);
}

NodeCheck SlurmJob::check_nodes() const {
  const auto said = run_command({"scontrol", "show", "node", "-o", list_}, kAnswerWithin);
  if (!said || said->status != 0) return {};
  return parse_node_states(said->out, nodes_);
}

Status SlurmJob::requeue() const {
  HOLDFAST_TRY(said, run_command({"scontrol", "requeue", id_}, kAnswerWithin));
  if (said.status == 0) return {};
  return fail(ErrorCode::io_failure, "scontrol requeue",
              fmt::format("found {}, expected its consent", in_quotes(trim(said.err))));
}

}  // namespace holdfast::field
