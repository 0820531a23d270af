#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast {

/// A queue of events ordered by (time, priority, insertion), so that the order of equal times never depends on the heap. It is
/// a 4-ary heap in one array; event_queue_bench.cpp compares it with the standard binary heap under the same key. To cancel an
/// event, callers keep a generation number in its payload and skip events whose generation is old.
///
///   EventQueue<Completion> queue;
///   queue.push(now + length, kCompletion, {job});
///   while (!queue.empty()) { auto [time, priority, sequence, what] = queue.pop(); ... }
template <class Payload>
class EventQueue {
 public:
  /// An event and its place in the order.
  struct Event {
    double time;            ///< date in any unit, never NaN
    std::int32_t priority;  ///< rank among equal times, the smallest first
    /// Number in the order of push(), which decides among equal priorities.
    std::uint64_t sequence;
    Payload payload;  ///< what happens; the queue does not look at it
  };

  /// Adds an event. The time may be infinite.
  /// @pre time is not NaN
  void push(double time, std::int32_t priority, Payload payload) {
    assert(time == time);
    heap_.push_back(Event{time, priority, next_sequence_++, std::move(payload)});
    rise(heap_.size() - 1);
  }

  /// Returns the next event.
  /// @pre !empty()
  [[nodiscard]] const Event& top() const {
    assert(!heap_.empty());
    return heap_.front();
  }

  /// Removes the next event and returns it.
  /// @pre !empty()
  Event pop() {
    assert(!heap_.empty());
    Event first = std::move(heap_.front());
    Event last = std::move(heap_.back());
    heap_.pop_back();
    if (!heap_.empty()) sink(std::move(last));
    return first;
  }

  /// Returns true if no event is left.
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// Returns the number of events.
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  /// Allocates memory for that number of events.
  void reserve(std::size_t count) { heap_.reserve(count); }
  /// Removes all events and restarts the numbering; keeps the memory.
  void clear() {
    heap_.clear();
    next_sequence_ = 0;
  }

 private:
  static constexpr std::size_t kArity = 4;

  static bool before(const Event& a, const Event& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.priority != b.priority) return a.priority < b.priority;
    return a.sequence < b.sequence;
  }

  void rise(std::size_t hole) {
    Event event = std::move(heap_[hole]);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!before(event, heap_[parent])) break;
      heap_[hole] = std::move(heap_[parent]);
      hole = parent;
    }
    heap_[hole] = std::move(event);
  }

  // Puts the event where the root was and lets it sink.
  void sink(Event event) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = kArity * hole + 1;
      if (first >= heap_.size()) break;
      const std::size_t last = first + kArity < heap_.size() ? first + kArity : heap_.size();
      std::size_t least = first;
      for (std::size_t child = first + 1; child < last; ++child) {
        if (before(heap_[child], heap_[least])) least = child;
      }
      if (!before(heap_[least], event)) break;
      heap_[hole] = std::move(heap_[least]);
      hole = least;
    }
    heap_[hole] = std::move(event);
  }

  std::vector<Event> heap_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace holdfast
