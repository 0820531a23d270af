#include "holdfast/steward/server.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/steward/folder.hpp"
#include "holdfast/steward/metrics.hpp"
#include "holdfast/steward/slurm.hpp"
#include "holdfast/steward/slurm_command.hpp"
#include "holdfast/steward/trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace holdfast::steward {
namespace {

// A state in which only time has gone on is kept once in so many seconds, for those who ask for it.
constexpr double kKeepEvery = 10;

Result<std::optional<State>> kept_in(const Folder& folder) {
  HOLDFAST_TRY(document, folder.kept());
  if (!document) return std::optional<State>();
  auto state = read_state(*document);
  if (!state) return fail(in_file(folder.state_file(), std::move(state).error()));
  return std::optional(std::move(*state));
}

class Server {
 public:
  Server(const Options& options, const Request& request)
      : options_{options}, voice_{request.voice}, stop_{request.stop} {}

  Status run() {
    HOLDFAST_TRY(look, look_at_slurm());
    HOLDFAST_TRY(cluster, cluster_name());
    HOLDFAST_TRY(charge, charge_of(options_, look));
    charge_ = std::move(charge);
    source_.emplace(options_.capacity, static_cast<std::int64_t>(charge_.nodes.size()), look.now);
    rates_.emplace(options_.price.empty() ? options_.carbon : options_.price,
                   options_.price.empty() ? options_.carbon_column : options_.price_column,
                   look.now);
    HOLDFAST_TRY(now, source_->at(look.now));
    HOLDFAST_CHECK(begin(look));
    HOLDFAST_CHECK(take_rates(look.now));
    is_first_ = true;
    take_capacity(look, now);
    HOLDFAST_CHECK(take_notices(look));
    HOLDFAST_CHECK(decide(look, cluster));
    while (!options_.once && !rest(options_.every, stop_)) {
      auto next = look_at_slurm();
      if (next) next = with_capacity(std::move(*next));
      if (!next) {
        trouble(next.error().text());
        continue;
      }
      trouble({});
      HOLDFAST_CHECK(decide(*next, cluster));
    }
    if (options_.act && !options_.once) HOLDFAST_CHECK(let_go());
    if (folder_) folder_->write("end", Value::object());
    return {};
  }

 private:
  void say(const std::string& text) const {
    if (voice_.print) voice_.print(text + "\n");
  }

  Status begin(const Look& look) {
    const auto first = std::ranges::find(look.nodes, charge_.nodes.front(), &SeenNode::name);
    const auto count = static_cast<std::int64_t>(charge_.nodes.size());
    const std::int64_t safe = options_.safe.value_or((count + 1) / 2);
    if (safe > count) {
      return fail(ErrorCode::usage, "/safe_nodes",
                  fmt::format("found {}, expected at most {}, the nodes", safe, count));
    }
    state_ = first_state(charge_, first->cores, safe, look.now);
    if (!options_.directory.empty()) {
      HOLDFAST_TRY(folder,
                   Folder::open(options_.directory, {.what = "capacity serve",
                                                     .doing = "places jobs with this folder"}));
      folder_.emplace(std::move(folder));
      folder_->write("begin", Value::object({{"partition", charge_.partition},
                                             {"nodes", Value::list(charge_.nodes)},
                                             {"policy", charge_.policy.text}}));
      HOLDFAST_TRY(kept, kept_in(*folder_));
      if (kept && kept->world.machines == charge_.nodes &&
          kept->world.rules.cores == first->cores) {
        kept->world.rules.safe_machines = safe;
        state_ = std::move(*kept);
      }
    }
    if (options_.reference.empty()) return {};
    auto logged = capacity::read_logged_jobs(Value(options_.reference), "/reference", ".");
    if (!logged) return fail(std::move(logged).error());
    state_.world.rules.reference.clear();
    for (const capacity::Job& job : logged->jobs) {
      if (job.cores > first->cores) continue;
      state_.world.rules.reference.push_back({job.length, job.cores});
    }
    return {};
  }

  void take_capacity(Look& look, std::int64_t nodes) const {
    if (source_->is_given()) look.capacity = nodes;
  }

  Result<Look> with_capacity(Look look) {
    auto now = source_->at(look.now);
    if (!now) return fail(std::move(now).error());
    take_capacity(look, *now);
    HOLDFAST_CHECK(take_notices(look));
    HOLDFAST_CHECK(take_rates(look.now));
    return look;
  }

