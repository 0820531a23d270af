#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/live/event.hpp"
#include "holdfast/domains/capacity/live/world.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::capacity {

/// A wish of a policy. What becomes of it, later events say.
struct LiveMove {
  enum class Do : std::uint8_t {
    start,  ///< start the job on the machine, now
    place,  ///< the job waits for this machine, and is to start there at `at`
    wait,   ///< the job waits for no machine any more
  };
  Do what = Do::start;
  std::string job;
  std::string on = {};
  std::int64_t cores = 1;
  std::int64_t at = 0;  ///< seconds
  std::string because = {};
  bool operator==(const LiveMove&) const = default;
};
inline constexpr auto kMoves = std::to_array<std::string_view>({"start", "place", "wait"});

/// What a policy says after events.
struct LiveAdvice {
  std::vector<LiveMove> moves;
  std::optional<std::int64_t> ask_again_at;  ///< seconds; absent: at the next event
  std::vector<std::string> ignored;          ///< ids in events that are not known
};

/// Returns true if the policy gives each waiting job a machine, and not only those that start.
[[nodiscard]] bool plans_ahead(const StrategySpec& spec);

/// Refuses a strategy that cannot decide live: one that knows the future, or that lacks what it needs to know.
/// @param is_priced  true: prices or carbon are known
[[nodiscard]] Status check_live(const StrategySpec& spec, bool is_priced);

/// Lets a policy decide after events, and moves the world on. Events come in order of time. A job that runs beyond its length
/// ends "now or later"; waiting jobs keep their machines, in order of submission, and their starts are computed again. What the
/// simulator would do in an exact world is what the policy does here.
/// A job of several machines waits until `started` says where it runs.
/// @param events  if there are none, time has gone on to the world's `now`
/// @returns the moves, or an error: an event before the world's time or with impossible numbers, placed at /NUMBER/field; a
///     strategy that cannot decide live. The world is then as it was.
[[nodiscard]] Result<LiveAdvice> advance(World& world, std::span<const LiveEvent> events,
                                         const StrategySpec& spec);

}  // namespace holdfast::capacity
