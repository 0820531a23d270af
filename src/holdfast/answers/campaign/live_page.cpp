#include "holdfast/answers/campaign/live_page.hpp"

#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/answers/progress_text.hpp"
#include "holdfast/campaign/results.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

LivePage::LivePage(std::filesystem::path directory, const Host& host)
    : directory_{std::move(directory)}, host_{&host}, next_{Clock::now() + rest_after({})} {}

void LivePage::show(const Progress& now) {
  const auto begin = Clock::now();
  if (begin < next_ || now.done >= now.total) return;
  write(fmt::format("running: {}", progress_text(now)));
  const auto end = Clock::now();
  next_ = end + rest_after(end - begin);
}

void LivePage::finish() {
  write({});
}

void LivePage::write(const std::string& live) {
  const auto results = Results::open(directory_);
  if (!results) return;
  auto page = report_page(*results, host_->domains, host_->command);
  if (!page) return;
  page->live = live;
  static_cast<void>(write_page_file(*page, directory_ / kReportFile, Links::refused));
}

}  // namespace holdfast
