#include "holdfast/answers/campaign_draft.hpp"
#include "holdfast/answers/places.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::cli {
namespace {

/// Returns true for the file that a shell has just created for standard output.
bool is_empty_standard_output(const std::string& file) {
  struct stat out {};
  struct stat named {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::stat(file.c_str(), &named) == 0 &&
         S_ISREG(out.st_mode) && out.st_size == 0 && out.st_dev == named.st_dev &&
         out.st_ino == named.st_ino;
}

/// `holdfast init DOMAIN`.
class InitCommand {
 public:
  explicit InitCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command.add_option("domain", domain_, "domain of the campaign: checkpoint, io ...")
        ->type_name("DOMAIN");
    command
        .add_option("--output", output_,
                    "the campaign file (default DOMAIN.toml, here); - is standard output")
        ->type_name("FILE")
        ->group("Output");
    command.add_flag("--force", force_, "replace an existing file")->group("Output");
  }

  Status run(Console& console) const {
    if (domain_.empty()) {
      std::vector<std::string> names;
      for (const Domain* domain : domains_) names.emplace_back(domain->name);
      return fail(ErrorCode::usage, "domain",
                  fmt::format("found nothing, expected one of {}", fmt::join(names, ", ")));
    }
    const auto domain = find_domain(domain_, domains_);
    if (!domain) return fail(ErrorCode::usage, "domain", domain.error().message);
    const std::string text = campaign_draft(**domain, examples_directory(console.places()));
    if (output_ == "-") {
      console.out() << text;
      return {};
    }
    const std::string file = output_.empty() ? domain_ + ".toml" : output_;
    if (is_empty_standard_output(file)) {  // init checkpoint > checkpoint.toml
      console.out() << text;
      return {};
    }
    HOLDFAST_CHECK(write_new_file(file, text, force_, console));
    console.note(fmt::format("'holdfast run {}' runs it as it is", file));
    return {};
  }

 private:
  Domains domains_;
  std::string domain_;
  std::string output_;
  bool force_ = false;
};

}  // namespace

void add_init(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command = root.add_subcommand(
      "init", "write a campaign file to start from, with every field explained");
  command->footer("example: holdfast init checkpoint && holdfast run checkpoint.toml");
  add_command(*command, std::make_shared<InitCommand>(domains), console);
}

}  // namespace holdfast::cli
