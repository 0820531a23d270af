#include "holdfast/inputs/logged_platform.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/inputs/replayed_log.hpp"
#include "holdfast/inputs/table_options.hpp"
#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/traces/failure_causes.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/failures/log_notes.hpp"
#include "holdfast/traces/failures/node_list.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace holdfast {
namespace {

constexpr auto kFitted = std::to_array<std::string_view>(
    {"best", "exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"});
constexpr std::size_t kBest = 0;
constexpr std::size_t kEmpirical = 5;
constexpr std::size_t kHyperexponential = 6;

/// Reads the name of a system, which may be a number, because logs number their systems.
std::optional<std::string> read_system(ObjectReader& read) {
  std::optional<std::string> system;
  read.with("system", [&](const Value& value, const std::string& where) -> Status {
    std::int64_t number = 0;
    if (value.string() != nullptr) {
      system = *value.string();
    } else if (value.get_integer(number)) {
      system = std::to_string(number);
    } else {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected the name of a system", value.described()));
    }
    return {};
  });
  return system;
}

Status check_one_system(const FailureLog& log) {
  if (log.systems.size() < 2) return {};
  std::vector<std::string> names;
  for (const LoggedSystem& system : log.systems) names.push_back(system.name);
  return fail(ErrorCode::bad_value, "system",
              fmt::format("found nothing, expected one of the {} systems of the log: {}",
                          names.size(), join(names, ", ")));
}

Result<Law> empirical_fit(std::span<const Lifetime> lives) {
  std::vector<double> ages;
  std::vector<std::uint8_t> has_failed;
  for (const Lifetime& life : lives) {
    if (life.entry > 0) {
      return fail(ErrorCode::bad_value, {},
                  "found lives that began before the observation, expected none for the empirical "
                  "law: leave out "
                  "'from', or fit another law");
    }
    ages.push_back(life.is_censored() ? life.low : 0.5 * (life.low + life.high));
    has_failed.push_back(life.is_censored() ? 0 : 1);
  }
  return empirical_law_of_lifetimes(ages, has_failed);
}

/// A fitted law, with its limits in words.
struct Fitted {
  Law law;
  std::vector<std::string> cautions;
};

Result<Fitted> fitted_law(std::size_t distribution, const WatchedLives& watched) {
  if (distribution == kEmpirical) {
    HOLDFAST_TRY(law, empirical_fit(watched.lives));
    return Fitted{std::move(law), {}};
  }
  std::vector<LawFamily> families;
  if (distribution != kBest) {
    HOLDFAST_TRY(family, law_family(kFitted[distribution]));
    families.push_back(family);
  }
  HOLDFAST_TRY(choice, choose_law(watched, {.intervals = false}, families));
  Fitted out{choice.best().law(), cautions(choice)};
  if (const std::string reason = reason_in_words(choice); !reason.empty()) {
    out.cautions.insert(out.cautions.begin(),
                        fmt::format("law {}: {}", name_of(choice.best().family), reason));
  }
  return out;
}

constexpr std::size_t kMostOddities = 2;  // more would hide the answer

void add_notes(const Oddities& of_log, const Oddities& of_lives, const std::string& file,
               std::vector<std::string>& notes) {
  if (!of_log.reading().empty()) notes.push_back(fmt::format("{}: {}", file, of_log.reading()));
  const std::size_t kinds = of_log.list().size() + of_lives.list().size();
  if (kinds > kMostOddities) {
    notes.push_back(
        fmt::format("{}: {} kinds of unusual rows were corrected or left out; 'holdfast trace fit' "
                    "with this log "
                    "lists them",
                    file, kinds));
    return;
  }
  for (const Oddities* oddities : {&of_log, &of_lives}) {
    for (const Oddity& oddity : oddities->list()) {
      notes.push_back(
          fmt::format("{}: {} ({}): {}", file, oddity.what, oddity.count, oddity.action));
    }
  }
}

// The fields of the question to which an error can belong; other errors are placed in the log.
constexpr auto kAskedFields = std::to_array<std::string_view>(
    {"system", "from", "to", "nodes", "observed", "cause", "local_cause"});

bool is_asked_field(std::string_view where) {
  return is_about_reading(where) ||
         std::find(kAskedFields.begin(), kAskedFields.end(), where) != kAskedFields.end();
}

Error of_field_or_file(const std::string& file, Error error) {
  const bool is_file = error.where.empty() || error.where == file;
  if (error.code == ErrorCode::unknown_name && is_file) error.where = "system";
  const bool is_placed = is_asked_field(error.where) || error.where.starts_with(file);
  return is_placed ? error : in_file(file, std::move(error));
}

/// The age in seconds from which a log is too old to say much about present ages.
constexpr double kOldLog = 30 * 86400.0;

struct LogQuestion {
  std::filesystem::path file;
  ReadAs as;
  std::optional<std::string> system;
  std::optional<std::filesystem::path> nodes = {};  ///< file that lists all nodes
  std::string cause = {};                           ///< of the failures that count; empty: all
  std::string local_cause = {};  ///< of those that local checkpoints survive; empty: not asked
  std::string observed = {};     ///< period in which failures were recorded; empty: as the log says
  std::size_t distribution = kBest;
  LifetimeQuery lifetimes;
  bool fits = true;                              ///< true: a law is asked for
  std::optional<std::int64_t> replayed_on = {};  ///< number of nodes on which it is replayed
  bool records = false;                          ///< true: its outages are wanted
  const NamedNodes* named = nullptr;
};

/// Reads an opened log, with all nodes of the question.
Result<FailureLog> read_log_of(const FormatOf<FailureLog>& format, TraceText text,
                               const LogQuestion& question) {
  HOLDFAST_TRY(log, format.read(std::move(text), question.system));
  HOLDFAST_CHECK(check_one_system(log));
  if (!question.observed.empty()) {
    const auto period = parse_period(question.observed);
    const Status set = period ? set_observed(log, *period) : fail(period.error());
    if (!set) return fail(ErrorCode::bad_value, "observed", set.error().message);
  }
  if (!question.nodes) return log;
  if (auto counted = count_given_nodes(log, *question.nodes); !counted)
    return fail(ErrorCode::bad_value, "nodes", counted.error().text());
  return log;
}

/// Returns the ages of the named nodes, and notes on what they are based on.
std::vector<AgeGroup> named_ages(const FailureLog& log, const LogQuestion& question,
                                 const std::string& file, std::vector<std::string>& notes) {
  const std::vector<std::string>& names = question.named->names;
  const std::optional<Instant>& given = question.named->now;
  const bool can_compare = given && given->is_date == log.is_dated;
  const double now = can_compare ? given->seconds : log.to;
  const auto date_of = [&](double date) {
    return log.is_dated ? format_date(date) : fmt::format("{} s", date);
  };
  const auto ages = ages_of_nodes(log, question.lifetimes, names, now);
  std::array<std::int64_t, 4> counts{};
  std::vector<AgeGroup> out;
  out.reserve(ages.size());
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const NodeAge& node : ages) {
    ++counts[static_cast<std::size_t>(node.since)];
    least = std::min(least, node.age);
    most = std::max(most, node.age);
    out.push_back({.age = node.age, .count = 1});
  }
  const auto count = [&](NodeAge::Since since) { return counts[static_cast<std::size_t>(since)]; };
  const bool by_repair = question.lifetimes.since == LifetimeQuery::Since::repair;
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t number, std::string_view what) {
    if (number > 0) parts.push_back(fmt::format("{} {}", number, what));
  };
  add(count(NodeAge::Since::renewal),
      by_repair ? "since the last repair" : "since the last failure");
  add(count(NodeAge::Since::service), "since the start of service");
  add(count(NodeAge::Since::log), "without a failure, as old as the log");
  add(count(NodeAge::Since::unnamed), "not in the log, as old as most others or the log");
  const std::string youngest = format_quantity(least, Unit::seconds);
  notes.push_back(fmt::format(
      "{}: {} of the job at {}{}, {}{} old: {}", file, counted(std::ssize(names), "node"),
      date_of(now), can_compare ? "" : ", where the log ends", youngest,
      least < most ? " to " + format_quantity(most, Unit::seconds) : "", join(parts, ", ")));
  if (given && !can_compare) {
    notes.push_back(fmt::format("{}: it has {}, so the ages are those at its end", file,
                                log.is_dated ? "dates" : "no dates"));
  } else if (now - log.to > kOldLog) {
    notes.push_back(
        fmt::format("{}: the log ended {} before; the nodes are assumed not to have "
                    "failed since",
                    file, format_duration(now - log.to)));
  } else if (now < log.to) {
    notes.push_back(
        fmt::format("{}: the log goes on until {}; what comes after {} is left out of "
                    "the ages",
                    file, date_of(log.to), date_of(now)));
  }
  return out;
}

