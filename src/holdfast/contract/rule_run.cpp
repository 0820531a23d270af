#include "holdfast/contract/rule_run.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

namespace holdfast {
namespace {

// Returns the bound that a number violates: "at most 1".
std::string bound_of(const Range& range, double value) {
  if (value > range.maximum || (value == range.maximum && range.below_maximum)) {
    return fmt::format("{} {}", range.below_maximum ? "less than" : "at most",
                       to_text(range.maximum));
  }
  return fmt::format("{} {}", range.above_minimum ? "more than" : "at least",
                     to_text(range.minimum));
}

}  // namespace

RuleRun::RuleRun(const StrategySpec& spec, const DecisionTable& table)
    : table_{table}, maker_{spec.rule}, name_{spec.shown} {
  assert(maker_ != nullptr && "a strategy is read with the rule that it names");
}

bool RuleRun::ask(DecisionInput told) {
  if (!status_) return false;
  ++decisions_;
  told.table = &table_;
  // The lists start as NaN, which is no valid answer, so numbers that the rule leaves out are found.
  asked_.resize(table_.asked.size());
  for (auto& list : asked_) {
    list.assign(table_.is_list ? 0 : told.items, std::numeric_limits<double>::quiet_NaN());
  }
  try {
    if (rule_ == nullptr) {
      auto made = maker_->start(draw_);
      if (!made) {
        note(made.error().code, made.error().where, made.error().message);
        return false;
      }
      rule_ = std::move(*made);
      if (rule_ == nullptr) {
        note(ErrorCode::bad_value, "", "found no rule to start a run with");
        return false;
      }
    }
    if (const Status decided = rule_->decide(told, asked_); !decided) {
      note(decided.error().code, decided.error().where, decided.error().message);
    }
  } catch (const std::bad_alloc&) {
    throw;  // an error of the whole run, not of the rule
  } catch (const std::exception& error) {
    note(ErrorCode::bad_value, "", fmt::format("the rule threw an exception: {}", error.what()));
  } catch (...) {
    note(ErrorCode::bad_value, "", "the rule threw something that is no std::exception");
  }
  return status_.has_value() && is_complete(told.items);
}

bool RuleRun::is_complete(std::size_t items) {
  if (asked_.size() != table_.asked.size()) {
    note(ErrorCode::bad_value, "",
         fmt::format("found {}, expected {}", counted(asked_.size(), "list"), table_.asked.size()));
    return false;
  }
  for (std::size_t field = 0; field < asked_.size(); ++field) {
    const auto& list = asked_[field];
    if (table_.is_list && (list.empty() || list.size() > kLongest)) {
      refuse(field,
             fmt::format("found {}, expected 1 to {}", counted(list.size(), "number"), kLongest));
      return false;
    }
    if (!table_.is_list && list.size() != items) {
      refuse(field, fmt::format("found {}, expected {}", counted(list.size(), "number"), items));
      return false;
    }
    for (std::size_t item = 0; item < list.size(); ++item) {
      if (std::isfinite(list[item])) continue;
      refuse(field, item, fmt::format("found {}, expected a finite number", to_text(list[item])));
      return false;
    }
  }
  return true;
}

bool RuleRun::all_in(const Range& range, std::size_t field) {
  for (std::size_t item = 0; item < asked_[field].size(); ++item) {
    if (!is_in(range, item, field)) return false;
  }
  return true;
}

bool RuleRun::is_in(const Range& range, std::size_t item, std::size_t field) {
  const double value = asked_[field][item];
  if (range.contains(value)) return true;
  refuse(field, item, fmt::format("found {}, expected {}", to_text(value), bound_of(range, value)));
  return false;
}

bool RuleRun::all_whole(std::size_t field) {
  for (std::size_t item = 0; item < asked_[field].size(); ++item) {
    const double value = asked_[field][item];
    if (value == std::floor(value)) continue;
    refuse(field, item, fmt::format("found {}, expected a whole number", to_text(value)));
    return false;
  }
  return true;
}

void RuleRun::refuse(std::size_t field, std::size_t item, std::string what) {
  note(ErrorCode::bad_value, fmt::format("{}[{}]", table_.asked[field].name, item),
       std::move(what));
}

void RuleRun::refuse(std::size_t field, std::string what) {
  note(ErrorCode::bad_value, table_.asked[field].name, std::move(what));
}

void RuleRun::note(ErrorCode code, std::string_view where, std::string what) {
  if (!status_) return;
  std::string place = fmt::format("strategy {}, decision {}", in_quotes(name_), decisions_ - 1);
  if (!where.empty()) place += fmt::format(": {}", where);
  status_ = fail(code, std::move(place), std::move(what));
}

}  // namespace holdfast
