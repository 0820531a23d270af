#include "holdfast/traces/failures/lifetimes.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/timestamps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

using Since = LifetimeQuery::Since;

/// The period in which a unit's failures are observed, and its birth, if that is known.
struct Watch {
  double from = 0;
  double to = 0;
  Service service;
};

/// Returns true if an outage belongs to the one before on its node: it overlaps it, begins with it, or follows it too soon.
bool goes_on(const Outage& before, const Outage& outage, double within) {
  return outage.down < before.up || outage.down == before.down ||
         (within > 0 && outage.down <= before.up + within);
}

/// Joins outages that overlap on one node, or are that close.
std::vector<Outage> joined(const FailureLog& log, double within) {
  std::vector<Outage> out;
  std::vector<std::size_t> latest(log.nodes.size(), kNone);
  for (const Outage& outage : log.outages) {
    if (outage.node == Outage::kNoNode) {
      out.push_back(outage);
      continue;
    }
    std::size_t& before = latest[outage.node];
    if (before != kNone && goes_on(out[before], outage, within)) {
      out[before].up = std::max(out[before].up, outage.up);
    } else {
      before = out.size();
      out.push_back(outage);
    }
  }
  return out;
}

/// Keeps the first failure of each chain of failures of one system that are `window` or less apart.
std::vector<Outage> merged(const std::vector<Outage>& outages, std::size_t systems, double window) {
  std::vector<Outage> out;
  std::vector<double> latest(systems, -kInfinity);
  for (const Outage& outage : outages) {
    double& before = latest[outage.system];
    if (outage.down - before > window) out.push_back(outage);
    before = outage.down;
  }
  return out;
}

class Maker {
 public:
  /// @param intervals  receives the lengths of the lives that ended, which are then all that is kept of lives and failures
  Maker(const FailureLog& log, const LifetimeQuery& query, Values* intervals = nullptr)
      : log_{log}, query_{query}, intervals_{intervals} {}

  Result<LoggedLifetimes> make() {
    HOLDFAST_CHECK(settle_period());
    if (!log_.exposure.empty()) return make_rate();
    if (intervals_ == nullptr)
      add_units();
    else
      add_intervals();
    if (query_.unit == FailureUnit::node) add_silent_nodes();
    out_.first_of_unit.push_back(out_.lifetimes.size());
    out_.resolution = log_.resolution > 0 ? log_.resolution : common_step(out_.lifetimes);
    tell_oddities();
    gather_ages();
    const bool has_rate =
        std::ranges::any_of(out_.ageless, [](const Lifetime& life) { return !life.is_censored(); });
    if (lives_ == 0 && !has_rate) {
      return fail(
          ErrorCode::bad_value, {},
          "found no lifetime whose start is known, expected some: say since when the nodes are in "
          "service, or use a longer log");
    }
    return std::move(out_);
  }

 private:
  /// The lives of a log that counts in node-seconds of jobs.
  Result<LoggedLifetimes> make_rate() {
    const LifetimeQuery usual;
    if (query_.merge || query_.from || query_.to || query_.since != usual.since ||
        query_.unit != usual.unit) {
      return fail(ErrorCode::bad_value, {},
                  "found 'merge', 'since', 'unit', 'from' or 'to' for failures that jobs show, "
                  "expected none: only the rate is known");
    }
    out_.ageless = log_.exposure;
    for (const Outage& outage : log_.outages) out_.outages.push_back(outage);
    out_.failures = std::ssize(log_.outages);
    out_.first_of_unit.push_back(0);
    return std::move(out_);
  }

  Status settle_period() {
    out_.from = log_.observed_from.value_or(-kInfinity);
    out_.to = log_.to;
    if (query_.from) HOLDFAST_CHECK(settle("from", *query_.from, out_.from));
    if (query_.to) HOLDFAST_CHECK(settle("to", *query_.to, out_.to));
    if (out_.to > log_.to) {
      return fail(ErrorCode::bad_value, "to",
                  fmt::format("found {}, expected at most {}, where the log ends", text(out_.to),
                              text(log_.to)));
    }
    if (!query_.from && !query_.to && log_.from == log_.to) {
      return fail(
          ErrorCode::bad_value, {},
          fmt::format("found a log of one instant, {}, expected failures at different times",
                      text(log_.to)));
    }
    if (!(out_.from < out_.to)) {
      return fail(ErrorCode::bad_value, "from",
                  fmt::format("found {}, expected less than {}, where the observation ends",
                              text(out_.from), text(out_.to)));
    }
    if (query_.unit == FailureUnit::system && query_.since == Since::repair) {
      return fail(
          ErrorCode::bad_value, "since",
          "found repair with unit system, expected failure: a machine of which one node is down is "
          "not down");
    }
    return {};
  }

