#pragma once

#include "holdfast/field/generations.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a driver observes of a guarded job, and tells its logic.
namespace holdfast::field::event {

/// Time has passed.
struct Tick {};
/// The guard begins.
struct Begin {};
/// The program was launched.
struct Launched {
  std::int64_t pid = 0;
  std::int64_t start = 0;  ///< start of the process, in ticks since the machine started
  std::string from = {};   ///< the checkpoint that it starts from; empty: none
  std::vector<std::string> command = {};  ///< its words
};
/// The program could not be launched.
struct NotLaunched {
  std::string why;
};
/// The program is initialised or restored.
struct Ready {};
/// The program has started to save.
struct Begun {
  bool is_asynchronous =
      false;  ///< what it writes is safe some time after it has saved: see Durable
};
/// The program reports, or a file shows, that it has saved.
struct Written {
  std::optional<double> date = {};  ///< when, if that was before now
};
/// The checkpoint was verified and kept.
struct Kept {
  std::optional<double> date = {};    ///< when it was complete, if that was before now
  std::optional<SeenFile> file = {};  ///< the newest file of it; nothing: unknown
};
/// The checkpoint was not kept.
struct Refused {
  std::string why;
};
/// Saving failed.
struct SaveFailed {
  std::string why = "the program says so";
};
/// An asynchronous checkpoint is safe.
struct Durable {};
/// The program has done part of its work, in its own unit.
struct Progress {
  double done = 0;
  double total = 0;  ///< 0 or less: unknown
};
/// Some other sign of life.
struct Alive {};
/// Its processes use processor time.
struct Busy {};
/// The program ended.
struct Ended {
  int code = 0;               ///< its exit code
  int signal = 0;             ///< the signal that ended it; 0: it ended by itself
  bool took_request = false;  ///< the file that asked it to save is gone
  std::string reason = {};
};
/// No process of the job is left.
struct Cleared {};
/// A bad checkpoint was set aside.
struct Aside {
  std::string file = {};        ///< the bad file; empty: there was none
  std::size_t left = 0;         ///< remaining checkpoints
  bool may_begin_anew = false;  ///< the program may start over if none is left
};
/// A node of the job failed, which may not have interrupted the job.
struct NodeFailed {
  std::optional<std::size_t> node = {};
  std::string name = {};
  std::int64_t row = 0;  ///< row of the monitor's file
};
/// A node is the reason why the program ended, or will end soon.
struct NodeToBlame {
  std::optional<std::size_t> node = {};
};
/// So much of the allocation is left.
struct TimeLeft {
  double seconds = 0;
};
/// A user asks for a checkpoint.
struct SaveNow {};
/// A user asks to save and end, while there is time.
struct EndNow {};
/// The guard received a signal that ends it.
struct Stop {
  int signal = 0;
};
/// Some nodes are missing, so the job cannot be restarted in place.
struct MustRequeue {};

}  // namespace holdfast::field::event

namespace holdfast::field {

using Event =
    std::variant<event::Tick, event::Begin, event::Launched, event::NotLaunched, event::Ready,
                 event::Begun, event::Written, event::Kept, event::Refused, event::SaveFailed,
                 event::Durable, event::Progress, event::Alive, event::Busy, event::Ended,
                 event::Cleared, event::Aside, event::NodeFailed, event::NodeToBlame,
                 event::TimeLeft, event::SaveNow, event::EndNow, event::Stop, event::MustRequeue>;

}  // namespace holdfast::field
