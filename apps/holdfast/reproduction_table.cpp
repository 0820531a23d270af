#include "holdfast/reproduction_table.hpp"

#include "holdfast/answers/reproduction_answer.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"

#include <fmt/format.h>

#include <ostream>
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

void ReproductionOutput::finish() {
  if (json_) {
    print_document(reproduction_document(items_, scale_), *console_);
  } else {
    console_->out() << reproduction_closing(items_, scale_, style_of(*console_));
  }
  if (!is_reproduced(items_, scale_)) console_->answer_no();
}

}  // namespace holdfast::cli