  /// Takes a date for a log with dates, and a number for one with numbers: "2003" is not a date.
  Status settle(const char* name, const Instant& given, double& out) const {
    if (given.is_date != log_.is_dated) {
      return fail(ErrorCode::bad_value, name,
                  given.is_date
                      ? "found a date, expected seconds as in the log"
                      : fmt::format("found {}, expected a date, as in the log", given.seconds));
    }
    out = given.seconds;
    return {};
  }

  [[nodiscard]] std::string text(double time) const {
    return log_.is_dated ? format_date(time) : fmt::format("{}", time);
  }

  /// Adds the lives of all units. The failures of a unit are found by counting sort: there may be millions.
  void add_units() {
    std::vector<Outage> outages = joined(log_, query_.relapse_within);
    joined_ = static_cast<std::int64_t>(log_.outages.size() - outages.size());
    if (query_.merge) {
      const std::size_t before = outages.size();
      outages = merged(outages, log_.systems.size(), *query_.merge);
      merged_ = static_cast<std::int64_t>(before - outages.size());
    }
    const bool by_node = query_.unit == FailureUnit::node;
    const auto unit_of = [&](const Outage& one) { return by_node ? one.node : one.system; };
    std::vector<std::uint32_t> end_of(by_node ? log_.nodes.size() : log_.systems.size());
    for (const Outage& outage : outages) {
      if (unit_of(outage) == Outage::kNoNode)
        ++nodeless_;
      else
        ++end_of[unit_of(outage)];
    }
    for (std::size_t i = 1; i < end_of.size(); ++i) end_of[i] += end_of[i - 1];
    std::vector<std::uint32_t> order(end_of.empty() ? 0 : end_of.back());
    for (std::size_t i = outages.size(); i-- > 0;) {
      const std::uint32_t unit = unit_of(outages[i]);
      if (unit != Outage::kNoNode) order[--end_of[unit]] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t unit = 0; unit < end_of.size(); ++unit) {
      const std::size_t end = unit + 1 < end_of.size() ? end_of[unit + 1] : order.size();
      const std::size_t first = out_.lifetimes.size();
      Unit one = begin_unit(watch_of(unit));
      for (std::size_t i = end_of[unit]; i < end; ++i) see(one, outages[order[i]]);
      end_unit(std::move(one), first);
    }
    std::erase_if(outages, [&](const Outage& outage) {
      return outage.down < out_.from || outage.down > out_.to;
    });
    out_.outages = std::move(outages);
  }

  /// Adds the lives of all nodes as their failures come, in the order of time: nothing else is kept of millions of them.
  void add_intervals() {
    std::vector<Unit> units;
    units.reserve(log_.nodes.size());
    for (const LoggedNode& node : log_.nodes) units.push_back(begin_unit(watch_of(node.service)));
    for (const Outage& outage : log_.outages) {
      if (outage.node == Outage::kNoNode) {
        ++nodeless_;
        continue;
      }
      Unit& unit = units[outage.node];
      if (unit.has_failed && goes_on(unit.latest, outage, query_.relapse_within)) {
        unit.latest.up = std::max(unit.latest.up, outage.up);
        ++joined_;
      } else {
        see(unit, outage);
      }
    }
    for (Unit& unit : units) end_unit(std::move(unit), 0);
  }

  [[nodiscard]] Watch watch_of(std::size_t unit) const {
    return watch_of(query_.unit == FailureUnit::node ? log_.nodes[unit].service
                                                     : log_.systems[unit].service);
  }
  [[nodiscard]] Watch watch_of(const Service& service) const {
    return {std::max(out_.from, service.observed_from), std::min(out_.to, service.end), service};
  }

  /// A unit between two of its failures.
  struct Unit {
    Watch watch;
    std::optional<double> renewed;  ///< when its age was 0
    bool has_failed = false;
    Outage latest;
    WatchedUnit seen;
  };

