#include "holdfast/campaign/block.hpp"

#include "holdfast/campaign/batch.hpp"
#include "holdfast/campaign/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace holdfast {
namespace {

// A column is the least of its numbers (seven bits a byte, the last one below 128), a byte that says how each number is
// written, and the numbers: 0, 1, 2, 4 or 8 bytes of what they are above the least, or 8 bytes of a real number each.
constexpr unsigned kReal = 9;
constexpr unsigned kNothing = 10;  // no cell has a value

constexpr std::uint64_t kMostWhole = std::uint64_t{1} << 53;  // whole numbers that a double has
constexpr std::uint64_t kMostNumber = std::numeric_limits<std::int64_t>::max();
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

unsigned width_of(std::uint64_t largest) {
  if (largest == 0) return 0;
  if (largest < (1U << 8)) return 1;
  if (largest < (1U << 16)) return 2;
  return largest < (std::uint64_t{1} << 32) ? 4 : 8;
}

template <class Narrow>
void put_numbers(char* out, std::span<const std::uint64_t> numbers, std::uint64_t least) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto narrow = static_cast<Narrow>(numbers[i] - least);
    std::memcpy(out + i * sizeof narrow, &narrow, sizeof narrow);
  }
}

void put_whole(std::string& out, std::span<const std::uint64_t> numbers) {
  const auto [least, most] = std::ranges::minmax(numbers);
  const unsigned width = width_of(most - least);
  put_varint(out, least);
  out += static_cast<char>(width);
  const std::size_t at = out.size();
  out.resize(at + width * numbers.size());
  if (width == 1) put_numbers<std::uint8_t>(out.data() + at, numbers, least);
  if (width == 2) put_numbers<std::uint16_t>(out.data() + at, numbers, least);
  if (width == 4) put_numbers<std::uint32_t>(out.data() + at, numbers, least);
  if (width == 8) put_numbers<std::uint64_t>(out.data() + at, numbers, least);
}

/// Writes real numbers; as whole ones, if they all are (numbers of failures, lengths in seconds). `spare` is a buffer.
void put_real(std::string& out, std::span<const double> numbers,
              std::vector<std::uint64_t>& spare) {
  spare.resize(numbers.size());
  bool are_whole = true;
  for (std::size_t i = 0; i < numbers.size() && are_whole; ++i) {
    are_whole = numbers[i] >= 0 && numbers[i] < static_cast<double>(kMostWhole);
    spare[i] = are_whole ? static_cast<std::uint64_t>(numbers[i]) : 0;
    are_whole = are_whole && static_cast<double>(spare[i]) == numbers[i];
  }
  if (are_whole) return put_whole(out, spare);
  const bool is_empty =
      std::ranges::all_of(numbers, [](double number) { return std::isnan(number); });
  put_varint(out, 0);
  out += static_cast<char>(is_empty ? kNothing : kReal);
  if (is_empty) return;
  const std::size_t at = out.size();
  out.resize(at + sizeof(double) * numbers.size());
  std::memcpy(out.data() + at, numbers.data(), sizeof(double) * numbers.size());
}

/// A reader of columns. If something is missing or impossible, ok() is false from then on.
class ColumnReader {
 public:
  ColumnReader(std::string_view bytes, std::size_t cells) : rest_(bytes), cells_(cells) {}

  /// Reads a column of whole numbers from `least` to `most`.
  void whole(std::vector<std::uint64_t>& out, std::uint64_t least, std::uint64_t most) {
    head();
    ok_ = ok_ && kind_ <= 8;
    if (!take()) return;
    numbers(std::span(out));
    const auto [low, high] = std::ranges::minmax(out);
    ok_ = ok_ && low >= least && high <= most;
  }
  /// Reads a column of finite numbers, or NaN.
  void real(std::span<double> out) {
    head();
    if (!take()) return;
    if (kind_ == kReal) {
      std::memcpy(out.data(), from_, sizeof(double) * cells_);
      ok_ = std::ranges::none_of(out, [](double number) { return std::isinf(number); });
    } else if (kind_ == kNothing) {
      std::ranges::fill(out, kNoValue);
    } else {
      numbers(out);
    }
  }
  void skip() {
    head();
    take();
  }
  /// Returns true if the last column had a number for each cell.
  [[nodiscard]] bool varies() const { return kind_ != 0; }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  void head() {
    base_ = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned byte = next();
      base_ |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) break;
      if (shift >= 56) ok_ = false;  // beyond 2^63
      if (!ok_) return;
    }
    kind_ = next();
  }
  unsigned next() {
    if (!ok_ || rest_.empty()) {
      ok_ = false;
      return 0;
    }
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  /// Moves past the numbers of a column.
  bool take() {
    const std::size_t bytes = kind_ == kReal ? sizeof(double) : kind_ == kNothing ? 0 : kind_;
    ok_ = ok_ && kind_ <= kNothing && (std::has_single_bit(bytes) || bytes == 0) &&
          rest_.size() >= bytes * cells_;
    if (!ok_) return false;
    from_ = rest_.data();
    rest_.remove_prefix(bytes * cells_);
    return true;
  }
  template <class Narrow, class Wide>
  void widen(std::span<Wide> out) {
    for (std::size_t i = 0; i < cells_; ++i) {
      Narrow narrow;
      std::memcpy(&narrow, from_ + i * sizeof narrow, sizeof narrow);
      out[i] = static_cast<Wide>(base_ + narrow);
    }
  }
  template <class Wide>
  void numbers(std::span<Wide> out) {
    switch (kind_) {
      case 0:
        std::ranges::fill(out, static_cast<Wide>(base_));
        break;
      case 1:
        return widen<std::uint8_t>(out);
      case 2:
        return widen<std::uint16_t>(out);
      case 4:
        return widen<std::uint32_t>(out);
      default:
        return widen<std::uint64_t>(out);
    }
  }

  std::string_view rest_;
  std::size_t cells_;
  const char* from_ = nullptr;
  std::uint64_t base_ = 0;
  unsigned kind_ = 0;
  bool ok_ = true;
};

