#pragma once

#include "holdfast/domains/capacity/metrics.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <array>
#include <cstdint>
#include <queue>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::capacity {

/// One run of a job on a machine, as the schedule lists it. Times are in seconds.
struct Execution {
  enum class Outcome : std::uint8_t { completed, killed, running, saved };
  std::size_t task = 0;
  std::int64_t machine = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  Outcome outcome = Outcome::running;
};
inline constexpr auto kOutcomes =
    std::to_array<std::string_view>({"completed", "killed", "running", "saved"});

/// The machines and the runs on them. It performs starts, ends and kills, and keeps the accounts. It decides nothing.
class ClusterState {
 public:
  /// @param log  receives every execution; may be null
  ClusterState(const Instance& instance, std::span<const Task> tasks, std::vector<Execution>* log);

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] std::span<const Task> tasks() const { return tasks_; }
  [[nodiscard]] const Task& task(std::size_t index) const { return tasks_[index]; }
  /// Returns the length of the next run of a task, in seconds. The first run of a job that was already running when the window
  /// began is the rest of that job. A run after a kill repeats everything that was not saved.
  [[nodiscard]] std::int64_t next_length(std::size_t task) const { return next_length_[task]; }
  [[nodiscard]] std::int64_t free(std::int64_t machine) const {
    return free_[static_cast<std::size_t>(machine)];
  }
  /// Returns all cores of a machine.
  [[nodiscard]] std::int64_t cores(std::int64_t machine) const {
    return cores_[static_cast<std::size_t>(machine)];
  }
  [[nodiscard]] bool is_alive(std::int64_t machine) const {
    return alive_[static_cast<std::size_t>(machine)] != 0;
  }
  [[nodiscard]] std::int64_t alive_count() const { return alive_count_; }

  struct Running {
    std::size_t task = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  /// Returns the tasks that run on a machine, in the order of their starts.
  [[nodiscard]] std::span<const Running> running(std::int64_t machine) const {
    return running_[static_cast<std::size_t>(machine)];
  }

  /// Switches a machine on or off, without a change to its runs.
  void set_alive(std::int64_t machine, bool is_alive);
  /// Forgets the runs on a machine, without accounts.
  void clear(std::int64_t machine);
  /// Reads the lengths of a task again, which have changed.
  void renew(std::size_t task);
  /// Starts a task. @pre the machine is alive and has the cores
  void start(std::size_t task, std::int64_t machine, std::int64_t now);
  /// Returns the next instant at which a run ends; kNever if nothing runs.
  [[nodiscard]] std::int64_t next_end();
  struct Ended {
    std::size_t task = 0;
    std::int64_t machine = 0;
  };
  /// Ends one of the runs that end at `now`: the one of the smallest task or, in profile `author`, of the smallest (machine,
  /// task).
  Ended end_one(std::int64_t now);
  /// Switches a machine off, which ends its runs. If it was announced early enough for a checkpoint, the runs that have lasted
  /// longer than a checkpoint takes are saved; all others are killed. `killed` receives the tasks of all these runs, in the
  /// order of their starts.
  void kill_all(std::int64_t machine, std::int64_t now, std::vector<std::size_t>& killed);

  /// Closes the accounts at the end of the window, and returns them.
  Metrics close(std::int64_t waiting, std::int64_t dropped);

 private:
  struct End {
    std::int64_t time;
    std::int64_t first;  // order of equal times: task, or machine then task
    std::size_t task;
    std::int64_t machine;
    std::uint32_t run;  // number of the task's run; the entry is stale if a kill has ended that run
    bool operator>(const End& other) const {
      if (time != other.time) return time > other.time;
      if (first != other.first) return first > other.first;
      return task > other.task;
    }
  };
  void drop_stale();
  void log(std::size_t task, std::int64_t machine, std::int64_t start, std::int64_t end,
           Execution::Outcome outcome);

  const Instance& instance_;
  std::span<const Task> tasks_;
  std::vector<Execution>* log_;
  std::vector<std::int64_t> cores_;
  std::vector<std::int64_t> free_;
  std::vector<char> alive_;
  std::int64_t alive_count_ = 0;
  std::vector<std::vector<Running>> running_;
  std::vector<std::int64_t> next_length_;
  std::vector<std::int64_t> unsaved_length_;  // length of the next run after a kill
  std::vector<std::uint32_t> run_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::int64_t last_completion_ = 0;
  Metrics metrics_;
};

}  // namespace holdfast::capacity
