#include "holdfast/arbiter/server.hpp"

#include "holdfast/arbiter/bookkeeping.hpp"
#include "holdfast/arbiter/frame_bucket.hpp"
#include "holdfast/arbiter/listener.hpp"
#include "holdfast/arbiter/peer.hpp"
#include "holdfast/arbiter/policy.hpp"
#include "holdfast/arbiter/serve_config.hpp"
#include "holdfast/base/clock.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::arbiter {
namespace {

constexpr int kFramesPerTurn = 16;
/// Connections that are accepted at a time. Identifying a client means reading /proc, and many new clients must not delay the
/// connected ones.
constexpr int kAcceptsPerTurn = 4;
/// A client that does not read is closed once more than this number of bytes wait for it. For watchers the limit is higher,
/// because a round has many applications.
constexpr std::size_t kMostUnsent = std::size_t{64} * 1024;
constexpr std::size_t kMostUnsentToWatchers = std::size_t{1024} * 1024;
constexpr std::size_t kReadAtOnce = 1024;
/// Open files of the server in addition to its connections.
constexpr std::size_t kOwnFiles = 64;
constexpr double kLongestSleep = 3600;
constexpr double kLeastSleep = 1e-6;
/// The ids of the server's own descriptors in the event loop; connections are counted from kFirst.
constexpr ConnectionId kListener = 0;
constexpr ConnectionId kSignals = 1;
constexpr ConnectionId kTimer = 2;
constexpr ConnectionId kMetrics = 3;
constexpr ConnectionId kFirst = 16;

Token random_token() {
  Token out{};
  // For so few bytes the call is neither short nor blocking once the system has started.
  [[maybe_unused]] const auto count = ::getrandom(out.data(), out.size(), 0);
  return out;
}

tl::unexpected<Error> no_loop(std::string_view what) {
  return fail(ErrorCode::io_failure, std::string(what),
              fmt::format("cannot be made: {}", std::generic_category().message(errno)));
}

/// The bytes of one connection.
struct Link {
  Link(Descriptor socket, double now) : file(std::move(socket)), bucket(now) {}

  Descriptor file;
  FrameReader reader;
  FrameBucket bucket;
  std::string unsent;
  std::uint32_t said = 0;
  bool is_watcher = false;
  bool is_held = false;  // its bucket is empty: nothing is read
  bool waits_to_send = false;
  double held_until = 0;
};

}  // namespace

class Server::Loop {
 public:
  Loop(const ServerOptions& options, const Voice& voice)
      : options_(&options),
        voice_(voice),
        zero_(time_on(CLOCK_BOOTTIME)),
        books_(options, voice, zero_) {}

  Result<int> run() {
    HOLDFAST_TRY(policy, make_policy(options_->policy));
    HOLDFAST_TRY(epoch, books_.read_state());
    Settings settings = settings_of(*options_, policy.text);
    settings.owner = ::geteuid();
    settings.epoch = epoch;
    core_.emplace(settings, std::move(policy.strategy), random_token);
    HOLDFAST_TRY(listener, Listener::open(options_->socket, options_->group));
    // From here on no other server uses this socket, and therefore none uses its files.
    HOLDFAST_CHECK(books_.begin(*core_, policy.text, now()));
    HOLDFAST_CHECK(make_ends(listener.get()));
    voice_.say(fmt::format("serving {} at {} by {}, up to {}", printable(options_->socket),
                           format_quantity(settings.bandwidth, Unit::bytes_per_second), policy.text,
                           counted(settings.connections, "connection")));
    books_.announce();
    while (!code_) turn(listener.get());
    const Status saved = books_.save_state(*core_, now());
    core_->shut_down(now());
    perform();
    books_.end(now());
    HOLDFAST_CHECK(saved);
    return *code_;
  }

 private:
  [[nodiscard]] double now() const { return time_on(CLOCK_BOOTTIME) - zero_; }

  static Settings settings_of(const ServerOptions& options, const std::string& policy) {
    Settings out = options.settings;
    out.connections = std::min(out.connections, most_connections());
    out.policy = policy;
    return out;
  }

  // Returns the number of files that the system lets this process open, less the server's own.
  static std::size_t most_connections() {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    ::getrlimit(RLIMIT_NOFILE, &files);
    return files.rlim_cur > 2 * kOwnFiles ? files.rlim_cur - kOwnFiles : kOwnFiles;
  }

