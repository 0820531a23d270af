#include "holdfast/domains/capacity/live/desk.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::capacity {
namespace {

using Phase = LiveJob::Phase;

// The policy is not told of jobs that are held, nor of those of several machines that wait.
bool is_seen(const LiveJob& job) {
  return job.phase != Phase::held && (job.phase != Phase::waiting || job.width == 1);
}

void wake_at(std::int64_t time, std::int64_t now, std::optional<std::int64_t>& first) {
  if (time > now && time != kNever && (!first || time < *first)) first = time;
}

}  // namespace

Desk::Desk(World& world) {
  std::vector<std::pair<Record*, std::optional<std::size_t>>> all;  // with a machine
  all.reserve(world.jobs.size());
  for (const LiveJob& job : world.jobs) {
    Record& record = *world.kept.registry->find(job.id);
    record.task = Registry::kNoTask;
    if (!is_seen(job)) continue;
    all.emplace_back(&record, job.machine);
    for (const std::size_t other : job.others) all.emplace_back(&record, other);
  }
  const auto release = [](const auto& one) { return one.first->job->release; };
  if (!std::ranges::is_sorted(all, {}, release)) std::ranges::stable_sort(all, {}, release);
  const std::size_t size = all.size() + std::max<std::size_t>(64, all.size() / 8) + 1;
  tasks_.resize(size);
  seats_.resize(size, Seat::empty);
  machines_.resize(size, kNowhere);
  records_.resize(size, nullptr);
  for (const auto& [record, machine] : all) enter(world, *record, count_++, machine);
  if (!all.empty()) last_ = {all.back().first->job->release, all.back().first->number};
}

void Desk::set(std::size_t task, const LiveJob& job) {
  tasks_[task].release = job.release;
  tasks_[task].cores = job.cores;
  tasks_[task].length = tasks_[task].first_length = job.length;
}

void Desk::enter(World& world, Record& record, std::size_t task,
                 std::optional<std::size_t> machine) {
  const LiveJob& job = *record.job;
  record.task = task;
  records_[task] = &record;
  seats_[task] = job.phase == Phase::waiting ? Seat::waits : Seat::runs;
  machines_[task] = machine ? static_cast<std::int64_t>(*machine) : kNowhere;
  set(task, job);
  if (job.category) tasks_[task].category = *job.category;
  if (!job.category && !world.rules.reference.empty())
    tasks_[task].category = world.kept.registry->categories(world).of(job.length);
  make_stale(task);
  renew(task);
}

void Desk::renew(std::size_t task) {
  if (!strategy_) return;
  cluster_->renew(task);
  strategy_->renew(task);
}

void Desk::make_stale(std::size_t task) {
  if (!strategy_) return;
  if (const std::int64_t rank = rank_of(task); rank >= 0)
    is_stale_[static_cast<std::size_t>(rank)] = 1;
}

void Desk::leave(std::size_t task) {
  make_stale(task);
  seats_[task] = Seat::empty;
  machines_[task] = kNowhere;
}

bool Desk::follow(World& world, const Changes& changes) {
  if (changes.touches_several) return false;
  for (const std::size_t task : changes.left) leave(task);
  std::vector<Record*> come;
  for (const std::string& id : changes.touched) {
    Record* const record = world.kept.registry->find(id);
    if (record == nullptr) continue;
    const LiveJob& job = *record->job;
    if (record->task != Registry::kNoTask) leave(record->task);
    if (!is_seen(job)) {
      record->task = Registry::kNoTask;
    } else if (record->task != Registry::kNoTask) {
      enter(world, *record, record->task, job.machine);
    } else {
      come.push_back(record);
    }
  }
  if (changes.has_other_machines || changes.places_all()) strategy_.reset();
  if (come.empty()) return true;
  if (count_ + come.size() >= seats_.size()) return false;
  std::ranges::sort(come, {}, &Record::number);
  for (Record* const record : come) {
    const std::pair place(record->job->release, record->number);
    if (place < std::exchange(last_, place)) return false;
    enter(world, *record, count_++, record->job->machine);
  }
  return true;
}

