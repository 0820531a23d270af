#include "holdfast/scale_option.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"

#include <CLI/CLI.hpp>

namespace holdfast::cli {

void ScaleOption::add(CLI::App& command) {
  command
      .add_option("--scale", text_,
                  "multiply the numbers of instances and scenarios (at least 1 of each)")
      ->type_name("S")
      ->group("Options");
}

Result<double> ScaleOption::read() const {
  auto factor = read_quantity(Value(text_), "--scale", Unit::none,
                              {.minimum = 0, .maximum = 1e6, .above_minimum = true});
  if (!factor) factor.error().code = ErrorCode::usage;
  return factor;
}

}  // namespace holdfast::cli
