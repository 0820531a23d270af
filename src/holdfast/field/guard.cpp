#include "holdfast/field/guard.hpp"

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/file_lock.hpp"
#include "holdfast/base/local_date.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/field/advisor_pace.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/job_inputs.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/node_events.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fcntl.h>
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
  if (::getuid() != ::geteuid()) {
    return fail(ErrorCode::io_failure, "",
                "found another effective than real user: a guard uses no "
                "privilege and does not run set-user-id");
  }
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

/// A guard that was killed may hold its locks for a moment more, in a process that is about to end.
constexpr int kLooksAtLock = 5;
void wait_for_lock() {
  const timespec wait{.tv_sec = 0, .tv_nsec = 200'000'000};
  ::nanosleep(&wait, nullptr);
}

/// Locks the directory. @param has_waited  set to true if another guard had to end first
Result<DirectoryLock> lock_directory(const GuardOptions& options, const Voice& voice,
                                     bool& has_waited) {
  for (int look = 1;; ++look) {
    auto lock = DirectoryLock::acquire(options.directory, kGuardLock);
    const bool is_held = !lock && DirectoryLock::is_held(options.directory, kGuardLockFile);
    if (!is_held || (!options.waits && look > kLooksAtLock)) return lock;
    if (options.waits && !std::exchange(has_waited, true)) {
      voice.say(fmt::format("{}: waits for it to end", lock.error().text()));
    }
    wait_for_lock();
  }
}

/// Keeps other guards from the same checkpoints, whatever their own folders are, until the descriptor is closed. Where the file
/// for the lock cannot be written, that is said, and there is no lock.
/// @returns io_failure if another guard holds the lock, or the file system has no locks
Result<Descriptor> lock_checkpoint(const CheckpointFiles& files, const Voice& voice) {
  const std::string path = files.lock_file();
  if (path.empty()) return Descriptor();
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.get() < 0) {
    voice.warn(fmt::format(
        "{}: cannot be written ({}): another guard of the same checkpoints would not be noticed",
        path, std::generic_category().message(errno)));
    return Descriptor();
  }
  FileLock taken = lock_file(file.get());
  for (int look = 1; taken == FileLock::held && look <= kLooksAtLock; ++look) {
    wait_for_lock();
    taken = lock_file(file.get());
  }
  if (taken == FileLock::unavailable)
    return fail(no_locks(path, std::generic_category().message(errno)));
  if (taken == FileLock::held) {
    return fail(ErrorCode::io_failure, path,
                "another guard, with another --output, holds the lock of these checkpoints; wait "
                "until it ends, or name "
                "another --checkpoint-file");
  }
  return file;
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

/// What the directory knows of the job.
struct FoundJob {
  Journal journal;
  History history;
  Value inputs;                  ///< the job's inputs now; null: they do not matter
  std::optional<int> code = {};  ///< the exit code, if there is nothing to do
  bool is_other = false;         ///< true: its inputs are others, so that it is another job
  bool starts_over = false;  ///< true: a new journal begins, with the checkpoints of the old one
};

// Makes room for a job with other inputs. The journal goes last: until then it says what these are.
Status set_job_aside(const GuardOptions& options, CheckpointFiles& files, FoundJob& found,
                     const Voice& voice) {
  const fs::path directory = options.directory;
  std::string label;
  std::error_code code;
  fs::path aside;
  for (int number = 1; label.empty() || fs::exists(aside / kJournalFile, code); ++number) {
    label = fmt::format("inputs-{}", number);
    aside = directory / "aside" / label;
  }
  HOLDFAST_TRY(moved, files.set_all_aside(label));
  fs::create_directories(aside, code);
  fs::rename(directory / kPastFolder, aside / kPastFolder, code);
  fs::rename(directory / kJournalFile, aside / kJournalFile, code);
  if (code) {
    return fail(ErrorCode::io_failure, (directory / kJournalFile).string(),
                fmt::format("cannot be set aside: {}", code.message()));
  }
  voice.say(fmt::format(
      "the inputs are others than those of the job that ran here: it is another job, and begins "
      "anew; the old journal and {} are in {}: to go on from them, move them back and give the old "
      "inputs",
      counted(moved.size(), "checkpoint file"), moved.empty() ? aside.string() : moved.front()));
  found.journal = {};
  found.history = {};
  return {};
}

/// The exit code of a guard whose job has ended.
int code_of(const History& history, bool gives_code) {
  if (history.end == "finish") return 0;
  if (history.end == "stop") return 130;
  return gives_code && !history.failures.empty() ? history.failures.back().code : 1;
}

