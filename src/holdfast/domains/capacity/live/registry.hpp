#pragma once

#include "holdfast/domains/capacity/categories.hpp"
#include "holdfast/domains/capacity/live/world.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::capacity {

/// The jobs of a world by their ids, by the dates at which they are looked at again, and by length. Each change of a job is
/// noted here, so that a question does not read all of them.
class Registry {
 public:
  explicit Registry(World& world);

  static constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();
  struct Record {
    std::list<LiveJob>::iterator job;
    std::uint64_t number = 0;            ///< in the order of submission
    std::size_t task = kNoTask;          ///< its number at the policy's desk
    std::int64_t due = kNever;           ///< end of its delay, or of the patience with its start
    std::int64_t length = 0, cores = 0;  ///< as counted in cores_of_
  };
  /// Returns what is known of a job; null: no such job.
  [[nodiscard]] Record* find(std::string_view id);
  Record& add(World& world, LiveJob job);
  void erase(World& world, Record& record);
  /// Records that the phase, the dates or the size of a job have changed.
  void note(Record& record);

  /// Returns the jobs that are due, in order of submission.
  [[nodiscard]] std::vector<Record*> due(std::int64_t now) const;
  /// Returns the first date after now at which a job is due.
  [[nodiscard]] std::optional<std::int64_t> next_due(std::int64_t now) const;
  /// Returns the categories of the reference or, if there is none, of the jobs themselves.
  [[nodiscard]] const Categories& categories(const World& world);

 private:
  void count(std::int64_t length, std::int64_t cores);

  std::int64_t patience_;
  bool has_reference_;
  std::uint64_t count_ = 0;
  std::unordered_map<std::string_view, Record> records_;  // by an id that the job holds
  std::set<std::pair<std::int64_t, Record*>> due_;
  std::map<std::int64_t, std::int64_t> cores_of_;  // by length: cores of all jobs so long
  std::unique_ptr<const Categories> categories_;
};

}  // namespace holdfast::capacity
