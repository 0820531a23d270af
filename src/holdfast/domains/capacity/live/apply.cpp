#include "holdfast/domains/capacity/live/apply.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

using Phase = LiveJob::Phase;
using What = LiveEvent::What;

class Applier {
 public:
  Applier(World& world, Changes& out) : world_{world}, out_{out} {}

  // Time has gone on: delays are over, and starts that nobody confirmed are decided again.
  void go_on(std::int64_t now) {
    world_.now = now;
    std::erase_if(world_.rules.alive, [now](const Step& step) { return step.time <= now; });
    for (LiveJob& job : world_.jobs) {
      if (job.phase == Phase::held && job.since <= now) {
        wait_again(job);
      } else if (job.phase == Phase::starting && job.since + world_.patience <= now) {
        requeue(job);
        decide_on(job.id, fmt::format("job {} did not start", job.id));
      }
    }
  }

  Status apply(const LiveEvent& event) {
    switch (event.what) {
      case What::submitted:
        return submit(event);
      case What::resized:
        return resize(event);
      case What::started:
        start(event);
        break;
      case What::ended:
        end(event);
        break;
      case What::killed:
        if (LiveJob* job = known(event.job)) kill(*job, event.since.value_or(restart()));
        break;
      case What::machine_up:
      case What::machine_down:
        if (const auto machine = known_machine(event.machines.front())) {
          event.what == What::machine_up ? switch_on(*machine) : switch_off(*machine);
        }
        break;
      case What::capacity:
        for (std::size_t m = 0; m < world_.machines.size(); ++m) {
          static_cast<std::int64_t>(m) < event.count ? switch_on(m) : switch_off(m);
        }
        break;
      case What::notice:
        world_.rules.alive = event.announced;
        std::erase_if(world_.rules.alive,
                      [&](const Step& step) { return step.time <= world_.now; });
        note("a change was announced");
        break;
      case What::tick:
        break;
    }
    return {};
  }

 private:
  [[nodiscard]] std::int64_t restart() const { return world_.now + world_.rules.requeue_delay; }

  void note(std::string what) {
    if (out_.cause.empty()) out_.cause = std::move(what);
  }

  void decide_on(const std::string& job, std::string why) {
    note(why);
    out_.fresh.insert_or_assign(job, std::move(why));
  }

  LiveJob* known(const std::string& id) {
    const auto job = std::find_if(world_.jobs.begin(), world_.jobs.end(),
                                  [&](const LiveJob& one) { return one.id == id; });
    if (job != world_.jobs.end()) return &*job;
    out_.ignored.push_back(id);
    return nullptr;
  }

  std::optional<std::size_t> known_machine(const std::string& name) {
    const auto machine = world_.machine_named(name);
    if (!machine) out_.ignored.push_back(name);
    return machine;
  }

  static void requeue(LiveJob& job) {
    job.phase = Phase::waiting;
    job.machine.reset();
    job.others.clear();
  }

  void wait_again(LiveJob& job) {
    requeue(job);
    out_.killed.insert(job.id);
    note(fmt::format("job {} waits again", job.id));
  }

  Status check_cores(std::optional<std::int64_t> cores) const {
    if (!cores || *cores <= world_.rules.cores) return {};
    return fail(ErrorCode::bad_value, "/cores",
                fmt::format("found {}, expected at most {}, the cores of a machine", *cores,
                            world_.rules.cores));
  }

  Status submit(const LiveEvent& event) {
    HOLDFAST_CHECK(check_cores(event.cores));
    const bool is_known = std::any_of(world_.jobs.begin(), world_.jobs.end(),
                                      [&](const LiveJob& job) { return job.id == event.job; });
    if (is_known) return {};  // twice the same event
    world_.jobs.push_back({.id = event.job,
                           .release = std::min(event.release.value_or(event.at), event.at),
                           .cores = event.cores.value_or(1),
                           .length = *event.length,
                           .category = event.category,
                           .width = event.count});
    decide_on(event.job, fmt::format("job {} arrived", event.job));
    return {};
  }

