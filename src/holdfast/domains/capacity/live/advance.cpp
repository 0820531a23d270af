#include "holdfast/domains/capacity/live/advance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/capacity/categories.hpp"
#include "holdfast/domains/capacity/live/apply.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace holdfast::capacity {
namespace {

using Phase = LiveJob::Phase;

constexpr std::size_t kGone = std::numeric_limits<std::size_t>::max();

/// One instant of a simulation that begins and ends with it: the room is built as the world is, the policy takes over what it
/// remembers and what is planned, and is then told what happened, as simulate() would tell it. Machines that are on have ranks
/// without gaps, because the model knows only how many are on.
class Instant {
 public:
  Instant(World& world, const Changes& changes) : world_{world}, changes_{changes} {
    rank_machines();
    list_tasks();
    set_rules();
  }

  Result<LiveAdvice> decide(const StrategySpec& spec) {
    Room room(instance_, tasks_, nullptr);
    for (std::int64_t rank = 0; rank < up(); ++rank) room.set_alive(rank, true);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (occupies(i) && tasks_[i].cores > 0) room.start(i, rank_of(i), world_.now);
    }
    HOLDFAST_TRY(maker, make_strategy(spec, instance_, Stream(StreamKey{})));
    const std::unique_ptr<Strategy> strategy = maker(room);
    hand_over(*strategy);
    tell(*strategy);
    LiveAdvice out{.moves = {}, .ask_again_at = {}, .ignored = changes_.ignored};
    take_starts(room, *strategy, out);
    take_plans(*strategy, out);
    if (strategy->plans_ahead()) world_.memory = strategy->memory();
    look_ahead(*strategy, out);
    return out;
  }

 private:
  [[nodiscard]] std::int64_t up() const { return static_cast<std::int64_t>(machine_at_.size()); }
  [[nodiscard]] bool is_gone(std::size_t task) const { return job_of_[task] == kGone; }
  [[nodiscard]] LiveJob& job(std::size_t task) { return world_.jobs[job_of_[task]]; }
  [[nodiscard]] bool occupies(std::size_t task) {
    return !is_gone(task) &&
           (job(task).phase == Phase::running || job(task).phase == Phase::starting);
  }
  /// Returns the rank of the machine on which the task runs, or waits to run; -1: that is off.
  [[nodiscard]] std::int64_t rank_of(std::size_t task) const { return ranks_[task]; }

  void rank_machines() {
    rank_of_.assign(world_.machines.size(), -1);
    for (std::size_t m = 0; m < world_.machines.size(); ++m) {
      if (world_.is_up[m] == 0) continue;
      rank_of_[m] = up();
      machine_at_.push_back(m);
    }
  }

  // The jobs by release and then by submission, which is the order of every rule. Runs that have just ended are among them.
  void list_tasks() {
    std::vector<Listed> all;
    all.reserve(world_.jobs.size() + changes_.ended.size());
    free_.assign(machine_at_.size(), world_.rules.cores);
    for (std::size_t i = 0; i < world_.jobs.size(); ++i) {
      const LiveJob& job = world_.jobs[i];
      if (job.phase == Phase::held || (job.phase == Phase::waiting && job.width > 1)) continue;
      all.push_back({task_of(job), i, job.machine ? rank_of_[*job.machine] : -1});
      if (job.phase == Phase::waiting) continue;
      set_rest(job, all.back());
      for (const std::size_t other : job.others) {
        all.push_back({task_of(job), i, rank_of_[other]});
        set_rest(job, all.back());
      }
    }
    for (std::size_t i = 0; i < changes_.ended.size(); ++i) {
      const LiveJob& job = changes_.ended[i];
      all.push_back({task_of(job), kGone, std::max<std::int64_t>(0, rank_of_[*job.machine])});
      all.back().task.job = i;
    }
    const auto is_earlier = [](const Listed& a, const Listed& b) {
      return a.task.release < b.task.release;
    };
    if (!std::is_sorted(all.begin(), all.end(), is_earlier)) {
      std::stable_sort(all.begin(), all.end(), is_earlier);
    }
    tasks_.reserve(all.size());
    job_of_.reserve(all.size());
    ranks_.reserve(all.size());
    for (const Listed& one : all) {
      tasks_.push_back(one.task);
      job_of_.push_back(one.job);
      ranks_.push_back(one.rank);
    }
  }