/// Returns what such a table gives: a law, and no ages.
Result<GivenFailures> of_lifetimes(const LogQuestion& question, const LifetimeTable& table,
                                   const std::string& file) {
  const LifetimeQuery usual;
  const LifetimeQuery& asked = question.lifetimes;
  const bool asks_of_log = question.system || question.nodes || question.replayed_on ||
                           question.records || asked.relapse_within > 0 ||
                           asked.since != usual.since || asked.unit != usual.unit || asked.merge ||
                           asked.from || asked.to || !question.observed.empty();
  if (asks_of_log) {
    return fail(ErrorCode::bad_value, file,
                "found a table of lifetimes, expected a log of failures: lifetimes have no nodes, "
                "no systems and no dates");
  }
  const WatchedLives watched{.lives = table.lifetimes, .ageless = {}, .resolution = 0};
  auto fitted = fitted_law(question.distribution, watched);
  if (!fitted) return fail(of_field_or_file(file, std::move(fitted).error()));
  GivenFailures out;
  out.law = std::move(fitted->law);
  out.observed_mtbf = observed_rate(watched).mean;
  add_notes(table.oddities, {}, file, out.notes);
  for (const std::string& caution : fitted->cautions)
    out.notes.push_back(fmt::format("{}: {}", file, caution));
  if (question.named != nullptr && !question.named->names.empty()) {
    out.notes.push_back(
        fmt::format("{}: lifetimes name no nodes: nothing is known of the ages", file));
  }
  return out;
}

