#include "holdfast/campaign/campaign.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/limits.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/own_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <unordered_set>

namespace holdfast {
namespace {

/// The largest number of draws per point, which keeps products within 64 bits. The design limits the number of cells.
constexpr double kMostDraws = 1e12;
/// The largest number of parameters of a campaign or of a point; instances have tens of fields.
constexpr std::size_t kMostParameters = 1000;

/// A reader of one parsed file into a campaign. Errors do not contain the file's name.
class CampaignReader {
 public:
  CampaignReader(const Value& document, std::span<const Domain* const> known,
                 std::span<const OwnRule> rules, Campaign& out)
      : document_(document), known_(known), rules_(rules), campaign_(out) {}

  Status read() {
    ObjectReader root(document_, "");
    // Parameters are read first, because the default strategies depend on them.
    root.with("parameters", [this](const Value& table, const std::string& where) {
      return read_parameters(table, where);
    });
    if (!root.has("campaign")) {
      root.refuse(
          "campaign",
          fmt::format("is missing: begin the file with [campaign], name = \"my campaign\" and "
                      "domain = \"{}\"; 'holdfast init DOMAIN' writes a whole one",
                      known_.empty() ? "" : known_.front()->name));
    }
    root.required("campaign", [this](const Value& table, const std::string& where) {
      return read_campaign_table(table, where);
    });
    root.with("report", [this](const Value& table, const std::string& where) -> Status {
      HOLDFAST_CHECK(expect_table(table, where));
      campaign_.report = table;
      return {};
    });
    return with_right_place(root.finish(), root.has("parameters"));
  }

 private:
  Status read_campaign_table(const Value& table, const std::string& where) {
    ObjectReader read(table, where);
    // A file without a name has its own.
    if (read.has("name"))
      campaign_.name = read.text("name");
    else
      campaign_.name = std::filesystem::path(campaign_.file).stem().string();
    if (campaign_.name.empty()) read.refuse("name", "is missing: name = \"my campaign\"");
    if (!read.has("domain")) read.refuse("domain", missing_domain());
    read.required("domain", [this](const Value& value, const std::string& place) {
      return read_domain(value, place);
    });
    read.with("seed", [this](const Value& value, const std::string& place) -> Status {
      if (value.is_number() && value.get_unsigned(campaign_.seed)) return {};
      return fail(
          ErrorCode::bad_value, place,
          fmt::format("found {}, expected a whole number of at least 0", value.described()));
    });
    campaign_.instances =
        static_cast<std::uint64_t>(read.integer_or("instances", 1, between(1, kMostDraws)));
    campaign_.scenarios =
        static_cast<std::uint64_t>(read.integer_or("scenarios", 1, between(1, kMostDraws)));
    if (campaign_.domain == nullptr) {
      // The rest depends on the domain, whose error or absence is reported first.
      read.ignore("strategies");
      read.ignore("baseline");
      return read.finish();
    }
    read.each_or_none("strategies", [this](const Value& value, const std::string& place) {
      return read_strategy(value, place);
    });
    if (read.ok() && campaign_.strategies.empty()) HOLDFAST_CHECK(take_default_strategies());
    read.with("baseline", [this](const Value& value, const std::string& place) {
      return read_baseline(value, place);
    });
    if (!read.has("baseline")) take_default_baseline();
    return with_right_place(read.finish(), true);
  }

  // An error about an unknown field says where it belongs if it describes the problem: a field of the domain, or a table where none is
  // called [parameters].
  [[nodiscard]] Status with_right_place(Status status, bool has_parameters) const {
    if (status || status.error().message.find("; known: ") == std::string::npos) return status;
    Error error = status.error();
    const Value* value = document_.at(error.where);
    const std::string name = error.where.substr(error.where.rfind('/') + 1);
    if (!has_parameters && value != nullptr && value->members() != nullptr) {
      error.message = "is no table of a campaign; the problem is described in [parameters]";
    } else if (campaign_.domain != nullptr && is_field_of_problem(name)) {
      error.message = "describes the problem: write it below a line [parameters]";
    }
    return fail(std::move(error));
  }

  [[nodiscard]] bool is_field_of_problem(const std::string& name) const {
    return std::ranges::any_of(campaign_.domain->fields, [&](const Parameter& one) {
      return one.name == name || one.pointer.substr(0, name.size() + 2) == "/" + name + "/";
    });
  }

