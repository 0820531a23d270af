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

/// A cache of one entry that knows what its value was made for: it makes it again where it is asked for another key.
/// @tparam Key  comparable; nothing equals a slot in which nothing was made yet
template <class T, class Key = Origin>
class CacheSlot {
 public:
  /// @param make  () -> T or Result<std::unique_ptr<T>>; where it fails, the slot is empty and the error is returned
  /// @returns T&, or Result<T*> where `make` returns a Result
  template <class Make>
  decltype(auto) get(const Key& key, Make&& make) {
    using Made = decltype(make());
    if constexpr (std::is_same_v<Made, T>) {
      if (!holds(key)) {
        clear();
        value_.reset(new T(std::forward<Make>(make)()));  // in place: T need not be movable
        key_ = key;
      }
      return (*value_);
    } else {
      return try_get(key, std::forward<Make>(make));
    }
  }

  [[nodiscard]] bool holds(const Key& key) const { return value_ != nullptr && key_ == key; }
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

/// What a worker keeps between runs so that cells which share something costly (a trace, a list schedule) make it
/// once. A cache and nothing else: with a fresh workspace every byte of every result is the same. It serves the points
/// of any domain; each keeps a struct of CacheSlots in it.
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(Stop stop) : stop_{stop} {}

  /// A run that sees it wanted returns ErrorCode::interrupted within a fraction of a second.
  [[nodiscard]] Stop stop() const { return stop_; }

  /// The one T of this workspace, made by T() when it is first asked for.
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
  static constexpr char kTypeOf = 0;  // its address names the type

  struct Held {
    const char* type;
    std::shared_ptr<void> object;
  };

  Stop stop_;
  std::vector<Held> held_;
};

}  // namespace holdfast