// Finds out whether the job goes on, starts over or has ended.
// @param has_waited  true: another guard has just ended here
Result<FoundJob> find_job(const GuardRequest& request, bool has_waited, const Voice& voice) {
  const GuardOptions& options = request.options;
  const fs::path file = fs::path(options.directory) / kJournalFile;
  FoundJob out;
  if (!options.inputs.empty()) {
    HOLDFAST_TRY(inputs, look_at_inputs(options.inputs));
    out.inputs = std::move(inputs);
  }
  HOLDFAST_TRY(read, read_history(file));
  out.journal = std::move(read.journal);
  out.history = std::move(read.history);
  if (out.journal.head.is_null()) return out;
  const Value* before = out.journal.head.find("command");
  const bool is_other = before != nullptr && !(*before == Value::list(options.command));
  const Value& known = out.history.inputs;
  if (!out.inputs.is_null() && !known.is_null() && !are_same_inputs(known, out.inputs)) {
    out.is_other = true;
    return out;
  }
  if (!known.is_null() && !have_digests(out.inputs)) out.inputs = {};  // nothing has changed
  const std::string& end = out.history.end;
  if (!is_other && has_waited && !end.empty()) {
    out.code = code_of(out.history, options.gives_code);
    return out;
  }
  if (!is_other && end != "finish") return out;
  if (is_other && !options.forces) {
    return fail(ErrorCode::io_failure, file.string(),
                "found the journal of another command; name another directory with --output, or "
                "start over with --force");
  }
  if (!options.forces) {
    voice.say(
        fmt::format("the job of {} has finished before, and nothing is done; --force runs it "
                    "again",
                    options.directory));
    out.code = 0;
    return out;
  }
  out.journal = {};
  History history;
  history.generations = std::move(out.history.generations);
  out.history = std::move(history);
  out.starts_over = true;
  return out;
}

Result<OpenJournal> open_journal(const GuardRequest& request, FoundJob found, const Voice& voice) {
  const fs::path file = fs::path(request.options.directory) / kJournalFile;
  if (found.journal.cut > 0) {
    voice.warn(fmt::format("{}: the last line was not whole and is left out", file.string()));
  }
  const fs::path place = found.starts_over ? file.string() + ".new" : file.string();
  std::error_code code;
  if (found.starts_over) fs::remove(place, code);
  HOLDFAST_TRY(writer, JournalWriter::open(place, found.journal));
  const auto append = [&](const JournalEntry& entry) {
    const History& last = found.history;
    return writer.append(line_of(entry, {last.time, last.clock, boot_id(), last.launches}),
                         Durable::now);
  };
  if (found.journal.head.is_null()) {
    HOLDFAST_CHECK(writer.append(head_of(request), Durable::now));
    for (const Entry& entry : found.history.generations.entries()) HOLDFAST_CHECK(append(entry));
  }
  if (!found.inputs.is_null()) {
    add_digests(found.inputs);
    found.history.inputs = found.inputs;
    HOLDFAST_CHECK(append(entry::Inputs{std::move(found.inputs)}));
  }
  if (found.starts_over) {  // there is a journal at each moment
    fs::remove(file.string() + ".old", code);
    const fs::path past = file.parent_path() / kPastFolder;
    fs::remove_all(past.string() + ".old", code);
    fs::rename(past, past.string() + ".old", code);
    fs::create_hard_link(file, file.string() + ".old", code);
    HOLDFAST_CHECK(writer.move_to(file));
  }
  if (writer.is_long())
    static_cast<void>(compact(writer, found.history));  // a guard can do without
  return OpenJournal{std::move(writer), std::move(found.history)};
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

}  // namespace

Status check_guard(const GuardRequest& request) {
  HOLDFAST_TRY(pace, make_advisor_pace({.instance = request.instance,
                                        .directory = request.input_directory,
                                        .advice = request.advice},
                                       0));
  return {};
}

Result<int> run_guard(const GuardRequest& request, const Voice& voice) {
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
    return fail(ErrorCode::usage, "/events",
                "found no names of the job's nodes to look for, expected --nodes");
  }
  HOLDFAST_CHECK(prepare_directory(own.options.directory));
  bool has_waited = false;
  HOLDFAST_TRY(lock, lock_directory(own.options, voice, has_waited));
  HOLDFAST_TRY(found, find_job(own, has_waited, voice));
  if (found.code) return *found.code;
  RealDisk disk(own.options.marker, own.options.verify);
  CheckpointFiles files({.path = own.options.checkpoint_file,
                         .keep = own.options.keep,
                         .directory = own.options.directory,
                         .settle = own.options.settle,
                         .proves = !own.options.marker.empty(),
                         .verifies = !own.options.verify.empty()},
                        disk);
  if (own.options.marker.empty()) disk.set_marker(files.inner_name());
  HOLDFAST_TRY(target, lock_checkpoint(files, voice));
  end_leftovers(own.options.directory, voice);
  if (found.is_other) HOLDFAST_CHECK(set_job_aside(own.options, files, found, voice));
  HOLDFAST_TRY(journal, open_journal(own, std::move(found), voice));
  History& history = journal.history;
  asked.estimate = history.estimate;
  HOLDFAST_TRY(advisor, make_advisor_pace(asked, history.clock));
  const auto prepare = [&](double now) {
    return write_advisor(asked, own.options.directory, advisor.pace->ages(now));
  };
  HOLDFAST_CHECK(prepare(history.clock));
  for (const std::string& note : advisor.notes) voice.warn(note);
  if (history.launches > 0) {
    voice.say(fmt::format("goes on after {}", counted(history.launches, "launch", "launches")));
  }
  std::optional<NodeEvents> events;
  if (!own.options.events.empty()) events.emplace(own.options.events);
  Driver driver(own.options, *advisor.pace, journal.writer, files,
                {.history = &history,
                 .slurm = slurm ? &*slurm : nullptr,
                 .events = events ? &*events : nullptr,
                 .seen_events = history.event_rows,
                 .is_new = history.launches == 0,
                 .began_empty = history.launches == 0 ? files.files().empty() : history.began_empty,
                 .before_launch = prepare},
                voice);
  return driver.run(history.clock, {.launches = history.launches,
                                    .tries = history.tries,
                                    .checkpoints = history.checkpoints,
                                    .saves_not = history.saves_not});
}

}  // namespace holdfast::field