  Unit begin_unit(const Watch& watch) {
    ++out_.units;
    const std::optional<double> renewed = watch.service.start;
    const double from = std::max({watch.from, log_.from, renewed.value_or(-kInfinity)});
    return {.watch = watch, .renewed = renewed, .latest = {}, .seen = {from, watch.to, {}}};
  }

  void see(Unit& unit, const Outage& outage) {
    unit.latest = outage;
    if (outage.down > unit.watch.to) return;
    if (outage.down >= unit.watch.from) {
      ++out_.failures;
      if (intervals_ == nullptr) unit.seen.failures.push_back(outage.down);
      if (unit.renewed) {
        add_failure(outage.down - *unit.renewed, std::max(0.0, unit.watch.from - *unit.renewed));
      } else {
        add_ageless(unit.watch, outage.down, true);
      }
    }
    unit.renewed = query_.since == Since::failure ? outage.down : outage.up;
    unit.has_failed = true;
  }

  /// @param first  the first of its lives
  void end_unit(Unit unit, std::size_t first) {
    const Watch& watch = unit.watch;
    if (unit.renewed && *unit.renewed < watch.to) {
      add_survival(watch.to - *unit.renewed, std::max(0.0, watch.from - *unit.renewed));
    } else if (!unit.renewed) {
      add_ageless(watch, watch.to, false);
    }
    if (out_.lifetimes.size() > first) out_.first_of_unit.push_back(first);
    out_.watched.push_back(std::move(unit.seen));
    if (watch.service.end >= out_.to) add_age(watch, unit.renewed, unit.has_failed, 1);
  }

  void add_failure(double age, double entry) {
    if (age > entry) {
      add_life(Lifetime::exact(age, entry));
    } else if (entry == 0 && log_.resolution > 0) {
      // Both times were rounded to the same instant, so the failure came within one step of the clock.
      add_life(Lifetime::between(0, log_.resolution));
      ++within_resolution_;
    } else {
      ++without_length_;
    }
  }

  void add_survival(double age, double entry) {
    if (age > entry) add_life(Lifetime::censored(age, entry));
  }

  void add_life(const Lifetime& life) {
    ++lives_;
    if (intervals_ == nullptr)
      out_.lifetimes.push_back(life);
    else if (life.is_exact())
      intervals_->add(life.low);
  }

  /// Adds a life of unknown age, from the start of the log.
  void add_ageless(const Watch& watch, double end, bool has_failed) {
    ++unknown_first_lives_;
    const double length = end - std::max(watch.from, log_.from);
    if (!(length > 0)) return;
    out_.ageless.push_back(has_failed ? Lifetime::exact(length) : Lifetime::censored(length));
  }

  void add_age(const Watch& watch, std::optional<double> renewed, bool has_failed,
               std::int64_t count) {
    double age = 0;
    if (renewed) {
      age = std::max(0.0, out_.to - *renewed);  // 0: it is down at the end and will be new
    } else {
      age = out_.to - std::max(watch.from, log_.from);
      ages_from_below_ += count;
    }
    ages_[age] += count;
    if (!has_failed) never_failed_[age] += count;
  }

  /// Adds the nodes that the log counts but for which it has no row.
  void add_silent_nodes() {
    for (const LoggedSystem& system : log_.systems) {
      const std::int64_t silent = std::max(std::int64_t{0}, system.nodes - system.nodes_with_rows);
      const Watch watch = watch_of(system.service);
      for (std::int64_t i = 0; i < silent; ++i) end_unit(begin_unit(watch), out_.lifetimes.size());
      silent_ += silent;
    }
  }

  void tell_oddities() {
    Oddities& out = out_.oddities;
    out.add("overlapping outages of one node", joined_, "joined to the one before");
    if (query_.merge) {
      out.add(fmt::format("failures {} s or less after another of the same system", *query_.merge),
              merged_, "merged: one event, charged to the node that failed first");
    }
    out.add("failures of no known node", nodeless_, "left out");
    out.add("nodes without any row", silent_,
            "counted as never failed, in service as long as most others");
    out.add("lives with an unknown start (node older than the log)", unknown_first_lives_,
            "of no known age: they count in the rate alone");
    out.add("lives of less than the resolution of the clock", within_resolution_,
            fmt::format("treated as ended between 0 and {} s", log_.resolution));
    out.add("lives of no length", without_length_, "left out");
    out.add("nodes whose age at the end is unknown", ages_from_below_,
            "treated as new at the start of the observation");
  }