  // Names the domains, and the line to write.
  [[nodiscard]] std::string missing_domain() const {
    std::vector<std::string_view> names;
    for (const Domain* domain : known_) names.push_back(domain->name);
    return fmt::format("is missing: domain = \"{}\", or another of {}",
                       names.empty() ? "" : names.front(), fmt::join(names, ", "));
  }

  Status read_domain(const Value& value, const std::string& where) {
    const std::string* name = value.string();
    if (name == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected the name of a domain", value.described()));
    }
    const auto found = find_domain(*name, known_);
    if (!found) return fail(found.error().code, where, found.error().message);
    campaign_.domain = *found;
    return {};
  }

  Result<StrategySpec> parse(const Value& value, const std::string& where) const {
    const std::string* text = value.string();
    if (text == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected the name of a strategy", value.described()));
    }
    auto spec = parse_strategy(*text, campaign_.domain->strategies, Value::object(), rules_);
    if (!spec) return fail(ErrorCode::bad_value, where, std::move(spec).error().message);
    return spec;
  }

  Status read_strategy(const Value& value, const std::string& where) {
    HOLDFAST_TRY(spec, parse(value, where));
    if (!named_.insert(spec.text).second) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("{} is named twice", in_quotes(spec.text)));
    }
    campaign_.strategies.push_back(std::move(spec));
    return {};
  }

  Status read_baseline(const Value& value, const std::string& where) {
    HOLDFAST_TRY(spec, parse(value, where));
    campaign_.baseline = position_of(spec);
    if (campaign_.baseline) return {};
    std::vector<std::string_view> names;
    names.reserve(campaign_.strategies.size());
    for (const StrategySpec& other : campaign_.strategies) names.push_back(other.text);
    return fail(ErrorCode::bad_value, where,
                fmt::format("{} is not among the strategies; {}", in_quotes(spec.text),
                            suggestion(spec.text, names)));
  }

  Status take_default_strategies() {
    const Domain& domain = *campaign_.domain;
    const auto values = [this](std::string_view field) { return values_of(field); };
    for (const std::string_view text : domain.default_strategies(values)) {
      HOLDFAST_TRY(spec, parse_strategy(text, domain.strategies));
      campaign_.strategies.push_back(std::move(spec));
    }
    return {};
  }

  // Returns the values of one field at all points, each axis for itself.
  [[nodiscard]] std::vector<const Value*> values_of(std::string_view name) {
    std::vector<const Value*> out;
    const auto add_of = [&](Value parameters) {
      const Value document = with_options_in_place(*campaign_.domain, std::move(parameters));
      if (const Value* value = document.find(name)) out.push_back(&asked_for_.emplace_back(*value));
    };
    add_of(campaign_.fixed);
    for (const Axis& axis : campaign_.axes) {
      for (const Value& value : axis.values) {
        Value parameters = campaign_.fixed;
        set_values(axis, value, parameters);
        add_of(std::move(parameters));
      }
    }
    return out;
  }

  // Takes the domain's default baseline, if the campaign runs it.
  void take_default_baseline() {
    const auto spec = parse_strategy(campaign_.domain->baseline, campaign_.domain->strategies);
    if (spec) campaign_.baseline = position_of(*spec);
  }

  [[nodiscard]] std::optional<std::size_t> position_of(const StrategySpec& spec) const {
    const auto& all = campaign_.strategies;
    const auto match = std::find_if(all.begin(), all.end(),
                                    [&](const auto& other) { return other.text == spec.text; });
    if (match == all.end()) return std::nullopt;
    return static_cast<std::size_t>(match - all.begin());
  }

  static Status expect_table(const Value& value, const std::string& where) {
    if (value.members() != nullptr) return {};
    return fail(ErrorCode::bad_format, where,
                fmt::format("found {}, expected a table", value.described()));
  }

