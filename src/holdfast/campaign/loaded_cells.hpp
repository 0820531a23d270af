#pragma once

#include "holdfast/campaign/id_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
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

/// The cells of a batch of points, draws x strategies (x metrics) for each.
struct LoadedCells {
  /// The place of a point's arrays.
  struct Slot {
    std::uint64_t first_cell = 0;
    std::uint64_t instances = 1;
    std::uint64_t scenarios = 1;
  };

  std::size_t end = 0;  ///< position after the last one
  std::vector<Slot> slots;
  IdMap slot_of_point;
  Zeros<std::uint8_t> flags;
  Zeros<double> values;
};

}  // namespace holdfast
