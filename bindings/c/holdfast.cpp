#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor_document.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/learned.hpp"

#include <clock.hpp>
#include <guard_pipes.hpp>
#include <holdfast.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace {

using holdfast::checkpoint::Advice;
using holdfast::checkpoint::Advisor;
using holdfast::checkpoint::AdvisorPlan;

constexpr double kNanosecond = 1e-9;
constexpr std::int64_t kNeverDue = std::numeric_limits<std::int64_t>::max();
/// The longest time in which calls need not ask, in seconds.
constexpr double kLongestSkip = 10;
/// The same under a guard, which may ask for a checkpoint.
constexpr double kLongestSkipUnderGuard = 1;
/// The time between two looks for requests of a guard, in nanoseconds.
constexpr std::int64_t kBetweenLooks = 100'000'000;
/// The number of looks at a held lock after which the thread yields the processor.
constexpr int kSpins = 1000;

std::int64_t in_nanoseconds(double seconds) {
  const double nanoseconds = seconds / kNanosecond;
  if (!(nanoseconds < 9e18)) return kNeverDue;
  return static_cast<std::int64_t>(nanoseconds);
}

}  // namespace

// The members that every question reads are on other cache lines than those that events change under the lock.
struct hf_advisor {
  hf_advisor(Advisor made, AdvisorPlan plan) : advisor{std::move(made)} {
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) nodes.emplace(plan.nodes[i], i);
  }

  [[nodiscard]] double now() const {
    return static_cast<double>(clock.nanoseconds()) * kNanosecond;
  }

  holdfast::c::Clock clock;
  std::atomic<std::int64_t> due{kNeverDue};
  std::atomic<std::int64_t> stop{kNeverDue};
  std::atomic<int> level{1};            // level of the next checkpoint
  std::atomic<int> top_level{1};        // level of the last checkpoint before `stop`
  std::atomic<std::int64_t> since{0};   // when the count of questions began
  std::atomic<double> last_spacing{0};  // seconds between two questions before the last checkpoint
  std::atomic<long> skip{0};
  std::atomic<int> told_to_stop{0};
  std::atomic<std::int64_t> look{kNeverDue};  // when to look for requests of the guard
  std::atomic<bool> is_asked{false};          // the guard has asked for a checkpoint
  std::atomic<bool> is_told_to_end{false};    // the guard has asked the program to end
  alignas(64) std::atomic<long> questions{0};

  alignas(64) std::atomic_flag is_locked = ATOMIC_FLAG_INIT;
  std::atomic_flag is_listening = ATOMIC_FLAG_INIT;
  Advisor advisor;
  holdfast::c::GuardPipes guard;
  std::unordered_map<std::string, std::size_t> nodes;
};