  Status take_notices(Look& look) const {
    if (options_.notices.empty()) return {};
    HOLDFAST_TRY(leaving, read_notices(options_.notices));
    look.leaving = std::move(leaving);
    return {};
  }

  Status take_rates(std::int64_t now) {
    HOLDFAST_TRY(news, rates_->news(now));
    if (!news) return {};
    capacity::World& world = state_.world;
    (options_.price.empty() ? world.rules.carbon : world.rules.price) = std::move(*news);
    world.quiet_until = 0;
    return {};
  }

  // Jobs that were held back are Slurm's again.
  Status let_go() {
    if (state_.held.empty()) return {};
    auto look = look_at_slurm();
    if (!look) {
      voice_.warn(fmt::format("jobs that are held back start after {} at the latest: {}",
                              format_duration(options_.hold), look.error().text()));
      return {};
    }
    return act(releases_of(state_, *look), look->now);
  }

  void trouble(const std::string& text) {
    if (trouble_.note(text, voice_, folder_ ? &*folder_ : nullptr)) ++tally_.troubles;
  }

  Status decide(const Look& look, const std::string& cluster) {
    const double began = seconds_since_boot();
    HOLDFAST_TRY(said, step(state_, look, charge_));
    tally_.decided(seconds_since_boot() - began);
    if (std::exchange(is_first_, false)) {
      for (const std::string& line : first_screen(cluster, charge_, look, said, options_))
        say(line);
    }
    if (options_.act) {
      HOLDFAST_CHECK(act(said.actions, look.now));
    } else {
      tell(said.actions);
    }
    if (folder_ && (said.is_news || began >= kept_at_ + kKeepEvery)) {
      HOLDFAST_CHECK(folder_->keep(to_value(state_)));
      kept_at_ = began;
    }
    if (options_.metrics_file.empty()) return {};
    return write_file(options_.metrics_file, metrics_text(look, said, charge_, tally_));
  }

  void tell(const std::vector<Action>& actions) {
    std::set<std::string> now;
    for (const Action& action : actions) {
      now.insert(action.key());
      if (!told_.contains(action.key())) say(in_words(action, charge_.how, false));
    }
    told_ = std::move(now);
  }

  Status act(const std::vector<Action>& actions, std::int64_t now) {
    if (actions.empty()) return {};
    for (const Action& action : actions) note_begun(state_, action);
    HOLDFAST_CHECK(folder_->keep(to_value(state_)));
    for (std::size_t i = 0; i < actions.size();) {
      const std::size_t count = alike_from(actions, i);
      const Status all = perform(together(std::span(actions).subspan(i, count)), charge_.how);
      for (const Action& action : std::span(actions).subspan(i, count)) {
        const bool is_told = all || count == 1;
        const Status done = is_told ? all : perform(action, charge_.how);
        if (!done &&
            is_silence(done.error())) {  // not refused: it is wanted again at the next look
          trouble(done.error().text());
          return {};
        }
        note(action, done, now);
      }
      i += count;
    }
    return {};
  }

  void note(const Action& action, const Status& done, std::int64_t now) {
    if (done) ++tally_.actions[static_cast<std::size_t>(action.what)];
    if (done && action.is_again) return;
    const std::string words = in_words(action, charge_.how, true);
    Value entry = Value::object({{"do", kActions[static_cast<std::size_t>(action.what)]}});
    if (!action.job.empty()) entry.set("job", action.job);
    if (!action.node.empty()) entry.set("node", action.node);
    entry.set("because", action.because);
    if (done) {
      say(words);
    } else {
      note_refused(state_, action, now);
      entry.set("refused", done.error().text());
      voice_.warn(fmt::format("refused: {}: {}", words, done.error().text()));
      ++tally_.refused;
    }
    folder_->write("action", std::move(entry));
  }

  const Options& options_;
  const Voice& voice_;
  Stop stop_;
  Charge charge_;
  State state_;
  std::optional<CapacitySource> source_;
  std::optional<RateSource> rates_;
  std::optional<Folder> folder_;
  Tally tally_;
  std::set<std::string> told_;
  Trouble trouble_{"Slurm goes on alone until this is over"};
  bool is_first_ = true;
  double kept_at_ = 0;  // on the clock since boot
};

}  // namespace

Status serve(const Options& options, const Request& request) {
  return Server(options, request).run();
}

}  // namespace holdfast::steward
