#include "holdfast/answers/host.hpp"
#include "holdfast/answers/reproduction/reproducing.hpp"
#include "holdfast/answers/reproduction/reproduction_answer.hpp"
#include "holdfast/answers/reproduction/reproduction_list.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;
using reproduction::Reproduced;

struct ReproduceAsked {
  std::vector<std::string> ids = {};
  bool list = false;
  bool all = false;
  std::optional<double> scale = {};
  std::int64_t threads = 0;
  std::string from = {};
  std::string output = "reproduce-results";
  std::string plot = {};
  bool dry_run = false;
  bool force = false;
  bool report = false;
};

constexpr auto kReproducedIds =
    std::to_array<Field<ReproduceAsked>>({{.name = "id",
                                           .summary = "tables and figures to measure",
                                           .member = member<&ReproduceAsked::ids>,
                                           .value_name = "ID"}});
constexpr auto kReproduceOptions = std::to_array<Field<ReproduceAsked>>({
    {.name = "list",
     .summary = "list all tables and figures",
     .member = member<&ReproduceAsked::list>},
    {.name = "dry_run",
     .summary = "print what would be measured, and measure nothing",
     .member = member<&ReproduceAsked::dry_run>},
    {.name = "all", .summary = "all of them", .member = member<&ReproduceAsked::all>},
    {.name = "scale",
     .summary = "multiply the numbers of instances and scenarios (at least 1 of each); 1 takes all "
                "(default: as many scenarios as the verdicts need)",
     .member = member<&ReproduceAsked::scale>,
     .range = {.minimum = 0, .maximum = 1e6, .above_minimum = true},
     .fallback = "-",
     .value_name = "S"},
    {.name = "threads",
     .summary = "number of threads (default: all cores); it does not change the results",
     .member = member<&ReproduceAsked::threads>,
     .range = at_least(1),
     .fallback = "-"},
    {.name = "from",
     .summary = "directory with one folder per ID",
     .member = member<&ReproduceAsked::from>,
     .value_name = "DIR"},
    {.name = "output",
     .summary = "directory of the campaigns' results (default reproduce-results, here)",
     .member = member<&ReproduceAsked::output>,
     .fallback = "-",
     .value_name = "DIR",
     .heading = "Output"},
    {.name = "plot",
     .summary = "draw the figures into this directory, one svg per panel",
     .member = member<&ReproduceAsked::plot>,
     .value_name = "DIR",
     .heading = "Output"},
    {.name = "force",
     .summary = "replace existing pictures",
     .member = member<&ReproduceAsked::force>,
     .heading = "Output"},
    {.name = "report",
     .summary = "also write report.html there, with published and measured values side by side",
     .member = member<&ReproduceAsked::report>,
     .heading = "Output"},
});

ReproduceOptions measuring_options(const ReproduceAsked& asked, const Host& host) {
  ReproduceOptions out{.scale = asked.scale,
                       .directory = asked.output,
                       .plot = asked.plot,
                       .force = asked.force,
                       .report = asked.report,
                       .data = host.places.data,
                       .control = host.control};
  out.control.threads = threads_of(asked.threads);
  return out;
}

Result<std::vector<fs::path>> folders_of(const ReproduceAsked& asked, const Host& host) {
  const fs::path root =
      asked.from.empty() ? reproduce_directory(host.places) : fs::path(asked.from);
  HOLDFAST_TRY(known, known_reproductions(root));
  if (asked.list || asked.all) return known;
  return chosen_reproductions(known, asked.ids);
}

Result<Answer> measure_again(const ReproduceAsked& asked, const Request& request) {
  const Host& host = *request.host;
  HOLDFAST_TRY(folders, folders_of(asked, host));
  if (asked.list || asked.dry_run) return reproduction_list(folders);
  std::vector<std::string> notes;
  const Reproducing reproducing(
      measuring_options(asked, host), host.domains, host.run,
      {.warn = request.voice.warn,
       .wrote = [&](const fs::path& file) { notes.push_back("wrote " + file.string()); },
       .ran = host.end_progress});
  std::vector<Reproduced> items;
  HOLDFAST_CHECK(reproducing.measure(folders, [&](Reproduced one) {
    if (one.not_run.empty()) {
      request.show(reproduction_answer(one, asked.scale.value_or(1)));
    } else {
      request.voice.warn(fmt::format("{} was not run: {}", one.item.id, one.not_run));
    }
    items.push_back(std::move(one));
  }));
  Answer answer = reproduction_closing(items, asked.scale.value_or(1));
  answer.notes = std::move(notes);
  if (!asked.report) return answer;
  HOLDFAST_TRY(file, reproducing.write_page(items, host.command));
  answer.notes.push_back("report in " + file.string());
  return answer;
}

constexpr auto kReproduceResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"scale", "part of the published number of draws that was run"},
     {"within", "numbers and statements that hold", Holds::integer},
     {"out", "those that do not", Holds::integer},
     {"known", "those whose difference is known", Holds::integer},
     {"unsure", "those of too few samples to tell", Holds::integer},
     {"items[].id", "a table or figure", Holds::text},
     {"items[].title", "what it shows", Holds::text},
     {"items[].source", "where it was published", Holds::text},
     {"items[].not_run?", "why it was not run", Holds::text},
     {"items[].published?.held", "numbers within the tolerance of the published ones",
      Holds::integer},
     {"items[].published?.judged", "numbers that were judged", Holds::integer},
     {"items[].reference?.held", "the same for reference values", Holds::integer},
     {"items[].reference?.judged", "numbers that were judged", Holds::integer},
     {"items[].rows?[].verdict", "within, out, known, or too few samples", Holds::text},
     {"items[].rows?[].published?", "published number"},
     {"items[].rows?[].reference?", "reference value"},
     {"items[].rows?[].measured?", "measured number"},
     {"items[].rows?[].standard_error?", "its standard error"},
     {"items[].rows?[].draws?", "scenarios of each instance that it is measured from",
      Holds::integer},
     {"items[].rows?[].*", "what the row is about: id, label, strategy, metric, parameters",
      Holds::text},
     {"items[].statements?[].text", "a statement", Holds::text},
     {"items[].statements?[].verdict", "whether it holds", Holds::text},
     {"[].id", "with --list, an item", Holds::text},
     {"[].title", "what it shows", Holds::text},
     {"[].source", "where it was published", Holds::text},
     {"[].numbers", "how many numbers it has", Holds::integer}});

}  // namespace

Verb reproduce_verb() {
  return {
      .name = "reproduce",
      .summary = "measure published tables and figures again, and compare",
      .example = "holdfast reproduce --list",
      .options = fields_of<kReproduceOptions>().parameters(),
      .positionals = fields_of<kReproducedIds>().parameters(),
      .results = kReproduceResults,
      .takes_instance = false,
      .takes_seed = false,
      .only_answers = false,
      .run = with_options<measure_again, fields_of<kReproducedIds>, fields_of<kReproduceOptions>>};
}

}  // namespace holdfast
