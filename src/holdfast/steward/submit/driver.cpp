#include "holdfast/steward/submit/driver.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/steward/folder.hpp"
#include "holdfast/steward/slurm_command.hpp"
#include "holdfast/steward/trouble.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

namespace holdfast::steward::submit {
namespace {

Result<std::vector<Event>> look(const State& state, const Order& order) {
  std::vector<std::string> command = queue_command();
  command.insert(command.end(), {fmt::format("--user={}", ::geteuid()), "--states=all",
                                 fmt::format("--format={}", kAttemptForm)});
  HOLDFAST_TRY(text, ask_slurm(command));
  HOLDFAST_TRY(seen, parse_attempts(text));
  return events_of(state, seen, order.form.folder);
}

/// A run that acts.
class Driver {
 public:
  Driver(const Order& order, const Request& request, Folder folder, State state)
      : order_{order},
        voice_{request.voice},
        stop_{request.stop},
        folder_{std::move(folder)},
        state_{std::move(state)} {}

  Result<Standing> run() {
    folder_.write("begin", Value::object({{"identity", state_.run}, {"jobs", state_.jobs.size()}}));
    auto first = look(state_, order_);
    if (!first) {
      first.error().message.insert(
          0, "nothing was submitted; once it answers, the same command goes on: ");
      return fail(std::move(first).error());
    }
    HOLDFAST_CHECK(decide(*first));
    while (!state_.is_over() && !order_.options.once) {
      if (rest(order_.options.every, stop_)) {
        return fail(ErrorCode::interrupted, "",
                    "what is submitted runs on; the same command goes on from here");
      }
      const auto events = look(state_, order_);
      trouble_.note(events ? std::string() : events.error().text(), voice_, &folder_);
      if (events) HOLDFAST_CHECK(decide(*events));
    }
    folder_.write("end", Value::object());
    return Standing{std::move(state_)};
  }

 private:
  Status decide(const std::vector<Event>& events) {
    const std::int64_t now = std::time(nullptr);
    const std::vector<Job> before = state_.jobs;
    for (const Event& event : events) note(event);
    const std::vector<Action> actions = step(state_, events, now, order_.charge);
    for (std::size_t job = 0; job < before.size(); ++job) {
      const Job& it = state_.jobs[job];
      if (it.phase == Phase::given_up && !before[job].is_over())
        voice_.warn(fmt::format("{} is given up: {}", it.id, it.why));
    }
    for (const Action& action : actions) HOLDFAST_CHECK(submit(action));
    return folder_.keep(to_value(state_));
  }

  void note(const Event& event) {
    if (event.what == Event::What::missing) return;
    const std::string name = state_.attempt_name(event.job);
    const std::string_view what = kEvents[static_cast<std::size_t>(event.what)];
    folder_.write("event",
                  Value::object({{"attempt", name}, {"what", what}, {"text", event.text}}));
    if (event.ended == 0) return;
    const Job& job = state_.jobs[event.job];
    const double predicted = order_.charge.prepared->instance->jobs[event.job].time(job.processors);
    voice_.say(fmt::format("{}: {} after {} (predicted {})", name.substr(0, name.find('@')), what,
                           format_duration(static_cast<double>(event.ended - event.began)),
                           format_duration(predicted)));
  }

  // What is about to be submitted is on the disk before it is: at most one submission has an outcome that a kill hides.
  Status submit(const Action& action) {
    const std::int64_t now = std::time(nullptr);
    note_begun(state_, action, now);
    HOLDFAST_CHECK(folder_.keep(to_value(state_)));
    const std::string name = state_.attempt_name(action.job);
    const auto said = ask_slurm(command_of(state_, action, order_.works[action.job], order_.form));
    Value entry = Value::object(
        {{"attempt", name}, {"processors", action.processors}, {"because", action.because}});
    Event event{.what = Event::What::queued, .job = action.job};
    if (said) {
      event.text = std::string(trim(said->substr(0, said->find(';'))));
      entry.set("number", event.text);
      voice_.say(fmt::format("submitted {} as job {} on {}: {}", name.substr(0, name.find('@')),
                             event.text, counted(action.processors, "processor"), action.because));
    } else {
      event.what = Event::What::refused;
      event.text = said.error().text();
      entry.set("refused", event.text);
      voice_.warn(fmt::format("{}: {}; asked again in {} s if Slurm does not have it", name,
                              event.text, kUnseen));
    }
    folder_.write("action", std::move(entry));
    take(state_, event, now, order_.charge);
    return {};
  }

  const Order& order_;
  const Voice& voice_;
  Stop stop_;
  Folder folder_;
  State state_;
  Trouble trouble_{"what is submitted runs on, and this waits until it is over"};
};

Result<State> state_of(const Order& order) {
  HOLDFAST_TRY(kept, Folder::kept_in(order.options.directory));
  const moldable::Instance& instance = *order.charge.prepared->instance;
  if (!kept) {
    const auto ticks = std::chrono::system_clock::now().time_since_epoch().count();
    Stream chance({.seed = static_cast<std::uint64_t>(ticks),
                   .purpose = Purpose::tool,
                   .entity = static_cast<std::uint64_t>(::getpid())});
    State out{.run = fmt::format("{:08x}", chance.bits() >> 32U),
              .begun = std::time(nullptr),
              .jobs = {}};
    for (std::size_t job = 0; job < instance.size(); ++job)
      out.jobs.push_back({.id = instance.name(job)});
    return out;
  }
  const std::string file = (std::filesystem::path(order.options.directory) / kStateFile).string();
  auto state = read_state(*kept);
  if (!state) return fail(in_file(file, std::move(state).error()));
  bool is_same = state->jobs.size() == instance.size();
  for (std::size_t job = 0; is_same && job < instance.size(); ++job)
    is_same = state->jobs[job].id == instance.name(job);
  if (is_same) return state;
  return fail(ErrorCode::bad_value, "/output",
              fmt::format("found a run of other jobs in {}, expected another folder",
                          in_quotes(order.options.directory)));
}

}  // namespace

Result<Standing> look_once(const Order& order) {
  HOLDFAST_TRY(state, state_of(order));
  std::vector<Event> events;
  if (std::ranges::any_of(state.jobs, &Job::is_under_way)) {
    HOLDFAST_TRY(seen, look(state, order));
    events = std::move(seen);
  }
  auto next = step(state, events, std::time(nullptr), order.charge);
  return Standing{std::move(state), std::move(next)};
}

Result<Standing> follow(const Order& order, const Request& request) {
  HOLDFAST_TRY(folder,
               Folder::open(order.options.directory, {.what = "moldable submit",
                                                      .doing = "submits the jobs of this folder"}));
  HOLDFAST_TRY(state, state_of(order));
  return Driver(order, request, std::move(folder), std::move(state)).run();
}

}  // namespace holdfast::steward::submit
