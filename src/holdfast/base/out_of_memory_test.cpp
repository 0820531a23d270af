#include "holdfast/base/value.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;

namespace {

constexpr std::size_t kAll = SIZE_MAX;
thread_local std::size_t allowed = kAll;  // allocations that still succeed
thread_local long alive = 0;              // allocations of this thread less deallocations

void* allocate(std::size_t size) {
  if (allowed == 0) throw std::bad_alloc{};
  if (allowed != kAll) --allowed;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc{};
  ++alive;
  return block;
}

void release(void* block) {
  if (block != nullptr) --alive;
  std::free(block);
}

}  // namespace

// The operators for arrays call these.
void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* block) noexcept {
  release(block);
}
void operator delete(void* block, std::size_t /*size*/) noexcept {
  release(block);
}

namespace {

// Calls `action` with memory that ends at its first allocation, then at its second, and so on, until it succeeds; returns
// how often it failed. Each failure gives back what it took.
template <class Action>
std::size_t failures_of(const Action& action) {
  for (std::size_t allocations = 0;; ++allocations) {
    const long before = alive;
    bool failed = false;
    allowed = allocations;
    try {
      action();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    allowed = kAll;
    if (!failed) return allocations;
    REQUIRE(alive == before);
  }
}

// An object of arrays of objects; each level has a text that needs memory, and all kinds of numbers.
Value deep_value(int levels) {
  Value value = Value::object({{"name", std::string(100, 'n')}, {"count", 3}, {"mean", 2.5}});
  value.set("limit", std::uint64_t{1} << 63U);
  value.set("open", true);
  value.set("nothing", nullptr);
  if (levels > 0) {
    value.set("parts", Value::Array{"short", std::string(50, 't'), deep_value(levels - 1), 7});
  }
  return value;
}

}  // namespace

TEST_CASE("a copy of a document that does not fit into memory throws, wherever memory ends") {
  const Value document = deep_value(6);
  std::optional<Value> copy;
  // Seven levels: the members, the long text and the two long names of each; and six times an array with its text.
  CHECK(failures_of([&] { copy.emplace(document); }) == 7 * 2 + 6 * 2);
  CHECK(*copy == document);
}

TEST_CASE("a document whose replacement ran out of memory can still be written and replaced") {
  const Value document = deep_value(3);
  for (const Value& old : {Value(std::string(80, 'o')), Value(1.5),
                           Value::list(std::vector<double>(9, 0.5)), deep_value(2), Value()}) {
    CAPTURE(to_compact_json(old));
    // The memory of the old value is used again; all of them need new memory for the deepest level, its text and its array.
    CHECK(failures_of([&] {
            Value target;
            try {
              const std::size_t left = std::exchange(allowed, kAll);
              target = old;
              allowed = left;
              target = document;
            } catch (const std::bad_alloc&) {
              allowed = kAll;
              CHECK_FALSE(to_compact_json(target).empty());
              target = document;
              CHECK(target == document);
              throw;
            }
            CHECK(target == document);
          }) >= 4);
  }
}
