#include "holdfast/answers/campaign/campaign_draft.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/report/text_wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr std::size_t kLineWidth = 110;
constexpr std::size_t kMostSettingWidth = 34;  // for a comment on the same line
constexpr std::uint64_t kScenarios = 20;       // enough for a first look, and fast

/// The options on the command line of the domain's example.
struct ExampleWords {
  std::vector<std::pair<const Parameter*, std::string>> fields;

  [[nodiscard]] const std::string* find(const Parameter& field) const {
    for (const auto& [known, text] : fields) {
      if (known == &field) return &text;
    }
    return nullptr;
  }
};

// Returns the path of a file of the example. It is relative to the folder of the examples, wherever that is.
std::string found_file(const std::string& text, const std::filesystem::path& examples) {
  constexpr std::string_view kFolder = "examples/";
  if (!text.starts_with(kFolder) || examples.empty()) return text;
  return (examples / text.substr(kFolder.size())).string();
}

ExampleWords read_example(const Domain& domain, const std::filesystem::path& examples) {
  ExampleWords out;
  const std::vector<std::string_view> words = split(domain.example, ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto field =
        std::find_if(domain.fields.begin(), domain.fields.end(),
                     [&](const Parameter& one) { return option_name(one.name) == words[i]; });
    if (field == domain.fields.end()) continue;
    const bool has_value = i + 1 < words.size() && !words[i + 1].starts_with("--");
    const std::string text = has_value ? std::string(words[i + 1]) : std::string();
    out.fields.emplace_back(&*field, found_file(text, examples));
  }
  return out;
}

std::string toml_text(std::string_view text) {
  return to_compact_json(Value(text));
}

