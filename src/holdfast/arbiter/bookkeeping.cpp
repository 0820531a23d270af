#include "holdfast/arbiter/bookkeeping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::arbiter {
namespace {

/// Seconds between two writes of the metrics, and seconds after a failed write.
constexpr double kMetricsCadence = 5;
constexpr double kMetricsCadenceInTrouble = 60;

}  // namespace

Result<std::uint32_t> Bookkeeping::read_state() {
  HOLDFAST_TRY(state, StateKeeper::open(options_->state, zero_));
  state_ = std::move(state);
  return state_.epoch();
}

Status Bookkeeping::begin(Core& core, std::string_view policy, double now) {
  state_.restore(core, now);
  HOLDFAST_CHECK(state_.save_now(core, now));
  HOLDFAST_CHECK(open_metrics(core, now));
  if (!options_->record.empty()) {
    HOLDFAST_TRY(recorder, Recorder::open(options_->record, header(options_->settings, policy)));
    recorder_.emplace(std::move(recorder));
  }
  core.observe([this](const Happening& one, double date) {
    tally_.hear(one);
    if (recorder_) recorder_->hear(one, date);
  });
  return {};
}

Status Bookkeeping::open_metrics(const Core& core, double now) {
  if (!options_->metrics_file.empty()) {
    metrics_file_ = std::make_unique<BackgroundFile>(options_->metrics_file);
    HOLDFAST_CHECK(metrics_file_->write_now(metrics(core, now)));
  }
  if (options_->metrics_listen.empty()) return {};
  HOLDFAST_TRY(port, MetricsPort::open(options_->metrics_listen));
  port_.emplace(std::move(port));
  return {};
}

void Bookkeeping::announce() const {
  if (!port_) return;
  voice_.say(fmt::format("metrics at http://{}/metrics", port_->address()));
  if (!port_->is_local()) {
    voice_.warn("metrics can be read from other machines too, names of jobs included");
  }
}

std::string Bookkeeping::metrics(const Core& core, double now) const {
  return metrics_text(core.standings(now), core.totals(), tally_);
}

void Bookkeeping::keep(const Core& core, double now) {
  state_.keep(core, now);
  if (const auto trouble = state_.trouble(now)) {
    voice_.warn(fmt::format("{}; the state is written again in a minute", *trouble));
  }
  if (metrics_file_ && now >= metrics_at_) write_metrics(core, now);
  if (port_) port_->attend(now, [&] { return metrics(core, now); });
}

void Bookkeeping::write_metrics(const Core& core, double now) {
  metrics_at_ = now + kMetricsCadence;
  if (const auto trouble = metrics_file_->trouble()) {
    metrics_at_ = now + kMetricsCadenceInTrouble;
    voice_.warn(fmt::format("{}; metrics are written again in a minute", *trouble));
    return;
  }
  if (metrics_file_->is_busy()) return;
  metrics_file_->begin([standings = core.standings(now), totals = core.totals(), tally = tally_] {
    return metrics_text(standings, totals, tally);
  });
}

double Bookkeeping::wake(const Core& core) const {
  double out = core.wake();
  // The state changes only while there are applications.
  if (out < Core::kNever) out = std::min(out, state_.wake());
  if (metrics_file_) out = std::min(out, metrics_at_);
  if (port_) out = std::min(out, port_->wake());
  return out;
}

void Bookkeeping::rotate_record(const Core& core, double now) {
  if (!recorder_) return voice_.say("there is no record to rotate: --record names none");
  recorder_->begin_anew(now);
  introduce(core, now);
}

void Bookkeeping::change(const Core& core, const Settings& settings, std::string_view policy,
                         double now) {
  if (!recorder_) return;
  recorder_->begin_anew(header(settings, policy), now);
  introduce(core, now);
}

Value Bookkeeping::header(Settings settings, std::string_view policy) const {
  settings.epoch = state_.epoch();
  return record_header(settings, policy);
}

// Writes the connected applications at the beginning of a new record.
void Bookkeeping::introduce(const Core& core, double now) {
  core.introduce([this](const Happening& one, double date) { recorder_->hear(one, date); }, now);
}

Status Bookkeeping::save_state(const Core& core, double now) {
  return state_.save_now(core, now);
}

void Bookkeeping::end(double now) {
  if (recorder_) recorder_->end(now);
}

}  // namespace holdfast::arbiter
