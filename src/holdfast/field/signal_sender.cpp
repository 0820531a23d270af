#include "holdfast/field/signal_sender.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace holdfast::field {
namespace {

/// Seconds for which a program may run without a handler for the signal that asks it to save.
constexpr double kPatienceWithHandler = 10;
/// A signal counts as blocked for good when it was blocked for so many seconds, in every one of so many looks.
constexpr double kBlocked = 1;
constexpr int kLooks = 20;

std::string file_name(std::string_view path) {
  return std::filesystem::path(path).filename().string();
}

/// Returns the processes of a Slurm step on this machine that belong to the guard's job.
std::vector<ProcessId> ranks_of_slurm(const std::string& directory) {
  std::set<pid_t> steps;
  const auto processes = all_processes();
  for (const ProcessState& process : processes) {
    if (process.name.starts_with("slurmstepd")) steps.insert(process.id.pid);
  }
  std::vector<ProcessId> out;
  const std::string line = fmt::format("HOLDFAST_GUARD={}", directory);
  for (const ProcessState& process : processes) {
    const bool is_rank = !process.is_dead && steps.contains(process.parent);
    if (is_rank && has_in_environment(process.id.pid, line)) out.push_back(process.id);
  }
  return out;
}

/// Returns the children of mpirun, without those that only pass signals on to other machines.
std::vector<ProcessId> ranks_of_mpi(const ProcessId& launcher) {
  constexpr auto kPassOn = std::to_array<std::string_view>({"orted", "prted", "ssh", "srun"});
  std::vector<ProcessId> out;
  for (const ProcessState& process : all_processes()) {
    if (process.parent != launcher.pid || process.is_dead) continue;
    if (std::ranges::find(kPassOn, process.name) == kPassOn.end()) out.push_back(process.id);
  }
  return out;
}

/// Returns the outermost descendants that have a rank in their environment.
std::vector<ProcessId> workers_of_torch(const ProcessId& launcher) {
  const auto processes = all_processes();
  std::vector<ProcessId> out;
  std::vector<pid_t> parents = {launcher.pid};
  while (!parents.empty()) {
    std::vector<pid_t> next;
    for (const ProcessState& process : processes) {
      if (process.is_dead || std::ranges::find(parents, process.parent) == parents.end()) continue;
      if (has_in_environment(process.id.pid, "LOCAL_RANK=")) {
        out.push_back(process.id);
      } else {
        next.push_back(process.id.pid);
      }
    }
    parents = std::move(next);
  }
  return out;
}

bool is_shell(std::string_view name) {
  constexpr auto kShells = std::to_array<std::string_view>({"sh", "bash", "dash", "zsh", "ksh"});
  return std::ranges::find(kShells, name) != kShells.end();
}

}  // namespace

Launcher launcher_of(std::span<const std::string> words) {
  if (words.empty()) return Launcher::none;
  const std::string name = file_name(words[0]);
  for (const std::string_view mpi : {"mpirun", "mpiexec", "orterun", "prterun"}) {
    if (name.starts_with(mpi)) return Launcher::mpi;
  }
  if (name == "srun") return Launcher::slurm;
  if (name == "torchrun" || name == "deepspeed") return Launcher::torch;
  if (name == "accelerate") {
    return words.size() > 1 && words[1] == "launch" ? Launcher::torch : Launcher::none;
  }
  if (!name.starts_with("python")) return Launcher::none;
  std::size_t at = 1;  // `python -u -m torch.distributed.run`, `python /usr/bin/torchrun`
  while (at < words.size() && words[at].starts_with('-') && words[at] != "-m") ++at;
  if (at + 1 < words.size() && words[at] == "-m") {
    const std::string& module = words[at + 1];
    const bool is_run = module == "torch.distributed.run" || module == "torch.distributed.launch" ||
                        module == "deepspeed.launcher.runner";
    return is_run || module == "accelerate.commands.launch" ? Launcher::torch : Launcher::none;
  }
  const auto script = words.subspan(std::min(at, words.size()));
  return script.empty() || file_name(script[0]).starts_with("python") ? Launcher::none
                                                                      : launcher_of(script);
}

