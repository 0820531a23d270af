#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/repair_law.hpp"
#include "holdfast/models/resilience/spares.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {

struct Instance;

/// The node that steps in for one that failed.
enum class Replacement : std::uint8_t {
  fresh,          ///< a new one, at once: spares without end
  oldest,         ///< of the idle nodes the one that has been up longest
  last_repaired,  ///< the one that has been up for the shortest time
  random,         ///< any of them
  same,           ///< the failed node itself, when it is repaired
};

/// What comes of a repair that did not help.
enum class FailedRepair : std::uint8_t {
  again,    ///< it is found at once, and the node queues for another repair
  returns,  ///< it is not found: the node comes back, and its next life has a law of its own
};

/// When a job that goes on with fewer nodes takes nodes back.
enum class Join : std::uint8_t {
  checkpoint,  ///< after its next checkpoint, for one recovery
  failure,     ///< at its next interruption, without further cost
};

/// The nodes beyond those of a job, and how failed nodes come back. Times are in seconds.
struct SparePlatform {
  std::optional<std::int64_t> spares;     ///< S; nothing: one is always there
  std::optional<RepairLaw> repair;        ///< the length of a repair; nothing: not given
  std::optional<std::int64_t> repairers;  ///< m, repairs at the same time; nothing: any number
  double repair_failure = 0;              ///< f, share of repairs that do not help
  FailedRepair failed_repair = FailedRepair::again;
  std::optional<Law> relapse;              ///< the law of a life after such a repair
  std::optional<Replacement> replacement;  ///< nothing: the default
  double idle_ageing = 1;                  ///< seconds that an idle node ages per second
  double spare_delay = 0;            ///< from the choice of a spare until it is ready, seconds
  std::optional<double> node_price;  ///< per node-hour
  std::optional<std::int64_t> minimum_nodes;  ///< nodes with which the job goes on; nothing: all
  /// [n, speed] by n, of which other speeds are interpolated; empty: linear, n / N.
  std::vector<std::pair<std::int64_t, double>> speed;
  Join join = Join::checkpoint;

  /// Returns true if failed nodes are repaired, so that the job may lack one.
  [[nodiscard]] bool has_pool() const {
    return spares || (replacement == Replacement::same && repair && repair->mean() > 0);
  }
  /// Returns how fast a job on `all` nodes works with some of them: 1 with all, and 0 with fewer than the least that
  /// `speed` lists, with which it waits.
  [[nodiscard]] double speed_of(std::int64_t nodes, std::int64_t all) const;
  /// Returns the rule by which nodes step in.
  [[nodiscard]] Replacement chosen() const {
    return replacement.value_or(spares ? Replacement::oldest : Replacement::fresh);
  }
};

/// The largest number of nodes and spares together.
inline constexpr std::int64_t kMostPoolNodes = 10'000'000;

/// Reads the fields of an instance that are not in the table of fields, or not alone: repair, failed_repair, relapse,
/// replacement, speed, join.
void read_spare_platform(ObjectReader& read, const std::filesystem::path& directory,
                         SparePlatform& out);
/// Returns an error at a field of the document.
[[nodiscard]] Status refuse_field(std::string_view field, std::string message);
/// Checks the rules between the fields. Errors name the field as a JSON pointer.
[[nodiscard]] Status check_spare_platform(const Instance& instance);
/// Writes the same fields, and none that has its default.
void write_spare_platform(const SparePlatform& platform, Value& document);

/// Returns the means of the platform, for closed forms. A repair that does not help takes the time of the next one too, or
/// shortens the mean life.
/// @param platform  the instance's, or one that is to be compared with it
/// @param spares    S
/// @pre instance.law and a repair
[[nodiscard]] SpareNodes spare_nodes(const Instance& instance, const SparePlatform& platform,
                                     std::int64_t spares);

/// Returns "repairs take 6 d 2 h on average, any number at once" or what else there is to say of repairs.
[[nodiscard]] std::string repairs_in_words(const SparePlatform& platform);

}  // namespace holdfast::checkpoint