namespace {

class Lock {
 public:
  explicit Lock(hf_advisor& advisor) : flag_{advisor.is_locked} {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      for (int i = 0; flag_.test(std::memory_order_relaxed); ++i) {
        if (i >= kSpins) sched_yield();
      }
    }
  }
  ~Lock() { flag_.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic_flag& flag_;
};

void publish(hf_advisor& a) {
  a.level.store(a.advisor.next_level(0), std::memory_order_relaxed);
  a.top_level.store(a.advisor.top_level(), std::memory_order_relaxed);
  const bool is_asked = a.is_asked.load(std::memory_order_relaxed);
  const bool must_end = a.is_told_to_end.load(std::memory_order_relaxed);
  a.due.store(is_asked ? 0 : in_nanoseconds(a.advisor.due()), std::memory_order_relaxed);
  a.stop.store(must_end ? 0 : in_nanoseconds(a.advisor.stop_date()), std::memory_order_relaxed);
}

// Reads the guard's requests, which are due at once. One thread reads while the others go on. It takes no lock, because the
// call may come from a signal handler.
void listen_to_guard(hf_advisor& a, std::int64_t now) {
  if (a.is_listening.test_and_set(std::memory_order_acquire)) return;
  a.look.store(now + kBetweenLooks, std::memory_order_relaxed);
  const auto requests = a.guard.read();
  if (requests.save) a.is_asked.store(true, std::memory_order_relaxed);
  if (requests.stop) a.is_told_to_end.store(true, std::memory_order_relaxed);
  // This is repeated at each look, because a date that was published meanwhile may have overwritten it.
  if (a.is_asked.load(std::memory_order_relaxed)) a.due.store(0, std::memory_order_relaxed);
  if (a.is_told_to_end.load(std::memory_order_relaxed)) a.stop.store(0, std::memory_order_relaxed);
  a.is_listening.clear(std::memory_order_release);
}

// Returns the current date, after reading the guard's requests if that is due.
std::int64_t date_of_question(hf_advisor& a) {
  const std::int64_t now = a.clock.nanoseconds();
  if (now >= a.look.load(std::memory_order_relaxed)) listen_to_guard(a, now);
  return now;
}

void count_anew(hf_advisor& a, double now) {
  a.questions.store(0, std::memory_order_relaxed);
  a.since.store(in_nanoseconds(now), std::memory_order_relaxed);
}

/// Returns the mean time between two questions since the last checkpoint, in seconds; 0 if there was none.
double spacing_of(const hf_advisor& a, double now) {
  const long asked = a.questions.load(std::memory_order_relaxed);
  const double since = static_cast<double>(a.since.load(std::memory_order_relaxed)) * kNanosecond;
  return asked > 0 ? std::max(0.0, now - since) / static_cast<double>(asked) : 0;
}

// Handles one event under the lock. `happen(advisor, now)` returns whether the event was in order.
template <class Happen>
int happens(hf_advisor* a, Happen happen) noexcept {
  if (a == nullptr) return HF_USAGE;
  try {
    const Lock lock(*a);
    if (!happen(a->advisor, a->now())) return HF_STATE;
    publish(*a);
    return HF_OK;
  } catch (...) {
    return HF_OUTPUT;
  }
}

int begin(hf_advisor* advisor, int level, bool is_asynchronous) {
  if (level < 0) return HF_USAGE;
  return happens(advisor, [&](Advisor& a, double now) {
    const double spacing = spacing_of(*advisor, now);
    a.questions_every(spacing);
    advisor->last_spacing.store(spacing, std::memory_order_relaxed);
    using holdfast::checkpoint::Level;
    const Level which = level < a.top_level() ? Level::local : Level::global;
    if (!a.checkpoint_begin(now, which, is_asynchronous)) return false;
    advisor->is_asked.store(false, std::memory_order_relaxed);
    advisor->guard.say(is_asynchronous ? "begin asynchronous\n" : "begin\n");
    return true;
  });
}

int fail_with(char* message, std::size_t size, const std::string& text, int code) {
  if (message != nullptr && size > 0) std::snprintf(message, size, "%s", text.c_str());
  return code;
}

std::string text_of(const holdfast::Error& error, const std::string& file) {
  std::string where = file;
  if (!error.where.empty()) where += (where.empty() ? "" : ": ") + error.where;
  return (where.empty() ? "document" : where) + ": " + error.message;
}

// Takes over what an earlier run of the job has learned, from the journal that a document names.
holdfast::Status remember(Advisor& advisor, const holdfast::Value& journal,
                          const std::filesystem::path& directory) {
  const std::string* const name = journal.string();
  if (name == nullptr) {
    return holdfast::fail(holdfast::ErrorCode::bad_value, "/journal",
                          "found " + journal.described() + ", expected the name of a file");
  }
  HOLDFAST_TRY(read, holdfast::field::read_history(directory / *name));
  advisor.remember(holdfast::field::learned_of(read.history.estimate, advisor.learned(0)));
  return {};
}

holdfast::Result<std::unique_ptr<hf_advisor>> made_of(const std::string& document,
                                                      const std::filesystem::path& directory) {
  HOLDFAST_TRY(value, holdfast::parse_json(document));
  HOLDFAST_CHECK(holdfast::check_header(value, "advisor"));
  holdfast::Value fields = holdfast::Value::object();
  if (value.members() != nullptr) {
    for (const auto& [name, field] : *value.members()) {
      if (name != "holdfast" && name != "journal") fields.set(name, field);
    }
  } else {
    fields = value;
  }
  HOLDFAST_TRY(plan, holdfast::checkpoint::read_advisor(fields, directory));
  HOLDFAST_TRY(advisor, holdfast::checkpoint::make_advisor(plan, 0));
  const holdfast::Value* const journal = value.find("journal");
  if (journal != nullptr) HOLDFAST_CHECK(remember(advisor, *journal, directory));
  return std::make_unique<hf_advisor>(std::move(advisor), std::move(plan));
}

/// How an advisor starts.
struct Beginning {
  bool restores = false;    // the program starts from a checkpoint
  bool is_guarded = false;  // a guard receives every event
};

int create(const std::string& document, const std::string& file, Beginning how,
           hf_advisor** advisor, char* message, std::size_t size) {
  auto made = made_of(document, std::filesystem::path(file).parent_path());
  if (!made) return fail_with(message, size, text_of(made.error(), file), HF_INPUT);
  hf_advisor& a = **made;
  a.advisor.start(a.now(), how.restores);
  publish(a);
  if (how.is_guarded) a.guard.open();
  if (a.guard.is_open()) a.look.store(0, std::memory_order_relaxed);
  *advisor = made->release();
  return HF_OK;
}

}  // namespace

