#include "holdfast/instance_options.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <istream>
#include <iterator>

namespace holdfast::cli {

void InstanceOptions::add(CLI::App& command) {
  command.add_option("--instance", file_, "instance document; - is standard input")
      ->type_name("FILE")
      ->take_last()
      ->group("Instance");
  fields_.add(command, domain_->fields, "Instance");
}

std::string InstanceOptions::file_name() const {
  return file_ == "-" ? "standard input" : file_;
}

Result<Value> InstanceOptions::read_file_or_stdin(Console& console) const {
  if (file_ != "-") return read_document(file_);
  const std::string text{std::istreambuf_iterator<char>(console.in()), {}};
  auto document = parse_json(text);
  if (!document) return fail(in_file(file_name(), document.error()));
  return document;
}

Result<InstanceOptions::Input> InstanceOptions::read(Console& console) const {
  Input input;
  if (!file_.empty()) {
    if (file_.starts_with("--")) {
      return fail(ErrorCode::usage, "--instance",
                  fmt::format("found the option {}, expected a file", file_));
    }
    HOLDFAST_TRY(document, read_file_or_stdin(console));
    input.document = std::move(document);
    const auto header = check_header(input.document, fmt::format("{}-instance", domain_->name));
    if (!header) return fail(placed(header.error(), input.document));
    input.document.erase("holdfast");
    input.directory =
        file_ == "-" ? console.input_directory() : std::filesystem::path(file_).parent_path();
    if (input.directory.empty()) input.directory = ".";
  }
  if (!input.document.is_null() && input.document.members() == nullptr) {
    return fail(ErrorCode::bad_format, file_name(),
                fmt::format("found {}, expected an object", input.document.described()));
  }
  HOLDFAST_CHECK(fields_.merge_into(input.document, input.directory != "."));
  return input;
}

Error InstanceOptions::placed(Error error, const Value& document) const {
  if (!error.where.empty() && !error.where.starts_with('/')) return error;
  if (const std::string option = fields_.given_at(error.where); !option.empty()) {
    error.where = option;
    if (exit_code(error.code) == 3) error.code = ErrorCode::usage;
    return error;
  }
  if (file_.empty()) {
    if (exit_code(error.code) == 3) error.code = ErrorCode::usage;
    return error;
  }
  if (!error.where.empty()) error.where = place_in(document, error.where);
  return in_file(file_name(), std::move(error));
}

bool InstanceOptions::is_lacking(const Error& placed) const {
  const bool about_document = placed.where.empty() || placed.where.starts_with('/');
  return file_.empty() && about_document && placed.code == ErrorCode::usage;
}

std::string instance_remedy(const CLI::App& command) {
  return fmt::format(
      "give the instance as options, or in a document with --instance FILE; see '{} --help'",
      full_name(command));
}

}  // namespace holdfast::cli