void Desk::begin(World& world, const Changes& changes, const StrategySpec& spec) {
  spec_ = spec.text;
  machine_at_.clear();
  rank_of_.assign(world.machines.size(), kNowhere);
  for (std::size_t m = 0; m < world.machines.size(); ++m) {
    if (world.is_up[m] == 0) continue;
    rank_of_[m] = up();
    machine_at_.push_back(m);
  }
  is_stale_.assign(machine_at_.size(), 1);
  next_change_.assign(machine_at_.size(), kNever);
  next_start_.assign(machine_at_.size(), kNever);
  // The reference may be a log of many jobs: it is not copied.
  std::vector<ReferenceJob> reference = std::exchange(world.rules.reference, {});
  instance_ = world.rules;
  world.rules.reference = std::move(reference);
  instance_.alive.insert(instance_.alive.begin(), {0, up()});
  instance_.begin = world.now;
  instance_.end = kNoEnd;
  instance_.notice = kNoEnd;  // all that is announced is known
  for (std::size_t i = 0; i < count_; ++i) {
    if (seats_[i] == Seat::waits) find_category(world, i);
  }
  cluster_.emplace(instance_, tasks_, nullptr);
  for (std::int64_t rank = 0; rank < up(); ++rank) cluster_->set_alive(rank, true);
  place_runs(world);
  strategy_ = make_strategy(spec, instance_, Stream(StreamKey{})).value()(*cluster_);
  Strategy::Memory memory = world.memory;
  memory.used = std::min(memory.used, up());
  const auto before = up() - static_cast<std::int64_t>(changes.went_up.size());
  if (memory.used == 0 && before > 0) memory.used = first_used(world.rules, before);
  strategy_->resume(world.now, memory);
}

// Without a reference the jobs that run or wait are one, so that each of them changes all categories.
void Desk::find_category(World& world, std::size_t task) {
  if (!world.rules.reference.empty() || job(task).category) return;
  tasks_[task].category = world.kept.registry->categories(world).of(job(task).length);
}

// What is left of runs, in order of submission. A system may run more on a machine than it has cores.
void Desk::place_runs(const World& world) {
  for (std::size_t rank = 0; rank < is_stale_.size(); ++rank) {
    if (is_stale_[rank] == 0) continue;
    cluster_->clear(static_cast<std::int64_t>(rank));
    next_change_[rank] = kNever;
  }
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < count_; ++i) {
    if (seats_[i] == Seat::runs && is_stale(rank_of(i))) runs.push_back(i);
  }
  std::ranges::stable_sort(runs, {}, [this](std::size_t task) { return records_[task]->number; });
  for (const std::size_t task : runs) {
    const LiveJob& run = job(task);
    const std::int64_t rank = rank_of(task);
    const std::int64_t lasted = std::max<std::int64_t>(0, world.now - run.since);
    tasks_[task].length = estimated_length(run.length, lasted);
    tasks_[task].first_length = tasks_[task].length - lasted;
    tasks_[task].cores = std::min(run.cores, cluster_->free(rank));
    cluster_->renew(task);
    wake_rank(next_change_, rank, world.now + tasks_[task].first_length);
    if (tasks_[task].cores > 0) cluster_->start(task, rank, world.now);
  }
}

// Starts are computed again where something changed or is due.
void Desk::go_on(const World& world) {
  std::vector<std::int64_t> stale;
  for (std::size_t rank = 0; rank < is_stale_.size(); ++rank) {
    if (std::min(next_change_[rank], next_start_[rank]) <= world.now) is_stale_[rank] = 1;
    if (is_stale_[rank] != 0) stale.push_back(static_cast<std::int64_t>(rank));
  }
  if (stale.empty()) return;
  place_runs(world);
  strategy_->forget(stale, world.now);
}

