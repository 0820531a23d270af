#include "holdfast/arbiter/top_page.hpp"

#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/report/chart/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

namespace holdfast::arbiter {
namespace {

constexpr double kMemory = 600;         // seconds of the past that the page shows
constexpr std::size_t kMostLines = 5;   // applications with a line of their own
constexpr std::size_t kMostRows = 200;  // applications in the table

// Returns the applications that wrote most, by their mean rate, the first first.
std::vector<const Standing*> busiest(const Round& round, const std::deque<RateSample>& past) {
  std::map<std::uint64_t, double> sums;
  for (const RateSample& sample : past) {
    for (const auto& [handle, rate] : sample.rates) sums[handle] += rate;
  }
  std::vector<const Standing*> out;
  for (const Standing& one : round.applications) {
    if (sums.contains(one.handle)) out.push_back(&one);
  }
  std::stable_sort(out.begin(), out.end(), [&sums](const Standing* a, const Standing* b) {
    return sums[a->handle] > sums[b->handle];
  });
  out.resize(std::min(out.size(), kMostLines));
  return out;
}

LineChart rates_chart(const Round& round, const std::deque<RateSample>& past) {
  LineChart chart{.title = "",
                  .x = {.title = "time, 0 is now", .unit = "s", .shown = {0}},
                  .y = {.title = "rate", .unit = "B/s", .shown = {0, round.totals.bandwidth}},
                  .lines = {}};
  const double now = past.back().at;
  const auto line = [&](std::string name, const auto& rate_of) {
    ChartLine out{.name = std::move(name), .x = {}, .y = {}, .is_step = true};
    for (const RateSample& sample : past) {
      out.x.push_back(sample.at - now);
      out.y.push_back(rate_of(sample));
    }
    return out;
  };
  chart.lines.push_back(line("all", [](const RateSample& sample) { return sample.granted; }));
  chart.lines.back().is_thick = true;
  for (const Standing* one : busiest(round, past)) {
    chart.lines.push_back(line(as_utf8(one->name), [one](const RateSample& sample) {
      const auto at = sample.rates.find(one->handle);
      return at == sample.rates.end() ? 0.0 : at->second;
    }));
  }
  return chart;
}

Table applications_of(const Round& round, const TopView& view, const UserName& user) {
  Table table{
      .title = fmt::format("applications, by {}", kTopOrders[static_cast<std::size_t>(view.order)]),
      .columns = {{"job"},
                  {"yield", Unit::none, 3},
                  {"state"},
                  {"rate", Unit::bytes_per_second, 3},
                  {"share (%)", Unit::none, 3},
                  {"moved", Unit::bytes, 3},
                  {"delay", Unit::seconds, 3},
                  {"longest wait", Unit::seconds, 3},
                  {"nodes"},
                  {"user"}}};
  for (const Standing* one : ordered(round, view.order)) {
    if (table.rows.size() == kMostRows) break;
    table.rows.push_back({as_utf8(one->name), one->yield, name_of(one->stage),
                          static_cast<double>(one->rate), 100 * one->share,
                          static_cast<double>(one->moved), one->delay, one->longest_wait,
                          one->nodes == 0 ? Value("-") : Value(fmt::to_string(one->nodes)),
                          as_utf8(user(one->uid))});
  }
  return table;
}

}  // namespace

Page top_page(const Round& round, const TopView& view, const UserName& user,
              const std::deque<RateSample>& past) {
  const Totals& totals = round.totals;
  Page page;
  page.title = "Who writes now";
  page.kicker = "arbiter of bandwidth, policy " + as_utf8(totals.policy);
  const auto writing = std::count_if(round.applications.begin(), round.applications.end(),
                                     [](const Standing& one) { return one.rate > 0; });
  const auto waiting = static_cast<std::ptrdiff_t>(totals.pending) - writing;
  page.answers.push_back(
      fmt::format("{} of {} in use by {} of {}; {} waiting.",
                  format_quantity(totals.granted, Unit::bytes_per_second),
                  format_quantity(totals.bandwidth, Unit::bytes_per_second), writing,
                  counted(static_cast<std::int64_t>(round.applications.size()), "application"),
                  std::max<std::ptrdiff_t>(0, waiting)));
  const auto worst = ordered(round, TopOrder::yield);
  if (!worst.empty()) {
    page.answers.push_back(fmt::format("The lowest yield is {:.3f}, of {}.", worst[0]->yield,
                                       as_utf8(worst[0]->name)));
    page.answer_table = applications_of(round, view, user);
  }
  PageSection section{.id = "rates", .title = "Rates"};
  section.charts.push_back(page_chart(
      "rate", "Bandwidth in use",
      fmt::format("The last {} at most; the {} that wrote most have a line of their own.",
                  format_duration(kMemory), counted(kMostLines, "application")),
      rates_chart(round, past)));
  page.sections.push_back(std::move(section));
  return page;
}

Status TopPage::take(const Round& round, const TopView& view, const UserName& user, double now,
                     bool is_last) {
  RateSample sample{.at = now, .granted = round.totals.granted};
  for (const Standing& one : round.applications) {
    if (one.rate > 0) sample.rates.emplace(one.handle, static_cast<double>(one.rate));
  }
  past_.push_back(std::move(sample));
  while (past_.front().at < now - kMemory) past_.pop_front();
  const auto begin = std::chrono::steady_clock::now();
  if (!is_last && begin < next_) return {};
  Page page = top_page(round, view, user, past_);
  page.command = command_;
  if (!is_last) {
    page.live = "running, as seen at " + format_date(static_cast<double>(std::time(nullptr)));
  }
  HOLDFAST_TRY(file, NewFile::create(file_));
  HOLDFAST_CHECK(write_page(page, [&file](std::string_view text) { return file.write(text); }));
  HOLDFAST_CHECK(file.finish());
  const auto end = std::chrono::steady_clock::now();
  next_ = end + rest_after(end - begin);
  return {};
}

}  // namespace holdfast::arbiter
