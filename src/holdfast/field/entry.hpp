#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/generations.hpp"
#include "holdfast/field/past.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the lines of a guard's journal say. Durations are in seconds. Members that older guards did not write are optional.
namespace holdfast::field::entry {

/// The program was launched.
struct Launch {
  std::int64_t pid = 0;
  std::int64_t start = 0;  ///< start of the process, in ticks since the machine started
  std::optional<std::string> from = {};   ///< the checkpoint that it starts from; empty: none
  std::vector<std::string> command = {};  ///< its words
};
/// The program is initialised or restored.
struct Ready {
  double seconds = 0;  ///< since the launch
};
/// It was asked to save.
struct Due {
  double work = 0;  ///< work that is not saved
};
/// It has begun to.
struct Begun {
  double seconds = 0;  ///< since it was asked
};
/// It goes on, and what it has copied will be safe later.
struct Snapshot {
  double work = 0;
  double seconds = 0;  ///< for which it was stopped
};
/// A checkpoint was saved, or not.
struct Checkpoint {
  bool ok = false;
  double work = 0;                         ///< work that is saved by it, or that was to be
  double seconds = 0;                      ///< for which the program was stopped
  std::optional<double> flush = {};        ///< time until an asynchronous one was safe
  std::optional<std::string> reason = {};  ///< why it was not saved
  std::optional<std::int64_t> level = {};
  std::optional<double> due = {};  ///< time until the next request
  std::optional<SeenFile> file = {};
};
/// An asynchronous one is safe.
struct Durable : Checkpoint {};
/// The program ended, or began again by itself.
struct Failure {
  std::optional<int> signal = {};  ///< the signal that ended it
  std::optional<int> code = {};    ///< its exit code, if no signal ended it
  bool survived = false;           ///< true: it has begun again without an end
  double lost = 0;                 ///< work
  double ran = 0;                  ///< time since it was ready
  bool quick = false;
  std::optional<bool> ready = {};     ///< false: it was still starting
  std::optional<double> saving = {};  ///< time of a checkpoint that was not saved
  bool by_request = false;            ///< the signal that asked for a checkpoint ended it
  bool hang = false;                  ///< it gave no sign of life
  std::optional<std::int64_t> node = {};
  std::string reason = {};
};
/// The program ended because it was asked to save, and is started again.
struct Restart {
  int code = 0;
  bool saved = false;
  bool in_vain = false;  ///< it took the request and saves nothing, and is not asked any more
  double lost = 0;
};
/// The job has finished.
struct Finish {
  int code = 0;
  double work = 0;  ///< since the last checkpoint
};
/// The guard was told to end.
struct Stop {
  std::string reason = {};
  double unsaved = 0;  ///< work
};
struct GaveUp {
  std::string reason = {};
};
/// How far the program is, in its own unit.
struct Progress {
  double done = 0;
  double total = 0;
};
/// What was learned and planned. What was not known is absent.
struct Estimate {
  std::optional<double> due = {};
  std::optional<double> interval = {};    ///< work between two checkpoints
  std::optional<double> checkpoint = {};  ///< C
  std::optional<double> recovery = {};    ///< R
  std::optional<double> rate = {};        ///< failures per second
  std::optional<double> theta = {};       ///< the rate divided by that of the law
  /// The part of the time until the next failure that becomes saved work.
  std::optional<double> share_before_failure = {};
  std::optional<double> young_daly = {};
  std::optional<double> interruptions = {};
  std::optional<double> expected = {};  ///< interruptions by the law
  std::vector<double> checkpoints = {};
  std::vector<double> recoveries = {};
  std::vector<double> downtimes = {};
};
/// A node of the job has failed, and is new.
struct Renewal {
  std::string node = {};
  std::optional<std::int64_t> number = {};
  std::int64_t row = 0;  ///< of the monitor's file
};
/// So many rows of the monitor's file were there at the start of this guard.
struct Events {
  std::int64_t row = 0;
};
/// The files that the job reads.
struct Inputs {
  Value files = {};
};
/// Output that nobody read was dropped.
struct Dropped {
  std::int64_t bytes = 0;
};
struct Warning {
  std::string text = {};
};
struct Note {
  std::string text = {};
};
/// The job was put into the queue of the cluster again.
struct Requeue {};

}  // namespace holdfast::field::entry

namespace holdfast::field {

/// Past and PastFailure stand for lines that a journal does not hold any more (README of this folder).
using JournalEntry =
    std::variant<entry::Launch, entry::Ready, entry::Due, entry::Begun, entry::Snapshot,
                 entry::Checkpoint, entry::Durable, entry::Failure, entry::Restart, entry::Finish,
                 entry::Stop, entry::GaveUp, entry::Progress, entry::Estimate, entry::Renewal,
                 entry::Events, entry::Inputs, entry::Dropped, entry::Warning, entry::Note,
                 entry::Requeue, Past, PastFailure, Entry>;

/// Returns an entry as the members of a line, with its `kind`.
[[nodiscard]] Value to_value(const JournalEntry& entry);
/// Returns the entry of a line; nothing if its kind is not known.
[[nodiscard]] std::optional<JournalEntry> journal_entry_of(const Value& line);

}  // namespace holdfast::field
