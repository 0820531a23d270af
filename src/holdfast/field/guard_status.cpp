#include "holdfast/field/guard_status.hpp"

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/field/guard.hpp"
#include "holdfast/field/journal.hpp"

#include <chrono>
#include <system_error>

namespace holdfast::field {

bool holds_guard(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(directory / kJournalFile, ignored);
}

Result<Replay> replay_of(const GuardStatus& status) {
  return replay(status.history, {.instance = status.instance, .advice = status.advice});
}

Result<GuardStatus> read_guard_status(const std::filesystem::path& directory) {
  HOLDFAST_TRY(read, read_history(directory / kJournalFile));
  const Journal& journal = read.journal;
  GuardStatus out;
  out.history = std::move(read.history);
  if (const Value* instance = journal.head.find("instance")) out.instance = *instance;
  if (const Value* advice = journal.head.find("advice")) out.advice = *advice;
  out.is_guarded = DirectoryLock::is_held(directory, kGuardLockFile);
  out.time =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return out;
}

Result<Answer> guard_report(const std::filesystem::path& directory) {
  HOLDFAST_TRY(status, read_guard_status(directory));
  HOLDFAST_TRY(replay, replay_of(status));
  Answer answer;
  answer.document = report_document(status.history, replay);
  answer.lines = report_lines(status.history, replay);
  return answer;
}

}  // namespace holdfast::field
