#include "holdfast/field/slurm_job.hpp"

#include "holdfast/base/command.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/field/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
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
  for (const ListedNode& node : parse_listed_nodes(text)) {
    if (!node.state.starts_with("DOWN") && !node.state.starts_with("FAIL")) continue;
    const auto found = std::ranges::find(nodes, node.name);
    if (found == nodes.end()) continue;
    return {.down = static_cast<std::size_t>(found - nodes.begin()), .name = node.name};
  }
  return {};
}

std::vector<std::optional<double>> parse_boot_ages(std::string_view text,
                                                   std::span<const std::string> nodes,
                                                   std::int64_t now) {
  std::vector<std::optional<double>> out(nodes.size());
  const std::vector<std::string_view> names(nodes.begin(), nodes.end());
  const NodeIndex index(names);
  for (const ListedNode& node : parse_listed_nodes(text)) {
    const auto number = index.find(node.name);
    std::tm date{};
    const char* const end = ::strptime(node.boot.c_str(), "%Y-%m-%dT%H:%M:%S", &date);
    if (!number || end == nullptr || *end != '\0') continue;
    date.tm_isdst = -1;  // the C library finds out whether it was summer time
    const std::time_t boot = std::mktime(&date);
    if (boot >= 0) out[*number] = std::max(0.0, static_cast<double>(now - boot));
  }
  return out;
}

std::optional<std::uint64_t> parse_restarts(std::string_view text) {
  for (const std::string_view word : split(text, ' ')) {
    constexpr std::string_view kName = "Restarts=";
    if (word.starts_with(kName)) return whole_number(trim(word.substr(kName.size())));
  }
  return std::nullopt;
}

std::optional<SlurmJob> SlurmJob::find(std::span<const std::string> environment) {
  SlurmJob out;
  out.id_ = value_in(environment, "SLURM_JOB_ID");
  out.list_ = value_in(environment, "SLURM_JOB_NODELIST");
  if (!whole_number(out.id_)) return std::nullopt;
  const std::string_view array = value_in(environment, "SLURM_ARRAY_JOB_ID");
  const std::string_view task = value_in(environment, "SLURM_ARRAY_TASK_ID");
  const bool is_task = whole_number(array) && whole_number(task);
  out.name_ = is_task ? fmt::format("{}_{}", array, task) : out.id_;
  out.restarts_ = whole_number(value_in(environment, "SLURM_RESTART_COUNT")).value_or(0);
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

std::vector<std::optional<double>> SlurmJob::boot_ages() const {
  const auto said = run_command({"scontrol", "show", "node", "-o", list_}, kAnswerWithin);
  if (!said || said->status != 0) return std::vector<std::optional<double>>(nodes_.size());
  return parse_boot_ages(said->out, nodes_, std::time(nullptr));
}

bool SlurmJob::is_requeued() const {
  const auto said = run_command({"scontrol", "show", "job", "-o", name_}, kAnswerWithin);
  return said && said->status == 0 && parse_restarts(said->out).value_or(0) > restarts_;
}

Status SlurmJob::requeue() const {
  HOLDFAST_TRY(said, run_command({"scontrol", "requeue", name_}, kAnswerWithin));
  if (said.status == 0) return {};
  return fail(ErrorCode::io_failure, "scontrol requeue",
              fmt::format("found {}, expected its consent", in_quotes(trim(said.err))));
}

}  // namespace holdfast::field