  Status make_ends(int listener) {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) ::sigaddset(&wanted, signal);
    ::sigprocmask(SIG_BLOCK, &wanted, nullptr);
    signals_ = Descriptor(::signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC));
    if (signals_.get() < 0) return no_loop("signals");
    timer_ = Descriptor(::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC));
    if (timer_.get() < 0) return no_loop("timer");
    epoll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
    if (epoll_.get() < 0) return no_loop("epoll");
    watch(listener, kListener);
    watch(signals_.get(), kSignals);
    watch(timer_.get(), kTimer);
    if (books_.port() >= 0) watch(books_.port(), kMetrics);
    return {};
  }

  void watch(int file, ConnectionId id) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = id;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, file, &event);
  }

  void watch_for(const Link& link, ConnectionId id) {
    epoll_event event{};
    if (!link.is_held) event.events |= EPOLLIN;
    if (link.waits_to_send) event.events |= EPOLLOUT;
    event.data.u64 = id;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, link.file.get(), &event);
  }

  void turn(int listener) {
    arm();
    std::array<epoll_event, 128> events;
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                   backlog_.empty() ? -1 : 0);
    const double date = now();
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      switch (event.data.u64) {
        case kListener:
          accept_all(listener, date);
          break;
        case kSignals:
          read_signals(date);
          break;
        case kTimer:
          read_timer();
          break;
        case kMetrics:
          break;  // answered below, where visits without a request are also ended
        default:
          attend(event.data.u64, event.events, date);
      }
    }
    // Handle the frames that were read but left waiting, now that every other connection has had its turn.
    for (const ConnectionId id : std::exchange(backlog_, {})) digest(id, date);
    release_held(date);
    tick(date);
    perform();
    books_.keep(*core_, date);
  }

  void tick(double date) {
    const std::uint64_t decisions = core_->decisions();
    const double begin = time_on(CLOCK_BOOTTIME);
    core_->on_tick(date);
    if (core_->decisions() != decisions) books_.count_decision(time_on(CLOCK_BOOTTIME) - begin);
  }

  void arm() {
    double next = books_.wake(*core_);
    for (const ConnectionId id : held_) next = std::min(next, links_.at(id).held_until);
    const double wait = std::clamp(next - now(), kLeastSleep, kLongestSleep);
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(wait);
    when.it_value.tv_nsec = static_cast<long>(1e9 * (wait - std::floor(wait)));
    ::timerfd_settime(timer_.get(), 0, &when, nullptr);
  }

  void read_timer() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto size = ::read(timer_.get(), &count, sizeof count);
  }

  void read_signals(double date) {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      switch (static_cast<int>(info.ssi_signo)) {
        case SIGINT:
          code_ = exit_code(ErrorCode::interrupted);
          break;
        case SIGTERM:
          code_ = 0;
          break;
        case SIGUSR1:
          books_.rotate_record(*core_, date);
          break;
        case SIGHUP:
          read_again(date);
          break;
        default:
          voice_.say("there is nothing to do at this signal");
      }
    }
  }

  // Reads the options again. If the file has an error, nothing changes.
  void read_again(double date) {
    if (!options_->again) {
      return voice_.say("there is no file to read again: --config names none");
    }
    auto fresh = options_->again();
    auto policy = fresh ? make_policy(fresh->policy) : tl::make_unexpected(fresh.error());
    if (!policy) {
      return voice_.warn(fmt::format("{}; nothing has changed", policy.error().text()));
    }
    for (const std::string& name : changed_for_later(options_->given, fresh->given)) {
      voice_.warn(
          fmt::format("{} has changed, which takes effect at the next start", option_name(name)));
    }
    fresh->settings.lease = options_->settings.lease;
    fresh->settings.report = options_->settings.report;
    core_->change(settings_of(*fresh, policy->text), std::move(policy->strategy), date);
    books_.change(*core_, fresh->settings, policy->text, date);
    voice_.say(fmt::format("serving {} by {} from now on",
                           format_quantity(fresh->settings.bandwidth, Unit::bytes_per_second),
                           policy->text));
  }

  void accept_all(int listener, double date) {
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
      Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (socket.get() < 0) return;
      auto peer = peer_of(socket.get(), options_->observers, ::geteuid());
      if (!peer) continue;
      const ConnectionId id = ++last_id_;
      watch(socket.get(), id);
      links_.try_emplace(id, std::move(socket), date);
      core_->on_connect(id, std::move(*peer), date);
    }
  }

  void attend(ConnectionId id, std::uint32_t events, double date) {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    Link& link = found->second;
    if ((events & EPOLLOUT) != 0) flush(id, link);
    if (links_.find(id) == links_.end()) return;
    // The end of a connection is handled even while nothing is read from it.
    if (link.is_held && (events & (EPOLLHUP | EPOLLERR)) != 0) return drop(id, date);
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0 || link.is_held) return;
    if (link.reader.waiting() < kReadAtOnce) {
      std::array<char, kReadAtOnce> buffer;
      const auto count = ::recv(link.file.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (count <= 0) return drop(id, date);
      link.reader.take({buffer.data(), static_cast<std::size_t>(count)});
    }
    digest(id, date);
  }

  // Handles the frames that were read, at most kFramesPerTurn at a time.
  void digest(ConnectionId id, double date) {
    const auto found = links_.find(id);
    if (found == links_.end() || found->second.is_held) return;
    Link& link = found->second;
    for (int i = 0; i < kFramesPerTurn; ++i) {
      if (link.reader.waiting() < kHeaderSize) return;
      if (!link.bucket.take(date)) return hold(id, link, date);
      auto frame = link.reader.next();
      if (!frame) return core_->on_fault(id, frame.error(), date);
      if (!*frame) return;
      link.is_watcher = link.is_watcher || std::holds_alternative<Watch>(**frame);
      core_->on_frame(id, **frame, link.reader.sequence(), date);
    }
    if (link.reader.waiting() >= kHeaderSize) backlog_.insert(id);
  }

  void hold(ConnectionId id, Link& link, double date) {
    if (link.bucket.is_flood(date)) {
      return core_->on_fault(id,
                             {.code = FaultCode::too_fast,
                              .sequence = link.reader.sequence(),
                              .text = fmt::format("found more than {} frames a second for {} s",
                                                  FrameBucket::kPerSecond, FrameBucket::kPatience)},
                             date);
    }
    link.is_held = true;
    link.held_until = link.bucket.next(date);
    held_.insert(id);
    watch_for(link, id);
  }

  void release_held(double date) {
    for (auto next = held_.begin(); next != held_.end();) {
      const ConnectionId id = *next;
      Link& link = links_.at(id);
      if (date < link.held_until) {
        ++next;
        continue;
      }
      next = held_.erase(next);
      link.is_held = false;
      watch_for(link, id);
      if (link.reader.waiting() >= kHeaderSize) backlog_.insert(id);
    }
  }

  // Sends the frames of the core, and closes the connections that it has closed.
  void perform() {
    const Effects effects = core_->take();
    std::set<ConnectionId> said_to;
    for (const Outgoing& out : effects.frames) {
      const auto found = links_.find(out.to);
      if (found == links_.end()) continue;
      found->second.unsent += encode(out.frame, ++found->second.said);
      // Connections are flushed in the order of the frames, so that bandwidth is freed before it is granted to others.
      if (said_to.insert(out.to).second) order_.push_back(out.to);
    }
    for (const ConnectionId id : std::exchange(order_, {})) {
      const auto found = links_.find(id);
      if (found != links_.end()) flush(id, found->second);
    }
    for (const ConnectionId id : effects.closes) drop(id, now());
  }

  void flush(ConnectionId id, Link& link) {
    std::size_t sent = 0;
    while (sent < link.unsent.size()) {
      const auto count = ::send(link.file.get(), link.unsent.data() + sent,
                                link.unsent.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) break;
      if (count <= 0) return drop(id, now());
      sent += static_cast<std::size_t>(count);
    }
    link.unsent.erase(0, sent);
    if (link.unsent.size() > (link.is_watcher ? kMostUnsentToWatchers : kMostUnsent)) {
      return drop(id, now());
    }
    const bool waits = !link.unsent.empty();
    if (waits == link.waits_to_send) return;
    link.waits_to_send = waits;
    watch_for(link, id);
  }

  void drop(ConnectionId id, double date) {
    if (links_.erase(id) == 0) return;
    held_.erase(id);
    backlog_.erase(id);
    core_->on_close(id, date);
  }

  const ServerOptions* options_;
  Voice voice_;
  double zero_;
  Bookkeeping books_;
  std::optional<Core> core_;
  Descriptor epoll_;
  Descriptor signals_;
  Descriptor timer_;
  std::unordered_map<ConnectionId, Link> links_;
  std::set<ConnectionId> backlog_;  // connections with frames that were read but not handled
  std::set<ConnectionId> held_;
  std::vector<ConnectionId> order_;
  ConnectionId last_id_ = kFirst;
  std::optional<int> code_;
};

Server::Server(const ServerOptions& options, const Voice& voice)
    : loop_(std::make_unique<Loop>(options, voice)) {}

Server::~Server() = default;

Result<int> Server::run() {
  return loop_->run();
}

}  // namespace holdfast::arbiter