  /// A task, the place of its job in the world, and the rank of its machine.
  struct Listed {
    Task task;
    std::size_t job;
    std::int64_t rank;
  };

  // What is left of a run. A system may run more on a machine than it has cores.
  void set_rest(const LiveJob& job, Listed& one) {
    const std::int64_t lasted = std::max<std::int64_t>(0, world_.now - job.since);
    one.task.length = estimated_length(job.length, lasted);
    one.task.first_length = one.task.length - lasted;
    std::int64_t& left = free_[static_cast<std::size_t>(one.rank)];
    one.task.cores = std::min(one.task.cores, left);
    left -= one.task.cores;
    wake_at(world_.now + one.task.first_length, quiet_until_);
  }

  [[nodiscard]] Task task_of(const LiveJob& job) const {
    return {.release = job.release,
            .arrival = world_.now,
            .cores = job.cores,
            .length = job.length,
            .first_length = job.length};
  }

  void set_rules() {
    // The reference may be a log of many jobs: it is not copied, and its categories are made once.
    std::vector<ReferenceJob> reference = std::exchange(world_.rules.reference, {});
    instance_ = world_.rules;
    world_.rules.reference = std::move(reference);
    instance_.alive.insert(instance_.alive.begin(), {0, up()});
    instance_.begin = world_.now;
    instance_.end = kNoEnd;
    instance_.notice = kNoEnd;  // all that is announced is known
    const std::shared_ptr<const Categories> categories = categories_now();
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto given = is_gone(i) ? changes_.ended[tasks_[i].job].category : job(i).category;
      tasks_[i].category = given ? *given : categories->of(tasks_[i].length);
    }
  }

  // Without a reference the jobs that run or wait are one.
  std::shared_ptr<const Categories> categories_now() {
    const auto make = [](std::span<const ReferenceJob> reference) {
      return std::make_shared<const Categories>(reference, Profile::standard, kNoEnd);
    };
    if (!world_.rules.reference.empty()) {
      if (!world_.categories) world_.categories = make(world_.rules.reference);
      return world_.categories;
    }
    std::vector<ReferenceJob> jobs;
    jobs.reserve(world_.jobs.size());
    for (const LiveJob& job : world_.jobs) jobs.push_back({job.length, job.cores * job.width});
    return make(jobs);
  }

  // Returns true if all waiting jobs are placed again, as after a change of the capacity.
  [[nodiscard]] bool places_all() const {
    return changes_.has_lost_machines || changes_.is_shuffled || !changes_.killed.empty();
  }

  void hand_over(Strategy& strategy) {
    Strategy::Memory memory = world_.memory;
    memory.used = std::min(memory.used, up());
    const auto before = up() - static_cast<std::int64_t>(changes_.went_up.size());
    if (memory.used == 0 && before > 0) memory.used = first_used(world_.rules, before);
    strategy.resume(world_.now, memory);
    const bool all_anew = places_all() || (before == 0 && !changes_.went_up.empty());
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (is_gone(i) || job(i).phase != Phase::waiting) continue;
      const std::string& id = job(i).id;
      if (changes_.killed.contains(id)) {
        killed_.push_back(i);
      } else if (changes_.fresh.contains(id)) {
        arriving_.push_back(i);
      } else if (!strategy.plans_ahead() || (all_anew && !job(i).machine)) {
        strategy.enqueue(i);
      } else if (job(i).machine) {
        strategy.add_plan(i, rank_of(i), world_.now);
      } else {
        arriving_.push_back(i);
      }
    }
  }

  // In the order of an instant of simulate().
  void tell(Strategy& strategy) {
    const std::int64_t now = world_.now;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (!is_gone(i)) continue;
      strategy.on_end({i, rank_of(i)}, now);
    }
    if (!changes_.ended.empty()) strategy.after_ends({}, now);
    if (!changes_.went_up.empty()) {
      std::vector<std::int64_t> ranks;
      for (const std::size_t machine : changes_.went_up) ranks.push_back(rank_of_[machine]);
      strategy.on_added(ranks, up() - static_cast<std::int64_t>(ranks.size()), now);
    }
    if (places_all()) strategy.on_removed({}, killed_, now);
    if (strategy.next_planned() <= now) strategy.start_planned(now);
    strategy.before_arrivals(!changes_.ended.empty(), now);
    for (const std::size_t task : arriving_) strategy.on_arrival(task, now);
  }

  [[nodiscard]] std::string reason(std::size_t task, std::size_t machine,
                                   const Strategy& strategy) {
    std::string out = changes_.cause.empty() ? "its time has come" : changes_.cause;
    if (const auto own = changes_.fresh.find(job(task).id); own != changes_.fresh.end()) {
      out = own->second;
    }
    if (!strategy.plans_ahead()) {
      return out + fmt::format("; {} has {} free", world_.machines[machine],
                               counted(job(task).cores, "core"));
    }
    return out + fmt::format("; category {:.3g}, {} is number {} of {}", tasks_[task].category,
                             world_.machines[machine], rank_of_[machine] + 1,
                             strategy.memory().used);
  }

  void take_starts(const Room& room, const Strategy& strategy, LiveAdvice& out) {
    std::vector<std::pair<std::size_t, std::int64_t>> started;  // task, rank
    for (std::int64_t rank = 0; rank < up(); ++rank) {
      for (const Room::Running& run : room.running(rank)) {
        if (!occupies(run.task)) started.emplace_back(run.task, rank);
      }
    }
    std::sort(started.begin(), started.end());
    for (const auto& [task, rank] : started) {
      const std::size_t machine = machine_at_[static_cast<std::size_t>(rank)];
      LiveJob& one = job(task);
      out.moves.push_back({.what = LiveMove::Do::start,
                           .job = one.id,
                           .on = world_.machines[machine],
                           .cores = one.cores,
                           .at = world_.now,
                           .because = reason(task, machine, strategy)});
      one.phase = Phase::starting;
      one.machine = machine;
      one.since = world_.now;
    }
  }

  void take_plans(const Strategy& strategy, LiveAdvice& out) {
    std::vector<const Strategy::Plan*> plan_of(tasks_.size(), nullptr);
    const std::vector<Strategy::Plan> plans = strategy.plans();
    for (const Strategy::Plan& plan : plans) plan_of[plan.task] = &plan;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (is_gone(i) || job(i).phase != Phase::waiting) continue;
      LiveJob& one = job(i);
      LiveMove move{.what = LiveMove::Do::wait, .job = one.id, .cores = one.cores};
      const auto before = std::exchange(one.machine, std::nullopt);
      if (plan_of[i] != nullptr) {
        one.machine = machine_at_[static_cast<std::size_t>(plan_of[i]->machine)];
        move.what = LiveMove::Do::place;
        move.on = world_.machines[*one.machine];
        move.at = plan_of[i]->start;
        move.because = reason(i, *one.machine, strategy);
        wake_at(move.at, out.ask_again_at);
      } else {
        move.because = up() == 0 ? "no machine is on" : changes_.cause;
      }
      if (one.machine != before) out.moves.push_back(std::move(move));
    }
  }

  void wake_at(std::int64_t time, std::optional<std::int64_t>& first) const {
    if (time > world_.now && (!first || time < *first)) first = time;
  }

  // Nothing is decided again before something happens, something is due, or an estimate changes: a run that is over, a change
  // that was announced.
  void look_ahead(Strategy& strategy, LiveAdvice& out) {
    for (const LiveJob& job : world_.jobs) {
      if (job.phase == Phase::held) wake_at(job.since, out.ask_again_at);
      if (job.phase == Phase::starting) wake_at(job.since + world_.patience, out.ask_again_at);
    }
    if (const std::int64_t next = strategy.next_planned(); next != kNever) {
      wake_at(next, out.ask_again_at);
    }
    wake_at(out.ask_again_at.value_or(kNever), quiet_until_);
    for (const Step& step : world_.rules.alive) wake_at(step.time, quiet_until_);
    world_.quiet_until = quiet_until_.value_or(kNever);
    world_.ask_again_at = out.ask_again_at;
  }

  World& world_;
  const Changes& changes_;
  std::vector<std::size_t> machine_at_;  // by rank
  std::vector<std::int64_t> rank_of_;    // by machine; -1: off
  std::vector<Task> tasks_;
  std::vector<std::size_t> job_of_;  // by task: its place in the world; kGone: it has ended
  std::vector<std::int64_t> ranks_;  // by task: its machine's; -1: none, or one that is off
  std::vector<std::int64_t> free_;   // by rank: cores that runs leave
  std::optional<std::int64_t> quiet_until_;
  Instance instance_;
  std::vector<std::size_t> killed_, arriving_;
};

