#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::capacity {

/// A job of a running system. Times are in seconds.
struct LiveJob {
  enum class Phase : std::uint8_t {
    waiting,   ///< in the queue
    held,      ///< may not start before `since`
    starting,  ///< was to start at `since`; not confirmed yet
    running,   ///< runs since `since`
  };
  std::string id;
  std::int64_t release = 0;
  std::int64_t cores = 1;
  std::int64_t length = 1;  ///< as promised
  std::optional<double> category = {};
  Phase phase = Phase::waiting;
  std::optional<std::size_t> machine = {};  ///< where it runs, or waits to run
  /// The machines that it takes at once, with `cores` on each. No policy of this domain places a job of several: it is known
  /// while it waits, and takes its cores once it runs.
  std::int64_t width = 1;
  std::vector<std::size_t> others = {};  ///< of a job of several machines that runs: the others
  std::int64_t since = 0;
  bool operator==(const LiveJob&) const = default;
};
inline constexpr auto kPhases =
    std::to_array<std::string_view>({"waiting", "held", "starting", "running"});

class Registry;
class Desk;

/// What is kept from one question to the next because it takes long to make. A copy of a world begins without it.
struct Kept {
  Kept() = default;
  Kept(const Kept& /*other*/) noexcept {}
  Kept(Kept&&) noexcept = default;
  Kept& operator=(const Kept& other) noexcept { return *this = Kept(other); }
  Kept& operator=(Kept&&) noexcept = default;
  ~Kept() = default;

  std::shared_ptr<Registry> registry;
  std::shared_ptr<Desk> desk;
};

/// A running system as a policy of this domain sees it. The document of it is all that a policy remembers: one that is written
/// again from the system gives the same answers, if its `used_machines` and `largest_stretch` are kept.
struct World {
  /// Cores of a machine, M+, M-, D+, the reference, saving, and as `alive` the announced changes. Its jobs stay empty.
  Instance rules;
  std::vector<std::string> machines;  ///< names, safest first
  std::vector<char> is_up;            ///< by machine
  std::int64_t now = 0;               ///< date of the last event
  std::int64_t patience =
      60;  ///< seconds after which a start that was not confirmed is decided again
  Strategy::Memory memory;
  std::list<LiveJob>
      jobs;  ///< in order of submission; after the first question only events change them

  Kept kept = {};  ///< not part of the document; made at the first question
  /// Before this time nothing is decided unless something happens. Not part of the document: a world that was read is asked.
  std::int64_t quiet_until = 0;
  std::optional<std::int64_t> ask_again_at = {};  ///< what the last answer said, for that time

  [[nodiscard]] std::int64_t up_count() const;
  [[nodiscard]] std::optional<std::size_t> machine_named(std::string_view name) const;
};

/// Returns the length of a run that has lasted this long: the promised one until it is over, then 1.1 times that, then twice as
/// much, and so on. Seconds.
[[nodiscard]] std::int64_t estimated_length(std::int64_t promised, std::int64_t lasted);

/// Returns M_use of a system in which a policy begins.
[[nodiscard]] std::int64_t first_used(const Instance& rules, std::int64_t up);

/// Read and write the document of a world. Errors carry a JSON pointer.
[[nodiscard]] Result<World> read_world(const Value& document);
[[nodiscard]] Value to_value(const World& world);

}  // namespace holdfast::capacity
