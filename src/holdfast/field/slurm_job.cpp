#include "holdfast/field/slurm_job.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/field/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace holdfast::field {
namespace {

constexpr double kAnswerWithin = 10;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// The word behind a name in a line of scontrol; empty if it is not there.
std::string_view value_behind(std::string_view line, std::string_view name) {
  const auto at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find(' '));
}

}  // namespace

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
