#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::capacity {

/// Which reading of the source holds: the text's, for users, or what its author's simulator does, for reproduction.
enum class Profile : std::uint8_t { standard, author };

/// Times in whole seconds, from the origin of the log.
struct Job {
  std::string id;
  std::int64_t release = 0;
  std::int64_t cores = 1;          ///< all on one machine
  std::int64_t length = 1;         ///< known; a killed job starts again from nothing
  std::optional<double> category;  ///< in [0, 1], 0 = longest; else computed from the reference
};

/// From `time` on that many machines are alive.
struct Step {
  std::int64_t time = 0;
  std::int64_t machines = 0;
};

/// A job of the set that fixes the categories.
struct ReferenceJob {
  std::int64_t length = 1;
  std::int64_t cores = 1;
};

/// What a run can hold: a machine takes about 1 kB.
inline constexpr std::int64_t kMostMachines = 1'000'000;

/// Jobs on machines whose number varies. Machine 0 is the safest: machine A - 1 is switched off first.
struct Instance {
  std::int64_t machines = 0;       ///< M+: the most that are ever alive
  std::int64_t safe_machines = 0;  ///< M-: the fewest
  std::int64_t cores = 1;          ///< N, of one machine
  std::vector<Step> alive;         ///< increasing times; what comes before the first is the first
  std::int64_t begin = 604800;     ///< window [begin, end)
  std::int64_t end = 1814400;
  std::vector<Job> jobs;  ///< any order; those that need more cores than a machine has are left out
  /// Empty: jobs released in the week before the window, else all jobs.
  std::vector<ReferenceJob> reference;
  Profile profile = Profile::standard;
  std::int64_t notice = 0;  ///< T: a change of the capacity is announced so long before; 0: never
  std::optional<std::int64_t>
      checkpoint;                        ///< D: seconds in which a run is saved before it is killed
  std::optional<std::int64_t> distance;  ///< D+; default by profile
  /// For strategy `as-given`: per job machine and start of each of its runs.
  struct Placement {
    std::size_t job = 0;
    std::int64_t machine = 0;
    std::int64_t start = 0;
  };
  std::vector<Placement> given;

  /// Whether runs are saved before their machine goes off: they are told early enough.
  [[nodiscard]] bool saves_runs() const { return checkpoint && *checkpoint <= notice; }
  [[nodiscard]] double mean_machines() const {
    return 0.5 * static_cast<double>(machines + safe_machines);
  }
  /// D+: largest distance between the target and the machine that is chosen. Ruling 4.1 of the specification.
  [[nodiscard]] std::int64_t largest_distance() const;
  /// Machines alive at that time.
  [[nodiscard]] std::int64_t alive_at(std::int64_t time) const;
};

/// Every rule about what is a valid problem. Errors name the field.
[[nodiscard]] Status check(const Instance& instance);

/// Returns what was left out or looks odd, one sentence each.
[[nodiscard]] std::vector<std::string> warnings(const Instance& instance);

}  // namespace holdfast::capacity
