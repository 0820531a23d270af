#include "holdfast/answers/campaign/kept_results.hpp"

#include "holdfast/answers/campaign/report_file.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/version.hpp"
#include "holdfast/base/word_hash.hpp"
#include "holdfast/campaign/checksum.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPage = std::size_t{1} << 26;

std::string text_of(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return {};
  auto text = read_file(file, kMostPage);
  return text ? std::move(*text) : std::string();
}

std::uint64_t sum_of_page(const Results& results) {
  const std::string page = text_of(results.directory() / kReportFile);
  return page.empty() ? 0 : word_hash(page);
}

/// Returns what the page depends on beside the cells and their description; 0 if that is not known.
std::uint64_t maker_of(const Results& results, const Host& host) {
  if (host.places.program.empty()) return 0;
  const fs::path program = host.places.program.front();
  std::error_code unknown;
  const auto size = fs::file_size(program, unknown);
  const auto time = fs::last_write_time(program, unknown);
  if (unknown) return 0;
  Checksum sum;
  sum.text(version()).number(size);
  sum.number(static_cast<std::uint64_t>(time.time_since_epoch().count()));
  sum.text(results.command().empty() ? host.command : results.command()).text(results.machine());
  sum.text(results.directory().string());
  for (const std::string& program_version : results.provenance().versions)
    sum.text(program_version);
  sum.text(text_of(results.directory() / "campaign.toml"));
  return sum.value();
}

}  // namespace

KeptResults::KeptResults(const Results& results, std::optional<std::uint64_t> state,
                         std::uint64_t made_by)
    : results_{&results}, state_{state} {
  if (made_by == 0) state_.reset();
  if (!state_) return;
  auto known = read_kept(results.directory());
  if (known && known->state == *state_) known_ = std::move(*known);
  if (known_.made_by == made_by) return;
  known_ = {.state = *state_, .made_by = made_by, .is_complete = known_.is_complete};
}

Result<KeptResults> KeptResults::read(const Results& results, const Host& host) {
  HOLDFAST_TRY(state, results.state());
  return KeptResults(results, state, maker_of(results, host));
}

std::optional<Answer> KeptResults::answer() const {
  if (known_.headline.empty()) return std::nullopt;
  Answer out;
  out.headline = known_.headline;
  out.verdict = known_.verdict;
  out.lines = known_.lines;
  return out;
}

bool KeptResults::has_page() const {
  return known_.page != 0 && known_.page == sum_of_page(*results_);
}

void KeptResults::keep(const Answer* answer, bool is_complete) {
  if (!state_) return;
  const auto now = results_->state();
  if (!now || *now != state_) return;  // another process has added cells meanwhile
  known_.page = sum_of_page(*results_);
  known_.is_complete = known_.is_complete || is_complete;
  if (answer != nullptr) {
    known_.headline = answer->headline;
    known_.verdict = answer->verdict;
    known_.lines = answer->lines;
  }
  holdfast::keep(results_->directory(), known_);
}

}  // namespace holdfast