Result<GivenFailures> of_log(const LogQuestion& question, const FailureLog& log,
                             const std::string& file) {
  auto lives = lifetimes_of(log, question.lifetimes);
  if (!lives) return fail(std::move(lives).error());
  const WatchedLives watched{
      .lives = lives->lifetimes, .ageless = lives->ageless, .resolution = lives->resolution};
  GivenFailures out;
  out.observed_mtbf = observed_rate(watched).mean;
  out.is_machine = question.lifetimes.unit == FailureUnit::system;
  out.failed_nodes = names_failed_alone(log) ? std::ssize(log.nodes) : 0;
  for (const std::string& doubt : doubts_about(log)) out.notes.push_back(file + ": " + doubt);
  add_notes(log.oddities, lives->oddities, file, out.notes);
  if (question.fits) {
    auto fitted = fitted_law(question.distribution, watched);
    if (!fitted) return fail(std::move(fitted).error());
    out.law = std::move(fitted->law);
    for (const std::string& caution : fitted->cautions)
      out.notes.push_back(fmt::format("{}: {}", file, caution));
  }
  if (question.records) {
    HOLDFAST_TRY(recorded,
                 recorded_of(log, *lives, question.lifetimes.relapse_within, file, out.notes));
    out.recorded = std::move(recorded);
  } else if (question.replayed_on) {
    out.events = replayed(log, *lives, *question.replayed_on, file, out.notes);
  } else if (question.named != nullptr && !question.named->names.empty() && !out.is_machine) {
    out.ages = named_ages(log, question, file, out.notes);
  } else {
    for (const LoggedAge& group : lives->ages) out.ages.push_back({group.age, group.count});
  }
  return out;
}

/// Adds the share of the failures that have the causes which local checkpoints survive. The log is read again for that.
Status add_local_share(const LogQuestion& question, const FailureLog& log, const std::string& file,
                       GivenFailures& out) {
  if (question.local_cause.empty()) return {};
  const auto part =
      failures_of_cause(question.file, question.as, question.system, question.local_cause);
  if (!part) return fail(ErrorCode::bad_value, "local_cause", part.error().message);
  out.local_share = static_cast<double>(*part) / static_cast<double>(log.rows);
  out.notes.push_back(fmt::format("{}: local checkpoints survive {} of {} failures ({}): {:.3g}",
                                  file, *part, log.rows, in_quotes(question.local_cause),
                                  *out.local_share));
  return {};
}

