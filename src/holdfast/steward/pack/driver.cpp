#include "holdfast/steward/pack/driver.hpp"

#include "holdfast/base/clock.hpp"
#include "holdfast/base/command.hpp"
#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/steward/folder.hpp"
#include "holdfast/steward/trouble.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace holdfast::steward::pack {
namespace {

Result<std::vector<Seen>> look(const State& state, const Order& order) {
  std::vector<Seen> out;
  for (const Application& it : state.applications) {
    HOLDFAST_TRY(seen, look_at(it, order.folder));
    out.push_back(std::move(seen));
  }
  return out;
}

/// A pack that acts.
class Driver {
 public:
  Driver(const Order& order, const Request& request, Folder folder, State state)
      : order_{order},
        voice_{request.voice},
        stop_{request.stop},
        charge_{order.charge},
        folder_{std::move(folder)},
        state_{std::move(state)} {}

  Result<Standing> run() {
    folder_.write("begin", Value::object({{"applications", state_.applications.size()}}));
    while (true) {
      if (stop_.wanted() && !std::exchange(charge_.halts, true))
        voice_.say("all applications are asked to save and end");
      const auto seen = look(state_, order_);
      trouble_.note(seen ? std::string() : seen.error().text(), voice_, &folder_);
      if (seen) HOLDFAST_CHECK(decide(*seen));
      reap();
      if (std::ranges::none_of(state_.applications, [this](const Application& it) {
            return it.has_guard() || (it.phase == Phase::waits && !charge_.halts);
          }))
        break;
      // Once asked to stop, a steward still waits between two looks.
      static_cast<void>(rest(order_.options.every, charge_.halts ? Stop() : stop_));
    }
    folder_.write("end", Value::object());
    if (state_.is_over()) return Standing{std::move(state_)};
    return fail(ErrorCode::interrupted, "", held());
  }

 private:
  Status decide(const std::vector<Seen>& seen) {
    const Said said = step(state_, seen, time_on(CLOCK_REALTIME), charge_);
    for (const Event& event : said.events) note(event);
    for (const Decision& decision : said.decisions) note(decision);
    // What is about to be done is on the disk before it is.
    HOLDFAST_CHECK(folder_.keep(to_value(state_)));
    for (const Action& action : said.actions) act(action);
    return folder_.keep(to_value(state_));
  }

  void note(const Event& event) {
    const Application& it = state_.applications[event.application];
    const std::string_view what = kEvents[static_cast<std::size_t>(event.what)];
    folder_.write(
        "event",
        Value::object(
            {{"application", it.id}, {"what", what}, {"text", event.text}, {"left", it.left}}));
    if (event.what == Event::What::began || event.what == Event::What::missing) return;
    const std::string text =
        fmt::format("{}: {}{}{}{}", it.id, what, event.text.empty() ? "" : " (", event.text,
                    event.text.empty() ? "" : ")");
    const bool is_bad = it.phase == Phase::given_up || event.what == Event::What::refused;
    is_bad ? voice_.warn(text) : voice_.say(text);
  }

  void note(const Decision& decision) {
    folder_.write(
        "decision",
        Value::object({{"application", state_.applications[decision.event.application].id},
                       {"moves", Value::list(decision.moves)},
                       {"expected", decision.expected},
                       {"without", decision.without}}));
    if (decision.moves.empty()) return;
    voice_.say(fmt::format("{}: expected to end after {}, without {}", join(decision.moves, ", "),
                           format_duration(decision.expected), format_duration(decision.without)));
  }

  void act(const Action& action) {
    switch (action.what) {
      case Action::Do::start:
        return start(action.of);
      case Action::Do::stop:
        return ask_to_stop(state_.applications[action.of], order_.folder);
      case Action::Do::give_back:
        return give_back(state_.nodes[action.of]);
    }
  }

