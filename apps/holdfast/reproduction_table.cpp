#include "holdfast/reproduction_table.hpp"

#include "holdfast/answers/reproduction_answer.hpp"
#include "holdfast/console.hpp"
#include "holdfast/pages/reproduction_tables.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace holdfast::cli {

using reproduction::Reproduced;

void ReproductionOutput::add(Reproduced one) {
  if (!one.not_run.empty()) {
    console_->warn(fmt::format("{} was not run: {}", one.item.id, one.not_run));
  } else if (!json_) {
    if (!first_) print_line("", *console_);
    first_ = false;
    print_answer(reproduction_answer(one, scale_), false, *console_);
  }
  items_.push_back(std::move(one));
}

void ReproductionOutput::print_totals() const {
  print_line("", *console_);
  print_table(totals_table(items_, scale_), *console_);
  print_line("", *console_);
  for (const std::string& line : reproduction_shares(items_, scale_)) print_line(line, *console_);
}

void ReproductionOutput::finish() {
  reproduction::Tally tally;
  for (const Reproduced& one : items_) tally += tally_of(one, scale_);
  const auto not_run = std::count_if(items_.begin(), items_.end(),
                                     [](const Reproduced& one) { return !one.not_run.empty(); });
  if (json_) {
    print_document(reproduction_document(items_, scale_), *console_);
  } else {
    if (items_.size() > 1) print_totals();
    std::string line = tally_text(tally);
    if (not_run > 0) line += fmt::format(", {} not run", not_run);
    print_line("", *console_);
    print_line(line, *console_);
  }
  if (tally.out > 0 || not_run > 0) console_->answer_no();
}

}  // namespace holdfast::cli
