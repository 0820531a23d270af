#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/entry.hpp"
#include "holdfast/field/generations.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/past.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::field {

/// When a line was written.
struct Moment {
  double time = 0;   ///< seconds since 1970
  double clock = 0;  ///< on the guard's clock
  std::string boot = {};
  std::int64_t run = 0;
};

/// The state that results from a journal: everything that a new guard needs to continue and that a report shows. It is updated
/// line by line; unknown kinds of lines are ignored. Durations are in seconds, dates on the guard's clock.
struct History : Past {
  Generations generations;                  ///< the checkpoints
  std::optional<entry::Estimate> estimate;  ///< the latest one
  std::vector<PastFailure> failures;

  /// Adds the next line.
  void take(const Value& entry);
  /// Returns entries from which the same state results.
  [[nodiscard]] std::vector<JournalEntry> entries() const;
  /// Returns the mean time of the successful checkpoints in seconds; 0 if there are none.
  [[nodiscard]] double mean_checkpoint() const;

 private:
  void on(const entry::Launch& entry);
  void on(const entry::Ready& entry);
  void on(const entry::Due& entry);
  void on(const entry::Begun& entry);
  void on(const entry::Snapshot& entry);
  void on(const entry::Checkpoint& entry);
  void on(const entry::Failure& entry);
  void on(const entry::Restart& entry);
  void on(const entry::Finish& entry);
  void on(const entry::Stop& entry);
  void on(const entry::GaveUp& entry);
  void on(const entry::Progress& entry);
  void on(const entry::Estimate& entry);
  void on(const entry::Renewal& entry);
  void on(const entry::Events& entry);
  void on(const entry::Inputs& entry);
  void on(const entry::Dropped& entry);
  void on(const entry::Warning& entry);
  void on(const entry::Note& /*entry*/) {}
  void on(const entry::Requeue& /*entry*/) {}
  void on(const Past& entry) { static_cast<Past&>(*this) = entry; }
  void on(const PastFailure& entry) { failures.push_back(entry); }
  void on(const Entry& entry);
  void close(std::string kind, std::string why);
};

[[nodiscard]] History history_of(const Journal& journal);
/// Returns an entry as a line of a journal.
[[nodiscard]] Value line_of(const JournalEntry& entry, const Moment& now);
/// Replaces the lines of a journal by entries from which the same history results.
Status compact(JournalWriter& journal, const History& history);
/// Reads a journal without keeping its entries: `journal` has only its head.
struct ReadHistory {
  Journal journal;
  History history;
};
[[nodiscard]] Result<ReadHistory> read_history(const std::filesystem::path& file);

}  // namespace holdfast::field
