#include "holdfast/console.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/locations.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace holdfast::cli {

Console::Console(std::ostream& out, std::ostream& err, std::istream& in)
    : Console(out, err, in, Terminal{}, nullptr) {}

Console::Console(std::ostream& out, std::ostream& err, std::istream& in, Terminal terminal,
                 const std::atomic<bool>* interrupted)
    : out_(&out),
      err_(&err),
      in_(&in),
      terminal_(terminal),
      interrupted_(interrupted),
      places_(usual_places()) {}

void Console::set_input_directory(std::filesystem::path directory) {
  input_directory_ = std::move(directory);
}

void Console::keep_to_answers(std::string only_file) {
  keeps_to_answers_ = true;
  only_file_ = std::move(only_file);
}

void Console::say(std::string_view text) {
  const auto width = static_cast<std::size_t>(terminal_.err_width);
  for (const std::string& line : wrap(printable(text), width)) *err_ << line << '\n';
}

void Console::refuse(const Error& error) {
  Error alone = error;
  const bool is_long = terminal_.err_width > 0 && !error.remedy.field.empty();
  if (is_long) alone.remedy = {};
  say("holdfast: " + alone.text());
  // What is to be typed stays on a line of its own, unbroken.
  if (is_long) *err_ << printable("try " + error.remedy.field + " " + error.remedy.value) << '\n';
  set_status(exit_code(error.code));
}

void Console::refuse_usage(std::string_view message, std::string_view remedy) {
  say(fmt::format("holdfast: {}", message));
  if (!remedy.empty()) *err_ << printable(remedy) << '\n';
  set_status(exit_code(ErrorCode::usage));
}

void Console::warn(std::string_view message) {
  if (!quiet_) say(fmt::format("holdfast: warning: {}", message));
}

void Console::note(std::string_view message) {
  if (!quiet_) *err_ << printable(message) << '\n';
}

void Console::detail(std::string_view message) {
  if (verbose_ && !quiet_) *err_ << printable(message) << '\n';
}

}  // namespace holdfast::cli
