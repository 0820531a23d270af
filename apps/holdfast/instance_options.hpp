#pragma once

#include "holdfast/answers/asked_instance.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/option_set.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

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

  /// Reads what was asked for. Refuses two documents, and a word that is no file.
  [[nodiscard]] Result<AskedInstance::Input> read(Console& console);
  /// As those of AskedInstance, once it was read.
  [[nodiscard]] Error placed(Error error, const Value& document) const {
    return asked_.placed(std::move(error), document);
  }
  [[nodiscard]] bool is_lacking(const Error& placed) const { return asked_.is_lacking(placed); }

 private:
  const Domain* domain_;
  std::string option_;    ///< of --instance
  std::string argument_;  ///< the same without an option's name
  OptionSet fields_;
  AskedInstance asked_;
};

/// What to do where no document was given and the options do not make one.
[[nodiscard]] std::string instance_remedy(const CLI::App& command);

}  // namespace holdfast::cli
