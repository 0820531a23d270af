#include "holdfast/domains/volatile/recorded_pool.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace holdfast::volatile_workers {
namespace {

constexpr std::size_t kCheckedWorkers = 200;

std::string digest_of(const std::vector<WorkerHistory>& workers) {
  Sha256 digest;
  for (const WorkerHistory& worker : workers) {
    digest.update(worker.name);
    for (const StateInterval& interval : worker.intervals) {
      digest.update(
          fmt::format("|{} {} {}", interval.start, interval.end, static_cast<int>(interval.state)));
    }
    digest.update("\n");
  }
  std::string text;
  for (const std::uint8_t byte : digest.finish()) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

Result<RecordedPool> load_pool(const std::filesystem::path& file, std::string_view format,
                               WorkerState unavailable, double slot,
                               std::optional<std::int64_t> history) {
  auto record = read_availability(file, {unavailable}, format);
  if (!record) return fail(of_field("/availability/file", std::move(record).error()));
  RecordedPool pool;
  pool.workers = std::move(record->workers);
  pool.from = record->from;
  pool.slot = slot;
  const double slots = std::floor((record->to - record->from) / slot * (1 + 1e-12));
  if (!(slots >= 2 && slots <= kMostRecorded)) {
    return fail(ErrorCode::bad_value, "/slot",
                fmt::format("found {:g} whole slots in the record, expected from 2 to {:g}", slots,
                            kMostRecorded));
  }
  pool.slots = static_cast<std::int64_t>(slots);
  pool.history = history.value_or(pool.slots / 2);
  if (pool.history >= pool.slots) {
    return fail(ErrorCode::bad_value, "/availability/history",
                fmt::format("found {} slots, expected fewer than the {} of the record",
                            pool.history, pool.slots));
  }
  pool.unavailable = unavailable;
  pool.digest = digest_of(pool.workers);
  return pool;
}

std::vector<std::string> letters_of(const RecordedPool& pool, std::size_t most) {
  std::vector<std::string> letters;
  for (const WorkerHistory& worker : pool.workers) {
    if (letters.size() == most) break;
    letters.push_back(slot_states(worker, pool.from, pool.slot, pool.slots));
  }
  return letters;
}

std::vector<std::string> doubts(const FittedChains& fit) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < 3; ++i) {
    const HoldingTimes& holding = fit.holding[i];
    if (!holding.is_suspicious()) continue;
    out.push_back(fmt::format(
        "times {} are not geometric: their spread is {:.2f} times that of a Markov chain ({} of "
        "them, {:.1f} standard errors); rules that trust the chain may be wrong",
        kWorkerStates[i], holding.dispersion, holding.runs, std::abs(holding.score)));
  }
  return out;
}

Result<std::shared_ptr<const RecordedPool>> read_recorded_pool(
    ObjectReader& read, std::optional<double> slot, const std::filesystem::path& directory) {
  std::shared_ptr<const RecordedPool> out;
  read.with("availability", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader fields(value, where);
    const std::string file = fields.text("file");
    const std::string format = fields.text_or("format", "");
    const auto unavailable = fields.choice_or("unavailable", kUnavailable, 0) == 0
                                 ? WorkerState::down
                                 : WorkerState::reclaimed;
    std::optional<std::int64_t> history;
    if (fields.has("history")) history = fields.integer("history", kRecordedHistory);
    HOLDFAST_CHECK(fields.finish());
    if (!slot) {
      return fail(ErrorCode::bad_value, "/slot",
                  "is missing: how long is a slot of recorded availability?");
    }
    HOLDFAST_TRY(pool, load_pool(directory / file, format, unavailable, *slot, history));
    pool.warnings = doubts(fit_chains(letters_of(pool, kCheckedWorkers)));
    out = std::make_shared<const RecordedPool>(std::move(pool));
    return {};
  });
  return out;
}

namespace {

// The letters of the history and of the run, for each worker drawn.
struct Window {
  std::vector<std::string> seen, states;
};

Window draw_window(const RecordedPool& pool, Stream& stream, std::int64_t run,
                   std::size_t workers) {
  const std::int64_t first = stream.integer(0, pool.slots - pool.history - run);
  const double from = pool.from + static_cast<double>(first) * pool.slot;
  const auto history = static_cast<std::size_t>(pool.history);
  std::vector<std::size_t> order(pool.workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto last = static_cast<std::int64_t>(order.size()) - 1;
  Window out;
  for (std::size_t i = 0; i < order.size() && out.seen.size() < workers; ++i) {
    const auto other = static_cast<std::size_t>(stream.integer(static_cast<std::int64_t>(i), last));
    std::swap(order[i], order[other]);
    const std::string letters =
        slot_states(pool.workers[order[i]], from, pool.slot, pool.history + run);
    if (letters.find('u') >= history) continue;
    out.seen.push_back(letters.substr(0, history));
    out.states.push_back(letters.substr(history));
  }
  return out;
}

}  // namespace

Status draw_recorded(const RecordedPool& pool, Stream& stream, Instance& instance) {
  const std::int64_t run = std::min(instance.slot_limit, pool.slots - pool.history);
  const std::size_t wanted = instance.workers.size();
  if (pool.workers.size() < wanted) {
    return fail(
        ErrorCode::infeasible, "/workers",
        fmt::format("found {} workers in the record, expected {}", pool.workers.size(), wanted));
  }
  // A machine that grew has few workers in its first years, so another window, if there is one, may have more.
  const int windows = pool.history + run < pool.slots ? 50 : 1;
  Window window;
  for (int i = 0; i < windows && window.seen.size() < wanted; ++i) {
    window = draw_window(pool, stream, run, wanted);
  }
  const std::vector<std::string>& seen = window.seen;
  if (seen.size() < wanted) {
    return fail(ErrorCode::infeasible, "/workers",
                fmt::format("found {} workers that were up in the history, expected {}",
                            seen.size(), wanted));
  }
  instance.slot_limit = run;
  instance.seen_slots = pool.history;
  instance.states = window.states;
  const auto history = static_cast<std::size_t>(pool.history);
  const FittedChains fit = fit_chains(seen);
  for (std::size_t q = 0; q < seen.size(); ++q) {
    Worker& worker = instance.workers[q];
    worker.markov = fit.workers[q];
    worker.seen_up = std::count(seen[q].begin(), seen[q].end(), 'u');
    const std::size_t other = seen[q].find_last_not_of('u');
    worker.up_for =
        static_cast<std::int64_t>(other == std::string::npos ? history : history - other - 1);
  }
  return {};
}

}  // namespace holdfast::volatile_workers
