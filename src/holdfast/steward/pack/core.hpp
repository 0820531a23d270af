#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/cosched/strategies.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A pack: applications that share the processors of one allocation. Each runs under a guard, on as many processors as a strategy of
/// cosched gives it, and changes them by saving, ending and starting again. Dates are in seconds since 1970.
namespace holdfast::steward::pack {

enum class Phase : std::uint8_t {
  waits,     ///< it starts as soon as its processors are free
  starts,    ///< its guard is about to be started, or was and has not begun
  runs,      ///< its guard runs, and restarts it where it fails
  stops,     ///< its guard was asked to let it save and end
  held,      ///< it has saved and ended, and not because of a decision
  ended,     ///< done
  given_up,  ///< its guard gave up, or cannot be started
};
inline constexpr auto kPhases = std::to_array<std::string_view>(
    {"waits", "starts", "runs", "stops", "held", "ended", "given up"});

/// Processors by their numbers, ascending.
using Processors = std::vector<std::int64_t>;

/// What is known of an application.
struct Application {
  std::string id = {};
  Phase phase = Phase::waits;
  std::int64_t launch = 0;     ///< number of its present or last guard, from 1
  Processors processors = {};  ///< those that it has; empty: it does not run
  Processors planned = {};     ///< those that it is to have
  double left = 1;             ///< fraction of its work that was left ...
  double saved = 0;            ///< ... when its guards had saved so many seconds of work
  std::int64_t programs = 0;   ///< programs that its guards had launched before the present guard
  std::int64_t failures = 0;   ///< failures that its guards have seen
  std::int64_t refusals = 0;   ///< guards in a row that launched nothing
  std::int64_t moves = 0;      ///< how often its processors were changed
  double asked = 0;            ///< when its guard was started
  double ended = 0;            ///< when its end was seen
  std::string why = {};        ///< why it is held or was given up

  [[nodiscard]] bool is_over() const { return phase >= Phase::ended; }
  [[nodiscard]] bool has_guard() const { return phase >= Phase::starts && phase <= Phase::stops; }
};

/// A node, whose processors are numbered behind those of the nodes before it.
struct Node {
  enum class Lent : std::uint8_t { kept, going, gone };
  std::string name = {};
  std::int64_t slots = 1;
  Lent lent = Lent::kept;  ///< going: it is about to be given back
  friend bool operator==(const Node&, const Node&) = default;
};
inline constexpr auto kLent = std::to_array<std::string_view>({"kept", "going", "gone"});

/// What is kept on the disk. With the folders of the guards it is all that a restart needs.
struct State {
  double begun = 0;
  std::vector<Node> nodes;
  std::vector<Application> applications;

  [[nodiscard]] bool is_over() const;
  /// Returns the processors of the nodes that are not given back; of an odd number one less.
  [[nodiscard]] Processors usable() const;
  /// Returns how many of some processors each node has: "n1:4,n2:2".
  [[nodiscard]] std::string hosts(const Processors& processors) const;
};
[[nodiscard]] Result<State> read_state(const Value& document);
[[nodiscard]] Value to_value(const State& state);

/// What is seen of an application: its claim, and the folder of its guards.
struct Seen {
  bool is_claimed = false;    ///< the present guard was started
  bool is_alive = false;      ///< it may yet begin
  bool is_guarded = false;    ///< a guard has the folder
  std::int64_t programs = 0;  ///< programs that were launched there
  std::int64_t failures = 0;  ///< failures of the program
  std::string failure = {};   ///< the last one
  std::string end = {};       ///< how the last program came to its end: as in History::end
  std::string reason = {};
  double saved = 0;  ///< seconds of work that are saved
  double since = 0;  ///< since when work is not saved, if it computes; 0: it does not
};

/// Something that happened to an application.
struct Event {
  enum class What : std::uint8_t {
    began,    ///< its guard has the folder
    missing,  ///< its guard was never started
    refused,  ///< its guard ended without launching anything
    failed,   ///< it failed, and its guard restarts it
    lost,     ///< its guard was killed
    stopped,  ///< it has saved and ended
    ended,    ///< it is done
    gave_up,  ///< its guard has given up
  };
  What what = What::began;
  std::size_t application = 0;
  std::string text = {};
};
inline constexpr auto kEvents = std::to_array<std::string_view>(
    {"began", "missing", "refused", "failed", "lost", "stopped", "ended", "gave up"});

/// Something to do.
struct Action {
  enum class Do : std::uint8_t { start, stop, give_back };
  Do what = Do::start;
  std::size_t of = 0;  ///< which application, or node
};

/// What a strategy answered.
struct Decision {
  Event event;
  std::vector<std::string> moves = {};  ///< "a 4 -> 2"
  double expected = 0;                  ///< expected end, seconds since the beginning
  double without = 0;                   ///< the same if nothing moves
};

/// What a pack was given.
struct Charge {
  const cosched::Instance* instance = nullptr;
  std::span<const cosched::TaskTimes> times;
  const cosched::Strategy* strategy = nullptr;
  bool gives_back = false;  ///< nodes that no application is to have are given back
  bool halts = false;       ///< all are to save and end
};

/// How long a guard may take to begin, seconds; and after how many in a row that launch nothing an application is given up.
inline constexpr double kSilent = 3;
inline constexpr std::int64_t kRefusals = 3;

/// Returns a pack that begins: with the first allocation of its strategy, on these nodes.
[[nodiscard]] State begin(const Charge& charge, std::vector<Node> nodes, double now);
/// Gives a pack that goes on other nodes, if nothing of it runs. Errors name the field.
[[nodiscard]] Status fit(State& state, const std::vector<Node>& nodes);

/// Returns what happened.
/// @param seen  [applications]
[[nodiscard]] std::vector<Event> events_of(const State& state, std::span<const Seen> seen,
                                           double now);

/// What a step has found, decided and wants done.
struct Said {
  std::vector<Event> events;
  std::vector<Decision> decisions;
  std::vector<Action> actions;
};
/// Takes what is seen, decides at failures and ends, and returns what is to be done. The state must be on the disk before that is done; after a
/// kill the next step wants again what was not done.
[[nodiscard]] Said step(State& state, std::span<const Seen> seen, double now, const Charge& charge);

}  // namespace holdfast::steward::pack
