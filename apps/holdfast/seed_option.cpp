#include "holdfast/seed_option.hpp"

#include "holdfast/base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>

namespace holdfast::cli {

void SeedOption::add(CLI::App& command) {
  command
      .add_option("--seed", text_,
                  "seed of the random numbers (default 1); the same seed gives the same output")
      ->type_name("N")
      ->group("Options");
}

Result<std::uint64_t> SeedOption::read() const {
  std::uint64_t seed = 0;
  const char* end = text_.data() + text_.size();
  const auto [rest, error] = std::from_chars(text_.data(), end, seed);
  if (error == std::errc{} && rest == end) return seed;
  return fail(ErrorCode::usage, "--seed",
              fmt::format("found {}, expected a whole number from 0 to 18446744073709551615",
                          in_quotes(text_)));
}

}  // namespace holdfast::cli
