#include "holdfast/traces/failures/outage_list.hpp"

#include <cmath>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLongestRow = 40;  // a byte of form, two times, two positions, a hash

// The first byte of a row says how the others are written.
constexpr unsigned char kWholeDown = 1;   // as difference, otherwise as 8 bytes
constexpr unsigned char kWholeUp = 2;     // as length, otherwise as 8 bytes
constexpr unsigned char kEndless = 4;     // not at all: infinity
constexpr unsigned char kSameSystem = 8;  // not at all: that of the row before

/// Returns true for seconds that are exact as whole numbers, and whose differences are.
bool is_whole(double seconds) {
  return std::abs(seconds) < 4503599627370496.0 && seconds == std::trunc(seconds);  // 2^52
}

/// A writer and a reader of numbers in as many groups of 7 bits as they need, the lowest first; others are copied as they are.
struct Writer {
  unsigned char* at;

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<unsigned char>(value | 0x80);
    *at++ = static_cast<unsigned char>(value);
  }
  template <class T>
  void copy(const T& value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
};

struct Reader {
  const unsigned char* at;

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      value |= std::uint64_t{*at & 0x7Fu} << shift;
      if (*at++ < 0x80) return value;
    }
  }
  template <class T>
  void copy(T& value) {
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
  }
};

/// Return a difference of either sign as a number that is small if the difference is, and the difference again.
std::uint64_t folded(std::int64_t difference) {
  return (static_cast<std::uint64_t>(difference) << 1) ^
         static_cast<std::uint64_t>(difference >> 63);
}
std::int64_t unfolded(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
}

}  // namespace

template <class Row>
void PackedOutages<Row>::push_back(const Row& row) {
  if (chunks_.empty() || chunks_.back().used + kLongestRow > kChunk) {
    chunks_.push_back({.bytes = std::make_unique_for_overwrite<unsigned char[]>(kChunk)});
  }
  unsigned char* const begin = chunks_.back().bytes.get() + chunks_.back().used;
  Writer write{begin + 1};
  unsigned char form = row.system == last_.row.system ? kSameSystem : 0;
  if (is_whole(row.down)) {
    form |= kWholeDown;
    const auto seconds = static_cast<std::int64_t>(row.down);
    write.number(folded(seconds - std::exchange(last_.seconds, seconds)));
  } else {
    write.copy(row.down);
  }
  if (std::isinf(row.up)) {
    form |= kEndless;
  } else if ((form & kWholeDown) != 0 && is_whole(row.up) && row.up >= row.down) {
    form |= kWholeUp;
    write.number(static_cast<std::uint64_t>(row.up - row.down));
  } else {
    write.copy(row.up);
  }
  write.number(row.node + std::uint32_t{1});  // kNoNode, the most common large one, is 0
  if ((form & kSameSystem) == 0) write.number(row.system);
  if constexpr (requires { row.line; }) write.copy(row.line);
  *begin = form;
  chunks_.back().used += static_cast<std::size_t>(write.at - begin);
  last_.row = row;
  ++size_;
}

template <class Row>
void PackedOutages<Row>::Iterator::read() {
  if (done_ == of_->size_) return;
  if (place_ == of_->chunks_[chunk_].used) {
    ++chunk_;
    place_ = 0;
  }
  const unsigned char* const begin = of_->chunks_[chunk_].bytes.get() + place_;
  Reader from{begin + 1};
  const unsigned char form = *begin;
  Row& row = last_.row;
  if ((form & kWholeDown) != 0) {
    last_.seconds += unfolded(from.number());
    row.down = static_cast<double>(last_.seconds);
  } else {
    from.copy(row.down);
  }
  if ((form & kEndless) != 0) {
    row.up = std::numeric_limits<double>::infinity();
  } else if ((form & kWholeUp) != 0) {
    row.up = row.down + static_cast<double>(from.number());
  } else {
    from.copy(row.up);
  }
  row.node = static_cast<std::uint32_t>(from.number()) - 1;
  if ((form & kSameSystem) == 0) row.system = static_cast<std::uint32_t>(from.number());
  if constexpr (requires { row.line; }) from.copy(row.line);
  place_ += static_cast<std::size_t>(from.at - begin);
}

template <class Row>
PackedOutages<Row>::PackedOutages(const PackedOutages& other) {
  for (const Row& row : other) push_back(row);
}

template <class Row>
void PackedOutages<Row>::swap(PackedOutages& other) noexcept {
  std::swap(chunks_, other.chunks_);
  std::swap(size_, other.size_);
  std::swap(last_, other.last_);
}

template <class Row>
Row PackedOutages<Row>::at(std::size_t position) const {
  Iterator one = begin();
  for (std::size_t i = 0; i < position; ++i) ++one;
  return *one;
}

template <class Row>
void PackedOutages<Row>::drain(const std::function<void(const Row&)>& take) {
  std::size_t freed = 0;
  for (Iterator one = begin(); one != end(); ++one) {
    take(*one);
    for (; freed < one.chunk(); ++freed) chunks_[freed].bytes.reset();
  }
  *this = {};
}

template <class Row>
void PackedOutages<Row>::update(const std::function<bool(Row&)>& change) {
  PackedOutages before = std::move(*this);
  before.drain([&](const Row& row) {
    Row changed = row;
    if (change(changed)) push_back(changed);
  });
}

template class PackedOutages<Outage>;
template class PackedOutages<OutageRow>;

}  // namespace holdfast