  static Status expect_parameters(const Value& table, const std::string& where) {
    HOLDFAST_CHECK(expect_table(table, where));
    if (table.members()->size() <= kMostParameters) return {};
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {} parameters, expected at most {}", table.members()->size(),
                            kMostParameters));
  }

  Status read_parameters(const Value& table, const std::string& where) {
    HOLDFAST_CHECK(expect_parameters(table, where));
    campaign_.fixed.set_line(table.line());
    for (const auto& [name, value] : *table.members()) {
      const Value::Array* items = value.array_items();
      if (items == nullptr) {
        campaign_.fixed.set(name, value);
      } else if (items->empty()) {
        return fail(ErrorCode::bad_value, pointer_to(where, name),
                    "found an empty array, expected at least one value to sweep over");
      } else {
        HOLDFAST_CHECK(check_points(name, *items, pointer_to(where, name)));
        campaign_.axes.push_back({.name = name, .values = *items});
      }
    }
    return {};
  }

  static Status check_points(std::string_view name, const Value::Array& items,
                             const std::string& where) {
    if (name != kPointsAxis) return {};
    for (std::size_t i = 0; i < items.size(); ++i) {
      HOLDFAST_CHECK(expect_parameters(items[i], pointer_to(where, i)));
    }
    return {};
  }

  const Value& document_;
  std::span<const Domain* const> known_;
  std::span<const OwnRule> rules_;
  Campaign& campaign_;
  std::unordered_set<std::string> named_;  // strategies that were named
  std::deque<Value> asked_for_;            // values of fields at points
};

// Puts the campaign's own keys of a file without tables ("domain = ..." in its first line) into the table that they belong to.
Value with_campaign_table(Value document) {
  if (document.find("campaign") != nullptr || document.find("domain") == nullptr) return document;
  Value out = Value::object();
  Value table = Value::object();
  for (auto& [name, value] : *document.members())
    (name == "parameters" || name == "report" ? out : table).set(name, std::move(value));
  out.set("campaign", std::move(table));
  return out;
}

}  // namespace

void set_values(const Axis& axis, const Value& value, Value& parameters) {
  if (axis.name != kPointsAxis) {
    parameters.set(axis.name, value);
    return;
  }
  for (const auto& [name, member] : *value.members()) parameters.set(name, member);
}

Value with_options_in_place(const Domain& domain, Value parameters) {
  for (const Parameter& field : domain.fields) {
    const auto inner = field.pointer.find('/', 1);
    const Value* given = parameters.find(field.name);
    if (inner == std::string_view::npos || given == nullptr) continue;
    const std::string_view table = field.pointer.substr(1, inner - 1);
    const Value* parent = parameters.find(table);
    const bool is_table = parent == nullptr || parent->members() != nullptr;
    const bool is_its_file = table == field.name && field.kind == Kind::file && parent->string();
    if (!is_table && !is_its_file) continue;
    if (table == field.name && !is_its_file) continue;
    Value value = *given;
    parameters.erase(field.name);
    parameters.set_at(field.pointer, std::move(value));
  }
  return parameters;
}

Result<Campaign> parse_campaign(std::string_view text, std::string_view file,
                                const std::filesystem::path& directory,
                                std::span<const OwnRule> rules,
                                std::span<const Domain* const> known) {
  auto parsed = parse_toml(text);
  if (!parsed) return fail(in_file(file, std::move(parsed).error()));
  const Value document = with_campaign_table(std::move(*parsed));
  Campaign campaign;
  campaign.directory = directory;
  campaign.file = file;
  campaign.text = text;
  if (auto status = CampaignReader(document, known, rules, campaign).read(); !status) {
    Error error = std::move(status).error();
    error.where = place_in(document, error.where);
    return fail(in_file(file, std::move(error)));
  }
  return campaign;
}

Result<Campaign> parse_campaign(std::string_view text, std::string_view file,
                                const std::filesystem::path& directory,
                                std::span<const Domain* const> known) {
  return parse_campaign(text, file, directory, std::span<const OwnRule>(), known);
}

Result<Campaign> read_campaign(const std::filesystem::path& file, std::span<const OwnRule> rules,
                               std::span<const Domain* const> known) {
  HOLDFAST_TRY(text, read_file(file, kMostToml));
  const std::filesystem::path parent = file.parent_path();
  return parse_campaign(text, file.string(), parent.empty() ? "." : parent, rules, known);
}

Result<Campaign> read_campaign(const std::filesystem::path& file,
                               std::span<const Domain* const> known) {
  return read_campaign(file, std::span<const OwnRule>(), known);
}

std::filesystem::path default_results_directory(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name.extension() == ".toml") name.replace_extension();
  name += "-results";
  return name;
}

Campaign scaled(Campaign campaign, double factor) {
  assert(factor > 0);
  const auto times = [factor](std::uint64_t count) {
    const double product = std::round(static_cast<double>(count) * factor);
    return static_cast<std::uint64_t>(std::clamp(product, 1.0, kMostDraws));
  };
  campaign.instances = times(campaign.instances);
  campaign.scenarios = times(campaign.scenarios);
  campaign.scale *= factor;
  return campaign;
}

}  // namespace holdfast
