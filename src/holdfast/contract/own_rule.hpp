#pragma once

#include "holdfast/contract/decision.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast {

/// What a rule may be written as: a function of what it is told that fills in the answer, where one list is asked for.
template <class F>
concept DecisionFunction = std::copy_constructible<F> &&
    requires(F f, const Told& told, std::vector<double>& answer) {
  f(told, answer);
};

/// A function as a rule. Each run works on a copy of it, so that what a `mutable` lambda or an object remembers is
/// remembered within one run; what it refers to outside is shared by all threads. It returns nothing, or a Status.
template <DecisionFunction F>
[[nodiscard]] OwnRule own_rule(std::string name, F function, std::int64_t version = 1) {
  class Function final : public Rule {
   public:
    explicit Function(F own) : function_(std::move(own)) {}
    Status decide(const Told& told, Asked& asked) override {
      if constexpr (std::is_convertible_v<decltype(function_(told, asked.front())), Status>) {
        return function_(told, asked.front());
      } else {
        function_(told, asked.front());
        return {};
      }
    }

   private:
    F function_;
  };
  class Maker final : public RuleMaker {
   public:
    explicit Maker(F own) : function_(std::move(own)) {}
    Result<std::unique_ptr<Rule>> start(const Draw&) const override {
      return std::make_unique<Function>(function_);
    }

   private:
    F function_;
  };
  return {std::move(name), version, std::make_shared<const Maker>(std::move(function))};
}

}  // namespace holdfast
