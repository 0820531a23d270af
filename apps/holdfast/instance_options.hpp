#pragma once

#include "holdfast/answers/asked/asked_instance.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/option_set.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::cli {

class Console;

/// The option `--instance FILE|-` or the file as an argument, and an option for each field of the domain's document.
class InstanceOptions {
 public:
  explicit InstanceOptions(const Domain* domain) : domain_(domain) {}

  /// Adds the options to a command.
  /// @param takes_argument  true: a file without `--instance` before it is an instance too
  /// @param left_out  fields without an option
  void add(CLI::App& command, bool takes_argument = true,
           std::span<const std::string_view> left_out = {});

  /// Takes a file as the argument of a verb that has arguments of its own.
  void take_argument(std::string file) { argument_ = std::move(file); }
  /// Reads the instance. Two documents are an error, and so is a word that is not a file.
  [[nodiscard]] Result<AskedInstance::Input> read(Console& console);
  /// Calls AskedInstance::placed(). @pre read() was called
  [[nodiscard]] Error placed(Error error, const Value& document) const {
    return asked_.placed(std::move(error), document);
  }
  /// Calls AskedInstance::is_lacking(). @pre read() was called
  [[nodiscard]] bool is_lacking(const Error& placed) const { return asked_.is_lacking(placed); }

 private:
  const Domain* domain_;
  std::string option_;    ///< value of --instance
  std::string argument_;  ///< the file that was given as an argument
  OptionSet fields_;
  AskedInstance asked_;
};

/// Returns what the user can do if no document was given and the options do not make one.
[[nodiscard]] std::string instance_remedy(const CLI::App& command);

}  // namespace holdfast::cli
