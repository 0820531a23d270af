#include "holdfast/campaign/workload.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <unordered_map>

namespace holdfast {
namespace {

/// The number of groups per worker below which large groups are split. With fewer groups, the other workers would be idle for a
/// noticeable part of the run while the last group runs.
constexpr std::uint64_t kGroupsPerWorker = 16;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns a key that determines the realisations of a position: the shared parameters as they stand in the file.
std::string family_key(const Domain& domain, const Value& parameters) {
  std::string key;
  for (const std::string_view name : domain.shared_parameters) {
    const Value* value = parameters.find(name);
    key += value == nullptr ? "-" : to_compact_json(*value);
    key += '\n';
  }
  return key;
}

/// Runs one cell. Simulators throw nothing themselves, but an exception from a library (no memory) must not end a worker's
/// thread.
Result<Outcome> run_point(const Point& point, const Draw& draw, std::size_t strategy,
                          Workspace& workspace, bool want_timeline) {
  const auto no_memory = [] {
    return fail(ErrorCode::io_failure, {}, "not enough memory for this run");
  };
  try {
    return point.run(draw, strategy, workspace, want_timeline);
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::length_error&) {  // larger than any memory
    return no_memory();
  } catch (const std::exception& error) {
    return fail(ErrorCode::io_failure, {}, fmt::format("the run failed: {}", error.what()));
  }
}

}  // namespace

/// Points that share their realisations. They are opened by the first group that needs them and dropped after the last.
struct Family {
  std::vector<std::uint32_t> points;
  std::uint64_t instances = 1;  // largest number of instances among its points
  std::uint64_t scenarios = 1;
  std::uint64_t parts = 1;        // number of groups into which each draw of the family is cut
  std::uint64_t first_group = 0;  // groups are numbered by family, draw, part
  std::mutex mutex;
  std::vector<std::shared_ptr<const Point>> open;  // guarded by mutex; slot of points[i]
  std::uint64_t groups_left = 0;                   // guarded by mutex
  std::uint64_t in_use = 0;                        // guarded by mutex: groups that run now
  std::uint64_t index = 0;                         // position of the family

  [[nodiscard]] std::uint64_t groups() const { return instances * scenarios * parts; }
  void close() { std::fill(open.begin(), open.end(), nullptr); }
};

struct Workload::Impl {
  const Campaign& campaign;
  Design& design;
  Watch* watch;
  std::vector<bool> done;  // by number of the cell in the design
  std::uint64_t missing = 0;
  std::uint64_t groups = 0;
  std::vector<std::unique_ptr<Family>> families;
  unsigned workers;
  mutable std::atomic<std::uint64_t> newest{0};  // the last opened family, in their order

  Impl(const Campaign& c, Design& d, Watch* w, unsigned n)
      : campaign(c), design(d), watch(w), workers(n) {}