std::string capital(std::string_view sentence) {
  std::string out(sentence);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

bool is_plain_number(const Parameter& field) {
  return (field.kind == Kind::number || field.kind == Kind::integer) && field.unit == Unit::none;
}

// Returns the name of the value that help shows in capital letters: DURATION, N, FILE.
std::string_view value_name(const Parameter& field) {
  if (!field.value_name.empty()) return field.value_name;
  switch (field.kind) {
    case Kind::integer:
      return "a whole number";
    case Kind::text:
    case Kind::choice:
    case Kind::texts:
      return "a text";
    case Kind::file:
      return "a path";
    case Kind::number:
    case Kind::numbers:
    case Kind::flag:
      break;
  }
  switch (field.unit) {
    case Unit::seconds:
      return "a duration";
    case Unit::bytes:
      return "a size";
    case Unit::bytes_per_second:
      return "a bandwidth";
    default:
      return "a number";
  }
}

// Returns a value as TOML. A list is put inside another one, because an array is swept.
std::string toml_value(const Parameter& field, const std::string& text) {
  switch (field.kind) {
    case Kind::flag:
      return text == "false" ? "false" : "true";
    case Kind::numbers: {
      std::vector<std::string> items;
      for (const std::string_view item : split(text, ',')) items.push_back(toml_text(item));
      return "[[" + join(items, ", ") + "]]";
    }
    case Kind::number:
    case Kind::integer:
      // "2e5" and 10000 are numbers in TOML too, "1/5" and "48h" are not.
      return parse_json(text) ? text : toml_text(text);
    case Kind::text:
    case Kind::choice:
    case Kind::file:
    case Kind::texts:
      break;
  }
  return toml_text(text);
}

std::string comment_of(const Parameter& field) {
  std::string text(field.summary);
  if (field.kind == Kind::choice) text += "; one of " + join(field.choices, ", ");
  return text;
}

// Returns a setting with its meaning as a comment, beside it or above it.
std::string setting(const std::string& assignment, const std::string& comment) {
  if (assignment.size() <= kMostSettingWidth &&
      kMostSettingWidth + 3 + comment.size() <= kLineWidth) {
    return fmt::format("{:<{}} # {}\n", assignment, kMostSettingWidth, comment);
  }
  std::string out;
  for (const std::string& line : wrap(comment, kLineWidth - 2)) out += "# " + line + "\n";
  return out + assignment + "\n";
}

// The place of a field: "failures" and "mtbf" for /failures/mtbf, "" and "work" for /work.
struct TomlPlace {
  std::string table;
  std::string key;
};

TomlPlace place_of(const Parameter& field) {
  std::string pointer(field.pointer.empty() ? field.name : field.pointer.substr(1));
  const auto slash = pointer.find('/');
  if (slash == std::string::npos) return {.table = "", .key = pointer};
  TomlPlace place{.table = pointer.substr(0, slash), .key = pointer.substr(slash + 1)};
  std::replace(place.key.begin(), place.key.end(), '/', '.');
  return place;
}

// Returns a quarter, a half and the whole of the value in the example, so that a run takes no longer than the example.
std::optional<std::string> sweep_of(const Parameter& field, const std::string& text) {
  const auto number = parse_quantity(text, field.unit);
  if (!number) return std::nullopt;
  std::vector<std::string> values;
  for (const double part : {0.25, 0.5, 1.0}) {
    const double value = field.kind == Kind::integer ? std::ceil(part * *number) : part * *number;
    if (!field.range.contains(value)) return std::nullopt;
    const std::string shown = to_text(value);
    if (values.empty() || values.back() != shown) values.push_back(shown);
  }
  if (values.size() < 2) return std::nullopt;
  return "[" + join(values, ", ") + "]";
}

/// The writer of the file, part by part.
class Draft {
 public:
  Draft(const Domain& domain, const std::filesystem::path& examples)
      : domain_(domain), example_(read_example(domain, examples)) {}

  /// Returns the fields that could be swept, in the order of the example.
  [[nodiscard]] std::vector<const Parameter*> candidates() const {
    std::vector<const Parameter*> out;
    for (const auto& [field, text] : example_.fields) {
      if (is_plain_number(*field) && place_of(*field).table.empty() && sweep_of(*field, text))
        out.push_back(field);
    }
    return out;
  }
  /// Chooses the field to be swept. @param field  one of candidates(); null: nothing is swept
  void sweep(const Parameter* field) {
    swept_ = field;
    sweep_ = field == nullptr ? "" : *sweep_of(*field, *example_.find(*field));
  }

  std::string text() {
    write_head();
    write_campaign();
    write_parameters();
    write_report();
    return std::exchange(out_, {});
  }

 private:
  void write_head() {
    out_ += fmt::format(
        "# {0}\n#\n"
        "#   holdfast run FILE --dry-run    says how many runs this is, and about how long they "
        "take\n"
        "#   holdfast run FILE              runs them; the page is report.html in the folder of "
        "the results\n"
        "#\n"
        "# Lines that begin with # are comments: remove the # to set the value. Quantities are "
        "texts "
        "with a unit, \"10min\",\n"
        "# or numbers in seconds and bytes. An array is swept: a point for each of its values, or "
        "for each pair of values\n"
        "# of two arrays. 'holdfast {1} simulate --help' explains every field.\n\n",
        capital(domain_.question), domain_.name);
  }

  void write_campaign() {
    out_ += "[campaign]\n";
    out_ += setting(
        fmt::format("name = {}", toml_text(fmt::format("{}, a first campaign", domain_.name))),
        "the title of the page");
    out_ += fmt::format("domain = {}\n", toml_text(domain_.name));
    out_ += setting("seed = 1", "the same seed gives the same numbers");
    out_ += setting("instances = 1",
                    "random instances at each point, where the problem itself is random");
    out_ += setting(fmt::format("scenarios = {}", kScenarios),
                    "draws for each instance; take 200 for numbers to rely on");
    std::vector<std::string> chosen;
    for (const std::string_view name :
         domain_.default_strategies([](std::string_view) { return std::vector<const Value*>(); }))
      chosen.push_back(toml_text(name));
    out_ += fmt::format("strategies = [{}]\n# of these:\n", join(chosen, ", "));
    for (const StrategyEntry& entry : domain_.strategies) {
      if (entry.takes_rule) continue;
      out_ += fmt::format("#   {:<24} {}\n", entry.name, entry.summary);
    }
    if (!domain_.baseline.empty()) {
      out_ += setting(fmt::format("baseline = {}", toml_text(domain_.baseline)),
                      "what the others are compared with");
    }
    out_ += '\n';
  }

  void write_parameters() {
    out_ += "[parameters]\n";
    write_table("");
    std::vector<std::string> tables;
    for (const Parameter& field : domain_.fields) {
      const std::string table = place_of(field).table;
      if (!table.empty() && std::find(tables.begin(), tables.end(), table) == tables.end())
        tables.push_back(table);
    }
    for (const std::string& table : tables) {
      const bool is_set =
          std::any_of(example_.fields.begin(), example_.fields.end(),
                      [&](const auto& given) { return place_of(*given.first).table == table; });
      out_ += fmt::format("\n{}[parameters.{}]\n", is_set ? "" : "# ", table);
      write_table(table);
    }
    out_ += '\n';
  }

  // Writes the settings, and then, as comments, those that could be set.
  void write_table(const std::string& table) {
    for (const bool is_set : {true, false}) {
      for (const Parameter& field : domain_.fields) {
        const TomlPlace place = place_of(field);
        const std::string* given = example_.find(field);
        if (place.table != table || (given != nullptr) != is_set) continue;
        if (&field == swept_) {
          out_ += setting(fmt::format("{} = {}", place.key, sweep_), comment_of(field));
        } else if (given != nullptr) {
          out_ += setting(fmt::format("{} = {}", place.key, toml_value(field, *given)),
                          comment_of(field));
        } else {
          const bool is_known = !field.fallback.empty() || field.kind == Kind::flag;
          const std::string value = is_known ? toml_value(field, std::string(field.fallback))
                                             : fmt::format("<{}>", value_name(field));
          out_ += setting(fmt::format("# {} = {}", place.key, value), comment_of(field));
        }
      }
    }
  }

  void write_report() {
    out_ += "# What the page shows; everything may be left out.\n[report]\n";
    if (swept_ != nullptr) {
      out_ += setting(fmt::format("x = {}", toml_text(place_of(*swept_).key)),
                      "along the axis of the charts");
    }
    const Metric& first = domain_.metrics.front();
    out_ += setting(fmt::format("metric = {}", toml_text(first.name)), "what is compared first");
    for (const Metric& metric : domain_.metrics)
      out_ += fmt::format("#   {:<24} {}\n", metric.name, metric.summary);
    out_ += setting("# charts = [\"ratios\", \"lines\"]", "of ratios, boxes, lines, heat, ecdf");
  }

  const Domain& domain_;
  ExampleWords example_;
  const Parameter* swept_ = nullptr;
  std::string sweep_;
  std::string out_;
};

// Returns true if a campaign can be opened: not every problem exists at a quarter of its size.
bool can_be_opened(const std::string& text, const Domain& domain) {
  const Domain* const known[] = {&domain};
  const auto campaign = parse_campaign(text, "", ".", known);
  return campaign && Design::make(*campaign);
}

}  // namespace

std::string campaign_draft(const Domain& domain, const std::filesystem::path& examples) {
  Draft draft(domain, examples);
  for (const Parameter* field : draft.candidates()) {
    draft.sweep(field);
    std::string text = draft.text();
    if (can_be_opened(text, domain)) return text;
  }
  draft.sweep(nullptr);
  return draft.text();
}

}  // namespace holdfast