int hf_advisor_create(const char* document, hf_advisor** advisor, char* message, size_t size) {
  if (advisor != nullptr) *advisor = nullptr;
  if (document == nullptr || advisor == nullptr)
    return fail_with(message, size, "found a null pointer, expected a document and an advisor",
                     HF_USAGE);
  try {
    return create(document, "", {}, advisor, message, size);
  } catch (...) {
    return fail_with(message, size, "found no memory", HF_OUTPUT);
  }
}

int hf_advisor_open(const char* file, hf_advisor** advisor, char* message, size_t size) {
  if (advisor == nullptr)
    return fail_with(message, size, "found a null pointer, expected an advisor", HF_USAGE);
  *advisor = nullptr;
  try {
    Beginning how{.is_guarded = file == nullptr};
    if (how.is_guarded) {
      const char* const restored = std::getenv("HOLDFAST_CHECKPOINT");
      how.restores = restored != nullptr && *restored != '\0';
      file = std::getenv("HOLDFAST_ADVISOR");
    }
    if (file == nullptr) return create("{}", "", how, advisor, message, size);
    auto text = holdfast::read_file(file);
    if (!text) return fail_with(message, size, text_of(text.error(), ""), HF_INPUT);
    return create(*text, file, how, advisor, message, size);
  } catch (...) {
    return fail_with(message, size, "found no memory", HF_OUTPUT);
  }
}

void hf_advisor_destroy(hf_advisor* advisor) {
  delete advisor;
}

int hf_advisor_ready(hf_advisor* advisor) {
  return happens(advisor, [&](Advisor& a, double now) {
    if (!a.ready(now)) return false;
    count_anew(*advisor, now);
    advisor->guard.say("ready\n");
    return true;
  });
}

int hf_advisor_need_checkpoint(hf_advisor* advisor) {
  if (advisor == nullptr) return 0;
  advisor->questions.fetch_add(1, std::memory_order_relaxed);
  const std::int64_t now = date_of_question(*advisor);
  if (now < advisor->due.load(std::memory_order_relaxed)) return 0;
  // A checkpoint for which a guard asks may be the last one.
  const bool is_last = advisor->is_asked.load(std::memory_order_relaxed) ||
                       now >= advisor->stop.load(std::memory_order_relaxed);
  return (is_last ? advisor->top_level : advisor->level).load(std::memory_order_relaxed);
}

int hf_advisor_should_stop(hf_advisor* advisor) {
  if (advisor == nullptr) return 0;
  const bool is_alone = advisor->look.load(std::memory_order_relaxed) == kNeverDue;
  if (is_alone && advisor->stop.load(std::memory_order_relaxed) == kNeverDue) return 0;
  const std::int64_t now = date_of_question(*advisor);
  return now >= advisor->stop.load(std::memory_order_relaxed) ? 1 : 0;
}

int hf_advisor_checkpoint_begin(hf_advisor* advisor, int level) {
  return begin(advisor, level, false);
}

int hf_advisor_checkpoint_begin_async(hf_advisor* advisor, int level) {
  return begin(advisor, level, true);
}

int hf_advisor_checkpoint_end(hf_advisor* advisor, int ok) {
  return happens(advisor, [&](Advisor& a, double now) {
    if (!a.checkpoint_end(now, ok != 0)) return false;
    count_anew(*advisor, now);
    advisor->guard.say(ok != 0 ? "done\n" : "failed\n");
    return true;
  });
}

int hf_advisor_checkpoint_durable(hf_advisor* advisor) {
  return happens(advisor, [&](Advisor& a, double now) {
    if (!a.checkpoint_durable(now)) return false;
    advisor->guard.say("durable\n");
    return true;
  });
}

