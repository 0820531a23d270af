#pragma once

#include "holdfast/campaign/id_map.hpp"
#include "holdfast/campaign/paged_file.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// An array of zeros that uses memory only where it is written or read, because a file may have few of many cells.
template <class Number>
class Zeros {
 public:
  explicit Zeros(std::size_t size)
      : size_(size),
        numbers_(
            static_cast<Number*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(Number)))) {
    if (!numbers_) throw std::bad_alloc();
  }
  [[nodiscard]] std::span<Number> all() const { return {numbers_.get(), size_}; }

 private:
  struct Free {
    void operator()(Number* numbers) const { std::free(numbers); }
  };
  std::size_t size_;
  std::unique_ptr<Number, Free> numbers_;
};

/// The cells of a batch of points. Those of a point and a strategy lie together, in the order of draws; the values are a column per
/// metric. A value is stored as the bits in which it differs from the first one of its metric: what is always the same, or nowhere,
/// takes no room.
struct LoadedCells {
  /// The place of a point's cells.
  struct Slot {
    std::uint64_t first_cell = 0;
    std::uint64_t instances = 1;
    std::uint64_t scenarios = 1;
    [[nodiscard]] std::uint64_t draws() const { return instances * scenarios; }
  };

  std::size_t end = 0;  ///< position after the last one
  std::uint64_t total = 0;
  std::vector<Slot> slots;
  IdMap slot_of_point;
  std::vector<std::optional<std::uint64_t>> first = {};  ///< bits of the first value of each metric
  Zeros<std::uint8_t> flags;                             ///< none if there is a file
  Zeros<std::uint64_t> values;                           ///< the same
  /// The flags, and from values_at() on the values, of cells that are too many for memory.
  std::unique_ptr<const PagedFile> file = nullptr;

  [[nodiscard]] std::uint64_t values_at() const { return (total / 8 + 1) * 8; }
  [[nodiscard]] std::uint8_t flags_of(std::uint64_t cell) const {
    return file ? file->get<std::uint8_t>(cell) : flags.all()[cell];
  }
  [[nodiscard]] double value(std::uint64_t cell, std::size_t metric) const {
    const std::uint64_t at = metric * total + cell;
    const std::uint64_t bits =
        file ? file->get<std::uint64_t>(values_at() + 8 * at) : values.all()[at];
    return std::bit_cast<double>(bits ^ first[metric].value_or(0));
  }
};

}  // namespace holdfast
