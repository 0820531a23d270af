#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/arbiter/allocation.hpp"
#include "holdfast/arbiter/application.hpp"
#include "holdfast/arbiter/frames.hpp"
#include "holdfast/arbiter/happening.hpp"
#include "holdfast/arbiter/standing.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::arbiter {

/// The settings of an arbiter, in seconds and bytes per second.
struct Settings {
  double bandwidth = 0;  ///< B, > 0
  /// Bandwidth of a node, for applications that do not declare theirs; 0: unknown.
  double node_bandwidth = 0;
  double coalesce = 0.002;  ///< events closer together than this are decided together
  /// A rate is kept for at least this time, unless its operation ends. Progress during less time counts as none.
  double min_grant = 0.25;
  double max_pause = 60;  ///< longest time that an application waits without bandwidth
  double lease = 10;      ///< time after which a grant that is not renewed becomes the floor
  double report = 2;      ///< interval between reports; after three missing ones bandwidth is freed
  double idle = 5;        ///< an application that moves nothing for this long loses its operation
  double gap = 0.5;     ///< the same for programs of `io run`, which cannot say that they are done
  double grace = 60;    ///< time for which a new application's yield counts as at least the median
  double keep = 60;     ///< time for which an application without a connection is remembered
  double greeting = 5;  ///< time after which a connection without HELLO is closed
  std::size_t connections = 16384;
  std::size_t connections_of_user = 256;
  std::size_t applications = 4096;
  std::uint32_t owner = 0;  ///< user of the service, who may register applications, like root
  std::uint32_t epoch = 1;  ///< number of the start, increased at each start
  std::string policy = {};  ///< name of the strategy, for watchers
};

/// The process at the other end of a connection, as reported by the kernel.
struct Peer {
  std::uint32_t uid = 0;
  std::uint32_t pid = 0;
  std::string job = {};   ///< job of the batch system; empty: none
  bool sees_all = false;  ///< true: it may watch the applications of others
};

using ConnectionId = std::uint64_t;

struct Outgoing {
  ConnectionId to = 0;
  Frame frame;
};

/// The actions for the program around a core: send these frames in order, then close those connections.
struct Effects {
  std::vector<Outgoing> frames;
  std::vector<ConnectionId> closes;
};

/// The data of an application that are kept while the arbiter is not running.
struct Memory {
  std::uint32_t uid = 0;
  std::string name = {};
  double age = 0;    ///< seconds since its release
  double delay = 0;  ///< seconds of these for which it was stalled
  /// Seconds of the iterations that Set-10 has seen, and how many they were.
  double iteration_sum = 0;
  double iteration_count = 0;
  std::uint32_t nodes = 0;
  double declared = 0;  ///< bytes/s
  double stay = 0;      ///< seconds that it stays without a connection, because it was registered
  Token resume = {};
};

/// The arbiter without sockets and clocks: frames and dates go in, frames and the next date come out. Dates are seconds on a
/// clock that never goes back. The same events always have the same effects.
class Core {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// @param strategy  decides how bandwidth is shared
  /// @param tokens    makes tokens that nobody can guess
  Core(const Settings& settings, std::unique_ptr<bandwidth::Strategy> strategy,
       std::function<Token()> tokens);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  /// Sets an observer that receives all further events.
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// Reports the connected applications and their grants to an observer, as if they joined now.
  void introduce(const Observer& observer, double now) const;

  void on_connect(ConnectionId id, Peer peer, double now);
  void on_frame(ConnectionId id, const Frame& frame, std::uint32_t sequence, double now);
  /// Handles invalid frames, too many of them, and the like: ends the connection with an ERROR.
  void on_fault(ConnectionId id, const Fault& fault, double now);
  void on_close(ConnectionId id, double now);
  void on_tick(double now);
  /// Tells all connections that the arbiter ends.
  void shut_down(double now);

  /// Takes over the memory of an earlier arbiter, before any connection.
  /// @param downtime  seconds since the earlier arbiter ended
  void restore(const std::vector<Memory>& memories, double downtime, double now);
  [[nodiscard]] std::vector<Memory> remember(double now) const;

  /// Returns the actions that are due now.
  [[nodiscard]] Effects take() { return std::exchange(effects_, {}); }
  /// Returns the latest date for the next tick.
  [[nodiscard]] double wake() const;

