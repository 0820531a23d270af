// Targets that read documents of the domains: an instance per domain, and files of check vectors; and what guards read.
#include "holdfast/answers/reproduction/check_vector.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/checkpoint/advisor/advisor_document.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/messages.hpp"
#include "holdfast/field/node_events.hpp"
#include "holdfast/field/slurm_job.hpp"

#include "fuzz/fuzz_target.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::fuzz {
namespace {

/// Documents that ask for much work are no finding of a reader.
constexpr std::size_t kLongest = 4096;

void feed_instance(const Domain& domain, std::string_view bytes) {
  if (bytes.size() > kLongest) return;
  const auto document = bytes.starts_with('{') ? parse_json(bytes) : parse_toml(bytes);
  if (!document) return;
  std::vector<StrategySpec> strategies;
  for (const StrategyEntry& entry : domain.strategies) {
    if (auto spec = parse_strategy(entry.name, domain.strategies))
      strategies.push_back(std::move(*spec));
  }
  const auto point = open_point(domain, *document, strategies, ".");
  if (!point) {
    promise(!point.error().message.empty(), "an instance is refused in words");
    return;
  }
  // What an instance comes to names its cells, so it comes to the same again.
  const auto again = open_point(domain, (*point)->definition(), strategies, ".");
  if (again) promise((*again)->definition() == (*point)->definition(), "definitions are stable");
}

template <std::size_t which>
void feed(std::string_view bytes) {
  feed_instance(*domains()[which], bytes);
}

// What a running program gives to libholdfast.so.1.
void feed_advisor(std::string_view bytes) {
  if (bytes.size() > kLongest) return;
  const auto document = parse_json(bytes);
  if (!document) return;
  const auto plan = checkpoint::read_advisor(*document, ".");
  if (!plan) {
    promise(!plan.error().message.empty(), "the document of an advisor is refused in words");
    return;
  }
  const auto advisor = checkpoint::make_advisor(*plan, 0);
  promise(!advisor || advisor->due() == checkpoint::Advisor::kNever,
          "nothing is due before the program works");
}

void feed_vectors(std::string_view bytes) {
  const auto document = parse_json(bytes);
  if (!document) return;
  const auto vectors = read_vectors(*document);
  if (!vectors) {
    promise(!vectors.error().message.empty(), "check vectors are refused in words");
    return;
  }
  for (const CheckVector& vector : *vectors) {
    for (const auto& [pointer, expected] : *vector.expect.members()) {
      static_cast<void>(compare(&*document, expected, pointer));
    }
  }
}

void fold_journal(std::string_view text) {
  const auto journal = field::read_journal_text(text, "journal");
  if (!journal) {
    promise(!journal.error().message.empty(), "a journal is refused in words");
    return;
  }
  promise(journal->size + journal->cut == text.size(), "what is not cut off of a journal is read");
  const field::History history = field::history_of(*journal);
  static_cast<void>(field::report_lines(history, {}));
  static_cast<void>(field::status_lines(history, true, history.time));
}

/// As it is; and each line given the checksum that it lacks, because no mutation finds one.
void feed_journal(std::string_view bytes) {
  fold_journal(bytes);
  std::string text;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    const auto seal = line.rfind(",\"crc\"");
    const auto entry =
        parse_json(std::string(line.substr(0, seal)) + (seal == line.npos ? "" : "}"));
    if (!entry || entry->members() == nullptr || entry->members()->empty()) return;
    text += field::sealed(*entry) + '\n';
  }
  fold_journal(text);
}

/// What programs and Slurm say to a guard, a line each.
void feed_messages(std::string_view bytes) {
  const auto message = field::read_message(bytes);
  const auto* progress = message ? std::get_if<field::event::Progress>(&*message) : nullptr;
  if (progress) {
    promise(std::isfinite(progress->done) && std::isfinite(progress->total),
            "what is done is a number");
  }
  static_cast<void>(field::number_behind(bytes, "step"));
  static_cast<void>(field::parse_time_left(bytes));
  const auto nodes = expand_nodes(bytes);
  if (nodes) promise(!nodes->empty(), "a list of nodes that is read has nodes");
}

/// What somebody who watches the nodes writes for a guard, in one piece and in two.
void feed_events(std::string_view bytes) {
  std::vector<field::NodeRows::Row> whole;
  field::NodeRows rows;
  rows.take(bytes, whole);
  std::vector<field::NodeRows::Row> parts;
  field::NodeRows again;
  again.take(bytes.substr(0, bytes.size() / 2), parts);
  again.take(bytes.substr(bytes.size() / 2), parts);
  promise(rows.count() == again.count() && whole.size() == parts.size(),
          "rows do not depend on how they come");
  for (const auto& row : whole) {
    promise(!row.node.empty() && row.number <= rows.count(), "a row names a node");
    static_cast<void>(node_number(std::vector<std::string>{"n1", "n2.cluster"}, row.node));
  }
}

constexpr std::size_t kMostDomains = 16;

template <std::size_t... which>
std::vector<Target> make_targets(std::index_sequence<which...> /*all*/) {
  static std::array<std::string, kMostDomains> names;
  constexpr std::array<void (*)(std::string_view), kMostDomains> kFeed = {feed<which>...};
  std::vector<Target> out;
  for (std::size_t i = 0; i < std::min(domains().size(), kMostDomains); ++i) {
    names[i] = "instance_" + std::string(domains()[i]->name);
    out.push_back({names[i], kFeed[i]});
  }
  out.push_back({"advisor", feed_advisor});
  out.push_back({"vectors", feed_vectors});
  out.push_back({"journal", feed_journal});
  out.push_back({"messages", feed_messages});
  out.push_back({"events", feed_events});
  return out;
}

}  // namespace

std::span<const Target> targets() {
  static const std::vector<Target> kTargets =
      make_targets(std::make_index_sequence<kMostDomains>());
  return kTargets;
}

}  // namespace holdfast::fuzz
