#include "holdfast/steward/server.hpp"

#include "holdfast/base/directory_lock.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/inputs.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/steward/metrics.hpp"
#include "holdfast/steward/slurm.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace holdfast::steward {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The folder of a steward that acts: what it knows, and what it did.
class Folder {
 public:
  static Result<Folder> open(const std::filesystem::path& path, const Charge& charge) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (code) return fail(ErrorCode::io_failure, path.string(), code.message());
    HOLDFAST_TRY(lock, DirectoryLock::acquire(
                           path, {.file = kLockFile, .doing = "places jobs with this folder"}));
    HOLDFAST_TRY(journal, field::read_journal(path / field::kJournalFile));
    HOLDFAST_TRY(writer, field::JournalWriter::open(path / field::kJournalFile, journal));
    Folder out(path, std::move(lock), std::move(writer));
    for (const Value& entry : journal.entries) {
      if (*entry.find("kind")->string() == "begin") ++out.run_;
    }
    if (journal.head.is_null()) {
      static_cast<void>(out.journal_.append(
          Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})},
                         {"what", "capacity serve"}}),
          field::Durable::now));
    }
    out.write("begin", Value::object({{"partition", charge.partition},
                                      {"nodes", Value::list(charge.nodes)},
                                      {"policy", charge.policy.text}}));
    return out;
  }

  /// Returns the state of the server before, if there was one.
  [[nodiscard]] Result<std::optional<State>> kept() const {
    std::error_code code;
    if (!std::filesystem::exists(path_ / kStateFile, code)) return std::optional<State>();
    auto document = read_document(path_ / kStateFile);
    if (!document) return fail(std::move(document).error());
    auto state = read_state(*document);
    if (!state) return fail(in_file((path_ / kStateFile).string(), std::move(state).error()));
    return std::optional(std::move(*state));
  }

  Status keep(const State& state) {
    std::string text = to_json(to_value(state)) + "\n";
    if (text == last_) return {};
    HOLDFAST_CHECK(write_own_file(path_ / kStateFile, text));
    last_ = std::move(text);
    return {};
  }

  void write(std::string_view kind, Value members) {
    Value entry = Value::object({{"time", seconds_of(CLOCK_REALTIME)},
                                 {"clock", seconds_of(CLOCK_MONOTONIC)},
                                 {"boot", ""},
                                 {"run", run_},
                                 {"kind", kind}});
    for (auto& [name, value] : *members.members()) entry.set(name, std::move(value));
    static_cast<void>(journal_.append(std::move(entry), field::Durable::soon));
  }

 private:
  Folder(std::filesystem::path path, DirectoryLock lock, field::JournalWriter journal)
      : path_{std::move(path)}, lock_{std::move(lock)}, journal_{std::move(journal)} {}

  std::filesystem::path path_;
  DirectoryLock lock_;
  field::JournalWriter journal_;
  std::int64_t run_ = 0;
  std::string last_;
};

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
    HOLDFAST_TRY(now, source_->at(look.now));
    HOLDFAST_CHECK(begin(look));
    is_first_ = true;
    take_capacity(look, now);
    HOLDFAST_CHECK(decide(look, cluster));
    while (!options_.once && !rest()) {
      auto next = look_at_slurm();
      if (next) next = with_capacity(std::move(*next));
      if (!next) {
        trouble(next.error().text());
        continue;
      }
      trouble({});
      HOLDFAST_CHECK(decide(*next, cluster));
    }
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
      HOLDFAST_TRY(folder, Folder::open(options_.directory, charge_));
      folder_.emplace(std::move(folder));
      HOLDFAST_TRY(kept, folder_->kept());
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
    return look;
  }

  // Waits for the next look. Returns true if the server is to stop.
  bool rest() const {
    const double until = seconds_of(CLOCK_MONOTONIC) + options_.every;
    while (!stop_.wanted()) {
      const double left = until - seconds_of(CLOCK_MONOTONIC);
      if (left <= 0) return false;
      ::poll(nullptr, 0, static_cast<int>(1000 * std::min(left, 0.1)) + 1);
    }
    return true;
  }

  // Each trouble is said once, and its end too.
  void trouble(const std::string& text) {
    if (text == trouble_) return;
    ++tally_.troubles;
    if (folder_) folder_->write("trouble", Value::object({{"text", text}}));
    voice_.warn(text.empty() ? "that is over" : text + "; Slurm goes on alone until this is over");
    trouble_ = text;
  }

  Status decide(const Look& look, const std::string& cluster) {
    const double began = seconds_of(CLOCK_MONOTONIC);
    HOLDFAST_TRY(said, step(state_, look, charge_));
    tally_.decided(seconds_of(CLOCK_MONOTONIC) - began);
    if (std::exchange(is_first_, false)) {
      for (const std::string& line : first_screen(cluster, charge_, look, said, options_))
        say(line);
    }
    if (options_.act) {
      HOLDFAST_CHECK(act(said.actions, look.now));
    } else {
      tell(said.actions);
    }
    if (folder_) HOLDFAST_CHECK(folder_->keep(state_));
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
    HOLDFAST_CHECK(folder_->keep(state_));
    for (const Action& action : actions) {
      const Status done = perform(action, charge_.how);
      const std::string words = in_words(action, charge_.how, true);
      Value entry = Value::object({{"do", kActions[static_cast<std::size_t>(action.what)]}});
      if (!action.job.empty()) entry.set("job", action.job);
      entry.set("node", action.node);
      entry.set("because", action.because);
      if (done) {
        say(words);
        ++tally_.actions[static_cast<std::size_t>(action.what)];
      } else {
        note_refused(state_, action, now);
        entry.set("refused", done.error().text());
        voice_.warn(fmt::format("refused: {}: {}", words, done.error().text()));
        ++tally_.refused;
      }
      folder_->write("action", std::move(entry));
    }
    return {};
  }

  const Options& options_;
  const Voice& voice_;
  Stop stop_;
  Charge charge_;
  State state_;
  std::optional<CapacitySource> source_;
  std::optional<Folder> folder_;
  Tally tally_;
  std::set<std::string> told_;
  std::string trouble_;
  bool is_first_ = true;
};

}  // namespace

Status serve(const Options& options, const Request& request) {
  return Server(options, request).run();
}

}  // namespace holdfast::steward
