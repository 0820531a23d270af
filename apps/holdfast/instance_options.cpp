#include "holdfast/instance_options.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <istream>
#include <system_error>

namespace holdfast::cli {
namespace {

Result<std::string> read_stream(std::istream& in, const std::string& name) {
  std::string text;
  std::array<char, 4096> part;
  while (in.read(part.data(), part.size()) || in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostJson) {
      return fail(ErrorCode::bad_format, name, longer_than(kMostJson));
    }
  }
  return text;
}

}  // namespace

void InstanceOptions::add(CLI::App& command, bool takes_argument,
                          std::span<const std::string_view> left_out) {
  if (takes_argument) {
    command.add_option("document", argument_, "the instance document; - is standard input")
        ->type_name("FILE");
  }
  command.add_option("--instance", option_, "instance document; - is standard input")
      ->type_name("FILE")
      ->group("Instance");
  fields_.add(command, domain_->fields, "Instance", left_out);
}

Result<AskedInstance::Input> InstanceOptions::read(Console& console) {
  asked_ = {.domain = domain_,
            .file = option_.empty() ? argument_ : option_,
            .arguments = fields_.arguments(),
            .standard_input = [&console] { return read_stream(console.in(), "standard input"); },
            .input_directory = console.input_directory()};
  if (!argument_.empty() && !option_.empty()) {
    return fail(ErrorCode::usage, "--instance",
                fmt::format("found {} and {}, expected one instance", in_quotes(argument_),
                            in_quotes(option_)));
  }
  std::error_code ignored;
  const bool is_file =
      argument_.empty() || argument_ == "-" || std::filesystem::exists(argument_, ignored);
  if (!is_file) return fail(no_such_instance(argument_, domain_->fields));
  return asked_.read();
}

std::string instance_remedy(const CLI::App& command) {
  return fmt::format("give the instance as options, or as a document (FILE); see '{} --help'",
                     full_name(command));
}

}  // namespace holdfast::cli
