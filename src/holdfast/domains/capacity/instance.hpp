#pragma once

#include "holdfast/base/error.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::capacity {

/// The reading of the source: that of the text, for users, or that of its author's simulator, for reproductions.
enum class Profile : std::uint8_t { standard, author };

/// A job. Times are in whole seconds, from the origin of the log.
struct Job {
  std::string id;
  std::int64_t release = 0;
  std::int64_t cores = 1;  ///< all on one machine
  /// Length in seconds, known in advance. A killed job starts again from nothing.
  std::int64_t length = 1;
  /// In [0, 1], 0 for the longest jobs; if absent, it is computed from the reference.
  std::optional<double> category = {};
};

/// A number of machines that are alive from `time` on.
struct Step {
  std::int64_t time = 0;
  std::int64_t machines = 0;
};

/// Seconds of an hour, in which rates are given.
inline constexpr double kHour = 3600;

/// A rate from `time` on: what a machine costs in an hour, in money or in grams of carbon dioxide.
struct Rate {
  std::int64_t time = 0;
  double per_hour = 0;
};

/// What strategies are compared by.
enum class Objective : std::uint8_t { goodput, money, grams };
inline constexpr auto kObjectives = std::to_array<std::string_view>({"goodput", "money", "grams"});

/// A part of the window in which the number of machines alive does not change.
struct AliveSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t machines = 0;
};

/// Machines of one size.
struct MachineSize {
  std::int64_t machines = 1;
  std::int64_t cores = 1;  ///< of each
  bool operator==(const MachineSize&) const = default;
};

/// A job of the set that defines the categories.
struct ReferenceJob {
  std::int64_t length = 1;  ///< seconds
  std::int64_t cores = 1;
};

/// The largest number of machines in a run; a machine takes about 1 kB.
inline constexpr std::int64_t kMostMachines = 1'000'000;

/// The end of a window that does not end, in seconds: far from overflow.
inline constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max() / 4;

/// Jobs on machines whose number varies. Machine 0 is the safest: machine A - 1 is always the next to be switched off.
struct Instance {
  std::int64_t machines = 0;       ///< M+: largest number of machines ever alive
  std::int64_t safe_machines = 0;  ///< M-: smallest number of machines ever alive
  std::int64_t cores = 1;          ///< N: cores of one machine, of the largest if they differ
  std::vector<Step> alive;         ///< increasing times; the first entry also holds before its time
  std::int64_t begin = 604800;     ///< window [begin, end)
  std::int64_t end = 1814400;
  /// Machines that differ in size, safest first, together `machines`; empty if each of them has `cores`. A smaller machine is a
  /// large one whose missing cores are never free.
  std::vector<MachineSize> sizes = {};
  /// In any order; jobs that need more cores than a machine has are left out.
  std::vector<Job> jobs = {};
  /// The jobs that define the categories; if empty, jobs released in the week before the window, or else all jobs.
  std::vector<ReferenceJob> reference = {};
  Profile profile = Profile::standard;
  /// T: seconds by which a change of the capacity is announced in advance; 0 if none is announced.
  std::int64_t notice = 0;
  /// The probability that a fall of the capacity is announced, and the expected share of announcements that come true.
  double notice_recall = 1;
  double notice_precision = 1;
  /// D: seconds that saving a run takes; absent if runs are not saved.
  std::optional<std::int64_t> checkpoint = {};
  /// Seconds after its kill before which a job does not start again.
  std::int64_t requeue_delay = 0;
  std::int64_t boot = 0;      ///< seconds from power to the first job on a machine that comes on
  std::int64_t shutdown = 0;  ///< seconds for which a machine that goes off still draws power
  /// With `boot`, the machines that are powered; `alive` are then those of them that have booted. Otherwise empty.
  std::vector<Step> powered = {};
  std::vector<Rate> price =
      {};  ///< money, increasing times; the first entry also holds before its time; empty: unknown
  std::vector<Rate> carbon = {};  ///< grams, likewise
  Objective objective = Objective::goodput;
  std::optional<std::int64_t> distance = {};  ///< D+; the default depends on the profile
  /// A run of a job for strategy `as-given`: job, machine and start.
  struct Placement {
    std::size_t job = 0;
    std::int64_t machine = 0;
    std::int64_t start = 0;
  };
  std::vector<Placement> given = {};

  /// Returns true if runs are saved before their machine goes off, because the announcement is early enough.
  [[nodiscard]] bool saves_runs() const { return checkpoint && *checkpoint <= notice; }
  /// Returns M_avg, the mean of M+ and M-.
  [[nodiscard]] double mean_machines() const {
    return 0.5 * static_cast<double>(machines + safe_machines);
  }
  /// Returns D+, the largest distance between the target and the chosen machine. The thesis gives no value: by default it is
  /// 5/12 of the mean number of machines, and 11 in profile `author`, as in the author's simulator.
  [[nodiscard]] std::int64_t largest_distance() const;
  /// Returns the cores of a machine.
  [[nodiscard]] std::int64_t cores_of(std::int64_t machine) const;
  /// Returns the cores of the first machines together.
  [[nodiscard]] std::int64_t cores_on(std::int64_t first_machines) const;
  /// Returns the different sizes of machines in cores, ascending.
  [[nodiscard]] std::vector<std::int64_t> distinct_sizes() const;
  /// Returns the number of machines alive at that time.
  [[nodiscard]] std::int64_t alive_at(std::int64_t time) const;
  /// Returns the spans of the window, in order of time.
  [[nodiscard]] std::vector<AliveSpan> alive_spans() const;
  /// Returns the numbers of powered machines, booting ones included.
  [[nodiscard]] const std::vector<Step>& powered_steps() const {
    return powered.empty() ? alive : powered;
  }
  /// Returns the spans of the powered machines.
  [[nodiscard]] std::vector<AliveSpan> powered_spans() const;
};

/// Keeps `alive` as `powered`, and takes from `alive` the machines that are still booting. Without `boot` nothing changes.
void boot_machines(Instance& instance);

/// Gives the instance machines of these sizes, safest first: their number, and the cores of the largest. Sizes that are all equal
/// are not kept, because that is an instance without them.
/// @pre sizes is not empty
void set_sizes(Instance& instance, const std::vector<MachineSize>& sizes);

/// Checks all rules for valid instances. Errors name the field.
[[nodiscard]] Status check(const Instance& instance);

/// Returns one sentence for each thing that a user should know: jobs that are left out, and a checkpoint that saves no run.
[[nodiscard]] std::vector<std::string> warnings(const Instance& instance);

}  // namespace holdfast::capacity