  void mark_done(const IsDone& is_done);
  void make_families();
  void split_families();
  /// The missing cells of a group, and the points of its family to which they belong.
  struct Members {
    Family* family = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<CellKey> keys;
  };
  [[nodiscard]] Members members(std::uint64_t group) const;
  [[nodiscard]] Family& family_of(std::uint64_t group) const;
  /// Opens points of a family. They stay open until release(), so that no count of their users is written for each cell.
  Result<std::vector<const Point*>> acquire(Family& family, std::size_t begin,
                                            std::size_t end) const;
  void release(Family& family, bool was_acquired) const;
  void open_newest(std::uint64_t index) const;
  Status run_cell(const Point& point, const CellKey& key, Workspace& workspace, Batch& batch) const;
  Status check_cell(const Point& point, const CellKey& key, const Draw& draw,
                    const Outcome& outcome) const;
  [[nodiscard]] Error placed(const CellKey& key, Error error) const;
};

void Workload::Impl::mark_done(const IsDone& is_done) {
  done.resize(design.cells());
  std::uint64_t cell = 0;
  for (std::uint32_t point = 0; point < design.points().size(); ++point) {
    const DesignPoint& at = design.points()[point];
    for (std::uint64_t instance = 0; instance < at.instances; ++instance) {
      for (std::uint64_t scenario = 0; scenario < at.scenarios; ++scenario) {
        for (std::uint32_t strategy = 0; strategy < campaign.strategies.size(); ++strategy) {
          const bool is_there = is_done({point, strategy, instance, scenario});
          done[cell++] = is_there;
          if (!is_there) ++missing;
        }
      }
    }
  }
}

void Workload::Impl::make_families() {
  std::unordered_map<std::string, std::size_t> known;
  for (std::uint32_t point = 0; point < design.points().size(); ++point) {
    const DesignPoint& at = design.points()[point];
    std::size_t index = families.size();
    if (!campaign.domain->shared_parameters.empty()) {
      const std::string key = family_key(*campaign.domain, design.parameters(at.position));
      index = known.emplace(key, index).first->second;
    }
    if (index == families.size()) families.push_back(std::make_unique<Family>());
    Family& family = *families[index];
    family.points.push_back(point);
    family.instances = std::max(family.instances, at.instances);
    family.scenarios = std::max(family.scenarios, at.scenarios);
  }
}

void Workload::Impl::split_families() {
  std::uint64_t draws = 0;
  for (const auto& family : families) draws += family->groups();
  const std::uint64_t wanted = kGroupsPerWorker * std::max(workers, 1U);
  const std::uint64_t parts = (wanted + draws - 1) / std::max<std::uint64_t>(draws, 1);
  std::uint64_t index = 0;
  for (const auto& family : families) {
    family->parts = std::clamp<std::uint64_t>(parts, 1, family->points.size());
    family->open.resize(family->points.size());
    family->groups_left = family->groups();
    family->first_group = groups;
    family->index = index++;
    groups += family->groups();
  }
}

Family& Workload::Impl::family_of(std::uint64_t group) const {
  const auto after = std::upper_bound(
      families.begin(), families.end(), group,
      [](std::uint64_t value, const auto& family) { return value < family->first_group; });
  return **std::prev(after);
}

Result<std::vector<const Point*>> Workload::Impl::acquire(Family& family, std::size_t begin,
                                                          std::size_t end) const {
  open_newest(family.index);
  const std::lock_guard lock(family.mutex);
  std::vector<const Point*> out;
  for (std::size_t i = begin; i < end; ++i) {
    if (!family.open[i]) {
      HOLDFAST_TRY(point, design.take(family.points[i]));
      family.open[i] = std::move(point);
    }
    out.push_back(family.open[i].get());
  }
  ++family.in_use;
  return out;
}

void Workload::Impl::release(Family& family, bool was_acquired) const {
  const std::lock_guard lock(family.mutex);
  if (was_acquired) --family.in_use;
  const bool is_past = family.in_use == 0 && family.index < newest.load();
  if (--family.groups_left == 0 || is_past) family.close();
}

/// Records that a family was opened. The family before it is closed, unless one of its groups runs; that group then closes it.
void Workload::Impl::open_newest(std::uint64_t index) const {
  std::uint64_t before = newest.load();
  while (before < index && !newest.compare_exchange_weak(before, index)) {
  }
  if (before >= index) return;
  Family& past = *families[before];
  const std::lock_guard lock(past.mutex);
  if (past.in_use == 0) past.close();
}

Error Workload::Impl::placed(const CellKey& key, Error error) const {
  const StrategySpec& strategy = campaign.strategies[key.strategy];
  std::string label = design.label(design.points()[key.point].position);
  if (!label.empty()) label += ", ";
  const std::string draw = fmt::format("instance {}, scenario {}", key.instance, key.scenario);
  // The error of a rule's answer names the strategy itself, followed by the number of the decision.
  const std::string own = fmt::format("strategy {}", in_quotes(strategy.shown));
  if (strategy.rule != nullptr && error.where.starts_with(own)) {
    error.where = fmt::format("{}{}, {}{}", label, own, draw, error.where.substr(own.size()));
  } else {
    const std::string cell = fmt::format("{}{}, strategy {}", label, draw, strategy.text);
    error.where = error.where.empty() ? cell : fmt::format("{}: {}", cell, error.where);
  }
  return campaign.file.empty() ? error : in_file(campaign.file, std::move(error));
}

Status Workload::Impl::run_cell(const Point& point, const CellKey& key, Workspace& workspace,
                                Batch& batch) const {
  const bool is_first = key.point == 0 && key.instance == 0 && key.scenario == 0;
  const bool is_watched = watch != nullptr && (is_first || watch->check);
  const Draw draw = {.seed = campaign.seed, .instance = key.instance, .scenario = key.scenario};
  const auto start = std::chrono::steady_clock::now();
  auto outcome = run_point(point, draw, key.strategy, workspace, is_watched);
  if (!outcome) return fail(placed(key, std::move(outcome).error()));
  assert(outcome->metrics.size() == campaign.domain->metrics.size());
  batch.add(key, *outcome, seconds_since(start));
  if (!is_watched) return {};
  if (watch->check) HOLDFAST_CHECK(check_cell(point, key, draw, *outcome));
  if (is_first) {
    watch->details[key.strategy] = std::move(outcome->details);
    watch->timelines[key.strategy] = std::move(outcome->timeline);
  }
  return {};
}

Status Workload::Impl::check_cell(const Point& point, const CellKey& key, const Draw& draw,
                                  const Outcome& outcome) const {
  auto checked = point.check(draw, key.strategy, outcome);
  if (!checked) return {};
  if (!*checked) {
    const std::string broken = "the run does not obey the model: " + checked->error().text();
    return fail(placed(key, Error{ErrorCode::infeasible, {}, broken}));
  }
  watch->checked.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Workload::Workload(const Campaign& campaign, Design& design, const IsDone& is_done,
                   unsigned workers, Watch* watch)
    : impl_(std::make_unique<Impl>(campaign, design, watch, workers)) {
  if (watch != nullptr) {
    watch->details.resize(campaign.strategies.size());
    watch->timelines.resize(campaign.strategies.size());
  }
  impl_->mark_done(is_done);
  impl_->make_families();
  impl_->split_families();
}

Workload::~Workload() = default;

std::uint64_t Workload::groups() const {
  return impl_->missing == 0 ? 0 : impl_->groups;
}
std::uint64_t Workload::cells() const {
  return impl_->missing;
}
std::size_t Workload::metrics() const {
  return impl_->campaign.domain->metrics.size();
}

std::uint64_t Workload::missing(std::uint64_t group) const {
  return impl_->members(group).keys.size();
}
const Design& Workload::design() const {
  return impl_->design;
}
const std::vector<bool>& Workload::done() const {
  return impl_->done;
}
unsigned Workload::workers() const {
  return impl_->workers;
}

Workload::Impl::Members Workload::Impl::members(std::uint64_t group) const {
  Members out;
  Family& family = family_of(group);
  const std::uint64_t within = group - family.first_group;
  const std::uint64_t part = within % family.parts;
  const std::uint64_t draw = within / family.parts;
  const std::uint64_t instance = draw / family.scenarios;
  const std::uint64_t scenario = draw % family.scenarios;
  out.family = &family;
  out.begin = family.points.size() * part / family.parts;
  out.end = family.points.size() * (part + 1) / family.parts;
  for (std::size_t i = out.begin; i < out.end; ++i) {
    const std::uint32_t point = family.points[i];
    const DesignPoint& at = design.points()[point];
    if (instance >= at.instances || scenario >= at.scenarios) continue;
    for (std::uint32_t strategy = 0; strategy < campaign.strategies.size(); ++strategy) {
      if (done[design.cell(point, instance, scenario, strategy)]) continue;
      out.keys.push_back({point, strategy, instance, scenario});
    }
  }
  return out;
}

Status Workload::run(std::uint64_t group, Workspace& workspace, const Control& control,
                     Batch& batch, const std::function<void()>& after_cell) const {
  // Most groups of a resumed campaign have no missing cells and open nothing.
  const Impl::Members members = impl_->members(group);
  const auto& [family, begin, end, keys] = members;
  Status status;
  if (!keys.empty()) {
    HOLDFAST_TRY(points, impl_->acquire(*family, begin, end));
    std::size_t slot = 0;
    for (const CellKey& key : keys) {
      if (control.stopped()) break;
      while (family->points[begin + slot] != key.point) ++slot;
      status = impl_->run_cell(*points[slot], key, workspace, batch);
      if (!status) break;
      after_cell();
    }
  }
  impl_->release(*family, !keys.empty());
  // A cell that was stopped before its end counts as not run.
  const bool is_stopped =
      !status && status.error().code == ErrorCode::interrupted && control.stopped();
  return is_stopped ? Status{} : status;
}

}  // namespace holdfast
