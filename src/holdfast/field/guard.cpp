#include "holdfast/field/guard.hpp"

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/advisor_pace.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/node_events.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace holdfast::field {
namespace {

namespace fs = std::filesystem;

constexpr DirectoryUse kGuardLock{.file = kGuardLockFile, .doing = "guards a job here"};

Status prepare_directory(const fs::path& directory) {
  const auto failed = [&](std::string what) {
    return fail(ErrorCode::io_failure, directory.string(), std::move(what));
  };
  std::error_code code;
  fs::create_directories(directory.parent_path(), code);
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(fmt::format("cannot make this directory: {}; name another one with --output",
                              std::generic_category().message(errno)));
  }
  struct stat state {};
  if (::stat(directory.c_str(), &state) != 0 || !S_ISDIR(state.st_mode)) {
    return failed("found no directory, expected one; name another one with --output");
  }
  if (state.st_uid != ::geteuid()) {
    return failed("found a directory of another user, expected one of yours");
  }
  if ((state.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return failed(
        "found a directory that others may write, expected one that only you may "
        "(chmod go-w)");
  }
  return {};
}

/// The journal of the directory, open for writing, and its history.
struct OpenJournal {
  JournalWriter writer;
  History history;
};

Value head_of(const GuardRequest& request) {
  Value instance = request.instance;
  const std::size_t named = request.options.nodes.size();
  const bool knows_size =
      instance.find("processors") != nullptr || instance.find("ages") != nullptr;
  if (named > 0 && !knows_size) {
    if (instance.is_null()) instance = Value::object();
    instance.set("processors", static_cast<std::int64_t>(named));
  }
  return Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})},
                        {"command", Value::list(request.options.command)},
                        {"instance", std::move(instance)},
                        {"advice", request.advice}});
}

Result<OpenJournal> open_journal(const GuardRequest& request, const Voice& voice) {
  const fs::path file = fs::path(request.options.directory) / kJournalFile;
  HOLDFAST_TRY(journal, read_journal(file));
  History history = history_of(journal);
  const Value command = Value::list(request.options.command);
  const Value* before = journal.head.find("command");
  const bool is_other = before != nullptr && !(*before == command);
  if (!journal.head.is_null() && (is_other || history.end == "finish")) {
    if (!request.options.forces) {
      return fail(ErrorCode::io_failure, file.string(),
                  fmt::format("found the journal of {}; name another directory with --output, or "
                              "start over with --force",
                              is_other ? "another command" : "a job that has finished"));
    }
    std::error_code code;
    fs::rename(file, file.string() + ".old", code);
    journal = {};
    history = {};
  }
  if (journal.cut > 0) {
    voice.warn(fmt::format("{}: the last line was not whole and is left out", file.string()));
  }
  HOLDFAST_TRY(writer, JournalWriter::open(file, journal));
  if (journal.head.is_null()) HOLDFAST_CHECK(writer.append(head_of(request), Durable::now));
  return OpenJournal{std::move(writer), std::move(history)};
}

// Writes the document for a program that has its own advisor. The document is in another folder than the files that it names,
// and the nodes are older than when the guard received their ages.
Status write_advisor(const AdvisorRequest& request, const fs::path& directory, const Value& ages) {
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "advisor"}, {"version", 1}})}});
  const Value body = advisor_document(request);
  for (const auto& [name, value] : *body.members()) document.set(name, value);
  for (const auto* pointer : {"/failures/log", "/failures/nodes", "/failures/file"}) {
    const Value* file = document.at(pointer);
    if (file == nullptr || file->string() == nullptr) continue;
    std::error_code code;
    document.set_at(pointer, fs::absolute(request.directory / *file->string(), code).string());
  }
  if (const Value::Array* groups = ages.array_items(); groups != nullptr && !groups->empty()) {
    std::int64_t processors = 0;
    for (const Value& group : *groups) {
      processors += static_cast<std::int64_t>((*group.array_items())[1].number());
    }
    // Groups of nodes of the same age have no names.
    document.erase("nodes");
    document.erase("now");
    document.erase("platform_age");
    document.set("processors", processors);
    document.set("ages", ages);
  }
  document.set("journal", (directory / kJournalFile).string());
  return write_own_file(directory / "advisor.json", to_json(document) + "\n");
}

/// Returns the ages of nodes in order of their numbers, from the times since they started; nothing if Slurm does not report
/// these.
std::optional<Value> ages_since_boot(const SlurmJob& slurm, const Voice& voice) {
  std::int64_t unknown = 0;
  Value ages = Value::array();
  double least = Rules::kNever;
  double most = 0;
  for (const std::optional<double>& seconds : slurm.boot_ages()) {
    unknown += seconds ? 0 : 1;
    const double age = seconds.value_or(0);
    least = std::min(least, age);
    most = std::max(most, age);
    ages.push(Value(Value::Array{age, 1}));
  }
  if (unknown == std::ssize(slurm.nodes())) {
    voice.warn("Slurm does not say since when the nodes are up: they are taken as new");
    return std::nullopt;
  }
  voice.say(fmt::format(
      "the ages of the nodes are the times since they started (BootTime), {} to {}{}",
      format_duration(least), format_duration(most),
      unknown == 0 ? std::string() : fmt::format("; {} of unknown start taken as new", unknown)));
  return ages;
}

