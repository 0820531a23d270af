#include "holdfast/steward/reconcile.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace holdfast::steward {
namespace {

using Phase = capacity::LiveJob::Phase;
using What = capacity::LiveEvent::What;
using Event = capacity::LiveEvent;

constexpr std::int64_t kUnlimited = 365 * 86400;  // the length of a job without a limit, seconds

// A job that may start this soon is decided on now, so that it has its node by then. Seconds.
constexpr std::int64_t kSoon = 5;

/// A job of a look as the policy sees it: the part of it that is on one node.
struct Part {
  std::string id;
  const SeenJob* job = nullptr;
  std::string node;  ///< empty: it waits
  std::int64_t cores = 1;
};

class Reconciler {
 public:
  Reconciler(const State& state, const Look& look, const Charge& charge,
             const std::set<std::string>& up, Said& said)
      : world_{state.world},
        state_{state},
        look_{look},
        charge_{charge},
        up_{up},
        said_{said},
        ours_(charge.nodes.begin(), charge.nodes.end()),
        now_{std::max(look.now, state.world.now)} {}

  std::vector<Event> run() {
    list_parts();
    ends();
    nodes();
    for (const Part& part : parts_) meet(part);
    if (out_.empty()) out_.push_back({.at = now_});
    return std::move(out_);
  }

 private:
  void add(Event event) {
    event.at = now_;
    out_.push_back(std::move(event));
  }

  // Runs on nodes that are on, including those of others, because they take cores; and the jobs to be placed.
  void list_parts() {
    for (const SeenJob& job : look_.jobs) {
      if (job.state == "PENDING") {
        const std::string_view why = why_left_alone(job, state_, charge_);
        if (why.empty()) {
          parts_.push_back({job.id, &job, "", job.cores});
        } else if (job.partition == charge_.partition) {
          ++said_.left_alone[std::string(why)];
        }
      } else if (job.state == "RUNNING" || job.state == "SUSPENDED" || job.state == "CONFIGURING") {
        list_run(job);
      }
    }
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return a.job->submitted < b.job->submitted;
    });
    seen_.reserve(parts_.size());
    for (const Part& part : parts_) seen_.emplace(part.id, &part);
    known_.reserve(world_.jobs.size());
    for (const capacity::LiveJob& job : world_.jobs) known_.emplace(job.id, &job);
  }

  void list_run(const SeenJob& job) {
    const auto names = expand_nodes(job.nodes);
    if (!names) return;
    const auto is_ours = [this](const std::string& name) { return ours_.contains(name); };
    said_.running += std::ranges::any_of(*names, is_ours);
    for (const std::string& name : *names) {
      if (!up_.contains(name)) continue;
      const auto count = static_cast<std::int64_t>(names->size());
      parts_.push_back({count == 1 ? job.id : job.id + "@" + name, &job, name,
                        std::min(world_.rules.cores, (job.cores + count - 1) / count)});
    }
  }

  [[nodiscard]] std::optional<std::int64_t> restart_of(const SeenJob& job, std::int64_t now) const {
    if (job.reason != "BeginTime" || !job.start || *job.start - kSoon <= now) return std::nullopt;
    if (is_held_by_us(state_, job)) return std::nullopt;
    return *job.start - kSoon;
  }

  void ends() {
    for (const capacity::LiveJob& job : world_.jobs) {
      const auto found = seen_.find(job.id);
      if (found == seen_.end()) {
        add({.what = What::ended, .job = job.id});
      } else if (job.phase == Phase::running && found->second->node.empty()) {
        add({.what = What::killed,
             .job = job.id,
             .since = restart_of(*found->second->job, now_).value_or(now_)});
      }
    }
  }

  void nodes() {
    for (std::size_t m = 0; m < world_.machines.size(); ++m) {
      const bool is_up = up_.contains(world_.machines[m]);
      if (is_up == (world_.is_up[m] != 0)) continue;
      add({.what = is_up ? What::machine_up : What::machine_down,
           .machines = {world_.machines[m]}});
    }
  }

  void meet(const Part& part) {
    const auto found = known_.find(part.id);
    const bool is_new = found == known_.end();
    const capacity::LiveJob* const known = is_new ? nullptr : found->second;
    const SeenJob& job = *part.job;
    const std::int64_t length = length_of(job);
    if (is_new) {
      add({.what = What::submitted,
           .job = part.id,
           .cores = part.cores,
           .length = length,
           .release = std::min(job.submitted, now_)});
    } else if (known->cores != part.cores || known->length != length) {
      add({.what = What::resized, .job = part.id, .cores = part.cores, .length = length});
    }
    if (part.node.empty()) {
      const auto restart = restart_of(job, now_);
      const bool is_held = !is_new && known->phase == Phase::held && known->since == restart;
      if (restart && !is_held) add({.what = What::killed, .job = part.id, .since = restart});
      return;
    }
    const std::int64_t since = std::min(job.start.value_or(now_), now_);
    const bool is_same = !is_new && known->phase == Phase::running && known->machine &&
                         world_.machines[*known->machine] == part.node && known->since == since;
    if (is_same) return;
    add({.what = What::started, .job = part.id, .machines = {part.node}, .since = since});
  }

  const capacity::World& world_;
  const State& state_;
  const Look& look_;
  const Charge& charge_;
  const std::set<std::string>& up_;
  Said& said_;
  std::unordered_set<std::string_view> ours_;  // nodes
  std::int64_t now_;
  std::vector<Part> parts_;
  std::unordered_map<std::string_view, const Part*> seen_;
  std::unordered_map<std::string_view, const capacity::LiveJob*> known_;
  std::vector<Event> out_;
};

}  // namespace

std::int64_t length_of(const SeenJob& job) {
  constexpr std::string_view kMark = "length=";
  if (const auto at = job.comment.find(kMark); at != std::string::npos) {
    const std::string_view rest = std::string_view(job.comment).substr(at + kMark.size());
    const auto length = parse_quantity(rest.substr(0, rest.find_first_of(" ,;|")), Unit::seconds);
    if (length && *length >= 1 && *length <= static_cast<double>(kUnlimited)) {
      return static_cast<std::int64_t>(*length);
    }
  }
  return job.limit > 0 ? std::min(job.limit, kUnlimited) : kUnlimited;
}

std::string_view why_left_alone(const SeenJob& job, const State& state, const Charge& charge) {
  constexpr auto kNotYet =
      std::to_array<std::string_view>({"JobHeld", "JobHold", "Dependency", "Licenses",
                                       "Reservation", "Assoc", "QOS", "Burst", "Prolog"});
  if (job.partition != charge.partition) return "of other partitions";
  // Slurm holds a job whose launch failed: "launch_failed_requeued_held".
  if (job.reason.ends_with("held") ||
      std::any_of(kNotYet.begin(), kNotYet.end(),
                  [&](std::string_view word) { return job.reason.starts_with(word); })) {
    return "held, or waiting for something else than a node";
  }
  if (job.node_count > 1) return "of several nodes";
  if (job.id.find('[') != std::string::npos) return "tasks of arrays";
  if (job.cores > state.world.rules.cores) return "wider than a node";
  const auto placed = state.placed.find(job.id);
  const bool is_ours = placed != state.placed.end() && placed->second.contains(job.wanted);
  if (!job.wanted.empty() && !is_ours) return "with nodes of their own";
  return {};
}

std::vector<capacity::LiveEvent> events_of(const State& state, const Look& look,
                                           const Charge& charge, const std::set<std::string>& up,
                                           Said& said) {
  return Reconciler(state, look, charge, up, said).run();
}

}  // namespace holdfast::steward
