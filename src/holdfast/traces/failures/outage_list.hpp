#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast {

/// One outage of one node. Times are in seconds on the log's clock.
struct Outage {
  /// The position of the node if the row names none.
  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  double down = 0;  ///< when the node failed
  double up = 0;    ///< when it was repaired, >= down; infinity: still down at the end of the log
  std::uint32_t node = kNoNode;  ///< its position in FailureLog::nodes, or kNoNode
  std::uint32_t system = 0;      ///< its position in FailureLog::systems
};

/// A row of a log before it is arranged: an outage, and a hash of its line. Of rows that are the same outage it shows those that
/// are the same line, for which 16 bits suffice.
struct OutageRow : Outage {
  std::uint16_t line = 0;
};

/// Outages in the order in which they were added, packed: whole seconds are written as differences from the outage before, so
/// that logs of millions of rows in the order of time take about 6 bytes for each (8 for an OutageRow). They are read from the
/// front to the back.
template <class Row>
class PackedOutages {
  /// The row that was written or read last, from which the next one differs.
  struct Last {
    Row row;
    std::int64_t seconds = 0;  ///< of the last row in whole seconds
  };
  /// A part of the list. No row goes over its end.
  struct Chunk {
    std::unique_ptr<unsigned char[]> bytes;
    std::size_t used = 0;
  };

 public:
  PackedOutages() = default;
  PackedOutages(const PackedOutages& other);
  PackedOutages(PackedOutages&& other) noexcept { swap(other); }
  PackedOutages& operator=(PackedOutages other) noexcept {
    swap(other);
    return *this;
  }
  ~PackedOutages() = default;

  void push_back(const Row& row);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// Reads one outage after the other.
  class Iterator {
   public:
    using value_type = Row;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const PackedOutages& of) : of_{&of} { read(); }
    const Row& operator*() const { return last_.row; }
    const Row* operator->() const { return &last_.row; }
    Iterator& operator++() {
      ++done_;
      read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return done_ == of_->size_; }
    /// Returns the part of the list that is being read.
    [[nodiscard]] std::size_t chunk() const { return chunk_; }

   private:
    void read();

    const PackedOutages* of_ = nullptr;
    std::size_t done_ = 0;   ///< outages before this one
    std::size_t chunk_ = 0;  ///< the part of the list where the next one is
    std::size_t place_ = 0;  ///< where it begins there
    Last last_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }
  /// Returns one of them, in time proportional to its position.
  [[nodiscard]] Row at(std::size_t position) const;

  /// Hands out all rows in order, and frees the memory of those that were handed out: the list is empty then.
  void drain(const std::function<void(const Row&)>& take);
  /// Changes each outage, and drops those for which `change` returns false.
  void update(const std::function<bool(Row&)>& change);

 private:
  void swap(PackedOutages& other) noexcept;

  std::vector<Chunk> chunks_;
  std::size_t size_ = 0;
  Last last_;
};

using OutageList = PackedOutages<Outage>;

}  // namespace holdfast
