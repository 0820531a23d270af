#include "holdfast/domains/capacity/live/verb.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/domains/capacity/live/advance.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace holdfast::capacity {
namespace {

struct AdviseOptions {
  std::string state;
  std::string event;
  bool dry_run = false;
};
constexpr auto kAdviseOptions = std::to_array<Field<AdviseOptions>>({
    {.name = "event",
     .summary = "file of what happened: an event, a list, or one on each line; -: standard input",
     .member = member<&AdviseOptions::event>,
     .fallback = "-",
     .value_name = "FILE"},
    {.name = "state",
     .summary = "file of the machines and jobs, which is replaced by the new state; without it, "
                "the document of --instance is asked and the answer has the new one",
     .member = member<&AdviseOptions::state>,
     .fallback = "-",
     .value_name = "FILE",
     .heading = "Output"},
    {.name = "dry_run",
     .summary = "leave the file of --state as it is",
     .member = member<&AdviseOptions::dry_run>,
     .heading = "Output"},
});

Result<std::string> text_of(const std::string& file, const Request& request) {
  if (file != "-" || !request.input) return read_file(file);
  return LineReader(request.input(), "standard input").rest();
}

// The events of --event, and behind them those that the document has under `events`.
Result<std::vector<LiveEvent>> events_of(const AdviseOptions& options, const Request& request,
                                         const Value& document) {
  std::vector<LiveEvent> out;
  if (!options.event.empty()) {
    HOLDFAST_TRY(text, text_of(options.event, request));
    auto events = read_live_events(text);
    if (!events) return fail(of_field("/event", in_file(options.event, events.error())));
    out = std::move(*events);
  }
  const Value* listed = document.find("events");
  if (listed == nullptr) return out;
  auto events = read_live_events(to_compact_json(*listed));
  if (!events) {
    events.error().where = "/events" + events.error().where;
    return events;
  }
  std::move(events->begin(), events->end(), std::back_inserter(out));
  return out;
}

Result<Value> document_of(const AdviseOptions& options, const Request& request) {
  if (options.state.empty()) return request.parameters;
  if (request.parameters.members() != nullptr && !request.parameters.members()->empty()) {
    return fail(ErrorCode::usage, "/state", "found an instance beside it, expected one of the two");
  }
  auto document = read_document(options.state);
  if (!document) return fail(of_field("/state", std::move(document).error()));
  return document;
}

Value moves_value(const std::vector<LiveMove>& moves) {
  Value out = Value::array();
  for (const LiveMove& move : moves) {
    Value row =
        Value::object({{"do", kMoves[static_cast<std::size_t>(move.what)]}, {"job", move.job}});
    if (!move.on.empty()) {
      row.set("on", move.on);
      row.set("cores", move.cores);
      row.set("at", move.at);
    }
    row.set("because", move.because);
    out.push(std::move(row));
  }
  return out;
}

Table moves_table(const std::vector<LiveMove>& moves) {
  Table out{.title = "moves",
            .columns = {{.title = "move"},
                        {.title = "job"},
                        {.title = "on"},
                        {.title = "at (s)"},
                        {.title = "because"}},
            .rows = {}};
  for (const LiveMove& move : moves) {
    const bool has_place = !move.on.empty();
    out.rows.push_back({kMoves[static_cast<std::size_t>(move.what)], move.job,
                        has_place ? Value(move.on) : Value(),
                        has_place ? Value(std::to_string(move.at)) : Value(), move.because});
  }
  return out;
}

std::string headline(const World& world) {
  std::size_t runs = 0;
  for (const LiveJob& job : world.jobs) {
    runs += job.phase == LiveJob::Phase::running || job.phase == LiveJob::Phase::starting ? 1U : 0U;
  }
  return fmt::format("{} of {} of {} on, {} running, {} waiting", world.up_count(),
                     counted(world.machines.size(), "machine"), counted(world.rules.cores, "core"),
                     counted(runs, "job"), world.jobs.size() - runs);
}

// The jobs of several machines that wait.
std::vector<std::string> wide_jobs(const World& world) {
  std::vector<std::string> out;
  for (const LiveJob& job : world.jobs) {
    const bool waits = job.phase == LiveJob::Phase::waiting || job.phase == LiveJob::Phase::held;
    if (waits && job.width > 1) out.push_back(job.id);
  }
  return out;
}

Result<Answer> run_advise(const AdviseOptions& options, const Request& request) {
  HOLDFAST_TRY(document, document_of(options, request));
  HOLDFAST_TRY(events, events_of(options, request, document));
  document.erase("events");
  auto world = read_world(document);
  if (!world && !options.state.empty()) {
    return fail(of_field("/state", in_file(options.state, world.error())));
  }
  if (!world) return fail(world.error());
  auto advice = advance(*world, events, *request.strategy);
  if (!advice) {
    const bool is_event = advice.error().where != "/strategy";
    if (is_event) advice.error().where = "event " + advice.error().where;
    return fail(std::move(advice).error());
  }
  Answer answer;
  if (std::string note = unheeded_objective(*request.strategy, world->rules); !note.empty())
    answer.warnings.push_back(std::move(note));
  answer.headline = headline(*world);
  answer.document.set("moves", moves_value(advice->moves));
  if (advice->ask_again_at) answer.document.set("ask_again_at", *advice->ask_again_at);
  answer.document.set("ignored", Value::list(advice->ignored));
  const std::vector<std::string> left_alone = wide_jobs(*world);
  if (!left_alone.empty()) answer.document.set("left_alone", Value::list(left_alone));
  answer.document.set("state", to_value(*world));
  if (advice->moves.empty()) {
    answer.verdict.push_back("nothing changes");
  } else {
    answer.verdict.push_back(counted(advice->moves.size(), "move"));
    answer.tables.push_back(moves_table(advice->moves));
    answer.lines.emplace_back(
        "category: 0 of the longest jobs, 1 of the shortest; machines in use, safest first");
  }
  if (advice->ask_again_at) {
    answer.verdict.push_back(
        fmt::format("ask again in {}",
                    format_duration(static_cast<double>(*advice->ask_again_at - world->now))));
  }
  for (const std::string& id : advice->ignored) {
    answer.warnings.push_back(
        fmt::format("{} is not known: its event changes nothing", in_quotes(id)));
  }
  for (const std::string& id : left_alone) {
    answer.warnings.push_back(
        fmt::format("job {} takes several machines at once, which no policy here places: it is "
                    "left alone, and takes its cores when 'started' says where",
                    id));
  }
  if (!options.state.empty() && !options.dry_run) {
    HOLDFAST_CHECK(write_file(options.state, to_json(to_value(*world)) + "\n"));
  }
  return answer;
}

constexpr auto kAdviseResults = std::to_array<ResultField>(
    {{"moves[].do", "what to do with a job", Holds::text},
     {"moves[].job", "the job", Holds::text},
     {"moves[].on?", "its machine", Holds::text},
     {"moves[].cores?", "cores that it takes there", Holds::anything},
     {"moves[].at?", "when", Unit::seconds},
     {"moves[].because", "why", Holds::text},
     {"ask_again_at?", "when to ask again if nothing happens before", Unit::seconds},
     {"ignored[]", "jobs and machines of events that are not known", Holds::text},
     {"left_alone?[]", "jobs of several machines that wait, which no policy places", Holds::text},
     {"state", "the machines and jobs after these moves, which --state takes", Holds::object}});

}  // namespace

Verb advise_verb() {
  static const std::vector<std::string_view> kUnused =
      not_live({"machines", "machine_sizes", "profile"});
  return {.name = "advise",
          .summary = "what a policy does now: what happened goes in, moves come out",
          .example = "holdfast capacity advise --instance examples/data/capacity-world.json",
          .options = fields_of<kAdviseOptions>().parameters(),
          .results = kAdviseResults,
          .takes_strategy = true,
          .takes_seed = false,
          .unused = kUnused,
          .run = with_options<run_advise, fields_of<kAdviseOptions>>};
}

}  // namespace holdfast::capacity