  void gather_ages() {
    for (const auto& [age, count] : ages_) out_.ages.push_back({age, count});
    out_.never_failed = out_.ages.size();
    if (never_failed_.size() != 1) return;
    for (std::size_t i = 0; i < out_.ages.size(); ++i) {
      if (out_.ages[i].age == never_failed_.begin()->first) out_.never_failed = i;
    }
  }

  const FailureLog& log_;
  const LifetimeQuery& query_;
  Values* intervals_;
  LoggedLifetimes out_;
  std::int64_t lives_ = 0;
  std::map<double, std::int64_t> ages_;
  std::map<double, std::int64_t> never_failed_;
  std::int64_t joined_ = 0;
  std::int64_t merged_ = 0;
  std::int64_t nodeless_ = 0;
  std::int64_t silent_ = 0;
  std::int64_t unknown_first_lives_ = 0;
  std::int64_t within_resolution_ = 0;
  std::int64_t without_length_ = 0;
  std::int64_t ages_from_below_ = 0;
};

}  // namespace

Result<LoggedLifetimes> lifetimes_of(const FailureLog& log, const LifetimeQuery& query) {
  return Maker{log, query}.make();
}

Result<FailureIntervals> times_between_failures(const FailureLog& log) {
  FailureIntervals out;
  const LifetimeQuery usual;
  out.seconds.reserve(log.outages.size());
  HOLDFAST_TRY(lives, (Maker{log, usual, &out.seconds}.make()));
  out.oddities = std::move(lives.oddities);
  return out;
}

std::vector<NodeAge> ages_of_nodes(const FailureLog& log, const LifetimeQuery& query,
                                   std::span<const std::string> names, double at) {
  std::vector<Outage> outages = joined(log, query.relapse_within);
  if (query.merge) outages = merged(outages, log.systems.size(), *query.merge);
  const double end = std::min(at, query.to ? query.to->seconds : log.to);
  std::vector<double> renewed(log.nodes.size(), -kInfinity);
  for (const Outage& outage : outages) {
    if (outage.node == Outage::kNoNode || outage.down > end) continue;
    renewed[outage.node] = query.since == Since::failure ? outage.down : outage.up;
  }
  std::vector<std::string_view> known;
  known.reserve(log.nodes.size());
  for (const LoggedNode& node : log.nodes) known.push_back(node.name);
  const NodeIndex index(known);
  const double begin =
      std::max(query.from ? query.from->seconds : log.observed_from.value_or(-kInfinity), log.from);
  std::vector<NodeAge> out;
  out.reserve(names.size());
  for (const std::string& name : names) {
    const auto number = index.find(name);
    NodeAge age;
    const Service& service = number ? log.nodes[*number].service : log.systems.front().service;
    double born = service.start.value_or(std::max(begin, service.observed_from));
    if (number && renewed[*number] > -kInfinity) {
      born = renewed[*number];
      age.since = NodeAge::Since::renewal;
    } else if (number) {
      age.since = service.start ? NodeAge::Since::service : NodeAge::Since::log;
    }
    age.age = std::max(0.0, at - born);
    out.push_back(age);
  }
  return out;
}

LifetimeQuery read_lifetime_query(ObjectReader& read) {
  LifetimeQuery query;
  query.since = static_cast<Since>(read.choice_or("since", kSinceNames, 0));
  query.unit = static_cast<FailureUnit>(read.choice_or("unit", kUnitNames, 0));
  query.relapse_within = read.seconds_or("relapse_within", 0, non_negative());
  query.merge = read.optional_quantity("merge", Unit::seconds, non_negative());
  const auto instant = [&read](std::string_view name) {
    std::optional<Instant> out;
    read.with(name, [&](const Value& value, const std::string& where) -> Status {
      if (value.is_number()) {
        out = Instant{.seconds = value.number()};
        return {};
      }
      if (value.string() == nullptr) {
        return fail(ErrorCode::bad_value, where,
                    fmt::format("found {}, expected a time", value.described()));
      }
      auto parsed = parse_instant(*value.string());
      if (!parsed) return fail(in_file(where, std::move(parsed).error()));
      out = *parsed;
      return {};
    });
    return out;
  };
  query.from = instant("from");
  query.to = instant("to");
  return query;
}

}  // namespace holdfast
