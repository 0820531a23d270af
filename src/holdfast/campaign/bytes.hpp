#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace holdfast {

/// A writer of numbers, texts and arrays as bytes in this machine's byte order, for messages between processes of one program
/// and for shards. They must be read back in the same order.
class ByteWriter {
 public:
  template <class Number>
  ByteWriter& number(Number value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes_.append(value);
    return *this;
  }
  template <class Number>
  ByteWriter& array(const std::vector<Number>& values) {
    static_assert(std::is_trivially_copyable_v<Number>);
    number(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// A reader of these bytes. If something is missing or too long, ok() is false from then on and all reads return zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  [[nodiscard]] Number number() {
    static_assert(std::is_trivially_copyable_v<Number>);
    Number value{};
    if (const char* from = advance(sizeof value)) std::memcpy(&value, from, sizeof value);
    return value;
  }
  [[nodiscard]] std::string text() {
    const auto size = number<std::uint64_t>();
    const char* from = advance(size);
    return from == nullptr ? std::string() : std::string(from, size);
  }
  template <class Number>
  [[nodiscard]] std::vector<Number> array() {
    static_assert(std::is_trivially_copyable_v<Number>);
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / sizeof(Number)) ok_ = false;
    if (!ok_ || count == 0) return {};
    std::vector<Number> values(count);
    std::memcpy(values.data(), advance(count * sizeof(Number)), count * sizeof(Number));
    return values;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  const char* advance(std::uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return nullptr;
    }
    const char* from = rest_.data();
    rest_.remove_prefix(size);
    return from;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace holdfast
