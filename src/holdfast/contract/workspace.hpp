#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/contract/draw.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast {

/// A cache of one value and the key for which it was made. If it is asked for another key, it makes a new value.
/// @tparam Key  an equality-comparable type
template <class T, class Key = Origin>
class CacheSlot {
 public:
  /// Returns the value for this key, and makes it if the slot holds none for this key.
  /// @param make  () -> T or Result<std::unique_ptr<T>>; if it fails, the slot is empty and the error is returned
  /// @returns T&, or Result<T*> if `make` returns a Result
  template <class Make>
  decltype(auto) get(const Key& key, Make&& make) {
    using Made = decltype(make());
    if constexpr (std::is_same_v<Made, T>) {
      if (!holds(key)) {
        clear();
        value_.reset(new T(std::forward<Make>(make)()));  // built in place: T need not be movable
        key_ = key;
      }
      return (*value_);
    } else {
      return try_get(key, std::forward<Make>(make));
    }
  }

  /// Returns true if the slot holds the value for this key.
  [[nodiscard]] bool holds(const Key& key) const { return value_ != nullptr && key_ == key; }
  /// Drops the value and its key.
  void clear() {
    key_.reset();
    value_.reset();
  }

 private:
  template <class Make>
  Result<T*> try_get(const Key& key, Make&& make) {
    if (!holds(key)) {
      clear();
      auto made = std::forward<Make>(make)();
      if (!made) return fail(std::move(made).error());
      value_ = std::move(*made);
      key_ = key;
    }
    return value_.get();
  }

  std::optional<Key> key_;
  std::unique_ptr<T> value_;
};

/// The memory that a worker keeps between runs, so that cells which share something costly (a trace, a list schedule) compute
/// it once. It is only a cache: with a fresh workspace every byte of every result is the same. It serves the points of any
/// domain; each domain keeps a struct of CacheSlots in it.
class Workspace {
 public:
  /// Makes an empty workspace, whose runs end early once `stop` is wanted.
  Workspace() = default;
  explicit Workspace(Stop stop) : stop_{stop} {}

  /// Returns the request to stop. Once it is wanted, a run returns ErrorCode::interrupted within a fraction of a second.
  [[nodiscard]] Stop stop() const { return stop_; }

  /// Returns the only T of this workspace, which T() makes at the first call.
  template <class T>
  [[nodiscard]] T& of() {
    for (const Held& held : held_) {
      if (held.type == &kTypeOf<T>) return *static_cast<T*>(held.object.get());
    }
    auto made = std::make_shared<T>();
    T& out = *made;
    held_.push_back({&kTypeOf<T>, std::move(made)});
    return out;
  }

 private:
  template <class T>
  static constexpr char kTypeOf = 0;  // its address identifies the type

  struct Held {
    const char* type;
    std::shared_ptr<void> object;
  };

  Stop stop_;
  std::vector<Held> held_;
};

}  // namespace holdfast
