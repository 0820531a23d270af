#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/capacity/live/advance.hpp"
#include "holdfast/steward/look.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::steward {

/// What happens to nodes when fewer may be on.
enum class Switch : std::uint8_t {
  drain,  ///< no job starts there; those that run go on
  down,   ///< they go down, and Slurm starts their jobs again elsewhere
  power,  ///< the same, by Slurm's power saving, which switches them off
};
inline constexpr auto kSwitches = std::to_array<std::string_view>({"drain", "down", "power"});

/// What a steward was given to care for.
struct Charge {
  std::vector<std::string> nodes;  ///< safest first
  std::string partition;
  StrategySpec policy;
  Switch how = Switch::drain;
  /// How long a job that the policy lets wait is held back at a time, seconds: if nobody holds it again, Slurm may start it then.
  std::int64_t hold = 600;
};

/// Something that is done in Slurm.
struct Action {
  enum class Do : std::uint8_t {
    place,    ///< the job may only start on the node
    hold,     ///< the job does not start before a date
    release,  ///< it may start now
    off,      ///< the node goes out of service
    on,       ///< it comes back
    drain,    ///< no job starts there any more, however nodes leave otherwise
    resume,   ///< that is over
  };
  Do what = Do::place;
  std::string job = {};
  std::string node = {};
  std::string because = {};
  std::int64_t until = 0;  ///< `hold`: seconds since 1970
  bool is_again = false;   ///< `hold`: it is held back already
  /// Returns true if the node goes out of service.
  [[nodiscard]] bool takes_out() const { return what == Do::off || what == Do::drain; }
  /// Returns what it is about: "place 17 n03".
  [[nodiscard]] std::string key() const;
};
inline constexpr auto kActions =
    std::to_array<std::string_view>({"place", "hold", "release", "off", "on", "drain", "resume"});

/// What a steward knows. Its document and what Slurm says are all that an answer depends on.
struct State {
  capacity::World world;
  std::map<std::string, std::set<std::string>> placed;  ///< by job: the nodes that we gave it
  std::set<std::string> off;                            ///< nodes that we switched off
  std::map<std::string, std::int64_t> held;  ///< by job: the date before which we let it not start
  struct Refusal {
    std::int64_t count = 0;
    std::int64_t again = 0;  ///< date before which it is not tried again, seconds since 1970
    bool operator==(const Refusal&) const = default;
  };
  std::map<std::string, Refusal> refused;      ///< by key of the action
  std::map<std::string, std::string> because;  ///< by job that waits: why it waits for its node
};

/// Returns the state of a steward that begins: no machine is known to be on.
[[nodiscard]] State first_state(const Charge& charge, std::int64_t cores, std::int64_t safe,
                                std::int64_t now);
[[nodiscard]] Result<State> read_state(const Value& document);
[[nodiscard]] Value to_value(const State& state);

/// What a step hands back.
struct Said {
  std::vector<Action> actions;
  std::optional<std::int64_t> ask_again_at;  ///< seconds since 1970
  /// Jobs of the partition that are left alone, by reason.
  std::map<std::string, std::int64_t> left_alone;
  std::int64_t waiting = 0;  ///< jobs that are cared for
  std::int64_t running = 0;  ///< jobs on these nodes, also on those that are to leave
  std::int64_t usable = 0;   ///< nodes
  std::int64_t kept = 0;     ///< nodes that a person keeps out of service
  bool is_news = true;       ///< false: nothing happened, and the state says what it said before
};

/// The decision at one look. Differences between what is known and what is seen are what happened; the policy decides on them;
/// and actions are the differences between what it wants and what is seen, so that one which was lost is wanted again.
[[nodiscard]] Result<Said> step(State& state, const Look& look, const Charge& charge);

/// Record that an action is about to be done, and that Slurm refused it. What is about to be done is kept first, so that it is
/// known as ours whatever happens then.
void note_begun(State& state, const Action& action);
void note_refused(State& state, const Action& action, std::int64_t now);

/// Returns what gives the jobs back to Slurm that are held back.
[[nodiscard]] std::vector<Action> releases_of(const State& state, const Look& look);

/// Returns true if the job waits for a date that we have given it.
[[nodiscard]] bool is_held_by_us(const State& state, const SeenJob& job);

/// The times after which an action that was refused is left alone until something else is wanted.
inline constexpr std::int64_t kTries = 3;
/// The words with which the reasons of nodes begin that a steward switched off.
inline constexpr std::string_view kReason = "holdfast";

}  // namespace holdfast::steward
