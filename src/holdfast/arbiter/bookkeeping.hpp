#pragma once

#include "holdfast/arbiter/background_file.hpp"
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/metrics.hpp"
#include "holdfast/arbiter/metrics_port.hpp"
#include "holdfast/arbiter/recorder.hpp"
#include "holdfast/arbiter/server.hpp"
#include "holdfast/arbiter/state_keeper.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// The files and the HTTP port of a server: its state, its record and its metrics. None of them makes the server wait for a
/// disk or a reader while it serves.
class Bookkeeping {
 public:
  /// @param zero  seconds since the machine was started, at the core's date 0
  Bookkeeping(const ServerOptions& options, Voice voice, double zero)
      : options_(&options), voice_(std::move(voice)), zero_(zero) {}
  Bookkeeping(const Bookkeeping&) = delete;
  Bookkeeping& operator=(const Bookkeeping&) = delete;
  ~Bookkeeping() = default;

  /// Reads the state of the last server. @returns the epoch of this one
  [[nodiscard]] Result<std::uint32_t> read_state();
  /// Gives a new core the memory of the last one, observes it, and opens the files.
  /// @param policy  canonical text, as in Policy::text
  [[nodiscard]] Status begin(Core& core, std::string_view policy, double now);
  /// Reports where the metrics can be read.
  void announce() const;
  /// Writes the files that are due, and answers requests for metrics.
  void keep(const Core& core, double now);
  /// Returns the latest date for the next call of keep().
  [[nodiscard]] double wake(const Core& core) const;
  /// Returns a descriptor that is readable when keep() has requests to answer; -1: there is no port.
  [[nodiscard]] int port() const { return port_ ? port_->get() : -1; }

  void count_decision(double seconds) { tally_.decisions.add(seconds); }
  /// Continues the record in a new file.
  void rotate_record(const Core& core, double now);
  /// Continues the record in a new file because settings and strategy have changed.
  void change(const Core& core, const Settings& settings, std::string_view policy, double now);
  /// Writes the state, before the core ends its operations.
  [[nodiscard]] Status save_state(const Core& core, double now);
  /// Records the end of the arbiter.
  void end(double now);

 private:
  [[nodiscard]] Status open_metrics(const Core& core, double now);
  [[nodiscard]] std::string metrics(const Core& core, double now) const;
  void write_metrics(const Core& core, double now);
  [[nodiscard]] Value header(Settings settings, std::string_view policy) const;
  void introduce(const Core& core, double now);

  const ServerOptions* options_;
  Voice voice_;
  double zero_;
  StateKeeper state_;
  std::optional<Recorder> recorder_;
  Tally tally_;
  std::unique_ptr<BackgroundFile> metrics_file_;  // null: there is none
  double metrics_at_ = 0;
  std::optional<MetricsPort> port_;
};

}  // namespace holdfast::arbiter
