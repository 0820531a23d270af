#include "holdfast/steward/folder.hpp"

#include "holdfast/base/clock.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/new_file.hpp"

#include <poll.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace holdfast::steward {
Result<Folder> Folder::open(const std::filesystem::path& path, const Use& use) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) return fail(ErrorCode::io_failure, path.string(), code.message());
  HOLDFAST_TRY(lock, DirectoryLock::acquire(path, {.file = kLockFile, .doing = use.doing}));
  HOLDFAST_TRY(journal, field::read_journal(path / field::kJournalFile));
  HOLDFAST_TRY(writer, field::JournalWriter::open(path / field::kJournalFile, journal));
  Folder out(path, std::move(lock), std::move(writer));
  for (const Value& entry : journal.entries) {
    if (*entry.find("kind")->string() == "begin") ++out.run_;
  }
  if (journal.head.is_null()) {
    static_cast<void>(out.journal_.append(
        Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})},
                       {"what", use.what}}),
        field::Durable::now));
  }
  return out;
}

Result<std::optional<Value>> Folder::kept_in(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path / kStateFile, code)) return std::optional<Value>();
  HOLDFAST_TRY(document, read_document(path / kStateFile));
  return std::optional(std::move(document));
}

Status Folder::keep(const Value& state) {
  std::string text = to_json(state) + "\n";
  if (text == last_) return {};
  HOLDFAST_CHECK(write_own_file(path_ / kStateFile, text));
  last_ = std::move(text);
  return {};
}

void Folder::write(std::string_view kind, Value members) {
  Value entry = Value::object({{"time", time_on(CLOCK_REALTIME)},
                               {"clock", time_on(CLOCK_MONOTONIC)},
                               {"boot", ""},
                               {"run", run_},
                               {"kind", kind}});
  for (auto& [name, value] : *members.members()) entry.set(name, std::move(value));
  static_cast<void>(journal_.append(std::move(entry), field::Durable::soon));
}

double seconds_since_boot() {
  return time_on(CLOCK_MONOTONIC);
}

bool rest(double seconds, const Stop& stop) {
  const double until = seconds_since_boot() + seconds;
  while (!stop.wanted()) {
    const double left = until - seconds_since_boot();
    if (left <= 0) return false;
    ::poll(nullptr, 0, static_cast<int>(1000 * std::min(left, 0.1)) + 1);
  }
  return true;
}

}  // namespace holdfast::steward