Status check_strategy(const StrategySpec& spec) {
  HOLDFAST_CHECK(check_limit(spec));
  const StrategyEntry entry = strategies()[spec.index];
  if (!entry.is_bound && entry.name != "as-given") return {};
  return fail(ErrorCode::bad_value, "/strategy",
              fmt::format("found {}, expected one that decides without knowing the future",
                          in_quotes(spec.text)));
}

// Returns true if these events say only that time has gone on, and nothing is due by then.
bool is_quiet(const World& world, std::span<const LiveEvent> events) {
  std::int64_t now = world.now;
  for (const LiveEvent& event : events) {
    if (event.what != LiveEvent::What::tick || event.at < now) return false;
    now = event.at;
  }
  return !events.empty() && now < world.quiet_until;
}

}  // namespace

bool plans_ahead(const StrategySpec& spec) {
  const Instance none{.machines = 1, .cores = 1, .alive = {{0, 1}}, .notice = kNoEnd};
  Room room(none, {}, nullptr);
  const auto maker = make_strategy(spec, none, Stream(StreamKey{}));
  return maker && (*maker)(room)->plans_ahead();
}

Result<LiveAdvice> advance(World& world, std::span<const LiveEvent> events,
                           const StrategySpec& spec) {
  HOLDFAST_CHECK(check_strategy(spec));
  if (is_quiet(world, events)) {
    world.now = events.back().at;
    return LiveAdvice{.moves = {}, .ask_again_at = world.ask_again_at, .ignored = {}};
  }
  World next = world;
  LiveAdvice out;
  std::size_t first = 0;
  do {
    const std::int64_t at = events.empty() ? world.now : events[first].at;
    if (at < next.now) {
      return fail(ErrorCode::bad_value, pointer_to("", first) + "/at",
                  fmt::format("found {}, expected at least {}, the time of the event before", at,
                              next.now));
    }
    std::size_t end = first;
    while (end < events.size() && events[end].at == at) ++end;
    HOLDFAST_TRY(changes, apply(next, events.subspan(first, end - first), first));
    HOLDFAST_TRY(advice, Instant(next, changes).decide(spec));
    std::move(advice.moves.begin(), advice.moves.end(), std::back_inserter(out.moves));
    std::move(advice.ignored.begin(), advice.ignored.end(), std::back_inserter(out.ignored));
    out.ask_again_at = advice.ask_again_at;
    first = end;
  } while (first < events.size());
  world = std::move(next);
  return out;
}

}  // namespace holdfast::capacity
