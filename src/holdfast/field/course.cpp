#include "holdfast/field/course.hpp"

#include "holdfast/field/entry.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace holdfast::field {
namespace {

constexpr auto kColumns =
    std::to_array<TimelineColumn>({{.name = "kind", .role = Role::state},
                                   {.name = "start", .unit = Unit::seconds, .role = Role::start},
                                   {.name = "end", .unit = Unit::seconds, .role = Role::end},
                                   {.name = "lost", .role = Role::lost}});

struct Stretch {
  std::string_view kind;
  double start = 0;
  double end = 0;
  bool lost = false;
};

/// The course up to a line of the journal.
class Course {
 public:
  void take(const Value& line) {
    const Value* date = line.find("clock");
    if (date != nullptr && date->is_number()) clock_ = date->number();
    if (const auto entry = journal_entry_of(line))
      std::visit([this](const auto& one) { on(one); }, *entry);
  }

  [[nodiscard]] Timeline timeline() {
    if (is_running_) work_until(clock_);
    Timeline out(kColumns);
    for (const Stretch& one : stretches_) out.add({one.kind, one.start, one.end, one.lost});
    return out;
  }

 private:
  void on(const entry::Launch& /*entry*/) {
    if (ended_at_) add("downtime", *ended_at_, clock_);
    if (is_running_) lose(clock_);  // the guard was killed
    ended_at_.reset();
    is_running_ = true;
    since_ = clock_;
  }
  void on(const entry::Ready& /*entry*/) {
    add("recovery", since_, clock_);
    since_ = clock_;
  }
  void on(const entry::Snapshot& entry) { stop(entry.seconds); }
  void on(const entry::Checkpoint& entry) {
    stop(entry.seconds);
    if (entry.ok) unsaved_.clear();
  }
  void on(const entry::Durable& entry) {
    work_until(clock_);
    if (entry.ok) unsaved_.clear();
  }
  void on(const entry::Failure& entry) {
    lose(clock_);
    if (!entry.survived) ended_at_ = clock_;
    is_running_ = entry.survived;
  }
  void on(const entry::Restart& entry) { close(entry.lost > 0); }
  void on(const entry::Finish& /*entry*/) { close(false); }
  void on(const entry::Stop& entry) { close(entry.unsaved > 0); }
  template <class Other>
  void on(const Other& /*entry*/) {}

  // The program stood still for a checkpoint that ends now.
  void stop(double seconds) {
    const double begin = std::max(since_, clock_ - seconds);
    work_until(begin);
    add("checkpoint", begin, clock_);
    since_ = clock_;
  }
  void close(bool is_lost) {
    if (is_lost) {
      lose(clock_);
    } else if (is_running_) {
      work_until(clock_);
    }
    unsaved_.clear();
    is_running_ = false;
    ended_at_ = clock_;
  }
  void lose(double until) {
    if (is_running_) work_until(until);
    for (const std::size_t i : unsaved_) stretches_[i].lost = true;
    unsaved_.clear();
  }
  void work_until(double end) {
    if (end > since_) unsaved_.push_back(stretches_.size());
    add("work", since_, end);
    since_ = std::max(since_, end);
  }
  void add(std::string_view kind, double start, double end) {
    if (end > start) stretches_.push_back({kind, start, end});
  }

  double clock_ = 0;
  double since_ = 0;  ///< begin of what goes on
  bool is_running_ = false;
  std::optional<double> ended_at_;
  std::vector<Stretch> stretches_;
  std::vector<std::size_t> unsaved_;  ///< work that no checkpoint has saved yet
};

}  // namespace

Timeline course_of(const Journal& journal) {
  Course course;
  for (const Value& line : journal.entries) course.take(line);
  return course.timeline();
}

}  // namespace holdfast::field
