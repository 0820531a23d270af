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

/// A function that can serve as a rule: it reads the information it is given and fills in the answer, which must be a single
/// list.
template <class F>
concept DecisionFunction = std::copy_constructible<F> &&
    requires(F f, const DecisionInput& told, std::vector<double>& answer) {
  f(told, answer);
};

/// Returns a rule made from a function that returns nothing or a Status. Each run works on its own copy of the function, so the
/// state of a `mutable` lambda lasts for one run. Objects that the function only refers to are shared by all threads.
template <DecisionFunction F>
[[nodiscard]] OwnRule own_rule(std::string name, F function, std::int64_t version = 1) {
  class Function final : public Rule {
   public:
    explicit Function(F own) : function_(std::move(own)) {}
    Status decide(const DecisionInput& told, DecisionAnswer& asked) override {
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
