#include "holdfast/answers/citation.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace holdfast::cli {
namespace {

/// `holdfast cite [ID...|--list]`.
class CiteCommand {
 public:
  explicit CiteCommand(Domains domains) : domains_(domains) {}

  void add(CLI::App& command) {
    command
        .add_option("id", ids_,
                    "entry of the bibliography, or a strategy or domain whose papers are wanted "
                    "(default holdfast)")
        ->type_name("ID");
    command.add_flag("--list", list_, "print every ID")->group("Options");
    command.add_flag("--bibtex", bibtex_, "print BibTeX entries")->group("Output");
    add_talk_options(command, talk_);
  }

  Status run(Console& console) const {
    talk_.apply(console);
    const std::vector<Reference> known = bibliography();
    if (list_) {
      print_answer(citation_list(known), talk_.json, console);
      return {};
    }
    const std::vector<std::string> names =
        ids_.empty() ? std::vector<std::string>{"holdfast"} : ids_;
    HOLDFAST_TRY(references, find_references(names, domains_, known));
    if (!bibtex_ || talk_.json) {
      print_answer(citation(references), talk_.json, console);
      return {};
    }
    for (const Reference& reference : references) print_line(to_bibtex(reference), console);
    return {};
  }

 private:
  Domains domains_;
  std::vector<std::string> ids_;
  bool list_ = false;
  bool bibtex_ = false;
  TalkOptions talk_;
};

}  // namespace

void add_cite(CLI::App& root, Console& console, Domains domains) {
  CLI::App* command = root.add_subcommand(
      "cite", "print how to cite Holdfast, the papers of a strategy, or a public log");
  command->footer(
      "examples: holdfast cite young-daly\n"
      "          holdfast cite holdfast checkpoint --bibtex");
  add_command(*command, std::make_shared<CiteCommand>(domains), console);
}

}  // namespace holdfast::cli