/// Opens the file once, because it may be a pipe, and reads what it is.
Result<GivenFailures> answer(const LogQuestion& question) {
  const std::string file = question.file == "-" ? "standard input" : question.file.string();
  const auto read = [&]() -> Result<GivenFailures> {
    auto opened = open_trace(question.file, question.as, formats_of<FailureLog, LifetimeTable>());
    if (!opened && opened.error().where == "where" && !question.cause.empty())
      opened.error().where = "cause";
    HOLDFAST_TRY(trace, std::move(opened));
    if (const auto* lifetimes = trace.format->as<LifetimeTable>()) {
      HOLDFAST_TRY(table, lifetimes->read(std::move(trace.lines)));
      return of_lifetimes(question, table, file);
    }
    const auto* format = trace.format->as<FailureLog>();
    if (format == nullptr) {
      return fail(ErrorCode::bad_format, file,
                  fmt::format("found {}, expected a failure log", trace.format->summary));
    }
    auto found = read_log_of(*format, std::move(trace.lines), question);
    if (!found) return fail(without_cause(std::move(found).error(), question.cause));
    const FailureLog& log = *found;
    HOLDFAST_TRY(out, of_log(question, log, file));
    HOLDFAST_CHECK(add_local_share(question, log, file, out));
    return out;
  };
  auto platform = read();
  if (!platform) return fail(of_field_or_file(file, std::move(platform).error()));
  return platform;
}

}  // namespace

std::optional<GivenFailures> read_logged_platform(ObjectReader& read,
                                                  const std::filesystem::path& directory,
                                                  std::optional<std::int64_t> nodes,
                                                  const NamedNodes* named) {
  LogQuestion question;
  question.named = named;
  const std::string log_file = read.text("log");
  question.file =
      log_file == "-" ? std::filesystem::path("-") : (directory / log_file).lexically_normal();
  question.as = read_read_as(read);
  question.cause = read.text_or("cause", "");
  if (!question.cause.empty())
    question.as.table.where = with_cause(question.as.table.where, question.cause);
  if (named != nullptr) question.local_cause = read.text_or("local_cause", "");
  question.system = read_system(read);
  if (const std::string list = read.text_or("nodes", ""); !list.empty()) {
    question.nodes = (directory / list).lexically_normal();
  }
  question.observed = read.text_or("observed", "");
  question.distribution = read.choice_or("distribution", kFitted, kBest);
  if (question.distribution == kHyperexponential) {
    read.refuse(
        "distribution",
        "found hyperexponential with a log, expected another law: its parts are not fitted");
  }
  question.lifetimes = read_lifetime_query(read);
  if (nodes && read.flag_or("replay", false)) {
    question.replayed_on = nodes;
    question.fits = read.has("distribution");
  }
  question.records = !nodes && named != nullptr && read.flag_or("replay", false);
  const bool replays = question.records || question.replayed_on;
  if (replays && question.lifetimes.unit == FailureUnit::system) {
    read.refuse("unit", "found system with replay, expected node: failures happen to nodes");
  }
  if ((question.records || (named != nullptr && named->are_repaired)) && !read.has("since")) {
    question.lifetimes.since = LifetimeQuery::Since::repair;
  }
  if (!read.ok()) return std::nullopt;
  auto platform = answer(question);
  if (platform) return std::move(*platform);
  Error error = std::move(platform).error();
  if (is_asked_field(error.where)) {
    read.refuse(error.where, std::move(error.message), error.code);
  } else {
    read.refuse(of_field(read.pointer("log"), std::move(error)));
  }
  return std::nullopt;
}

std::vector<AgeGroup> spread_ages(std::span<const AgeGroup> groups, std::int64_t processors) {
  std::int64_t nodes = 0;
  for (const AgeGroup& group : groups) nodes += group.count;
  const double per_node = static_cast<double>(processors) / static_cast<double>(nodes);
  std::vector<AgeGroup> out;
  std::int64_t passed = 0;
  std::int64_t placed = 0;
  for (const AgeGroup& group : groups) {
    passed += group.count;
    // Processor i has its place in the middle of its share of the nodes: it belongs to the group that holds node (i + 1/2) /
    // per_node.
    const auto until =
        passed == nodes
            ? processors
            : static_cast<std::int64_t>(std::ceil(static_cast<double>(passed) * per_node - 0.5));
    if (until > placed) out.push_back({group.age, until - placed});
    placed = std::max(placed, until);
  }
  return out;
}

}  // namespace holdfast
