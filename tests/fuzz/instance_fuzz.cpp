// Targets that read documents of the domains: an instance per domain, and files of check vectors.
#include "holdfast/answers/check_vector.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/ask.hpp"

#include "fuzz/fuzz_target.hpp"
#include <algorithm>
#include <array>
#include <string>
#include <utility>
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
  out.push_back({"vectors", feed_vectors});
  return out;
}

}  // namespace

std::span<const Target> targets() {
  static const std::vector<Target> kTargets =
      make_targets(std::make_index_sequence<kMostDomains>());
  return kTargets;
}

}  // namespace holdfast::fuzz
