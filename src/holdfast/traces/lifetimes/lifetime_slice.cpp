#include "holdfast/traces/lifetimes/lifetime_table.hpp"
#include "holdfast/traces/text/slicing.hpp"

#include <vector>

namespace holdfast {

Result<LifetimeTable> sliced(LifetimeTable table, const SliceQuestion& question) {
  HOLDFAST_CHECK(slicing::check_lacking(question, false, false, true, "lifetimes have"));
  if (question.sample) {
    HOLDFAST_TRY(is_drawn, slicing::drawn(table.lifetimes.size(), *question.sample, question.seed));
    slicing::keep(table.lifetimes, is_drawn);
  }
  return table;
}

}  // namespace holdfast
