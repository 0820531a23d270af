#include "holdfast/steward/status.hpp"

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/steward/core.hpp"
#include "holdfast/steward/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace holdfast::steward {
namespace {

std::string text_in(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  const std::string* text = value == nullptr ? nullptr : value->string();
  return text == nullptr ? std::string() : printable(*text);
}

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Table last_actions(const field::Journal& journal) {
  constexpr std::size_t kShown = 20;
  Table out{.title = "what it did last",
            .columns = {{.title = "ago", .unit = Unit::seconds},
                        {.title = "what"},
                        {.title = "job"},
                        {.title = "node"},
                        {.title = "because"}},
            .rows = {}};
  const std::size_t count = journal.entries.size();
  for (std::size_t i = count; i > 0 && out.rows.size() < kShown; --i) {
    const Value& entry = journal.entries[i - 1];
    const std::string kind = text_in(entry, "kind");
    const double ago = now_in_seconds() - entry.find("time")->number();
    const std::string refused = text_in(entry, "refused");
    if (kind != "action") {
      out.rows.push_back({ago, kind, "", "", text_in(entry, "text")});
      continue;
    }
    out.rows.push_back({ago, text_in(entry, "do") + (refused.empty() ? "" : ", refused"),
                        text_in(entry, "job"), text_in(entry, "node"),
                        refused.empty() ? text_in(entry, "because") : refused});
  }
  return out;
}

}  // namespace

Result<Answer> status_of(const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(folder / field::kJournalFile, code)) {
    return fail(ErrorCode::bad_value, "/status",
                fmt::format("found no journal of a server in {}", in_quotes(folder.string())));
  }
  HOLDFAST_TRY(journal, field::read_journal(folder / field::kJournalFile));
  Answer out;
  const bool runs = DirectoryLock::is_held(folder, kLockFile);
  out.document.set("runs", runs);
  out.headline = runs ? "the server runs" : "no server runs: Slurm goes on alone";
  if (const auto document = read_document(folder / kStateFile)) {
    if (const auto state = read_state(*document)) {
      const auto running = std::ranges::count(state->world.jobs, capacity::LiveJob::Phase::running,
                                              &capacity::LiveJob::phase);
      const auto jobs = static_cast<std::int64_t>(state->world.jobs.size());
      out.verdict.push_back(fmt::format(
          "as of {} ago: {} of {} on, {} running, {} waiting",
          format_duration(std::max(0.0, now_in_seconds() - static_cast<double>(state->world.now))),
          state->world.up_count(), counted(state->world.machines.size(), "node"),
          counted(static_cast<std::int64_t>(running), "job"), jobs - running));
      out.document.set("state", to_value(*state));
    }
  }
  Value entries = Value::array();
  for (const Value& entry : journal.entries) entries.push(entry);
  out.document.set("journal", std::move(entries));
  out.tables.push_back(last_actions(journal));
  return out;
}

}  // namespace holdfast::steward