int hf_advisor_progress(hf_advisor* advisor, double done, double total) {
  return happens(advisor, [&](Advisor& a, double now) {
    if (!a.progress(now, done, total)) return false;
    advisor->guard.say_progress(now, done, total);
    return true;
  });
}

int hf_advisor_failure(hf_advisor* advisor, const char* node) {
  return happens(advisor, [&](Advisor& a, double now) {
    holdfast::checkpoint::Interruption what{.ended = false};
    if (node != nullptr) {
      const auto known = advisor->nodes.find(node);
      if (known != advisor->nodes.end()) what.node = known->second;
    }
    return a.failure(now, what);
  });
}

int hf_advisor_replaced(hf_advisor* advisor, const char* node, const char* by, double age) {
  if (age < 0 || std::isinf(age)) return HF_USAGE;
  return happens(advisor, [&](Advisor& a, double now) {
    std::optional<std::size_t> number;
    const auto known = node == nullptr ? advisor->nodes.end() : advisor->nodes.find(node);
    if (known != advisor->nodes.end()) {
      number = known->second;
      advisor->nodes.erase(known);
      if (by != nullptr) advisor->nodes.insert_or_assign(by, *number);
    }
    a.replaced(now, number, std::isnan(age) ? std::nullopt : std::optional(age));
    return true;
  });
}

int hf_advisor_time_left(hf_advisor* advisor, double seconds) {
  if (std::isnan(seconds)) return HF_USAGE;
  return happens(advisor, [&](Advisor& a, double now) {
    a.time_left(now, std::max(seconds, 0.0));
    return true;
  });
}

// Returns half of the calls that fit into the time until the checkpoint is due, but never more than the number of questions
// from which the time between two of them is known, because the first iterations of a segment may be quick.
long hf_advisor_check_after(hf_advisor* advisor) {
  if (advisor == nullptr) return 1;
  const double now = advisor->now();
  const double spacing =
      std::max(spacing_of(*advisor, now), advisor->last_spacing.load(std::memory_order_relaxed));
  if (!(spacing > 0)) return 1;
  const auto due = static_cast<double>(advisor->due.load(std::memory_order_relaxed)) * kNanosecond;
  const auto asked = static_cast<double>(advisor->questions.load(std::memory_order_relaxed));
  const double longest = advisor->guard.is_open() ? kLongestSkipUnderGuard : kLongestSkip;
  const double calls = std::min(std::min((due - now) / 2, longest) / spacing, asked);
  return calls >= 1 ? static_cast<long>(calls) : 1;
}

int hf_advisor_follow(hf_advisor* advisor, int level, int stop, long calls) {
  if (advisor == nullptr || level < 0 || calls < 0) return HF_USAGE;
  advisor->told_to_stop.store(stop != 0 ? 1 : 0, std::memory_order_relaxed);
  advisor->skip.store(calls, std::memory_order_relaxed);
  return HF_OK;
}

int hf_advisor_skip(hf_advisor* advisor) {
  if (advisor == nullptr) return 0;
  long left = advisor->skip.load(std::memory_order_relaxed);
  while (left > 0) {
    if (!advisor->skip.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) continue;
    advisor->questions.fetch_add(1, std::memory_order_relaxed);
    return 1;
  }
  return 0;
}

int hf_advisor_told_to_stop(hf_advisor* advisor) {
  return advisor == nullptr ? 0 : advisor->told_to_stop.load(std::memory_order_relaxed);
}

int hf_advisor_advice(hf_advisor* advisor, hf_advice* advice) {
  if (advice == nullptr || advice->size < sizeof(std::size_t)) return HF_USAGE;
  return happens(advisor, [&](Advisor& a, double now) {
    const Advice found = a.advice(now);
    const hf_advice said{.size = std::min(advice->size, sizeof(hf_advice)),
                         .due = found.due,
                         .interval = found.interval,
                         .checkpoint = found.checkpoint,
                         .recovery = found.recovery,
                         .rate = found.rate,
                         .theta = found.theta,
                         .share_before_failure = found.share_before_failure,
                         .young_daly = found.young_daly,
                         .checkpoints = static_cast<long>(found.checkpoints),
                         .failures = static_cast<long>(found.failures),
                         .level = found.level};
    std::memcpy(advice, &said, said.size);
    return true;
  });
}
