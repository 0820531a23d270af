#include "holdfast/arbiter/top_view.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::arbiter {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kLinesOfHeader = 4;  // two lines, a blank one, and the titles of the table

struct TopColumn {
  std::string_view name;
  std::size_t width;
  bool is_text;
  int leaves = 0;  ///< on a narrow terminal, columns are left out in this order; 0: never
};
constexpr auto kTopColumns = std::to_array<TopColumn>({{"job", 15, true},
                                                       {"user", 8, true, 3},
                                                       {"nodes", 5, false, 1},
                                                       {"state", 5, true, 6},
                                                       {"rate/s", 6, false},
                                                       {"share", 5, false, 2},
                                                       {"moved", 6, false, 4},
                                                       {"delay", 7, false, 7},
                                                       {"yield", 5, false},
                                                       {"waited", 7, false, 5}});
constexpr int kMostLeave = 7;

/// Returns the width of the remaining columns after this number of columns was left out.
constexpr std::size_t width_of_table(int gone) {
  std::size_t out = 0;
  for (const TopColumn& one : kTopColumns) {
    if (one.leaves == 0 || one.leaves > gone) out += one.width + 1;
  }
  return out - 1;
}
static_assert(width_of_table(0) < kWidth);

int columns_gone(std::size_t width) {
  int gone = 0;
  while (gone < kMostLeave && width_of_table(gone) > width) ++gone;
  return gone;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Returns a text as one line of at most `width` characters, whatever it contains.
std::string fitted(std::string_view text, std::size_t width) {
  std::string line;
  for (const char c : printable(text)) line += c == '\n' ? std::string("\\x0a") : std::string(1, c);
  if (characters_in(line) <= width) return line;
  std::size_t end = 0;
  for (std::size_t shown = 0; end < line.size(); ++end) {
    if ((static_cast<unsigned char>(line[end]) & 0xC0U) != 0x80U && ++shown == width) break;
  }
  return line.substr(0, end) + "~";
}

std::string cell(std::string_view text, const TopColumn& column) {
  const std::string shown = fitted(text, column.width);
  const std::string blanks(column.width - std::min(characters_in(shown), column.width), ' ');
  return column.is_text ? shown + blanks : blanks + shown;
}

template <class Cells>
std::string row_of(const Cells& cells, int gone) {
  std::string out;
  for (std::size_t i = 0; i < kTopColumns.size(); ++i) {
    const TopColumn& column = kTopColumns[i];
    if (column.leaves != 0 && column.leaves <= gone) continue;
    if (i > 0) out += ' ';
    out += cell(cells[i], column);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string cut_line(std::string_view text, std::size_t width) {
  return fitted(text, width) + "\n";
}

}  // namespace

std::vector<const Standing*> ordered(const Round& round, TopOrder order) {
  std::vector<const Standing*> out;
  for (const Standing& one : round.applications) out.push_back(&one);
  const auto is_before = [&](const Standing* a, const Standing* b) {
    switch (order) {
      case TopOrder::yield:
        return a->yield < b->yield;
      case TopOrder::rate:
        return a->rate > b->rate;
      case TopOrder::moved:
        return a->moved > b->moved;
      case TopOrder::delay:
        return a->delay > b->delay;
      case TopOrder::job:
        break;
    }
    return a->name < b->name;
  };
  std::stable_sort(out.begin(), out.end(), is_before);
  return out;
}

std::string short_bytes(double bytes) {
  constexpr auto kUnits = std::to_array<std::string_view>({"B", "kB", "MB", "GB", "TB", "PB"});
  constexpr double kStep = 1000;
  std::size_t unit = 0;
  // 999.5 is shown as 1000, and so belongs to the next unit.
  while (unit + 1 < kUnits.size() && bytes >= kStep - 0.5) {
    bytes /= kStep;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f}B", bytes);
  if (bytes >= 1e4) return fmt::format(">9999{}", kUnits[unit].substr(0, 1));
  const int decimals = bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", bytes, decimals, kUnits[unit]);
}

std::string short_duration(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 86400;
  if (seconds < kMinute - 0.05) return fmt::format("{:.1f}s", seconds);
  const auto two = [](double whole, double part, std::string_view large, std::string_view small) {
    return fmt::format("{:.0f}{}{:02.0f}{}", std::floor(whole), large, std::floor(part), small);
  };
  if (seconds < kHour) return two(seconds / kMinute, std::fmod(seconds, kMinute), "m", "s");
  if (seconds < kDay) return two(seconds / kHour, std::fmod(seconds, kHour) / kMinute, "h", "m");
  if (seconds < 1000 * kDay) return two(seconds / kDay, std::fmod(seconds, kDay) / kHour, "d", "h");
  return fmt::format("{:.0f}d", std::min(seconds / kDay, 999'999.0));
}

std::string top_text(const Round& round, const TopView& view, const UserName& user) {
  const Totals& totals = round.totals;
  const std::size_t width = view.width > 0 ? std::min(view.width, kWidth) : kWidth;
  const int gone = columns_gone(width);
  const std::string pace = view.decisions_per_second
                               ? fmt::format("{:.1f} decisions/s", *view.decisions_per_second)
                               : counted(totals.decisions, "decision");
  std::string out =
      cut_line(fmt::format("{}/s in use of {}/s, {} pending, {}, epoch {}",
                           short_bytes(totals.granted), short_bytes(totals.bandwidth),
                           totals.pending, counted(totals.connections, "connection"), totals.epoch),
               width);
  out += cut_line(fmt::format("{}, {}, by {}{}", totals.policy, pace,
                              kTopOrders[static_cast<std::size_t>(view.order)],
                              view.is_paused ? " (paused)" : ""),
                  width);
  out += '\n';
  std::array<std::string_view, kTopColumns.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kTopColumns[i].name;
  out += row_of(names, gone);
  const auto applications = ordered(round, view.order);
  std::size_t shown = applications.size();
  if (view.lines > 0 && shown + kLinesOfHeader > view.lines) {
    shown = view.lines > kLinesOfHeader + 1 ? view.lines - kLinesOfHeader - 1 : 0;
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const Standing& one = *applications[i];
    const std::array<std::string, kTopColumns.size()> cells = {
        one.name,
        user(one.uid),
        one.nodes == 0 ? "-" : fmt::to_string(one.nodes),
        std::string(name_of(one.stage)),
        short_bytes(static_cast<double>(one.rate)),
        fmt::format("{:.0f}%", 100 * one.share),
        short_bytes(static_cast<double>(one.moved)),
        short_duration(one.delay),
        fmt::format("{:.3f}", one.yield),
        short_duration(one.longest_wait)};
    out += row_of(cells, gone);
  }
  if (shown < applications.size()) {
    out += fmt::format("and {} more\n", applications.size() - shown);
  }
  return out;
}

Value top_document(const Round& round, const TopView& view, const UserName& user) {
  const Totals& totals = round.totals;
  Value::Array applications;
  for (const Standing* one : ordered(round, view.order)) {
    applications.push_back(Value::object({{"job", as_utf8(one->name)},
                                          {"user", as_utf8(user(one->uid))},
                                          {"uid", std::uint64_t{one->uid}},
                                          {"nodes", std::uint64_t{one->nodes}},
                                          {"state", name_of(one->stage)},
                                          {"rate", one->rate},
                                          {"share", one->share},
                                          {"moved", one->moved},
                                          {"age", one->age},
                                          {"delay", one->delay},
                                          {"yield", one->yield},
                                          {"longest_wait", one->longest_wait}}));
  }
  return Value::object({{"bandwidth", totals.bandwidth},
                        {"granted", totals.granted},
                        {"pending", std::uint64_t{totals.pending}},
                        {"connections", std::uint64_t{totals.connections}},
                        {"decisions", totals.decisions},
                        {"epoch", std::uint64_t{totals.epoch}},
                        {"policy", as_utf8(totals.policy)},
                        {"applications", std::move(applications)}});
}

}  // namespace holdfast::arbiter
