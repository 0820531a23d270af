#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/option_set.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::cli {

class Console;

/// `--instance FILE|-`, or the file alone, and an option for each field of the domain's document.
class InstanceOptions {
 public:
  explicit InstanceOptions(const Domain& domain) : domain_(&domain) {}

  /// @param takes_argument  a file without `--instance` before it is an instance too
  /// @param left_out  fields that get no option
  void add(CLI::App& command, bool takes_argument = true,
           std::span<const std::string_view> left_out = {});

  /// An instance as it was asked for: the document, options merged in, its header checked and taken off.
  struct Input {
    Value document = Value::object();
    std::filesystem::path directory = ".";  ///< where relative paths inside the document start
  };
  [[nodiscard]] Result<Input> read(Console& console) const;

  /// Says where an error about the document comes from: the option that gave the value (then the command line is
  /// wrong), else the file.
  [[nodiscard]] Error placed(Error error, const Value& document) const;
  /// True for an error about something that is missing where no document was given: then it is worth saying how to give one.
  [[nodiscard]] bool is_lacking(const Error& placed) const;

 private:
  [[nodiscard]] Result<Value> read_file_or_stdin(Console& console) const;
  [[nodiscard]] Status check_argument() const;
  [[nodiscard]] std::string file_name() const;

  const Domain* domain_;
  std::string option_;    ///< of --instance
  std::string argument_;  ///< the same without an option's name
  [[nodiscard]] const std::string& file() const { return option_.empty() ? argument_ : option_; }
  OptionSet fields_;
};

/// What to do where no document was given and the options do not make one.
[[nodiscard]] std::string instance_remedy(const CLI::App& command);

}  // namespace holdfast::cli