// Adds the current ages of the job's nodes: from the log that gives the law; otherwise, if failures depend on age and the ages
// are not given, from the times since the nodes started, which Slurm reports.
void add_ages(const std::vector<std::string>& nodes, const SlurmJob* slurm, Value& instance,
              const Voice& voice) {
  const Value* processors = instance.find("processors");
  const auto count = static_cast<double>(nodes.size());
  const bool is_of_nodes =
      processors == nullptr || (processors->is_number() && processors->number() == count);
  const bool is_told = instance.find("ages") != nullptr || instance.find("platform_age") != nullptr;
  if (nodes.empty() || !is_of_nodes || is_told) return;
  const Value* law = instance.at("/failures/distribution");
  if (instance.at("/failures/log") != nullptr) {
    instance.set("nodes", Value::list(nodes));
    instance.set("now", local_date());
  } else if (slurm != nullptr && nodes == slurm->nodes() && law != nullptr &&
             law->string() != nullptr && *law->string() != "exponential") {
    if (auto ages = ages_since_boot(*slurm, voice)) instance.set("ages", std::move(*ages));
  }
}

// Ends the processes that a killed guard left: its program ends with it, but the program's children may not.
void end_leftovers(const std::string& directory, const Voice& voice) {
  const std::string line = fmt::format("HOLDFAST_GUARD={}", directory);
  std::size_t ended = 0;
  constexpr int kMostLooks = 2000;  // 10 s
  for (int look = 0; look < kMostLooks; ++look) {
    const auto left = processes_with(line);
    if (left.empty()) break;
    if (look == 0) ended = left.size();
    for (const ProcessId& process : left) send(process, SIGKILL);
    const timespec wait{.tv_sec = 0, .tv_nsec = 5'000'000};
    ::nanosleep(&wait, nullptr);
  }
  if (ended > 0) {
    voice.say(fmt::format("ended {} that an earlier guard of this directory had left",
                          counted(ended, "process", "processes")));
  }
}

}  // namespace

Status check_guard(const GuardRequest& request) {
  HOLDFAST_TRY(pace, make_advisor_pace({.instance = request.instance,
                                        .directory = request.input_directory,
                                        .advice = request.advice},
                                       0));
  return {};
}

Result<int> run_guard(const GuardRequest& request, const Voice& voice) {
  if (::getuid() != ::geteuid()) {
    return fail(ErrorCode::io_failure, "",
                "found another effective than real user: a guard uses no "
                "privilege and does not run set-user-id");
  }
  GuardRequest own = request;
  std::error_code code;
  own.options.directory = fs::absolute(own.options.directory, code).lexically_normal().string();
  const auto environment = environment_without({});
  std::optional<SlurmJob> slurm;
  if (own.options.uses_slurm) slurm = SlurmJob::find(environment);
  AdvisorRequest asked{
      .instance = own.instance, .directory = own.input_directory, .advice = own.advice};
  if (own.options.nodes.empty() && slurm) own.options.nodes = slurm->nodes();
  asked.nodes = own.options.nodes;
  add_ages(asked.nodes, slurm ? &*slurm : nullptr, own.instance, voice);
  asked.instance = own.instance;
  if (!own.options.events.empty() && asked.nodes.empty()) {
    return fail(ErrorCode::usage, "--events",
                "found no names of the job's nodes to look for, expected --nodes");
  }
  HOLDFAST_CHECK(prepare_directory(own.options.directory));
  HOLDFAST_TRY(lock, DirectoryLock::acquire(own.options.directory, kGuardLock));
  HOLDFAST_TRY(journal, open_journal(own, voice));
  end_leftovers(own.options.directory, voice);
  const History& history = journal.history;
  asked.estimate = history.estimate;
  HOLDFAST_TRY(advisor, make_advisor_pace(asked, history.clock));
  const auto prepare = [&](double now) {
    return write_advisor(asked, own.options.directory, advisor.pace->ages(now));
  };
  HOLDFAST_CHECK(prepare(history.clock));
  for (const std::string& note : advisor.notes) voice.warn(note);
  CheckpointFiles files(own.options.checkpoint_file, own.options.keep);
  if (history.kept) files.remember(*history.kept);
  if (history.launches > 0) {
    voice.say(fmt::format("goes on after {}", counted(history.launches, "launch", "launches")));
  }
  std::optional<NodeEvents> events;
  if (!own.options.events.empty()) events.emplace(own.options.events);
  Driver driver(own.options, *advisor.pace, journal.writer, files,
                {.slurm = slurm ? &*slurm : nullptr,
                 .events = events ? &*events : nullptr,
                 .seen_events = history.event_rows,
                 .is_new = history.launches == 0,
                 .began_empty = history.launches == 0 ? !files.newest() : history.began_empty,
                 .before_launch = prepare},
                voice);
  return driver.run(history.clock, history.launches, history.tries);
}

}  // namespace holdfast::field
