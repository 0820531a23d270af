#include "holdfast/steward/submit/attempt.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::steward::submit {
namespace {

constexpr std::string_view kScript =
    R"sh(export HOLDFAST_JOB={id} HOLDFAST_ATTEMPT={attempt} HOLDFAST_PROCESSORS={processors}
f={file}
(set -C; echo "$SLURM_JOB_ID" > "$f.claim") 2>/dev/null
if [ "$(cat "$f.claim")" != "$SLURM_JOB_ID" ]; then
  echo "job $(cat "$f.claim") has this attempt"; exit 1
fi
[ -e "$f.result" ] && exit 0
begin=$(date +%s)
sh -c {command}
status=$?; what=failed
if [ $status = 0 ]; then
  sh -c {verify}
  status=$?; what=wrong
  [ $status = 0 ] && what=verified
fi
echo "$what $status $begin $(date +%s)" > "$f.new" && mv "$f.new" "$f.result"
exit $status)sh";

std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::filesystem::path file_of(const State& state, std::size_t job,
                              const std::filesystem::path& folder) {
  return folder / fmt::format("{}.{}", state.jobs[job].id, state.jobs[job].failures + 1);
}

// What an attempt says of its own end: "wrong 1 1795774788 1795774790".
std::optional<Event> read_result(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  const auto words = split(trim(*text), ' ');
  const auto what = std::ranges::find(kEvents, words.front());
  const auto date = [&](std::size_t at) {
    return words.size() == 4 ? parse_integer(words[at]).value_or(0) : 0;
  };
  if (what == kEvents.end() || date(3) == 0) {
    return Event{.what = Event::What::failed,
                 .text = fmt::format("{} says {}", file.filename().string(), in_quotes(*text))};
  }
  return Event{.what = static_cast<Event::What>(what - kEvents.begin()),
               .text = fmt::format("status {}", words[1]),
               .began = date(2),
               .ended = date(3)};
}

// States that are not listed are those of an attempt that waits, such as REQUEUED.
Event event_of(const SeenAttempt& seen) {
  using enum Event::What;
  constexpr auto kStates =
      std::to_array<std::pair<std::string_view, Event::What>>({{"RUNNING", runs},
                                                               {"SUSPENDED", runs},
                                                               {"COMPLETING", runs},
                                                               {"STOPPED", runs},
                                                               {"CANCELLED", stopped},
                                                               {"TIMEOUT", stopped},
                                                               {"DEADLINE", stopped},
                                                               {"COMPLETED", missing},
                                                               {"FAILED", missing},
                                                               {"NODE_FAIL", missing},
                                                               {"PREEMPTED", missing},
                                                               {"BOOT_FAIL", missing},
                                                               {"OUT_OF_MEMORY", missing}});
  const auto* found =
      std::ranges::find(kStates, seen.state, &std::pair<std::string_view, Event::What>::first);
  const Event::What what = found == kStates.end() ? queued : found->second;
  if (what == missing) return {};
  if (what == stopped) {
    return {.what = what,
            .text = fmt::format("Slurm's job {} is {}", seen.number, lower_case(seen.state))};
  }
  return {.what = what, .text = seen.number, .began = what == runs ? seen.start : 0};
}

}  // namespace

std::vector<std::string> command_of(const State& state, const Action& action, const Work& work,
                                    const Form& form) {
  const Job& job = state.jobs[action.job];
  const std::string file = file_of(state, action.job, form.folder).string();
  // One that outlives a kill of this process does not submit later than this.
  std::vector<std::string> out = {"timeout",
                                  fmt::format("{}", kSubmitWithin),
                                  "sbatch",
                                  "--parsable",
                                  "--open-mode=append",
                                  fmt::format("--output={}.out", file),
                                  fmt::format("--chdir={}", form.directory.string())};
  out.insert(out.end(), form.more.begin(), form.more.end());
  out.push_back("--job-name=" + state.attempt_name(action.job));
  if (form.size == Size::cpus) out.emplace_back("--ntasks=1");
  constexpr auto kOptions =
      std::to_array<std::string_view>({"--ntasks", "--cpus-per-task", "--nodes"});
  out.push_back(
      fmt::format("{}={}", kOptions[static_cast<std::size_t>(form.size)], action.processors));
  using fmt::arg;
  out.push_back("--wrap=" +
                fmt::format(fmt::runtime(kScript), arg("id", shell_word(job.id)),
                            arg("attempt", job.failures + 1), arg("processors", action.processors),
                            arg("file", shell_word(file)), arg("command", shell_word(work.command)),
                            arg("verify", shell_word(work.verify))));
  return out;
}

Result<std::map<std::string, SeenAttempt>> parse_attempts(std::string_view text) {
  std::map<std::string, SeenAttempt> out;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const auto cells = split(line, '|');
    if (cells.size() < 4) {
      return fail(ErrorCode::bad_format, fmt::format("squeue:{}", number),
                  fmt::format("found {}, expected {}", in_quotes(line), kAttemptForm));
    }
    // Of two, the one that is not over counts: it was asked for again, or an answer was late.
    SeenAttempt& one = out[std::string(cells[3])];
    const bool is_live = event_of({"", std::string(cells[1]), 0}).what <= Event::What::runs;
    if (!one.number.empty() && !is_live) continue;
    one = {std::string(trim(cells[0])), std::string(cells[1]), parse_integer(cells[2]).value_or(0)};
  }
  return out;
}

std::vector<Event> events_of(const State& state, const std::map<std::string, SeenAttempt>& seen,
                             const std::filesystem::path& folder) {
  std::vector<Event> out;
  for (std::size_t at = 0; at < state.jobs.size(); ++at) {
    const Job& job = state.jobs[at];
    if (!job.is_under_way()) continue;
    auto event = read_result(file_of(state, at, folder).string() + ".result");
    if (!event) {
      const auto found = seen.find(state.attempt_name(at));
      event = found == seen.end() ? Event{} : event_of(found->second);
    }
    event->job = at;
    const Phase known = event->what == Event::What::queued ? Phase::queued : Phase::runs;
    const bool is_known = event->what <= Event::What::runs && job.phase == known &&
                          job.number == event->text && job.missed == 0;
    if (!is_known) out.push_back(std::move(*event));
  }
  return out;
}

}  // namespace holdfast::steward::submit