bool are_flags(std::span<const std::uint64_t> flags) {
  return std::ranges::all_of(flags, [](std::uint64_t flag) {
    return (flag & CellFlags::kPresent) != 0 && (flag & ~std::uint64_t{CellFlags::kDone}) == 0;
  });
}

}  // namespace

void Block::resize(std::size_t cells) {
  for (auto* column : {&points, &strategies, &instances, &scenarios}) column->resize(cells);
  flags.resize(cells);
  for (auto& column : metrics) column.resize(cells);
}

std::string block_bytes(const Batch& batch, std::size_t begin, std::size_t end, std::size_t metrics,
                        std::span<const std::uint32_t> points,
                        std::span<const std::uint32_t> strategies) {
  std::string out;
  std::vector<std::uint64_t> numbers(end - begin);
  const auto put_column = [&](const auto& number_of) {
    for (std::size_t i = begin; i < end; ++i) numbers[i - begin] = number_of(i);
    put_whole(out, numbers);
  };
  put_column([&](std::size_t i) { return std::uint64_t{points[batch.keys[i].point]}; });
  put_column([&](std::size_t i) { return std::uint64_t{strategies[batch.keys[i].strategy]}; });
  put_column([&](std::size_t i) { return batch.keys[i].instance; });
  put_column([&](std::size_t i) { return batch.keys[i].scenario; });
  put_column([&](std::size_t i) { return std::uint64_t{batch.flags[i]}; });
  std::vector<double> column(end - begin);
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    for (std::size_t i = begin; i < end; ++i) {
      column[i - begin] =
          batch.values[i * metrics + metric] + 0.0;  // the sign of zero says nothing
    }
    put_real(out, column, numbers);
  }
  put_real(out, std::span(batch.seconds).subspan(begin, end - begin), numbers);
  return out;
}

std::string parse_block(std::string_view bytes, std::size_t cells, const BlockLimits& limits,
                        std::span<const std::optional<std::size_t>> columns, Block& out) {
  out.resize(cells);
  ColumnReader read(bytes, cells);
  bool varies = false;
  const auto whole = [&](std::vector<std::uint64_t>& column, std::uint64_t least,
                         std::uint64_t most, std::string_view name) {
    const bool was_right = read.ok();
    read.whole(column, least, most);
    varies = varies || read.varies();
    return was_right && !read.ok()
               ? fmt::format("found other {} than whole numbers from {} to {}", name, least, most)
               : std::string();
  };
  std::vector<std::uint64_t> flags(cells);
  for (const std::string& error : {whole(out.points, 1, limits.points, "points"),
                                   whole(out.strategies, 1, limits.strategies, "strategies"),
                                   whole(out.instances, 0, kMostNumber, "instances"),
                                   whole(out.scenarios, 0, kMostNumber, "scenarios")}) {
    if (!error.empty()) return error;
  }
  // Cells that are all the same would be a large block of few bytes.
  if (cells > 1 && !varies) return "found the same cell more than once";
  read.whole(flags, 0, CellFlags::kDone);
  if (!read.ok() || !are_flags(flags)) return "found other flags than those of cells";
  std::copy(flags.begin(), flags.end(), out.flags.begin());
  for (const std::optional<std::size_t>& column : columns) {
    if (column) {
      read.real(out.metrics[*column]);
    } else {
      read.skip();
    }
  }
  return read.ok() && read.at_end() ? std::string() : "found other bytes than those of metrics";
}

}  // namespace holdfast
