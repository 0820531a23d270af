#include "holdfast/steward/look.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace holdfast::steward {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  const auto number = parse_integer(trim(text));
  return number ? std::optional(*number) : std::nullopt;
}

std::string known(std::string_view text) {
  text = trim(text);
  return text == "(null)" || text == "N/A" ? std::string() : std::string(text);
}

}  // namespace

bool SeenNode::is_usable() const {
  const auto parts = split(state, '+');
  const std::string_view base = parts.front();
  constexpr auto kBases =
      std::to_array<std::string_view>({"IDLE", "MIXED", "ALLOCATED", "COMPLETING"});
  constexpr auto kFlags = std::to_array<std::string_view>(
      {"CLOUD", "PLANNED", "COMPLETING", "DYNAMIC_NORM", "DYNAMIC_FUTURE"});
  return std::ranges::find(kBases, base) != kBases.end() &&
         std::all_of(parts.begin() + 1, parts.end(), [&](std::string_view flag) {
           return std::ranges::find(kFlags, flag) != kFlags.end();
         });
}

Result<std::vector<SeenJob>> parse_queue(std::string_view text) {
  std::vector<SeenJob> out;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const auto cells = split(line, '|');
    constexpr std::size_t kCells = 12;  // a comment may hold the sign that separates them
    const auto cores = cells.size() < kCells ? std::nullopt : number_in(cells[3]);
    const auto submitted = cells.size() < kCells ? std::nullopt : number_in(cells[6]);
    if (!cores || !submitted) {
      return fail(ErrorCode::bad_format, fmt::format("squeue:{}", number),
                  fmt::format("found {}, expected {}", in_quotes(line), kQueueForm));
    }
    const auto limit = field::parse_time_left(cells[8]);
    out.push_back(
        {.id = std::string(trim(cells[0])),
         .state = std::string(cells[1]),
         .nodes = known(cells[2]),
         .cores = std::max<std::int64_t>(1, *cores),
         .node_count = number_in(cells[4]).value_or(1),
         .partition = std::string(cells[5]),
         .submitted = *submitted,
         .start = number_in(cells[7]),
         .limit = limit && std::isfinite(*limit) ? static_cast<std::int64_t>(*limit) : 0,
         .reason = std::string(cells[9]),
         .wanted = known(cells[10]),
         .comment = known(line.substr(static_cast<std::size_t>(cells[11].data() - line.data())))});
  }
  return out;
}

std::vector<SeenNode> parse_nodes(std::string_view text) {
  std::vector<SeenNode> out;
  for (ListedNode& node : parse_listed_nodes(text)) {
    out.push_back({.name = std::move(node.name),
                   .state = std::move(node.state),
                   .reason = std::move(node.reason),
                   .partitions = std::move(node.partitions),
                   .cores = node.cores});
  }
  return out;
}

}  // namespace holdfast::steward