void Desk::hand_over(World& world, const Changes& changes, bool is_new) {
  std::vector<char> is_apart(count_, 0);
  const auto take = [&](const std::string& id, std::vector<std::size_t>& out) {
    const Record* const record = world.kept.registry->find(id);
    if (record == nullptr || record->task == Registry::kNoTask) return;
    if (seats_[record->task] != Seat::waits || std::exchange(is_apart[record->task], 1) != 0)
      return;
    out.push_back(record->task);
  };
  killed_.clear();
  arriving_.clear();
  for (const std::string& id : changes.killed) take(id, killed_);
  for (const auto& [id, why] : changes.fresh) take(id, arriving_);
  const bool comes_from_none = !changes.went_up.empty() && std::ssize(changes.went_up) == up();
  const bool drops_plans = changes.places_all() && changes.went_up.empty();
  for (std::size_t i = 0; i < count_; ++i) {
    if (seats_[i] != Seat::waits || is_apart[i] != 0) continue;
    const std::int64_t rank = rank_of(i);
    if (!is_new && !is_stale(rank)) continue;
    if (!strategy_->plans_ahead() || drops_plans ||
        (rank < 0 && (changes.places_all() || comes_from_none))) {
      strategy_->enqueue(i);
    } else if (rank >= 0) {
      strategy_->add_plan(i, rank, world.now);
    } else {
      arriving_.push_back(i);
    }
  }
  std::ranges::sort(killed_);
  std::ranges::sort(arriving_);
  std::ranges::fill(is_stale_, 0);
  if (is_new) return;
  for (const std::size_t task : arriving_) {
    find_category(world, task);
    strategy_->renew(task);
  }
}

// In the order of an instant of simulate().
void Desk::tell(const World& world, const Changes& changes) {
  const std::int64_t now = world.now;
  const std::size_t spare = tasks_.size() - 1;
  for (const LiveJob& ended : changes.ended) {
    set(spare, ended);
    renew(spare);
    strategy_->on_end({spare, std::max<std::int64_t>(0, rank_of_[*ended.machine])}, now);
  }
  if (!changes.ended.empty() && up() > 0) strategy_->after_ends({}, now);
  if (!changes.went_up.empty()) {
    std::vector<std::int64_t> ranks;
    for (const std::size_t machine : changes.went_up) ranks.push_back(rank_of_[machine]);
    strategy_->on_added(ranks, up() - std::ssize(ranks), now);
  }
  if (changes.places_all()) strategy_->on_removed({}, killed_, now);
  if (strategy_->next_planned() <= now) strategy_->start_planned(now);
  strategy_->before_arrivals(!changes.ended.empty(), now);
  for (const std::size_t task : arriving_) strategy_->on_arrival(task, now);
}

std::string Desk::reason(World& world, const Changes& changes, std::size_t task) {
  std::string out = changes.cause.empty() ? "its time has come" : changes.cause;
  if (const auto own = changes.fresh.find(job(task).id); own != changes.fresh.end()) {
    out = own->second;
  }
  const std::string& machine = world.machines[static_cast<std::size_t>(machines_[task])];
  if (!strategy_->plans_ahead()) {
    return out + fmt::format("; {} has {} free", machine, counted(job(task).cores, "core"));
  }
  find_category(world, task);
  return out + fmt::format("; category {:.3g}, {} is number {} of {}", tasks_[task].category,
                           machine, rank_of(task) + 1, strategy_->memory().used);
}

void Desk::take_starts(World& world, const Changes& changes, LiveAdvice& out) {
  std::vector<std::pair<std::size_t, std::int64_t>> started;  // task, rank
  for (std::int64_t rank = 0; rank < up(); ++rank) {
    for (const ClusterState::Running& run : cluster_->running(rank)) {
      if (seats_[run.task] != Seat::runs) started.emplace_back(run.task, rank);
    }
  }
  std::ranges::sort(started);
  for (const auto& [task, rank] : started) {
    const std::size_t machine = machine_at_[static_cast<std::size_t>(rank)];
    LiveJob& one = job(task);
    seats_[task] = Seat::runs;
    machines_[task] = static_cast<std::int64_t>(machine);
    out.moves.push_back({.what = LiveMove::Do::start,
                         .job = one.id,
                         .on = world.machines[machine],
                         .cores = one.cores,
                         .at = world.now,
                         .because = reason(world, changes, task)});
    one.phase = Phase::starting;
    one.machine = machine;
    one.since = world.now;
    world.kept.registry->note(*records_[task]);
    wake_rank(next_change_, rank, world.now + one.length);
  }
}