  Status resize(const LiveEvent& event) {
    HOLDFAST_CHECK(check_cores(event.cores));
    LiveJob* job = known(event.job);
    if (job == nullptr) return {};
    job->cores = event.cores.value_or(job->cores);
    job->length = event.length.value_or(job->length);
    if (event.category) job->category = event.category;
    note(fmt::format("job {} is of another size", event.job));
    return {};
  }

  void start(const LiveEvent& event) {
    LiveJob* job = known(event.job);
    std::vector<std::size_t> machines;
    for (const std::string& name : event.machines) {
      const auto machine = known_machine(name);
      if (!machine) return;
      machines.push_back(*machine);
    }
    if (job == nullptr) return;
    for (const std::size_t machine : machines) switch_on(machine);  // what runs there says so
    job->phase = Phase::running;
    job->machine = machines.front();
    job->others.assign(machines.begin() + 1, machines.end());
    job->since = event.since.value_or(event.at);
    out_.fresh.erase(job->id);
    out_.killed.erase(job->id);
    note(fmt::format("job {} started on {}", job->id, join(event.machines, ", ")));
  }

  void end(const LiveEvent& event) {
    LiveJob* job = known(event.job);
    if (job == nullptr) return;
    if (job->phase == Phase::running || job->phase == Phase::starting) out_.ended.push_back(*job);
    note(fmt::format("job {} ended", event.job));
    out_.fresh.erase(job->id);
    out_.killed.erase(job->id);
    world_.jobs.erase(world_.jobs.begin() + (job - world_.jobs.data()));
  }

  void kill(LiveJob& job, std::int64_t restart) {
    const bool ran = job.phase == Phase::running || job.phase == Phase::starting;
    if (!ran && restart <= world_.now) return;  // it waits already
    note(fmt::format("job {} was killed", job.id));
    if (restart <= world_.now) return wait_again(job);
    requeue(job);
    job.phase = Phase::held;
    job.since = restart;
    out_.fresh.erase(job.id);
    out_.killed.erase(job.id);
  }

  // The number of machines that are on and safer.
  [[nodiscard]] std::int64_t rank_of(std::size_t machine) const {
    return std::count(world_.is_up.begin(),
                      world_.is_up.begin() + static_cast<std::ptrdiff_t>(machine), char{1});
  }

  void switch_on(std::size_t machine) {
    if (world_.is_up[machine] != 0) return;
    world_.is_up[machine] = 1;
    if (rank_of(machine) < world_.memory.used) {
      ++world_.memory.used;
      out_.is_shuffled = true;
    }
    out_.went_up.insert(machine);
    note(fmt::format("{} came", world_.machines[machine]));
  }

  void switch_off(std::size_t machine) {
    if (world_.is_up[machine] == 0) return;
    if (rank_of(machine) < world_.memory.used) --world_.memory.used;
    world_.is_up[machine] = 0;
    out_.went_up.erase(machine);
    out_.has_lost_machines = true;
    note(fmt::format("{} went", world_.machines[machine]));
    for (LiveJob& job : world_.jobs) {
      if (job.machine != machine && std::ranges::count(job.others, machine) == 0) continue;
      job.phase == Phase::waiting ? job.machine.reset() : kill(job, restart());
    }
  }

  World& world_;
  Changes& out_;
};

}  // namespace

Result<Changes> apply(World& world, std::span<const LiveEvent> events, std::size_t first) {
  Changes out;
  Applier applier(world, out);
  applier.go_on(events.empty() ? world.now : events.front().at);
  for (std::size_t i = 0; i < events.size(); ++i) {
    auto applied = applier.apply(events[i]);
    if (applied) continue;
    applied.error().where = pointer_to("", first + i) + applied.error().where;
    return fail(std::move(applied).error());
  }
  return out;
}

}  // namespace holdfast::capacity
