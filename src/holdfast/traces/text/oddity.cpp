#include "holdfast/traces/text/oddity.hpp"

#include <utility>

namespace holdfast {

void Oddities::add(std::string what, std::int64_t count, std::string action) {
  if (count > 0) list_.push_back({std::move(what), count, std::move(action)});
}

}  // namespace holdfast