// Returns true if each job that waits has a machine.
bool Desk::take_plans(World& world, const Changes& changes, LiveAdvice& out) {
  std::vector<const Strategy::Plan*> plan_of(tasks_.size(), nullptr);
  std::vector<std::size_t> last(is_stale_.size(), 0);  // by rank: task
  const std::vector<Strategy::Plan> plans = strategy_->plans();
  std::ranges::fill(next_start_, kNever);
  for (const Strategy::Plan& plan : plans) {
    plan_of[plan.task] = &plan;
    const auto rank = static_cast<std::size_t>(plan.machine);
    wake_rank(next_start_, plan.machine, plan.start);
    wake_at(plan.start, world.now, out.ask_again_at);
    last[rank] = std::max(last[rank], plan.task);
  }
  bool has_all = true;
  for (std::size_t i = 0; i < count_; ++i) {
    if (seats_[i] != Seat::waits) continue;
    const Strategy::Plan* const plan = plan_of[i];
    has_all &= plan != nullptr;
    const std::int64_t machine =
        plan == nullptr
            ? kNowhere
            : static_cast<std::int64_t>(machine_at_[static_cast<std::size_t>(plan->machine)]);
    if (std::exchange(machines_[i], machine) == machine) continue;
    LiveJob& one = job(i);
    LiveMove move{.what = LiveMove::Do::wait, .job = one.id, .cores = one.cores};
    if (plan != nullptr) {
      one.machine = static_cast<std::size_t>(machine);
      move.what = LiveMove::Do::place;
      move.on = world.machines[*one.machine];
      move.at = plan->start;
      move.because = reason(world, changes, i);
    } else {
      one.machine.reset();
      move.because = up() == 0 ? "no machine is on" : changes.cause;
    }
    out.moves.push_back(std::move(move));
  }
  // A job that arrived among earlier ones was planned after them, and will be computed again in its place.
  for (const std::size_t task : arriving_) {
    const std::int64_t rank = seats_[task] == Seat::waits ? rank_of(task) : kNowhere;
    if (rank >= 0 && last[static_cast<std::size_t>(rank)] > task)
      wake_rank(next_start_, rank, world.now);
  }
  return has_all;
}

// Nothing is decided again before something happens, something is due, or an estimate changes: a run that is over, a change
// that was announced.
void Desk::look_ahead(World& world, LiveAdvice& out) {
  const std::int64_t now = world.now;
  wake_at(world.kept.registry->next_due(now).value_or(kNever), now, out.ask_again_at);
  wake_at(strategy_->next_planned(), now, out.ask_again_at);
  std::optional<std::int64_t> quiet_until = out.ask_again_at;
  for (const std::int64_t change : next_change_) wake_at(change, now, quiet_until);
  for (const Step& step : world.rules.alive) wake_at(step.time, now, quiet_until);
  world.quiet_until = quiet_until.value_or(kNever);
  world.ask_again_at = out.ask_again_at;
}

LiveAdvice Desk::decide(World& world, const Changes& changes, const StrategySpec& spec) {
  const bool is_new = !strategy_ || spec.text != spec_;
  is_new ? begin(world, changes, spec) : go_on(world);
  hand_over(world, changes, is_new);
  tell(world, changes);
  LiveAdvice out{.moves = {}, .ask_again_at = {}, .ignored = changes.ignored};
  take_starts(world, changes, out);
  const bool has_all = take_plans(world, changes, out);
  if (strategy_->plans_ahead()) world.memory = strategy_->memory();
  look_ahead(world, out);
  const bool goes_on = strategy_->plans_ahead() && up() > 0 && has_all && world.rules.alive.empty();
  if (!goes_on) strategy_.reset();
  return out;
}

}  // namespace holdfast::capacity
