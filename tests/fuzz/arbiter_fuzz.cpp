// Targets of the arbiter: bytes as frames, and sequences of frames, closes and dates as what a core meets.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/frames.hpp"
#include "holdfast/arbiter/peer.hpp"
#include "holdfast/arbiter/policy.hpp"
#include "holdfast/arbiter/state_file.hpp"
#include "holdfast/arbiter/watch_client.hpp"
#include "holdfast/domains/io/recorded_phases.hpp"

#include "fuzz/fuzz_target.hpp"
#include "fuzz/script.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::fuzz {
namespace {

using namespace arbiter;

void feed_frames(std::string_view bytes) {
  FrameReader reader;
  std::string again;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t piece =
        std::min<std::size_t>(1 + static_cast<unsigned char>(bytes[at]) % 64U, bytes.size() - at);
    reader.take(bytes.substr(at, piece));
    at += piece;
    for (;;) {
      const auto frame = reader.next();
      if (!frame) {
        promise(!frame.error().text.empty(), "what is no frame is refused in words");
        return;
      }
      if (!*frame) break;
      again += encode(**frame, reader.sequence());
      promise(bytes.starts_with(again), "a frame is its bytes again");
    }
  }
  static_cast<void>(job_in_cgroup(bytes));
}

/// Reads frames off the input.
class FrameScript : public Script {
 public:
  explicit FrameScript(std::string_view bytes) : Script(bytes, 100'000) {}
  Frame frame(std::uint64_t handle, std::uint64_t operation) {
    const std::uint64_t own = byte() % 8 == 0 ? number() : handle;
    const std::uint64_t which = byte() % 8 == 0 ? number() : operation;
    switch (byte() % 14) {
      case 0:
        return Hello{.bandwidth_max = number(),
                     .nodes = byte(),
                     .kind = static_cast<ClientKind>(1 + byte() % 5),
                     .label = std::string(1, static_cast<char>('a' + byte() % 4))};
      case 1:
      case 2:
      case 3:
        return Post{.handle = own, .operation = which + 1, .volume = number()};
      case 4:
      case 5:
      case 6:
        return Report{.handle = own, .operation = which, .moved = number()};
      case 7:
      case 8:
        return Done{.handle = own, .operation = which, .moved = number()};
      case 9:
        return Bye{.handle = own};
      case 10:
        return Watch{.interval_ms = static_cast<std::uint32_t>(number())};
      case 11:
        return Register{.uid = byte() % 3, .nodes = byte(), .label = "a", .ttl_ms = number()};
      case 12:
        return Grant{};
      default:
        return Ping{number()};
    }
  }
};

struct Client {
  std::uint64_t handle = 0;
  std::uint64_t operation = 0;
  std::uint32_t said = 0;
  std::uint64_t rate = 0;  // of the last GRANT of an operation that is open
};

// What a client makes of a frame.
void hear(Client& client, const Frame& frame) {
  if (const auto* welcome = std::get_if<Welcome>(&frame)) client.handle = welcome->handle;
  if (const auto* grant = std::get_if<Grant>(&frame)) client.rate = grant->rate;
  if (std::holds_alternative<Refusal>(frame)) client.rate = 0;
}

// Sums in the order in which frames are sent: bandwidth is taken away before it is given to others.
void perform(Core& core, const Settings& settings, std::map<ConnectionId, Client>& clients,
             double now) {
  const Effects effects = core.take();
  double granted = 0;
  for (const auto& [id, one] : clients) granted += static_cast<double>(one.rate);
  for (const Outgoing& out : effects.frames) {
    const auto found = clients.find(out.to);
    if (found == clients.end()) continue;
    granted -= static_cast<double>(found->second.rate);
    hear(found->second, out.frame);
    granted += static_cast<double>(found->second.rate);
    promise(granted <= settings.bandwidth, "rates that clients know of are at most the bandwidth");
  }
  for (const ConnectionId id : effects.closes) {
    core.on_close(id, now);
    clients.erase(id);
  }
  promise(core.granted() <= settings.bandwidth, "rates in force are at most the bandwidth");
  promise(core.floors() <= settings.bandwidth, "floors are at most the bandwidth");
}

// Lets time pass, with ticks when the core wants them.
double pass(Core& core, const Settings& settings, std::map<ConnectionId, Client>& clients,
            double now, double until) {
  for (int ticks = 0; core.wake() <= until; ++ticks) {
    promise(ticks < 100'000, "time goes on");
    now = std::max(now, core.wake());
    core.on_tick(now);
    perform(core, settings, clients, now);
  }
  return until;
}

void feed_core(std::string_view bytes) {
  constexpr std::size_t kLongest = 2048;
  if (bytes.size() > kLongest) return;
  FrameScript script(bytes);
  const std::vector<StrategyEntry> known = policies();
  auto policy = make_policy(known[script.byte() % known.size()].name);
  promise(policy.has_value(), "every policy can be made without arguments");
  Settings settings{.bandwidth = 1e6 + 1e3 * static_cast<double>(script.number() % 1'000'000),
                    .connections = 12,
                    .connections_of_user = 6,
                    .applications = 6};
  std::uint8_t tokens = 0;
  Core core(settings, std::move(policy->strategy), [&] { return Token{++tokens}; });
  std::map<ConnectionId, Client> clients;
  ConnectionId last = 0;
  double now = 0;
  while (!script.is_over()) {
    const unsigned what = script.byte() % 8;
    if (what == 0) {
      clients[++last] = {};
      core.on_connect(last, {.uid = script.byte() % 3, .pid = static_cast<std::uint32_t>(last)},
                      now);
      if (script.byte() % 4 != 0) core.on_frame(last, Hello{}, ++clients[last].said, now);
    } else if (what == 1) {
      now = pass(core, settings, clients, now, now + 0.05 * script.byte());
    } else if (!clients.empty()) {
      auto one = clients.begin();
      std::advance(one, script.byte() % clients.size());
      const ConnectionId id = one->first;
      if (what == 2 && script.byte() % 8 == 0) {
        clients.erase(one);
        core.on_close(id, now);
      } else {
        const Frame frame = script.frame(one->second.handle, one->second.operation);
        if (const auto* post = std::get_if<Post>(&frame)) one->second.operation = post->operation;
        const auto* done = std::get_if<Done>(&frame);
        if (done != nullptr && done->operation == one->second.operation) one->second.rate = 0;
        core.on_frame(id, frame, ++one->second.said, now);
      }
    }
    perform(core, settings, clients, now);
  }
  // Nobody says anything more: three reports are missing, and that is seen within a second.
  now = pass(core, settings, clients, now, now + 3 * settings.report + 1 + settings.coalesce);
  promise(core.pending() == 0, "no operation is without an end");
  core.shut_down(now);
  perform(core, settings, clients, now);
  promise(core.connections() == 0, "no connection outlives the arbiter");
}

// What a server wrote down, perhaps with damage.
void feed_record(std::string_view bytes) {
  const auto record = io::read_record(LineReader(open_text(std::string(bytes)), "input"));
  if (!record) {
    promise(!record.error().message.empty(), "a record is refused in words");
    return;
  }
  const auto window = io::recorded_window(*record, "longest");
  if (!window) return;
  promise(io::check(window->instance).has_value(), "a recorded window is one that io takes");
  for (std::size_t i = 0; i < window->yields.size(); ++i) {
    promise(window->yields[i] >= 0 && window->yields[i] <= 1, "measured yields are parts");
    promise(window->progress[i] <= window->instance.length(), "nobody progresses faster than time");
  }
}

void feed_state(std::string_view bytes) {
  const auto document = parse_json(bytes);
  if (!document) return;
  const auto state = read_state_document(*document);
  if (!state) {
    promise(!state.error().message.empty(), "what is no state is refused in words");
    return;
  }
  const auto again = read_state_document(parse_json(to_json(state_document(*state))).value());
  promise(again && state_document(*again) == state_document(*state),
          "a state is its document again");
  const Settings settings{.bandwidth = 1e9, .applications = 64};
  Core core(settings, std::move(make_policy("fcfs")->strategy), [] { return Token{1}; });
  core.restore(state->applications, state->downtime(state->boot, state->date + 7), 0);
  promise(core.remember(0).size() <= 64, "no more applications come back than there may be");
  for (const Standing& one : core.standings(1)) {
    promise(one.yield >= 0 && one.yield <= 1, "yields are from 0 to 1");
  }
  for (double now = 0; core.wake() <= 1e11 && now < 200; now += 1) core.on_tick(now);
  promise(core.floors() <= settings.bandwidth, "floors are at most the bandwidth");
}

void feed_round(std::string_view bytes) {
  RoundReader reader;
  reader.take(bytes);
  for (;;) {
    const auto round = reader.next();
    if (!round || !*round) return;
    for (const Standing& one : (*round)->applications) {
      promise(one.yield >= 0 && one.yield <= 1, "yields are from 0 to 1");
    }
  }
}

}  // namespace

std::span<const Target> targets() {
  static constexpr std::array<Target, 5> kTargets = {{{"arbiter_frames", feed_frames},
                                                      {"arbiter_core", feed_core},
                                                      {"arbiter_state", feed_state},
                                                      {"arbiter_round", feed_round},
                                                      {"io_record", feed_record}}};
  return kTargets;
}

}  // namespace holdfast::fuzz
