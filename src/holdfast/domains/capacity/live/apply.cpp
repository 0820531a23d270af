#include "holdfast/domains/capacity/live/apply.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

using Phase = LiveJob::Phase;
using What = LiveEvent::What;
using Record = Registry::Record;

class Applier {
 public:
  Applier(World& world, Changes& out) : world_{world}, registry_{*world.kept.registry}, out_{out} {}

  // Time has gone on: delays are over, and starts that nobody confirmed are decided again.
  void go_on(std::int64_t now) {
    world_.now = now;
    std::erase_if(world_.rules.alive, [now](const Step& step) { return step.time <= now; });
    for (Record* const record : registry_.due(now)) {
      const LiveJob& job = *record->job;
      if (job.phase == Phase::held) {
        wait_again(*record);
      } else {
        requeue(*record);
        decide_on(job.id, fmt::format("job {} did not start", job.id));
      }
    }
  }

  void apply(const LiveEvent& event) {
    switch (event.what) {
      case What::submitted:
        submit(event);
        break;
      case What::resized:
        resize(event);
        break;
      case What::started:
        start(event);
        break;
      case What::ended:
        end(event);
        break;
      case What::killed:
        if (Record* job = known(event.job)) kill(*job, event.since.value_or(restart()));
        break;
      case What::machine_up:
      case What::machine_down:
        if (const auto machine = known_machine(event.machines.front())) {
          event.what == What::machine_up ? switch_on(*machine) : switch_off(*machine);
          drop_jobs();
        }
        break;
      case What::capacity:
        for (std::size_t m = 0; m < world_.machines.size(); ++m) {
          static_cast<std::int64_t>(m) < event.count ? switch_on(m) : switch_off(m);
        }
        drop_jobs();
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

  Record* known(const std::string& id) {
    Record* const record = registry_.find(id);
    if (record == nullptr) out_.ignored.push_back(id);
    return record;
  }

  // A job has changed. One of several machines changes all of them.
  void touch(Record& record) {
    registry_.note(record);
    out_.touched.insert(record.job->id);
    out_.touches_several |= record.job->width > 1 || !record.job->others.empty();
  }

  std::optional<std::size_t> known_machine(const std::string& name) {
    const auto machine = world_.machine_named(name);
    if (!machine) out_.ignored.push_back(name);
    return machine;
  }

  void requeue(Record& record) {
    LiveJob& job = *record.job;
    job.phase = Phase::waiting;
    job.machine.reset();
    out_.touches_several |= !job.others.empty();
    job.others.clear();
    touch(record);
  }

  void wait_again(Record& record) {
    requeue(record);
    out_.killed.insert(record.job->id);
    note(fmt::format("job {} waits again", record.job->id));
  }

  void submit(const LiveEvent& event) {
    if (registry_.find(event.job) != nullptr) return;  // twice the same event
    touch(registry_.add(world_, {.id = event.job,
                                 .release = std::min(event.release.value_or(event.at), event.at),
                                 .cores = event.cores.value_or(1),
                                 .length = *event.length,
                                 .category = event.category,
                                 .width = event.count}));
    decide_on(event.job, fmt::format("job {} arrived", event.job));
  }

  void resize(const LiveEvent& event) {
    Record* const record = known(event.job);
    if (record == nullptr) return;
    LiveJob& job = *record->job;
    job.cores = event.cores.value_or(job.cores);
    job.length = event.length.value_or(job.length);
    if (event.category) job.category = event.category;
    touch(*record);
    note(fmt::format("job {} is of another size", event.job));
  }

  void start(const LiveEvent& event) {
    Record* const record = known(event.job);
    std::vector<std::size_t> machines;
    for (const std::string& name : event.machines) {
      const auto machine = known_machine(name);
      if (!machine) return;
      machines.push_back(*machine);
    }
    if (record == nullptr) return;
    for (const std::size_t machine : machines) switch_on(machine);  // what runs there says so
    LiveJob& job = *record->job;
    out_.touches_several |= !job.others.empty();
    job.phase = Phase::running;
    job.machine = machines.front();
    job.others.assign(machines.begin() + 1, machines.end());
    job.since = event.since.value_or(event.at);
    touch(*record);
    out_.fresh.erase(job.id);
    out_.killed.erase(job.id);
    note(fmt::format("job {} started on {}", job.id, join(event.machines, ", ")));
  }

  void end(const LiveEvent& event) {
    Record* const record = known(event.job);
    if (record == nullptr) return;
    touch(*record);
    const LiveJob& job = *record->job;
    if (job.phase == Phase::running || job.phase == Phase::starting) out_.ended.push_back(job);
    note(fmt::format("job {} ended", event.job));
    out_.fresh.erase(job.id);
    out_.killed.erase(job.id);
    if (record->task != Registry::kNoTask) out_.left.push_back(record->task);
    registry_.erase(world_, *record);
  }

  void kill(Record& record, std::int64_t restart) {
    LiveJob& job = *record.job;
    const bool ran = job.phase == Phase::running || job.phase == Phase::starting;
    if (!ran && restart <= world_.now) return;  // it waits already
    note(fmt::format("job {} was killed", job.id));
    if (restart <= world_.now) return wait_again(record);
    requeue(record);
    job.phase = Phase::held;
    job.since = restart;
    registry_.note(record);
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
    out_.has_other_machines = true;
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
    out_.has_other_machines = true;
    out_.went_up.erase(machine);
    out_.has_lost_machines = true;
    note(fmt::format("{} went", world_.machines[machine]));
    has_gone_ = true;
  }

  // Takes the jobs off machines that are not on any more.
  void drop_jobs() {
    if (!std::exchange(has_gone_, false)) return;
    const auto is_off = [this](std::size_t machine) { return world_.is_up[machine] == 0; };
    for (LiveJob& job : world_.jobs) {
      const bool is_hit =
          (job.machine && is_off(*job.machine)) || std::ranges::any_of(job.others, is_off);
      if (!is_hit) continue;
      Record& record = *registry_.find(job.id);
      if (job.phase != Phase::waiting) {
        kill(record, restart());
        continue;
      }
      job.machine.reset();
      touch(record);
    }
  }

  World& world_;
  Registry& registry_;
  Changes& out_;
  bool has_gone_ = false;  // machines whose jobs are still to be taken off
};

}  // namespace

Status check_events(const World& world, std::span<const LiveEvent> events) {
  std::int64_t now = world.now;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const LiveEvent& event = events[i];
    if (event.at < now) {
      return fail(ErrorCode::bad_value, pointer_to("", i) + "/at",
                  fmt::format("found {}, expected at least {}, the time of the event before",
                              event.at, now));
    }
    now = event.at;
    if (event.cores.value_or(1) > world.rules.cores) {
      return fail(ErrorCode::bad_value, pointer_to("", i) + "/cores",
                  fmt::format("found {}, expected at most {}, the cores of a machine", *event.cores,
                              world.rules.cores));
    }
  }
  return {};
}

Changes apply(World& world, std::span<const LiveEvent> events) {
  Changes out;
  Applier applier(world, out);
  applier.go_on(events.empty() ? world.now : events.front().at);
  for (const LiveEvent& event : events) applier.apply(event);
  return out;
}

}  // namespace holdfast::capacity
