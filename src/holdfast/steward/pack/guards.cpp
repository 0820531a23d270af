#include "holdfast/steward/pack/guards.hpp"

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/field/guard.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/journal.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <system_error>
#include <utility>

namespace holdfast::steward::pack {
namespace {

namespace fs = std::filesystem;

fs::path claim_of(const Application& it, const fs::path& folder) {
  return folder / fmt::format("{}.{}.claim", it.id, it.launch);
}

std::string names_of(const std::string& hosts) {
  std::vector<std::string_view> names;
  for (const std::string_view host : split(hosts, ','))
    names.push_back(host.substr(0, host.rfind(':')));
  return join(names, ",");
}

// This program, or where it is a library, the one in the path.
std::string own_program() {
  std::error_code code;
  const fs::path own = fs::read_symlink("/proc/self/exe", code);
  return own.filename() == "holdfast" ? own.string() : "holdfast";
}

// The last line that a guard has printed.
std::string last_words(const Application& it, const fs::path& folder) {
  const auto text = read_file(folder / (it.id + ".log"));
  if (!text || trim(*text).empty()) return "its guard did not begin";
  const std::string_view words = trim(*text);
  return printable(words.substr(words.rfind('\n') + 1));
}

}  // namespace

field::Start start_of(const State& state, std::size_t application, const Work& work,
                      const Charge& charge, const fs::path& folder) {
  const Application& it = state.applications[application];
  const std::int64_t count = std::ssize(it.processors);
  const std::string claim = claim_of(it, folder).string();
  const std::string hosts = state.hosts(it.processors);
  field::Start out{.words = {own_program(), "guard", "--output", (folder / it.id).string(),
                             "--no-requeue", "--processors", fmt::format("{}", count)},
                   .environment = environment_without({}),
                   .directory = work.directory.string(),
                   .claim = claim,
                   .outlives = true,
                   .takes_input = false};
  if (!charge.instance->fault_free) {
    const double checkpoint = charge.times[application].checkpoint(count);
    for (std::string word : {std::string("--mtbf"), fmt::format("{}s", charge.instance->mtbf),
                             std::string("--checkpoint"), fmt::format("{}s", checkpoint)})
      out.words.push_back(std::move(word));
  }
  for (const std::string& option : work.guard) {
    const auto equals = std::min(option.find('='), option.size());
    out.words.push_back("--" + option.substr(0, equals));
    if (equals < option.size()) out.words.push_back(option.substr(equals + 1));
  }
  out.words.insert(out.words.end(), {"--", "sh", "-c", work.command});
  out.environment.insert(
      out.environment.end(),
      {"HOLDFAST_CLAIM=" + claim, "HOLDFAST_APPLICATION=" + it.id,
       fmt::format("HOLDFAST_LAUNCH={}", it.launch), fmt::format("HOLDFAST_PROCESSORS={}", count),
       "HOLDFAST_HOSTS=" + hosts, "HOLDFAST_NODES=" + names_of(hosts)});
  return out;
}

Result<Seen> look_at(const Application& it, const fs::path& folder) {
  Seen out;
  if (it.launch == 0) return out;
  const fs::path own = folder / it.id;
  std::error_code code;
  out.is_claimed = fs::exists(claim_of(it, folder), code);
  // What a guard that is gone has written is complete.
  out.is_guarded = DirectoryLock::is_held(own, field::kGuardLockFile);
  HOLDFAST_TRY(read, field::read_history(own / field::kJournalFile));
  const field::History& history = read.history;
  out.programs = history.launches;
  out.failures = std::ssize(history.failures);
  if (out.failures > 0) out.failure = history.failures.back().cause;
  out.end = history.end;
  out.reason = history.reason;
  out.saved = history.saved;
  if (history.is_running) out.since = history.time - history.clock + history.safe_at;
  if (it.phase == Phase::starts && !out.is_guarded && out.programs == it.programs) {
    out.is_alive =
        !field::processes_with("HOLDFAST_CLAIM=" + claim_of(it, folder).string()).empty();
    out.reason = last_words(it, folder);
  }
  return out;
}

void ask_to_stop(const Application& it, const fs::path& folder) {
  const fs::path own = folder / it.id;
  if (!DirectoryLock::is_held(own, field::kGuardLockFile)) return;
  const auto text = read_file(own / field::kGuardLockFile);
  const auto number = text ? parse_integer(trim(*text)).value_or(0) : 0;
  const auto state = field::state_of(static_cast<pid_t>(number));
  if (!state || !field::has_in_environment(state->id.pid, "HOLDFAST_CLAIM=")) return;
  if (field::reception_of(state->id, SIGUSR2) != field::Reception::ends_it)
    field::send(state->id, SIGUSR2);
}

}  // namespace holdfast::steward::pack