  void start(std::size_t application) {
    const Application& it = state_.applications[application];
    field::Start how =
        start_of(state_, application, order_.works[application], charge_, order_.folder);
    const Descriptor log(::open((order_.folder / (it.id + ".log")).c_str(),
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    how.out = how.err = log.get();
    const auto started = field::start(how);
    const std::string hosts = state_.hosts(it.processors);
    Value entry = Value::object(
        {{"application", it.id}, {"launch", it.launch}, {"processors", it.processors.size()}});
    entry.set("hosts", hosts);
    std::error_code code;
    if (started) {
      children_.push_back(started->pid);
      voice_.say(fmt::format("{} starts on {} ({})", it.id,
                             counted(it.processors.size(), "processor"), hosts));
    } else if (!std::filesystem::exists(how.claim, code)) {  // otherwise somebody has started it
      entry.set("refused", started.error().text());
      voice_.warn(fmt::format("{}: {}", it.id, started.error().text()));
    }
    folder_.write("start", std::move(entry));
  }

  void give_back(Node& node) {
    std::vector<std::string> kept;
    for (const Node& other : state_.nodes) {
      if (other.lent == Node::Lent::kept) kept.push_back(other.name);
    }
    const auto done =
        run_command({"env", "HOLDFAST_NODE=" + node.name, "HOLDFAST_NODES=" + join(kept, ","), "sh",
                     "-c", order_.options.give_back},
                    60);
    std::string why;
    if (!done) {
      why = done.error().text();
    } else if (done->status != 0) {
      why = fmt::format("exit status {}: {}", done->status, printable(trim(done->err)));
    }
    node.lent = Node::Lent::gone;
    folder_.write("give-back", Value::object({{"node", node.name}, {"refused", why}}));
    if (why.empty()) return voice_.say(fmt::format("{} is given back", node.name));
    voice_.warn(
        fmt::format("{} cannot be given back, and is not used any more: {}", node.name, why));
  }

  void reap() {
    std::erase_if(children_, [](pid_t child) { return ::waitpid(child, nullptr, WNOHANG) != 0; });
  }

  [[nodiscard]] std::string held() const {
    std::vector<std::string> names;
    for (const Application& it : state_.applications) {
      if (!it.is_over())
        names.push_back(it.why.empty() ? it.id : fmt::format("{} ({})", it.id, it.why));
    }
    return fmt::format("{} saved and ended, and the same command goes on from there",
                       join(names, ", "));
  }

  const Order& order_;
  const Voice& voice_;
  Stop stop_;
  Charge charge_;
  Folder folder_;
  State state_;
  std::vector<pid_t> children_;
  Trouble trouble_{"what is started runs on, and this waits until it is over"};
};

Result<State> state_of(const Order& order) {
  HOLDFAST_TRY(kept, Folder::kept_in(order.folder));
  if (!kept) return begin(order.charge, order.nodes, time_on(CLOCK_REALTIME));
  auto state = read_state(*kept);
  if (!state) return fail(in_file((order.folder / kStateFile).string(), std::move(state).error()));
  const bool is_same = std::ranges::equal(state->applications, order.charge.instance->tasks, {},
                                          &Application::id, &cosched::Task::id);
  if (!is_same) {
    return fail(ErrorCode::bad_value, "/output",
                fmt::format("found a pack of other applications in {}, expected another folder",
                            in_quotes(order.options.directory)));
  }
  // What has saved and ended goes on with a new command.
  for (Application& it : state->applications) {
    if (it.phase == Phase::held) it.phase = Phase::waits;
  }
  HOLDFAST_CHECK(fit(*state, order.nodes));
  return state;
}

}  // namespace

Result<Standing> look_once(const Order& order) {
  HOLDFAST_TRY(state, state_of(order));
  HOLDFAST_TRY(seen, look(state, order));
  auto next = step(state, seen, time_on(CLOCK_REALTIME), order.charge);
  return Standing{std::move(state), std::move(next)};
}

Result<Standing> follow(const Order& order, const Request& request) {
  HOLDFAST_TRY(folder, Folder::open(order.folder, {.what = "cosched run",
                                                   .doing = "runs the pack of this folder"}));
  HOLDFAST_TRY(state, state_of(order));
  return Driver(order, request, std::move(folder), std::move(state)).run();
}

}  // namespace holdfast::steward::pack