  /// Uses other settings and another strategy from now on. Owner and epoch stay.
  void change(const Settings& settings, std::unique_ptr<bandwidth::Strategy> strategy, double now);

  [[nodiscard]] std::vector<Standing> standings(double now) const;
  [[nodiscard]] Totals totals() const;
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }
  [[nodiscard]] std::uint64_t decisions() const { return decisions_; }
  /// Returns the sum of the rates in force, which is at most the bandwidth.
  [[nodiscard]] double granted() const;
  /// Returns the sum of the floors of all applications, which is at most the bandwidth.
  [[nodiscard]] double floors() const;

 private:
  struct Connection;
  struct Application;
  using Key = std::pair<std::uint32_t, std::string>;

  void on(Connection& from, const Hello& frame, double now);
  void on(Connection& from, const Post& frame, double now);
  void on(Connection& from, const Report& frame, double now);
  void on(Connection& from, const Done& frame, double now);
  void on(Connection& from, const Bye& frame, double now);
  void on(Connection& from, const Ping& frame, double now);
  void on(Connection& from, const Pong& frame, double now);
  void on(Connection& from, const Watch& frame, double now);
  void on(Connection& from, const Register& frame, double now);
  template <class ServersOwn>
  void on(Connection& from, const ServersOwn& frame, double now);

  Application* application_for(const Key& key, double now);
  void attach(Connection& from, Application& own, double now);
  [[nodiscard]] static Joined joined(const Application& one, double now);
  void declare(Application& one, std::uint32_t nodes, double bandwidth, double now);
  void reconsider(Application& one, bool is_news, double now);
  void enqueue(Application& one, double now);
  void charge(Application& one, std::uint64_t rate, double now);
  Application* application_of(const Connection& from, const Hello& frame, double now);
  [[nodiscard]] static Key key_of(const Connection& from, const Hello& frame);
  [[nodiscard]] bool owns(Connection& from, std::uint64_t handle);
  bool take_moved(Connection& from, std::uint64_t operation, std::uint64_t moved, double now);

  void open_operation(Connection& from, double now);
  void end_operation(Connection& from, double now);
  void start(Connection& from, double now);
  void stop(Connection& from, double now);
  void detach(Connection& from, double now);
  void tell(const Happening& happening, double now) const {
    if (observer_) observer_(happening, now);
  }
  void send(const Connection& to, Frame frame, double now);
  void welcome(const Connection& to, double now);
  void send_grant(Connection& to, double now);
  void send_states(const Connection& to, double now);
  void end(Connection& which, FaultCode code, std::string text, double now);

  void want_decision(double now);
  void decide(double now);
  [[nodiscard]] std::vector<Claim> make_claims(double now) const;
  void put_in_force(const std::vector<Claim>& claims, const Allocation& allocation, double now);
  [[nodiscard]] double next_decision(const Allocation& allocation, double now);
  void share_out(Application& application, std::uint64_t rate, double now,
                 std::vector<Connection*>& raised);
  void sweep(double now);
  void sweep_connection(Connection& one, double now);
  void sweep_applications(double now);
  [[nodiscard]] double cadence() const;
  void weigh();

  [[nodiscard]] double bandwidth_of(const Application& one) const;
  [[nodiscard]] double floor_of(const Application& one) const;
  [[nodiscard]] std::uint64_t floor_of(const Connection& one) const;
  [[nodiscard]] double waiting_of(const Application& one, double now) const;
  [[nodiscard]] Standing standing_of(const Application& one, double now) const;

  Settings settings_;
  std::unique_ptr<bandwidth::Strategy> strategy_;
  std::function<Token()> tokens_;
  Observer observer_;
  Effects effects_;

  std::map<ConnectionId, std::unique_ptr<Connection>> connections_;
  std::map<std::uint32_t, std::size_t> connections_by_user_;
  std::map<Key, std::unique_ptr<Application>> applications_;
  std::vector<Application*> pending_;  // applications with an open operation, in order of posting
  double bandwidth_sum_ = 0;           // sum over all applications
  std::uint64_t handles_ = 0;
  std::uint64_t decisions_ = 0;
  std::size_t watchers_ = 0;
  std::size_t shims_ = 0;
  std::uint32_t answering_ = 0;  // sequence number of the current frame

  double decide_at_ = kNever;
  double sweep_at_ = kNever;
};

}  // namespace holdfast::arbiter