void SignalSender::begin(const ProcessId& program, double now) {
  program_ = program;
  launcher_ = launcher_of(words_of(program.pid));
  is_due_ = true;
  begun_at_ = now;
  blocked_.clear();
}

// A handler is a handler; a blocked signal may be blocked only for an instant, as while a thread is made.
bool SignalSender::accepts(const ProcessId& process, double now) {
  const Reception reception = reception_of(process, signal_);
  if (reception != Reception::blocks) {
    blocked_.erase(process.pid);
    return reception != Reception::ends_it;
  }
  Blocked& blocked = blocked_.try_emplace(process.pid, Blocked{.since = now}).first->second;
  return ++blocked.looks >= kLooks && now - blocked.since >= kBlocked;
}

bool SignalSender::all_accept(std::span<const ProcessId> processes, double now) {
  bool out = true;
  for (const ProcessId& process : processes) out = accepts(process, now) && out;
  return out;
}

bool SignalSender::send_to(const ProcessId& process, bool must_stand) const {
  const bool is_blocked = blocked_.contains(process.pid);
  return send_handled(process, signal_, is_blocked ? Reception::blocks : Reception::waits,
                      must_stand);
}

// A launcher that passes signals on blocks them, and one of its threads takes them.
bool SignalSender::send_through(std::span<const ProcessId> ranks, double now) {
  return all_accept(ranks, now) && reception_of(program_, signal_) != Reception::ends_it &&
         send(program_, signal_);
}

bool SignalSender::send_to_workers(double now) {
  const auto workers = workers_of_torch(program_);
  if (workers.empty() || !all_accept(workers, now)) return false;
  // With --signals-to-handle it passes the signal on, and then ends them all.
  if (ends_ && reception_of(program_, signal_) == Reception::handles) {
    return send(program_, signal_);
  }
  bool is_sent = false;
  for (const ProcessId& worker : workers) {
    is_sent = send_to(worker, false) || is_sent;
  }
  return is_sent;
}

void SignalSender::look(double now) {
  if (!is_due_) return;
  bool is_sent = false;
  switch (launcher_) {
    case Launcher::none: {
      const bool must_stand = now - begun_at_ <= kPatienceWithHandler;
      is_sent = accepts(program_, now) && send_to(program_, must_stand);
      break;
    }
    case Launcher::mpi: {
      const auto ranks = ranks_of_mpi(program_);
      is_sent = has_children(program_.pid) && send_through(ranks, now);
      break;
    }
    case Launcher::slurm:
      is_sent = send_through(ranks_of_slurm(directory_), now);
      break;
    case Launcher::torch:
      is_sent = send_to_workers(now);
      break;
  }
  if (is_sent) is_due_ = false;
}

std::string SignalSender::complaint(double now) {
  if (!is_due_ || has_complained_ || now - begun_at_ <= kPatienceWithHandler) return {};
  const auto state = state_of(program_.pid);
  if (!state || (launcher_ == Launcher::none && accepts(program_, now))) return {};
  has_complained_ = true;
  const std::string name = printable(state->name);
  if (launcher_ == Launcher::torch) {
    return fmt::format(
        "the launcher {} passes no signal on, and not all of its workers handle the one of "
        "--trigger, "
        "which would end them: it is not sent; use --trigger stop:USR1, with --signals-to-handle "
        "of "
        "torchrun, or --trigger api",
        name);
  }
  const std::string said = fmt::format(
      "{} has no handler for the signal of --trigger, which would end it: it is not sent",
      launcher_ == Launcher::none ? name : fmt::format("a rank of {}", name));
  if (!is_shell(state->name)) return said;
  return said + fmt::format("; only {} itself is asked, so end a script with 'exec PROGRAM'", name);
}

}  // namespace holdfast::field
